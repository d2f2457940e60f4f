# SPDX-License-Identifier: Apache-2.0
"""Recorded measurements as a flat table."""

from __future__ import annotations

import csv
from io import StringIO

from msgspec.structs import replace

from perle.results.flat import CURRENT, HEAD, as_csv, rows
from tests.stores import made_up

ONE = made_up("orup:w256", "ecp5_8", {"lut": 100.0, "carry": 10.0, "fmax_mhz": 120.5})
OTHER = made_up("iterative:w128", "ihp130", {}, part="exp", error="sta: no, not at all")


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_a_row_a_run_and_the_same_columns_for_all() -> None:
    table = rows([(ONE, (), "no library"), (OTHER, ("file a has changed", "file b is new"), "")])
    assert list(table[0]) == list(table[1])
    assert list(table[0])[: len(HEAD)] == list(HEAD)
    assert (table[0]["luts"], table[0]["carry"], table[0]["param.Width"]) == (120, 10, 256)
    assert (table[0]["core"], table[0]["family"], table[0]["part"]) == ("orup:w256", "orup", "mul")
    assert (table[0]["device"], table[0]["seed"], table[0]["tools"]) == ("the device ecp5_8", 1, "tool 1")
    assert [one["identity"] for one in table] == [CURRENT, "file a has changed; file b is new"]
    assert [one["not_compared"] for one in table] == ["no library", ""]
    assert (table[1]["lut"], table[1]["param.RadixBits"]) == (None, None)


def test_csv_is_read_back() -> None:
    table = rows([(ONE, (), ""), (OTHER, (), "")])
    found = read(as_csv(table))
    assert [one["error"] for one in found] == ["", "sta: no, not at all"]
    assert [one["fmax_mhz"] for one in found] == ["120.5", ""]
    assert [one["param.Width"] for one in found] == ["256", "128"]
    assert read(as_csv([])) == []
    assert as_csv([]).startswith("core,family,part,")


def test_numbers_too_long_for_a_column_are_hexadecimal_in_all_of_it() -> None:
    long = replace(ONE, params={"Modulus": 1 << 63, "Width": 254})
    table = rows([(long, (), ""), (replace(ONE, params={"Modulus": 5, "Width": 8}), (), "")])
    assert [one["param.Modulus"] for one in table] == [f"0x8{'0' * 15}", "0x5"]
    assert [one["param.Width"] for one in table] == [254, 8]
