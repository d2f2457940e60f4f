# SPDX-License-Identifier: Apache-2.0
"""`perle choose` and `perle results export` from the command line."""

from __future__ import annotations

import csv
import math
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest

from perle.cli import choose, results
from perle.cores.registry import resolve
from perle.generate.ip import Ip
from perle.measure.design import parts
from perle.measure.target import every
from perle.report.choose.choice import choose as answer_of
from perle.report.choose.question import Question
from perle.results import Store, flat
from tests import house
from tests.cli_run import answer, invoke, refused
from tests.stores import Given, store

CELLS = {"bram": 0.0, "ff": 100.0}
GIVEN: Given = {
    ("orup:w256", "ecp5_8"): {**CELLS, "lut": 2000.0, "dsp": 17.0, "fmax_mhz": 150.0},
    ("orup:w1024", "ecp5_8"): {**CELLS, "lut": 8000.0, "dsp": 62.0, "fmax_mhz": 120.0},
    ("iterative:w256", "ecp5_6"): {**CELLS, "lut": 1000.0, "dsp": 0.0, "fmax_mhz": 200.0},
    ("mod_product:w254", "xc6v/board"): {"lut": 3000.0},
}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Use made-up measurements."""
    found = store(tmp_path / "store", GIVEN)

    def from_these(question: Question) -> object:
        return answer_of(question, found)

    monkeypatch.setattr(choose, "answer", from_these)
    monkeypatch.setattr(results, "Store", lambda: found)
    return found


@pytest.mark.usefixtures("kept")
def test_an_answer_for_people() -> None:
    shown = invoke("choose", "--bits", 256, "--op", "mul").stdout
    assert "256 bits, one modular product, ecp5_6 or ecp5_8; no limits; best rate" in shown
    assert "build it:\n  perle gen orup:w256 --bus none --out ip\n" in shown
    assert "one seed only; more:\n  perle measure orup:w256 --target ecp5_8 --seeds 3\n" in shown
    first, second, third = (shown.index(name) for name in ("orup:w256", "orup:w1024", "iterative:w256"))
    assert first < second < third
    hidden = invoke("choose", "--bits", 256, "--op", "mul", "--rows", 1)
    assert "2 more are within the limits: --rows 3" in hidden.stderr
    predicted = invoke("choose", "--bits", 512, "--op", "mul").stdout
    assert "   from w256, w1024\n   perle measure orup:w512 --target ecp5_8\n" in predicted


UNIT = re.compile(r" *(%|MHz|ms|µs|ns|nJ|µm²|×)(?!\w)")
"""A line that begins with a unit, whose number ends the line before."""
WIDE: tuple[object, ...] = ("choose", "--bits", 1024, "--op", "rsa-crt", "--target", "ecp5")


@pytest.mark.parametrize("columns", [60, 80, 0])
def test_an_answer_fits_its_width(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole names and numbers in every table, lines broken between words, commands whole."""
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
    else:
        monkeypatch.delenv("COLUMNS", raising=False)
    found = answer(*WIDE)
    rows = [*found["runners_up"], *found["not_measured"]]
    for code, more in enumerate(((), ("--max-latency", "1e-9"))):
        lines = invoke(*WIDE, *more, "--rows", 100, code=code).stdout.splitlines()
        prose = [line for line in lines if not line.strip().startswith("perle ")]
        assert max(map(len, prose)) <= (columns or 100)
        assert not [line for line in prose if UNIT.match(line)]
        words = set(" ".join(lines).split())
        for one in rows:
            figures = one["figures"]
            assert {one["core"], one["part"], one["target"]} <= words
            assert {f"{figures['luts']:,.0f}", f"{figures['ff']:,.0f}"} <= words
    lines = invoke(*WIDE, "--rows", 100).stdout.splitlines()
    for one in (found["best"], *found["not_measured"]):
        commands = one["generate"] if one is found["best"] else [one["measure"]]
        assert set(commands) <= {line.strip() for line in lines}


