# SPDX-License-Identifier: Apache-2.0
"""The same cycles for all secrets in constant time; a mode that is not is told as one that should be.

A time that differs only for edge cases is told too. Activity tells of a base, and of one that the library has
blinded nothing; bases that are not blinded are told.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isclose
from random import Random
from typing import cast

import pytest
from gmpy2 import is_prime

from perle.boards.simulated import ID
from perle.cores.registry import resolve
from perle.host import Boards, Mode, Result
from perle.host.sample import sample
from perle.trust import leakage, toggles
from perle.trust.fault_cases import KEY_BITS
from perle.trust.records import Run

W64 = resolve("orup:w64")
TOP = 1 << 64
LEAKS: dict[str, Callable[[int, int, int], int]] = {
    "leading zeros of e": lambda _x, e, _m: 64 - e.bit_length(),
    "e = 0": lambda _x, e, _m: e == 0,
    "e = 1": lambda _x, e, _m: e == 1,
    "e of all ones": lambda _x, e, _m: e == TOP - 1,
    "e of one bit": lambda _x, e, _m: e.bit_count() == 1 and e > 2,
    "x = 0": lambda x, _e, _m: x == 0,
    "x = 1": lambda x, _e, _m: x == 1,
    "x = M - 1": lambda x, _e, m: x == m - 1,
    "M = 2^n - 1": lambda _x, _e, m: m == TOP - 1,
    "M = 2^(n - 1) + 1": lambda _x, _e, m: m == TOP // 2 + 1,
    "M = 2^(n - 1) - 1, shorter than others": lambda _x, _e, m: m == TOP // 2 - 1,
    "e = 0 if M is short": lambda _x, e, m: e == 0 and m < TOP // 2,
    "M mod 4": lambda _x, _e, m: m % 4,
}
"""Made-up dependences of a power's cycles."""


class Uneven:
    """Boards whose powers take that many more cycles."""

    def __init__(self, more: Callable[[int, int, int], int]) -> None:
        self.more = more

    def modexp(self, x: int, e: int, m: int, *, mode: Mode, bits: int | None = None) -> Result:
        assert 0 <= x < m < 1 << W64.width
        assert bits is None or e < 1 << bits
        return Result(pow(x, e, m), 1000 + self.more(x, e, m) + (e.bit_count() if mode is Mode.BINARY else 0))


@pytest.mark.parametrize("name", LEAKS)
def test_a_time_that_depends_on_a_secret_is_told(name: str) -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    works = leakage.operations(cast(Boards, Uneven(LEAKS[name])), W64, Random(1))
    del works["rsa"]
    leakage.timing(mine, works, 60, leakage.TRIALS, leakage.CONSTANT)
    assert [text.partition(" took")[0] for text in mine.failed] == ["window", "ladder"]


@pytest.mark.parametrize("more", [lambda *_: 0, lambda _x, _e, m: 64 - m.bit_length()])
def test_a_time_that_depends_on_the_length_of_the_modulus_alone_is_not(
    more: Callable[[int, int, int], int],
) -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    works = leakage.operations(cast(Boards, Uneven(more)), W64, Random(1))
    del works["rsa"]
    found = leakage.timing(mine, works, 60, leakage.TRIALS, leakage.CONSTANT)
    assert mine.failed == []
    assert found["window: trials"] == leakage.TRIALS
    assert found["binary: different"] > 10
    assert found["window: lengths"] == 6


