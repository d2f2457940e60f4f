# SPDX-License-Identifier: Apache-2.0
"""What memcheck reports of secrets is told by its place, and a place without a reason is a failure.

So is the absence of reports that must be there.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from perle.trust import secrets
from perle.trust.secrets import LEAK, LEAKS, Place

NEEDS = pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind (Debian's valgrind)")
FRAME = "<frame><obj>/lib/{}</obj><fn>{}</fn></frame>"
OWN, CRYPTO, PRELOADED, CPP = (
    "ctgrind",
    "libcrypto.so.3",
    "vgpreload_memcheck-amd64-linux.so",
    "libstdc++.so.6",
)
SOMETIMES = {"BN_sub"}
"""Functions of libcrypto in which not every signing causes reports."""


def error(kind: str, *frames: tuple[str, str]) -> str:
    stack = "".join(FRAME.format(obj, name) for obj, name in frames)
    return f"<error><kind>{kind}</kind><stack>{stack}</stack></error>"


def place(*frames: tuple[str, str]) -> Place:
    (found,) = secrets.places(f"<v>{error('UninitCondition', *frames)}</v>", OWN)
    return found


def test_places() -> None:
    divided = ((CRYPTO, "x"), (CRYPTO, "BN_div"), (OWN, "__wrap_BN_div"), (OWN, "perle::a()"))
    report = [
        error("UninitCondition", (OWN, "perle::a(int)"), (OWN, "main")),
        error("UninitValue", (OWN, "perle::a(int)"), (OWN, "main")),
        error("UninitCondition", (CRYPTO, "BN_cmp"), (OWN, "perle::(anonymous namespace)::b()")),
        error("UninitCondition", *divided),
        error("UninitCondition", (CRYPTO, "OPENSSL_cleanse"), (CRYPTO, "BN_CTX_free"), (OWN, "perle::a()")),
        error("Leak_DefinitelyLost", (OWN, "perle::c()")),
    ]
    found = secrets.places(f"<v>{''.join(report)}</v>", OWN)
    assert found == Counter(
        {
            Place("perle::a", own=True): 2,
            Place("perle::{}::b", own=True): 1,
            Place("BN_div", own=False): 1,
            Place("BN_CTX_free", own=False): 1,
        }
    )


@pytest.mark.parametrize("name", ["memcmp", "bcmp", "strlen"])
def test_a_comparison_in_another_library_is_one_of_its_caller(name: str) -> None:
    """Valgrind has its own memcmp, in a library that it preloads."""
    assert place((PRELOADED, name), (OWN, "perle::a()"), (OWN, "main")) == Place("perle::a", own=True)


def test_a_comparison_of_strings_is_one_of_its_caller() -> None:
    frames = ((PRELOADED, "memcmp"), (CPP, "std::string::compare(char const*) const"), (OWN, "perle::a()"))
    assert place(*frames) == Place("perle::a", own=True)
    assert place(*frames[1:]) == Place("perle::a", own=True)


def test_libcryptos_own_use_of_another_library_is_libcryptos() -> None:
    frames = ((PRELOADED, "memset"), (CRYPTO, "CRYPTO_zalloc"), (CRYPTO, "BN_div"), (OWN, "__wrap_BN_div"))
    assert place(*frames) == Place("BN_div", own=False)


def test_a_wrapper_and_a_stack_without_the_program_are_no_excuse() -> None:
    assert place((PRELOADED, "memcmp"), (OWN, "__wrap_BN_div")) == Place("__wrap_BN_div", own=True)
    assert place((PRELOADED, "memcmp"), (CPP, "start")) == Place("memcmp", own=True)
    assert place((CRYPTO, "?"), (OWN, "perle::a()")) == Place("perle::a", own=True)
    assert place((CRYPTO, "BN_free"), (CRYPTO, "OPENSSL_cleanup")) == Place("OPENSSL_cleanup", own=False)


def measured(monkeypatch: pytest.MonkeyPatch, found: dict[Place, int], control: int = LEAKS) -> list[str]:
    """Return the failures of a signing with these reports, and that many of the test that leaks."""
    reports = {secrets.LEAKY: Counter({LEAK: control} if control else {})}
    monkeypatch.setattr(secrets, "build", lambda: Path("ctgrind"))
    monkeypatch.setattr(secrets, "watch", lambda _, test: reports.get(test, Counter(found)))
    return secrets.measure("sign_blinded", 1).failed


def usual() -> dict[Place, int]:
    """Return reports of every listed place of a signing."""
    reasons = secrets.known("sign_blinded")
    own = {Place(name, own=True): 1 for name in reasons.own}
    return own | {Place(name, own=False): 1 for name in reasons.libcrypto}


def test_the_listed_places_are_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(monkeypatch, usual()) == []


def test_an_unlisted_place_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    added = {Place("perle::a", own=True): 2, Place("BN_gcd", own=False): 3}
    assert measured(monkeypatch, usual() | added) == [
        "BN_gcd of libcrypto gets secrets, and is not listed (3 reports)",
        "perle::a depends on secrets (2 reports)",
    ]


def test_no_report_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    said = measured(monkeypatch, {})
    assert [text for text in said if "libcrypto" in text] == [
        "nothing was reported inside of libcrypto: was it given secrets?"
    ]
    assert len(said) == 1 + len(secrets.known("sign_blinded").own)


def test_a_listed_place_without_a_report_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = usual()
    del found[Place("perle::Board::power", own=True)]
    assert measured(monkeypatch, found) == [
        "perle::Board::power is listed, but nothing was reported there: was it given secrets?"
    ]


@pytest.mark.parametrize("seen", [0, 1])
def test_a_leak_that_is_not_reported_is_a_failure(monkeypatch: pytest.MonkeyPatch, seen: int) -> None:
    """The test that leaks on purpose; then nothing would be known of the others."""
    said = f"memcheck reported {seen} of the 2 leaks of a test that leaks on purpose"
    assert measured(monkeypatch, usual(), seen) == [said]


@NEEDS
def test_a_leak_is_a_failure() -> None:
    """A branch on a secret and an address made of one."""
    found = secrets.watch(secrets.build(), secrets.LEAKY)
    assert found == {LEAK: LEAKS}
    assert list(secrets.unlisted(found, secrets.known())) == ["test_leaky depends on secrets (2 reports)"]


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
    found = {place for test in secrets.CASES for place in secrets.watch(program, test)}
    reasons = secrets.known()
    assert set(reasons.own) == {place.name for place in found if place.own}
    assert set(reasons.libcrypto) - {place.name for place in found if not place.own} <= SOMETIMES
