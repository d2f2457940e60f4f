# SPDX-License-Identifier: Apache-2.0
"""The papers' numbers hang together, and a wrong one is noticed unless its claim says that it cannot be."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from perle.papers import PAPERS, Claim, Paper, PaperError, keys, load
from perle.papers.arithmetic import ExpressionError, Formula, evaluate

CLAIMS = [(key, name) for key in keys() for name in load(key).claims]


def altered(claim: Claim, sign: int) -> Claim:
    """Return the claim with its last printed digit (or its formula) off by one."""
    if isinstance(claim.value, str):
        return replace(claim, value=f"({claim.value}) {sign:+d}")
    printed = Decimal(str(claim.value))
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int)
    step = sign * Fraction(10) ** exponent
    wrong = claim.number + step
    return replace(claim, value=int(wrong) if wrong.denominator == 1 else float(wrong))


def with_claim(paper: Paper, claim: Claim) -> Paper:
    """Return the paper with one claim replaced."""
    return replace(paper, claims={**paper.claims, claim.id: claim})


@pytest.mark.parametrize("key", keys())
def test_claims_are_consistent(key: str) -> None:
    """Every check computes what it states and agrees with the printed number."""
    assert load(key).failures() == []


@pytest.mark.parametrize(("key", "name"), CLAIMS)
def test_a_wrong_digit_is_noticed(key: str, name: str) -> None:
    """A claim off by one unit of its last digit misses a printed or known value, unless it says why none can.

    What checks state in `computes` does not count: it may have been computed from a wrong claim.
    """
    paper = load(key)
    claim = paper[name]
    noticed = [with_claim(paper, altered(claim, sign)).contradictions() for sign in (-1, 1)]
    assert all(noticed) == (not claim.given), f"{name}: {noticed}"


def test_the_readme_counts_the_claims() -> None:
    """The README states how many claims there are, how many are confirmed and how many are given."""
    claims = [load(key)[name] for key, name in CLAIMS]
    given = sum(bool(claim.given) for claim in claims)
    readme = (PAPERS / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\*\*(\d+) of the (\d+) claims|\*\*(\d+) are given", readme) == [
        (str(len(claims) - given), str(len(claims)), ""),
        ("", "", str(given)),
    ]


@pytest.mark.parametrize("key", keys())
def test_what_is_not_of_the_paper_is_apart(key: str) -> None:
    """A number that the paper does not print names its source, and no claim has its name."""
    paper = load(key)
    assert not paper.elsewhere.keys() & paper.claims.keys()
    assert all(claim.source and claim.given and claim.page == 0 for claim in paper.elsewhere.values())
    assert not any(claim.source for claim in paper.claims.values())


@pytest.mark.parametrize("key", keys())
def test_entries_are_complete(key: str) -> None:
    """Every claim has unit, meaning and place; every check compares with one claim or formula that exists."""
    paper = load(key)
    assert paper.claims
    assert paper.checks
    for claim in paper.claims.values():
        assert claim.unit
        assert claim.what
        assert claim.page > 0
    for check in paper.checks.values():
        assert check.what
        assert check.tolerance == 0 or check.claim
        assert bool(check.claim) + bool(check.equals) + check.known <= 1
        assert not check.claim or paper[check.claim].number is not None
        assert not check.equals or paper[check.equals.partition("(")[0]].symbols


def test_known_misprint_is_stated() -> None:
    """tang2003: the 512-bit rows add up to one cycle more than the total; the 1024-bit rows add up."""
    paper = load("tang2003")
    assert paper.compute("prepost_512 + exp_512 + input_512 + output_512") - paper["total_512"].number == 1
    assert paper.compute("prepost_1024 + exp_1024 + input_1024 + output_1024") == paper["total_1024"].number


def test_unknown_names_are_named() -> None:
    """A missing paper or claim is an error that says what is there."""
    with pytest.raises(PaperError, match="tang2003"):
        load("nobody1999")
    with pytest.raises(PaperError, match="nonsense"):
        load("tang2003")["nonsense"]
    with pytest.raises(PaperError, match="not a number"):
        _ = load("tang2003")["mul"].number


def test_arithmetic_is_exact() -> None:
    """No floating point anywhere: a third is a third."""
    numbers = {"b": Fraction(544)}
    formulas = {"mul": Formula("2*(n + 5)", ("n",))}
    assert evaluate("b/3*3", numbers, formulas) == 544
    assert evaluate("mul(n=b/17)", numbers, formulas) == 74
    assert evaluate("ceil(b/64)*1.5", numbers, formulas) == Fraction(27, 2)
    assert evaluate("floor(b/64) - ceil(b/64)", numbers, formulas) == -1
    assert evaluate("7**20 % 10", numbers, formulas) == 1


@pytest.mark.parametrize(
    "expr",
    ["c", "b.real", "abs(b)", "mul(b)", "mul(m=b)", "mul(n=1, m=2)", "b if b else 1", "[b][0]", "ceil(b, b)"],
)
def test_only_arithmetic_is_understood(expr: str) -> None:
    """Anything else in an expression is refused, not run."""
    with pytest.raises(ExpressionError):
        evaluate(expr, {"b": Fraction(1)}, {"mul": Formula("2*(n + 5)", ("n",))})


def test_what_the_readmes_name_for_a_figure_exists() -> None:
    """A table from the paper's figures to modules: every module is a file of that folder."""
    root = Path(__file__).parents[1]
    tables = 0
    for readme in [*root.glob("cores/*/README.md"), *root.glob("pam/*/README.md")]:
        _, heading, rest = readme.read_text(encoding="utf-8").partition("## With the paper in hand\n")
        named = re.findall(r"`(perle_\w+)`", rest.partition("\n## ")[0])
        assert all((readme.parent / f"{name}.sv").is_file() for name in named), (readme, named)
        tables += bool(heading and named)
    assert tables == 8