def test_keys_of_unusual_numbers() -> None:
    """They are right keys, with the largest, smallest and other primes and private exponents."""
    rng = Random(1)
    primes = leakage.edge_primes(KEY_BITS // 2)
    keys = [leakage.edge_key(rng) for _ in range(200)]
    assert primes == [TOP // 2 + 29, TOP // 2 + 99, TOP - 59, TOP - 83]
    for key in keys:
        p, q = key["p"], key["q"]
        assert is_prime(p)
        assert is_prime(q)
        assert p.bit_length() == q.bit_length() == KEY_BITS // 2
        assert key["n"] == p * q
        assert key["e"] * key["dp"] % (p - 1) == key["e"] * key["dq"] % (q - 1) == 1
        assert key["e"] > 1
    assert set(primes) <= {key["p"] for key in keys}
    assert any(key["p"] not in primes for key in keys)
    assert any(key["dp"] == key["p"] - 2 for key in keys)
    assert any(key["dp"] < 100 for key in keys)
    assert any(key["dp"] > key["p"] // 2 for key in keys)


def test_messages_at_edges() -> None:
    rng, numbers = Random(1), {"n": 7 * 10007, "p": 7, "q": 10007}
    found = {leakage.message(rng, numbers) for _ in range(500)}
    assert {0, 1, numbers["n"] - 1} < found
    assert all(0 <= one < numbers["n"] for one in found)
    assert sum(one % 7 == 0 for one in found) > 20


def test_constant_time_is_constant() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=60, traces=0)
    assert found.failed == []
    assert [found.counts[f"{name}: different"] for name in leakage.CONSTANT] == [1, 1, 1]
    assert found.counts["binary: different"] > 1
    assert found.counts["window: least"] > 1000


def test_what_varies_is_told() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=8, constant=(*leakage.CONSTANT, "binary"), traces=0)
    assert found.failures == 1
    assert found.failed[0].startswith("binary took")


def test_what_is_always_the_same_shows_nothing() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=3, constant=("ladder", "rsa", "binary"), traces=0)
    assert any("window always took" in text for text in found.failed)


def test_the_t_of_two_samples() -> None:
    """Means 2 and 4 with variances of 1 each, three numbers each; constants that differ; that do not."""
    kinds = [toggles.Sums([0] * 3, [0] * 3) for _ in range(2)]
    for trace in ((1, 5, 7), (2, 5, 7), (3, 5, 7)):
        kinds[0].add(trace)
    for trace in ((3, 6, 7), (4, 6, 7), (5, 6, 7)):
        kinds[1].add(trace)
    found = toggles.welch(*kinds)
    assert isclose(found[0], 2 / (2 / 3) ** 0.5)
    assert found[1:] == [inf, 0.0]
    assert toggles.limit(1) == pytest.approx(3.29, abs=0.01)


def test_activity_tells_of_a_base_and_of_a_blinded_one_nothing() -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    counts = leakage.activity(mine, W64, 400)
    assert mine.failed == []
    assert counts["toggles: |t| plain"] > 10
    assert counts["toggles: |t| blinded"] < counts["toggles: |t| by chance"]


def test_the_base_that_a_board_gets() -> None:
    """The message itself without blinding, and with it another number in each operation."""
    numbers = sample("bases", 32, 32)
    with toggles.loaded(W64, numbers, blinding=False) as base:
        assert [base(one) for one in (0, 1, 5, numbers.n - 1)] == [0, 1, 5, numbers.n - 1]
    with toggles.loaded(W64, numbers) as base:
        assert len({base(5) for _ in range(50)} | {5}) == 51


def test_a_result_that_is_not_the_power_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toggles, "RESULT", ID)
    with pytest.raises(toggles.LoadedError), toggles.loaded(W64, sample("bases", 32, 32)):
        pass


def test_bases_that_are_not_blinded_are_told() -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    leakage.activity(mine, W64, 200, blinding=False)
    said = ["activity on blinded bases tells of the message"]
    assert [text.partition(":")[0] for text in mine.failed] == said


@pytest.mark.parametrize(("again", "failures"), [(2.0, 0), (9.0, 1)])
def test_a_large_t_of_blinded_bases_is_measured_again(
    monkeypatch: pytest.MonkeyPatch, again: float, failures: int
) -> None:
    found = iter([(50.0, 100), (9.5, 100), (again, 100)])

    def compare(*_: object) -> tuple[float, int]:
        return next(found)

    monkeypatch.setattr(toggles, "compare", compare)
    mine = Run(leakage.NAME, W64.spec, 1)
    assert leakage.activity(mine, W64, 40)["toggles: |t| blinded"] == again
    assert len(mine.failed) == failures
    assert not list(found)


def test_activity_in_which_nothing_is_seen_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toggles, "limit", lambda _: 1000.0)
    mine = Run(leakage.NAME, W64.spec, 1)
    leakage.activity(mine, W64, 40)
    assert any("no difference can be seen in the activity" in text for text in mine.failed)
