# SPDX-License-Identifier: Apache-2.0
"""What memcheck reports of secrets is told by its line, and a line without a reason is a failure.

So is the absence of reports that must be there.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest

from perle.trust import memcheck, secrets
from perle.trust.memcheck import FEW, Place
from perle.trust.secrets import LEAK, LEAKS

NEEDS = pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind (Debian's valgrind)")
FRAME = "<frame><obj>/lib/{}</obj><fn>{}</fn>{}</frame>"
OWN, CRYPTO, PRELOADED, CPP = (
    "ctgrind",
    "libcrypto.so.3",
    "vgpreload_memcheck-amd64-linux.so",
    "libstdc++.so.6",
)
LEAKED = Counter({Place("", LEAK, "a"): 1, Place("", LEAK, "b", address=True): 1})
SOMETIMES = {"BN_sub", "BN_mul"}
"""Functions of libcrypto in which not every signing causes reports of every caller."""

At = tuple[str, str] | tuple[str, str, str]
"""A frame: object, function, and file:line."""


def error(kind: str, *frames: At, folder: Path | None = None) -> str:
    stack = ""
    for obj, name, *at in frames:
        file, _, line = at[0].partition(":") if at else ("", "", "")
        where = f"<dir>{folder}</dir><file>{file}</file><line>{line}</line>" if at else ""
        stack += FRAME.format(obj, escape(name), where)
    return f"<error><kind>{kind}</kind><stack>{stack}</stack></error>"


def place(*frames: At) -> Place:
    (found,) = memcheck.places(f"<v>{error('UninitCondition', *frames)}</v>", OWN)
    return found


def own(name: str) -> Place:
    """Return a place in a program without line numbers."""
    return Place("", name, "")


def test_places() -> None:
    divided = ((CRYPTO, "x"), (CRYPTO, "BN_div"), (OWN, "__wrap_BN_div"), (OWN, "perle::a()"))
    report = [
        error("UninitCondition", (OWN, "perle::a(int)"), (OWN, "main")),
        error("UninitCondition", (CRYPTO, "BN_cmp"), (OWN, "perle::(anonymous namespace)::b()")),
        error("UninitCondition", *divided),
        error("UninitCondition", (CRYPTO, "OPENSSL_cleanse"), (CRYPTO, "BN_CTX_free"), (OWN, "perle::a()")),
        error("Leak_DefinitelyLost", (OWN, "perle::c()")),
    ]
    found = memcheck.places(f"<v>{''.join(report)}</v>", OWN)
    expected = [own("a"), own("b"), Place("BN_div", "a", ""), Place("BN_CTX_free", "a", "")]
    assert found == Counter(expected)


SOURCE = """\
void right() {
  if (secret < n) leave();
  table[secret] = 1;
  if (secret < n) leave();
}
"""


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function: the places, as text, of branches with the given frames in the files of a library."""
    for name, text in {"src/a.cpp": SOURCE, "src/rsa/bn.hpp": "\nbool less() { return 1; }\n"}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(*stacks: tuple[str, list[At]]) -> list[str]:
        report = "".join(error(kind, *frames, folder=tmp_path / "src") for kind, frames in stacks)
        counted = memcheck.places(f"<v>{report}</v>", OWN, tmp_path / "src")
        return [str(one) for one in sorted(counted)]

    return read


def test_a_second_leak_in_a_function_is_a_place_of_its_own(found: Callable[..., list[str]]) -> None:
    """On another line, as an address, and on a line of the same text."""
    known = ("UninitCondition", [(OWN, "perle::right(int)", "a.cpp:2"), (OWN, "main")])
    address = ("UninitValue", [(OWN, "perle::right(int)", "a.cpp:3"), (OWN, "main")])
    again = ("UninitCondition", [(OWN, "perle::right(int)", "a.cpp:4"), (OWN, "main")])
    assert found(known, known) == ["a.cpp: right: if (secret < n) leave();"]
    assert found(known, address, again) == [
        "a.cpp: right: if (secret < n) leave();",
        "a.cpp: right: if (secret < n) leave(); (2)",
        "an address in a.cpp: right: table[secret] = 1;",
    ]