@pytest.mark.usefixtures("kept")
def test_a_figure_that_is_not_measured_there_is_refused() -> None:
    asked = ("choose", "--bits", 256, "--op", "mul")
    assert "no energy is known on ecp5" in refused(2, *asked, "--best", "energy")
    assert "no energy is known on ecp5" in refused(2, *asked, "--max-energy", 5, "--json")
    assert "no area in µm² is known on ecp5_8" in refused(2, *asked, "--target", "ecp5_8", "--max-area", 9)


def test_what_is_recorded_for_other_devices_is_named() -> None:
    asked = ("choose", "--bits", 256, "--op", "mul")
    assert "no energy is known on ecp5: ihp130, ihp130-placed have energies" in refused(
        2, *asked, "--best", "energy"
    )
    assert "is known on ihp130: ecp5, " in refused(2, *asked, "--target", "ihp130", "--max-lut", 100)


def test_programs_learn_both_clocks_and_the_seeds() -> None:
    found = answer("choose", "--bits", 256, "--op", "mul", "--target", "ecp5_8")
    for one in (found["best"], *found["runners_up"]):
        rated = 200 if one["figures"]["dsp"] else math.inf
        assert one["clock_used_mhz"] == min(one["clock_mhz"], rated)
        assert len(one["seed_numbers"]) == one["seeds"]


@pytest.mark.usefixtures("kept")
def test_an_answer_for_programs() -> None:
    found = answer("choose", "--bits", 256, "--op", "mul", "--max-lut", 1500, "--min-rate", 1)
    assert found["question"]["best"] == "area"
    assert found["question"]["limits"] == [{"figure": "luts", "most": 1500}, {"figure": "rate", "least": 1}]
    assert found["best"]["core"] == "iterative:w256"
    assert found["best"]["generate"] == ["perle gen iterative:w256 --bus none --out ip"]
    assert found["runners_up"] == []
    assert [one["core"] for one in found["misses"]] == ["orup:w256", "orup:w1024"]
    assert found["misses"][0]["why"] == "LUT 2,000 is 500 (33 %) above 1,500"
    predicted = answer("choose", "--bits", 512, "--op", "mul")["not_measured"]
    assert [(one["core"], one["basis"]) for one in predicted] == [("orup:w512", "predicted")]
    assert predicted[0]["measure"] == "perle measure orup:w512 --target ecp5_8"
    asked = ("choose", "--bits", 256, "--op", "mul", "--max-dsp", 0, "--target", "ecp5_8")
    nothing = answer(*asked, code=1)
    assert nothing["best"] is None
    assert "nothing that was measured is within" in invoke(*asked, code=1).stdout.replace("\n", " ")
    wide = answer("choose", "--bits", 4096, "--op", "mul", code=1)
    assert wide["widest"] == {"measured": 1024, "predicted": 2048}
    assert answer("choose", "--bits", 2048, "--op", "mul", code=1)["widest"] is None  # predicted, no answer


def test_what_makes_no_sense_is_refused() -> None:
    assert "even number of bits" in refused(2, "choose", "--bits", 1025, "--op", "rsa-crt")
    assert "no target 'nothing'" in refused(2, "choose", "--bits", 64, "--target", "nothing")
    refused(2, "choose", "--bits", 64, "--op", "sum")
    refused(2, "choose", "--bits", 64, "--max-lut", -1)


def test_what_is_recorded_here_answers() -> None:
    found = answer("choose", "--bits", 1024, "--op", "rsa-crt", "--target", "ecp5")
    assert found["best"]["figures"]["rate"] > 0
    assert found["best"]["date"]


def test_the_spread_over_seeds_is_told_to_programs() -> None:
    spread = answer("choose", "--bits", 1024)["seed_spread"]
    assert spread["points"] > 1
    assert 0 < spread["largest_relative"] < 1


