# SPDX-License-Identifier: Apache-2.0
"""Ranges and rules of core.toml: rejected values, error messages, and that every rule rejects something."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.params import Param, Rule, fault
from perle.cores.registry import UnknownCoreError, every, resolve_any
from perle.cores.stream import model as stream

PARAMS = {"A": Param(1, 1, 9, ""), "B": Param(2, 0, 1 << 100, "")}
RULES = (Rule("power_of_two(A) and bits(B) <= 70", "A is a power of two, B short"), Rule("A * A < 50", "no"))

REFUSED = {
    "reg_mul": [
        ({"Width": 96}, "Width must be WordBits times a power of two: Width = 96, WordBits = 32"),
        ({"Width": 1000}, "Width must be WordBits times a power of two: Width = 1000, WordBits = 32"),
        ({"Width": 16}, "Width must be WordBits times a power of two: Width = 16, WordBits = 32"),
        ({"Registers": 24}, "Registers must be a power of two: Registers = 24"),
        ({"WordBits": 24}, "WordBits must be a power of two and at least 4 [*] BitsPerCycle: WordBits = 24"),
        ({"WordBits": 4, "Width": 8, "BitsPerCycle": 2}, "at least 4 .*: WordBits = 4, BitsPerCycle = 2"),
    ],
    "scalable": [
        ({"WordWidth": 12}, "WordWidth must be a power of two: WordWidth = 12"),
        ({"Paper": 1}, "Paper is for Kind 1 and 2: radix 2 is the paper's as it is: Paper = 1, Kind = 0"),
    ],
    "karatsuba": [({"Width": 8, "Fold": 1}, "Fold needs a layer")],
    "mod_product": [
        ({"Modulus": 10}, "Modulus must be odd and at least 3: Modulus = 10"),
        ({"Width": 253}, "more bits than Width: Modulus = a number of 254 bits, Width = 253"),
    ],
    "carry_save": [
        ({"RadixBits": 5}, "RadixBits must be even: RadixBits = 5"),
        ({"Width": 14, "RadixBits": 16}, "RadixBits is too large: .*: RadixBits = 16, Width = 14"),
    ],
    "stream": [({"Width": 4096, "Fold": 21}, "Fold is too large")],
    "tile": [({"Powers": 8}, "Powers must be 4 or 16: Powers = 8")],
    "lowlat": [
        ({"RadixBits": 20}, "a digit of more than 18 bits is delayed by at least 4 digits: RadixBits = 20")
    ],
}


def test_a_range_and_the_rules_beside_it() -> None:
    assert fault(PARAMS, RULES, {"A": 4, "B": 5}) == ""
    assert fault(PARAMS, RULES, {"A": 10, "B": 5}) == "A = 10 is outside 1…9"
    assert fault(PARAMS, RULES, {"A": 3, "B": 5}) == "A is a power of two, B short: A = 3, B = 5"
    assert "B = a number of 71 bits" in fault(PARAMS, RULES, {"A": 2, "B": 1 << 70})
    assert fault(PARAMS, RULES, {"A": 8, "B": 0}) == "no: A = 8"
    assert fault(PARAMS, RULES, {"A": 8, "B": 1 << 101}) == (
        "B = a number of 102 bits is outside 0…a number of 101 bits"
    )


def test_a_rule_reaches_nothing_else() -> None:
    with pytest.raises(NameError):
        Rule("open('x')", "").allows({"A": 1})


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_family_refuses(name: str) -> None:
    family = every()[name]
    for chosen, words in REFUSED[name]:
        with pytest.raises(UnknownCoreError, match=f"^{name}: .*{words}"):
            family.complete(chosen)


def test_every_rule_refuses_something() -> None:
    for family in every().values():
        said = " ".join(words for _, words in REFUSED.get(family.name, ()))
        for rule in family.rules:
            assert rule.says.split()[0] in said, (family.name, rule)
            broken = [
                chosen
                for chosen, _ in REFUSED[family.name]
                if not rule.allows({key: chosen.get(key, par.default) for key, par in family.params.items()})
            ]
            assert broken, (family.name, rule)


def test_names_without_a_list_keep_the_rules() -> None:
    for spec in ("reg_mul:w96", "mod_product:w64"):
        with pytest.raises(UnknownCoreError, match="Width"):
            resolve_any(spec)
    assert resolve_any("reg_mul:w1024").width == 1024


def test_passes_of_a_stream_are_turns_apart() -> None:
    """The rule of core.toml agrees with the model: there must be at least two turns between passes."""
    [rule], params, rng = every()["stream"].rules, every()["stream"].params, Random(9)
    for _ in range(3000):
        chosen = {key: rng.randint(par.lo, par.hi) for key, par in params.items()}
        assert rule.allows(chosen) == (stream.turns(chosen) >= 2), chosen
