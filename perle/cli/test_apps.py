# SPDX-License-Identifier: Apache-2.0
"""`perle apps`: tables and JSON of small applications, refusals, and the exit code of a wrong result."""

from __future__ import annotations

import pytest

from perle.apps import convolution, reals
from perle.cli import apps
from perle.papers import load
from tests.cli_run import answer, invoke, refused


def test_what_there_is() -> None:
    told = invoke("apps").stdout
    known = answer("apps")
    assert {"rsa", "primes", "pi", "sin", "decimal", "convolution"} < set(known)
    assert all(f"{name:<11} {text}\n" in told for name, text in known.items())


def test_pi_on_a_board() -> None:
    facts = answer("apps", "pi", "--digits", 300)
    (found,) = facts["results"]
    assert facts["board"] == "bus_mul:fixed512"
    assert found["right"] is True
    assert found["computed"].startswith("300 decimals: 3.14159")
    assert found["printed_speedup"] == load("shand1990")["pi_speedup"].value
    assert found["speedup"] == pytest.approx(found["software_ps"] / found["now_ps"])
    assert found["products"] > 0
    assert found["bus_share"] + found["host_share"] == pytest.approx(1)


def test_convolution_on_a_board() -> None:
    (found,) = answer("apps", "factoring", "--number", 1_000_003 * (2**61 - 1))["results"]
    assert found["computed"].startswith("1000003, prime, of 7 digits")
    (found,) = answer("apps", "convolution", "--samples", 100)["results"]
    assert found["right"] is True
    assert found["computed"].startswith("163 sums of 100 samples and 64 taps")
    assert found["printed_speedup"] is None
    assert found["products"] > 0


def test_a_quicker_clock_takes_less_time() -> None:
    slow, quick = (
        answer("apps", "decimal", "--digits", 600, "--board", "reg_mul:booth", "--clock", clock)["results"][1]
        for clock in (200, 40)
    )
    assert quick["now_ps"] < slow["now_ps"]
    assert quick["software_ps"] == slow["software_ps"]


def test_software_gains_nothing() -> None:
    for name, option, size in (("primes", "--exponent", 101), ("sin", "--digits", 100)):
        (found,) = answer("apps", name, option, size, "--board", "none")["results"]
        assert found["speedup"] == 1
        assert found["products"] == 0
    assert invoke("apps", "rsa", "--board", "none", "--timing", "axi").stdout.count("the same") == 2


def test_the_table() -> None:
    told = invoke("apps", "decimal", "--digits", 500).stdout
    assert "decimal, straightforward" in told
    assert "modelled speed-up" in told
    assert "speed-up in the paper" in told


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = reals.pi
    monkeypatch.setattr(reals, "pi", lambda math, bits: right(math, bits) + (1 << bits // 2))
    done = invoke("apps", "pi", "--digits", 200, "--board", "none", code=1)
    assert "NOT the same" in done.stdout
    assert "perle: pi: the other library has another result" in done.stderr


@pytest.mark.parametrize(
    ("code", "words", "why"),
    [
        (2, ["e"], "no such application"),
        (2, ["pi", "--exponent", "31"], "--exponent is not for pi"),
        (2, ["rsa", "--digits", "31"], "--digits is not for rsa"),
        (2, ["pi", "--digits", "3"], "--digits: 10 to"),
        (2, ["pi", "--samples", "31"], "--samples is not for pi"),
        (2, ["convolution", "--samples", "0"], "--samples: 1 to"),
        (2, ["pi", "--number", "15"], "--number is not for pi"),
        (2, ["factoring", "--number", "2305843009213693951"], "--number: a composite number"),
        (2, ["factoring", "--number", "0xf"], "--number: a decimal number of at most 2048 bits, not '0xf'"),
        (2, ["factoring", "--number", "7" * 5000], f"not '{'7' * 20}…'"),
        (2, ["pi", "--digits", "0"], "--digits: 10 to 100000, not 0"),
        (2, ["primes", "--exponent", "30"], "--exponent: the exponent has to be odd"),
        (2, ["pi", "--board", "orup:w64"], "bus_mul"),
        (2, ["pi", "--board", "mod_product:fast"], "multiplies no long integers"),
        (2, ["pi", "--timing", "scsi"], "no timing"),
        (2, ["pi", "--clock", "0"], "above 0"),
        (2, ["pi", "--board", "none", "--clock", "40"], "--board is none"),
    ],
)
def test_refusals(code: int, words: list[str], why: str) -> None:
    assert why in refused(code, "apps", *words)


def test_sizes_are_those_of_the_command_line_or_the_applications_own() -> None:
    own = {"pi": reals.PI_DIGITS, "sin": reals.SIN_DIGITS, "convolution": convolution.SAMPLES}
    for name, size in own.items():
        for told, used in ((None, size), (17, 17)):
            options = apps.Options(digits=told, exponent=None, bases=1, samples=told)
            [(work, _)] = apps.APPS[name].work(options)
            assert [cell.cell_contents for cell in work.__closure__ or ()] == [used]
