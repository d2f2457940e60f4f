# SPDX-License-Identifier: Apache-2.0
"""Numbers in the README of an IP directory: ranges, addresses, cycles, and the order of faults."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from perle.boards import driver, simulated
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import CORES, resolve, run_time_width
from perle.generate import ip as ip_module
from perle.generate.ip import Ip
from perle.generate.readme import FAULTS, readme


def rows(text: str, heading: str) -> list[list[str]]:
    """Return the cells of the tables below a heading, without their heads."""
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def stated(ip: Ip) -> dict[str, int]:
    """Return the cycles in the README, by operation."""
    return {what: int(count.replace(",", "")) for what, count in rows(readme(ip), "Cycles")}


def test_cycles_of_a_multiplier() -> None:
    """As the papers have them; a row of cells accepts the next product before the last one is done."""
    orup, systolic = resolve("orup:w512"), resolve("bit_systolic:w128")
    reduce = orup.model.reduce_cycles(orup.params)
    assert reduce != 74
    assert stated(Ip(orup, "none")) == {"`OpMul`": 74, "`OpReduce`": reduce}
    single = "One operation is in flight at a time"
    assert single in readme(Ip(orup, "none"))
    assert single not in readme(Ip(systolic, "none"))
    found = stated(Ip(systolic, "none"))
    assert found["`OpMul`"] == systolic.model.mul_cycles(systolic.params)
    assert found["`OpMul`, average initiation interval"] == 128 + 2


@pytest.mark.parametrize("lanes", [1, 2])
def test_cycles_of_a_board(lanes: int) -> None:
    """Lanes share a multiplier, so that none of them forwards its products."""
    config, half = resolve("lowlat:w64"), (1 << 32) - 1

    def taken(mode: Mode, elen: int, exponent: int) -> int:
        return cycles(config, Command.EXP, mode, elen, exponent, alone=lanes == 1)

    found = stated(Ip(config, lanes=lanes))
    assert found["exponentiation, 64 bits, mode 0, constant time"] == taken(Mode.WINDOW, 64, 0)
    assert found["exponentiation, 64 bits, mode 1, half of them 1"] == taken(Mode.BINARY, 64, half)
    assert found["exponentiation, e = 65537, mode 1"] == taken(Mode.BINARY, 17, 65537)
    assert found["Montgomery product"] == cycles(config, Command.MONT)


def test_constants_have_the_places_that_drivers_write_to() -> None:
    config, m = resolve("orup:w64"), (1 << 64) - 59
    r = config.model.r_exp(config.params)
    text = readme(Ip(config))
    assert f"3 ≤ M < 2^64; its top bit may be 0 or 1. R = 2^{r}." in text
    places = {
        name.strip("`"): (place, how)
        for name, place, how in rows(text, "Operand ranges and constants of a modulus")
    }
    written = driver.modulus_lines(config, m)
    for name, value in {
        "m": m,
        "R² mod M": (1 << 2 * r) % m,
        **config.model.constants(config.params, m),
    }.items():
        [bank] = [bank for bank, line in written.items() if line == value]
        assert places[name][0] == f"0x{simulated.BANKS + bank * simulated.BANK_BYTES:04x}"
    assert places["R² mod M"][1] == f"2^{2 * r} mod M"


@pytest.mark.parametrize("word_bits", [32, 64])
def test_banks_have_words_of_the_bus(word_bits: int) -> None:
    text = " ".join(readme(Ip(resolve("orup:w64"), "axil", word_bits)).split())
    words = -(-resolve("orup:w64").operand_bits // word_bits)
    assert f"An operand bank has {words} words of {word_bits} bits" in text
    assert f"at 0x1000 + 0x400·bank + {word_bits // 8}·word" in text
    assert f"An exponent has 1 to {words * word_bits} bits" in text
    assert f"The cycles are at 0x{simulated.CYCLES_LO:02x} and 0x{simulated.CYCLES_HI:02x}." in text


def test_streams_name_banks_by_their_numbers() -> None:
    text = readme(Ip(resolve("stream:w64"), "axis", lanes=5))
    assert "one bit each: 0 X, 1 Y, 2 R², 3 exponent, 4 m, 5 mhat, 6 mprime |" in text
    assert "| 37:32 | lane, 0 to 4 |" in text


def test_every_narrower_width_has_its_cycles() -> None:
    config = resolve("scalable:r4_w32_p64_n4096")
    model, params = run_time_width(config), config.params
    assert model is not None
    found = rows(readme(Ip(config, "none")), "Narrower moduli")
    assert [int(row[0]) for row in found] == [4096, 3072, 2048, 1024]
    assert "every other n is in [doc/scalable.md](doc/scalable.md)" in readme(Ip(config, "none"))
    for bits, r, product, reduce in found:
        n = int(bits)
        assert r == f"2^{model.r_exp_for(params, n)}"
        counts = model.mul_cycles_for(params, n), model.reduce_cycles_for(params, n)
        assert (product, reduce) == tuple(f"{count:,}" for count in counts)


@pytest.mark.parametrize(
    ("ip", "arrays"),
    [
        (Ip(resolve("orup:w64"), "none"), True),
        (Ip(resolve("orup:w64"), "exp"), False),
        (Ip(resolve("stream:w64"), "exp", lanes=3), True),
    ],
)
def test_ports_that_are_flat_in_the_copy_are_told(ip: Ip, arrays: bool) -> None:
    note = f"In `verilog/{ip.name}.v` a port with two ranges is one vector, element 0 in its lowest bits."
    assert (note in readme(ip)) == arrays


def test_faults_are_the_bits_of_the_hardware() -> None:
    text = (CORES / "prim" / "perle_pkg.sv").read_text(encoding="utf-8")
    fields = re.findall(r"logic (\w+);", text.partition("struct packed {")[2].partition("} err_t;")[0])
    assert list(FAULTS) == fields[::-1]


def test_a_summary_has_bus_width_and_lanes() -> None:
    ip = Ip(resolve("orup:w64"), "apb", 32, lanes=3)
    assert ip.summary == "Modular exponentiator on APB, up to 64 bits, 3 lanes (orup:w64)"
    assert ip.summary in readme(ip)


def test_the_hash_of_sources_is_of_options_and_adapters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = resolve("stream:w64")
    every = [
        *(
            Ip(config, lanes=2),
            Ip(config, word_bits=32, lanes=2),
            Ip(config, lanes=3),
            Ip(config, "exp", lanes=2),
        ),
        Ip(config, "axis", lanes=2),
    ]
    before = [ip.source_hash for ip in every]
    assert len({*before}) == len(every)
    shutil.copytree(ip_module.RTL, tmp_path / "rtl")
    adapter = tmp_path / "rtl" / "perle_axis_in.sv"
    adapter.write_text(adapter.read_text(encoding="utf-8") + "\nmodule more; endmodule\n", encoding="utf-8")
    monkeypatch.setattr(ip_module, "RTL", tmp_path / "rtl")
    changed = [ip.source_hash != old for ip, old in zip(every, before, strict=True)]
    assert changed == [False, False, False, False, True]
