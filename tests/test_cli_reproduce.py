# SPDX-License-Identifier: Apache-2.0
"""`perle reproduce`: printed numbers from the paper's data, measured ones from runs."""

from __future__ import annotations

import pytest

from perle.measure import rsa_story
from perle.papers import load
from perle.reproduce import shand1990
from perle.reproduce.shand1990 import Rate
from tests.cli_run import answer, invoke, refused


def test_what_there_is() -> None:
    assert "shand1990.table1" in invoke("reproduce").stdout
    assert "shand1990.table1" in refused(2, "reproduce", "shand1990.table9")
    assert "1 to 19" in refused(2, "reproduce", "shand1990.table1", "--rows", "20")
    assert "numbers" in refused(2, "reproduce", "shand1990.table1", "--rows", "all")


def test_software_rows_say_that_they_are_of_this_machine() -> None:
    (row,) = answer("reproduce", "shand1990.table1", "--rows", "4")["rows"]
    assert row["printed"] == load("shand1990")["t4_baud"].value
    assert row["measured"] > 0
    assert "this machine" in row["note"]
    assert sorted(row) == ["label", "measured", "note", "printed", "unit"]


def test_a_row_of_hardware_is_a_run() -> None:
    """The rate is that of the messages and the modelled time, and twice the messages change it little."""
    rows = [
        answer("reproduce", "shand1990.table1", "--rows", "15", "--blocks", blocks)["rows"][0]
        for blocks in (2, 4)
    ]
    assert rows[0]["printed"] == load("shand1990")["t15_baud"].value
    assert rows[0]["measured"] != rows[1]["measured"]
    assert rows[0]["measured"] == pytest.approx(rows[1]["measured"], rel=0.6)


def test_every_row_of_the_table_is_printed() -> None:
    table = shand1990.table1({})
    assert len(table) == len(shand1990.ROWS)
    assert all(row.measured is None and "no driver" in row.note for row in table)
    hardware = {row.number for row in rsa_story.HARDWARE}
    assert hardware | rsa_story.SOFTWARE.keys() == set(shand1990.ROWS)


def test_section_2() -> None:
    rows = answer("reproduce", "shand1990.section2", "--blocks", 1)["rows"]
    paper = load("shand1990")
    assert [row["printed"] for row in rows] == [
        paper[claim].value
        for claim in ("product_rate", "raw_speedup_most", "bus_rsa_speedup", "fast_speedup")
    ]
    assert rows[0]["measured"] == pytest.approx(15.2, rel=0.1)  # 97 accesses of 700 ns a product: 15.1
    assert rows[1]["measured"] is None
    assert rows[2]["measured"] < rows[3]["measured"]
    assert "no such" not in refused(2, "reproduce", "shand1990.section2", "--rows", "1")


@pytest.mark.parametrize(("baud", "words"), [(100.0, "time:"), (150.0, "faster"), (60.0, "slower")])
def test_a_difference_has_a_sentence(baud: float, words: str) -> None:
    note = shand1990.note(100.0, Rate(baud, {"bus": 0.25, "host": 0.75}))
    assert words in note
    assert "75% host" in note