def test_a_line_that_moved_is_the_same_line(found: Callable[..., list[str]]) -> None:
    """Compare with the same line alone: its number is not part of its name. Nor is whether it is inlined."""
    moved = found(("UninitCondition", [(OWN, "right", "a.cpp:4"), (OWN, "main")]))
    assert moved == found(("UninitCondition", [(OWN, "perle::right(int)", "a.cpp:2"), (OWN, "main")]))


def test_a_helper_is_told_with_its_caller(found: Callable[..., list[str]]) -> None:
    inner: list[At] = [(CRYPTO, "BN_cmp"), (OWN, "less", "rsa/bn.hpp:2"), (OWN, "right", "a.cpp:2")]
    assert found(("UninitCondition", inner)) == [
        "a.cpp: right: bool less() { return 1; } < if (secret < n) leave();"
    ]


def test_a_template_of_the_standard_library_is_its_callers(found: Callable[..., list[str]]) -> None:
    inlined: list[At] = [(OWN, "fill<int>", "/usr/x.h:9"), (OWN, "right", "a.cpp:3")]
    assert found(("UninitCondition", inlined)) == ["a.cpp: right: table[secret] = 1;"]


def test_a_further_caller_of_libcrypto_is_a_place_of_its_own(found: Callable[..., list[str]]) -> None:
    def divided(line: int) -> tuple[str, list[At]]:
        inside: list[At] = [(CRYPTO, "BN_div"), (OWN, "__wrap_BN_div"), (OWN, "less", "rsa/bn.hpp:2")]
        return "UninitCondition", [*inside, (OWN, "right", f"a.cpp:{line}")]

    assert found(divided(2), divided(3)) == [
        "BN_div of libcrypto, called in a.cpp: right: if (secret < n) leave();",
        "BN_div of libcrypto, called in a.cpp: right: table[secret] = 1;",
    ]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("perle::(anonymous namespace)::Power::run(int)", "run"),
        ("void perle::put<std::pair<int, int> >(int)", "put"),
        ("perle::operator<(perle::Bn const&, perle::Bn const&)", "operator<"),
        ("perle::rsa(int)::{lambda()#1}::operator()() const", "operator"),
        ("perle::Output::~Output()", "~Output"),
        ("BN_div", "BN_div"),
    ],
)
def test_names_are_the_same_inlined_or_not(name: str, plain: str) -> None:
    assert place((OWN, name)) == own(plain)


@pytest.mark.parametrize("name", ["memcmp", "bcmp", "strlen"])
def test_a_comparison_in_another_library_is_one_of_its_caller(name: str) -> None:
    """Valgrind has its own memcmp, in a library that it preloads."""
    assert place((PRELOADED, name), (OWN, "perle::a()"), (OWN, "main")) == own("a")


def test_a_comparison_of_strings_is_one_of_its_caller() -> None:
    frames = ((PRELOADED, "memcmp"), (CPP, "std::string::compare(char const*) const"), (OWN, "perle::a()"))
    assert place(*frames) == own("a")
    assert place(*frames[1:]) == own("a")


def test_libcryptos_own_use_of_another_library_is_libcryptos() -> None:
    frames = ((PRELOADED, "memset"), (CRYPTO, "CRYPTO_zalloc"), (CRYPTO, "BN_div"), (OWN, "__wrap_BN_div"))
    assert place(*frames) == Place("BN_div", "", "")


def test_a_wrapper_and_a_stack_without_the_program_are_no_excuse() -> None:
    assert place((PRELOADED, "memcmp"), (OWN, "__wrap_BN_div")) == own("__wrap_BN_div")
    assert place((PRELOADED, "memcmp"), (CPP, "start")) == own("memcmp")
    assert place((CRYPTO, "?"), (OWN, "perle::a()")) == own("a")
    assert place((CRYPTO, "BN_free"), (CRYPTO, "OPENSSL_cleanup")) == Place("OPENSSL_cleanup", "", "")


def measured(
    monkeypatch: pytest.MonkeyPatch, found: dict[Place, int], leaked: Counter[Place] = LEAKED
) -> list[str]:
    """Return the failures of a signing with these reports, and with those of the test that leaks."""
    monkeypatch.setattr(secrets, "build", lambda: Path("ctgrind"))
    monkeypatch.setattr(secrets, "watch", lambda _, test: leaked if test == secrets.LEAKY else Counter(found))
    return secrets.measure("sign_blinded", 1).failed