def test_the_smallest_device_answers_with_what_fills_it() -> None:
    found = answer("choose", "--bits", 2048, "--op", "rsa-crt", "--target", "ecp5_25_8")["best"]
    assert (found["core"], found["part"], found["target"]) == ("tile:w1024", "engines", "ecp5_25_8")
    assert found["figures"]["dsp"] <= 28
    assert found["generate"] == ["perle gen tile:w1024 --bus exp --lanes 16 --out ip"]


def test_export_as_csv(kept: Store, tmp_path: Path) -> None:
    found = list(csv.DictReader(StringIO(invoke("results", "export").stdout)))
    assert sorted(one["core"] for one in found) == sorted(core for core, _ in GIVEN)
    assert len(found) == len(kept.load())
    [one] = [one for one in found if one["core"] == "orup:w256"]
    assert (one["lut"], one["param.Width"], one["target"], one["part"]) == ("2000.0", "256", "ecp5_8", "mul")
    assert one["identity"] not in ("", flat.CURRENT)  # derived without what the target itself would add
    out = tmp_path / "all.csv"
    assert invoke("results", "export", "--csv", "-o", out).stdout == ""
    assert len(list(csv.DictReader(StringIO(out.read_text())))) == len(GIVEN)
    assert "--force" in refused(3, "results", "export", "-o", out)
    said = refused(2, "results", "export", "-o", tmp_path / "all.parquet")
    assert "all.parquet: CSV is the default format; add --parquet" in said


def test_export_while_a_campaign_stores(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = kept.load()
    found = iter((runs[:2], runs))
    monkeypatch.setattr(Store, "load", lambda _: next(found))
    assert len(list(csv.DictReader(StringIO(invoke("results", "export").stdout)))) == 2


def test_what_is_recorded_here_is_exported_whole() -> None:
    found = list(csv.DictReader(StringIO(invoke("results", "export").stdout)))
    assert len(found) == len(Store().load())


@pytest.mark.usefixtures("kept")
def test_export_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    invoke("results", "export", "--parquet", "-o", tmp_path / "all.parquet")
    found = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    assert sorted(one["core"] for one in found) == sorted(core for core, _ in GIVEN)
    assert {one["param.Width"] for one in found if one["core"] == "orup:w256"} == {256}


@pytest.mark.usefixtures("kept")
def test_parquet_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(results, "import_module", missing)
    assert "needs the package pyarrow: make setup; CSV" in refused(5, "results", "export", "--parquet")


def test_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [block] = house.blocks("sh", (house.ROOT / "docs/choose.md").read_text())
    for line in block.splitlines():
        name, *words = shlex.split(line, comments=True)
        assert name == "perle"
        invoke(*words)
    assert (tmp_path / "measurements.csv").stat().st_size > 1000


@pytest.mark.parametrize(("op", "bits"), [("mul", 512), ("modexp", 512), ("rsa-crt", 4096)])
def test_commands_of_answers_are_legal(op: str, bits: int) -> None:
    """The command that generates a candidate names an existing IP, the measuring one an existing part."""
    found = answer("choose", "--bits", bits, "--op", op)
    shown = [found["best"], *found["runners_up"], *found["not_measured"], *found["misses"]]
    assert sum(one is not None for one in shown) > 2
    for one in filter(None, shown):
        for command in one["generate"]:
            words = shlex.split(command, comments=True)
            options = dict(zip(words[3::2], words[4::2], strict=True))
            lanes, prefix = int(options.get("--lanes", 1)), options.get("--prefix", "")
            assert Ip(resolve(words[2]), options["--bus"], 64, lanes, prefix).hardware  # type: ignore[arg-type]
        words = shlex.split(one["measure"])
        assert words[:2] == ["perle", "measure"]
        options = dict(zip(words[3::2], words[4::2], strict=True))
        assert options.get("--part", "mul") in parts(resolve(words[2]))
        assert options["--target"] in every()


def test_a_limit_is_a_number() -> None:
    for option in ("--min-rate", "--max-latency"):
        for value in ("inf", "nan"):
            refused(2, "choose", "--bits", 512, "--op", "mul", option, value, "--json")
