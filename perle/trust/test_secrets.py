# SPDX-License-Identifier: Apache-2.0
"""What memcheck reports of secrets is told by its place, and a place without a reason is a failure."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from perle.trust import secrets
from perle.trust.secrets import Place

NEEDS = pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind (Debian's valgrind)")
FRAME = "<frame><obj>/lib/{}</obj><fn>{}</fn></frame>"


def error(kind: str, *frames: tuple[str, str]) -> str:
    stack = "".join(FRAME.format(obj, name) for obj, name in frames)
    return f"<error><kind>{kind}</kind><stack>{stack}</stack></error>"


def test_places() -> None:
    own, crypto = "ctgrind", "libcrypto.so.3"
    divided = ((crypto, "x"), (crypto, "BN_div"), (own, "__wrap_BN_div"), (own, "perle::a()"))
    report = [
        error("UninitCondition", (own, "perle::a(int)"), (own, "main")),
        error("UninitValue", (own, "perle::a(int)"), (own, "main")),
        error("UninitCondition", (crypto, "BN_cmp"), (own, "perle::(anonymous namespace)::b()")),
        error("UninitCondition", *divided),
        error("UninitCondition", (crypto, "OPENSSL_cleanse"), (crypto, "BN_CTX_free"), (own, "perle::a()")),
        error("Leak_DefinitelyLost", (own, "perle::c()")),
    ]
    found = secrets.places(f"<v>{''.join(report)}</v>", own)
    assert found == Counter(
        {
            Place("perle::a", own=True): 2,
            Place("perle::{}::b", own=True): 1,
            Place("BN_div", own=False): 1,
            Place("BN_CTX_free", own=False): 1,
        }
    )


@NEEDS
def test_a_leak_is_a_failure() -> None:
    """A branch on a secret and an address made of one."""
    found = secrets.measure(secrets.LEAKY, 1)
    assert found.failed == ["test_leaky depends on secrets (2 reports)"]


@NEEDS
@pytest.mark.parametrize("test", secrets.CASES)
def test_places_of_signing_have_reasons(test: str) -> None:
    found = secrets.measure(test, 1)
    assert found.failed == []
    assert found.counts["known"] > 0
    assert found.counts["libcrypto: functions"] > 0


@NEEDS
def test_every_reason_is_of_a_place() -> None:
    program = secrets.build()
    found = {place.name for test in secrets.CASES for place in secrets.watch(program, test) if place.own}
    assert set(secrets.known()) == found