def usual() -> dict[Place, int]:
    """Return reports of every listed place of a signing."""
    reasons = secrets.known("sign_blinded")
    below = {
        Place(name, *_split(line)): 1
        for name, called in reasons.libcrypto.items()
        for line in called.callers or ["x: y: z"]
    }
    return dict.fromkeys(reasons.own, 1) | below


def _split(line: str) -> tuple[str, str]:
    file, function, text = line.split(": ", 2)
    return f"{file}: {function}", text


def test_the_listed_places_are_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(monkeypatch, usual()) == []


def test_an_unlisted_place_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    added = {own("a"): 2, Place("BN_gcd", "a", "b"): 3}
    assert measured(monkeypatch, usual() | added) == [
        "a: depends on secrets (2 reports)",
        "BN_gcd of libcrypto, called in a: b: gets secrets, and is not listed (3 reports)",
    ]


def test_another_place_in_a_listed_function_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    known = next(one for one in usual() if "right_private_power" in one.caller)
    branch, address = (
        Place("", known.caller, line, at) for line, at in (("if (d)", False), (known.line, True))
    )
    called = Place("BN_bn2binpad", known.caller, "BN_bn2binpad(d)")
    assert measured(monkeypatch, usual() | {branch: 1, address: 1, called: 1}) == [
        f"{address}: depends on secrets (1 reports)",
        f"{branch}: depends on secrets (1 reports)",
        f"{called}: gets secrets from a line that is not listed (1 reports)",
    ]


def test_no_report_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    said = measured(monkeypatch, {})
    assert [text for text in said if "libcrypto" in text] == [
        "nothing was reported inside of libcrypto: was it given secrets?"
    ]
    assert len(said) == 1 + len(secrets.known("sign_blinded").own)


def test_a_listed_place_without_a_report_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = usual()
    gone = next(one for one in found if one.caller == "board/board.cpp: power")
    del found[gone]
    assert measured(monkeypatch, found) == [
        f"{gone}: is listed, but nothing was reported there: was it given secrets?"
    ]


def test_too_many_reports_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Valgrind would take some for repetitions of others."""
    many = dict.fromkeys(usual(), FEW)
    assert measured(monkeypatch, many) == [
        "memcheck does not tell callers of libcrypto apart after 100 reports"
    ]


@pytest.mark.parametrize("seen", [0, 1])
def test_a_leak_that_is_not_reported_is_a_failure(monkeypatch: pytest.MonkeyPatch, seen: int) -> None:
    """The test that leaks on purpose; then nothing would be known of the others."""
    said = f"memcheck reported {seen} of the 2 leaks of a test that leaks on purpose"
    assert measured(monkeypatch, usual(), Counter(list(LEAKED)[:seen])) == [said]


@NEEDS
def test_a_leak_is_a_failure() -> None:
    """A branch on a secret and an address made of one."""
    found = memcheck.watch(secrets.build(), secrets.LEAKY)
    branch, address = sorted(found)
    assert (branch.caller, branch.address) == (LEAK, False)
    assert (address.caller, address.address) == (LEAK, True)
    assert list(secrets.unlisted(found, secrets.known())) == [
        f"{one}: depends on secrets (1 reports)" for one in (branch, address)
    ]


@NEEDS
@pytest.mark.parametrize("test", secrets.CASES)
def test_places_have_reasons(test: str) -> None:
    found = secrets.measure(test, 1)
    assert found.failed == []
    assert found.counts["known"] > 0
    assert found.counts["libcrypto: functions"] > 0
    assert found.counts["control: reports"] == LEAKS


@NEEDS
def test_every_reason_is_of_a_place() -> None:
    program = secrets.build()
    found = {place for test in secrets.CASES for place in memcheck.watch(program, test)}
    reasons = secrets.known()
    assert set(reasons.own) == {place for place in found if place.own}
    for name, called in reasons.libcrypto.items():
        callers = {place.where for place in found if place.function == name}
        assert name in SOMETIMES or (callers and (called.callers or callers) == callers), name
