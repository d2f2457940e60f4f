# SPDX-License-Identifier: Apache-2.0
"""Faults are built into hardware where something is evaluated each cycle, one text with all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from perle.cores.registry import families
from perle.flow.tools import ToolError
from perle.flow.verilator import build_so
from perle.trust import mutants, mutation, mutation_copy, mutation_subjects, parts
from perle.trust.parts import Task
from perle.trust.records import Records, Run

pytest.importorskip("pyslang")

SOURCE = """\
module perle_counter #(
  parameter int unsigned Bits = 4 + 4
) (
  input  logic            clk_i,
  input  logic            up_i,
  output logic [Bits-1:0] count_o
);
  for (genvar i = 0; i < 1 + 1; i++) begin : gen_bit
    logic spare;
    assign spare = !up_i;
  end
  always_ff @(posedge clk_i) begin
    if (up_i) count_o <= count_o + 8'd1;
  end
endmodule
"""
DRIVER = """\
#include "Vperle_counter.h"
extern "C" int count(int cycles) {
  VerilatedContext context;
  Vperle_counter dut{&context};
  dut.up_i = 1;
  dut.eval();
  for (int i = 0; i < 2 * cycles; ++i) { dut.clk_i = i % 2; dut.eval(); }
  return dut.count_o;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "perle_counter.sv"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_what_is_broken_and_what_is_not(source: Path) -> None:
    assert {one.text for one in mutants.places(source)} == {
        f"perle_counter.sv:{text}"
        for text in (
            "10: negation: !up_i → up_i in assign spare = !up_i;",
            "13: condition: up_i → !(up_i)",
            "13: operator: count_o + 8'd1 → count_o - 8'd1 in count_o <= count_o + 8'd1;",
            "13: not written: count_o <= count_o + 8'd1; → (nothing)",
            "13: constant: 8'd1 → 8'd2 in count_o <= count_o + 8'd1;",
        )
    }


def test_one_build_has_all_faults(source: Path, tmp_path: Path) -> None:
    """The sound counter counts up, and each fault does what its text says."""
    every = dict(enumerate(mutants.places(source), 1))
    text = mutants.instrumented(source.read_bytes(), every)
    source.write_bytes(mutants.PACKAGE.encode() + text)
    driver = tmp_path / "driver.cpp"
    driver.write_text(DRIVER, encoding="utf-8")
    flags = ["-CFLAGS", "-fvisibility=default", "--x-initial", "fast"]
    library = build_so("perle_counter", [source], [driver], {}, tmp_path / "counter.so", extra=flags)
    counted = {}
    for number, one in [(0, None), *every.items()]:
        call = f"import ctypes; print(ctypes.CDLL({str(library)!r}).count(5))"
        env = {"PERLE_MUTANT": str(number)}
        words = [sys.executable, "-c", call]
        counted[one.kind if one else "sound"] = int(subprocess.check_output(words, env=env))
    stands = {"condition": 0, "not written": 0}
    assert counted == {"sound": 5, "negation": 5, "operator": 251, "constant": 10, **stands}


def test_too_few_seen_is_a_failure(source: Path) -> None:
    subject = mutation_copy.Subject("orup", (source,), ("a test",))
    chosen = dict(enumerate(mutants.places(source), 1))
    ends = dict.fromkeys(map(str, chosen), mutation_copy.KILLED) | {"1": mutation_copy.SURVIVED}
    mine = Run(mutation.NAME, "orup", 1, places=len(chosen), tests=[])
    found = mutation.record(mine, subject, chosen, set(), ends, 0)
    assert found.counts["survivors"] == 1
    assert found.failed == ["4 of 5 faults seen, 97% wanted"]
    assert mutation.remarks(found) == [f"survived: `{chosen[1].text}`"]
    ends["1"] = mutation_copy.SLOW
    mine = Run(mutation.NAME, "orup", 1, places=len(chosen), tests=[])
    assert mutation.record(mine, subject, chosen, set(), ends, 0).failures == 0


def test_what_cannot_be_seen_does_not_count(source: Path) -> None:
    chosen = dict(enumerate(mutants.places(source), 1))
    ends = dict.fromkeys(map(str, chosen), mutation_copy.KILLED) | {"1": mutation_copy.SURVIVED}
    mine = Run(mutation.NAME, "orup", 1, places=len(chosen), tests=[])
    found = mutation.record(mine, mutation_copy.Subject("orup", (source,), ()), chosen, {1}, ends, 0)
    assert (found.failures, found.counts["equivalent"], found.counts["survivors"]) == (0, 1, 0)


def test_every_equivalent_fault_is_one() -> None:
    """A change of the sources that ends one is told."""
    hardware = [path for family in families().values() for path in mutation_subjects.own_files(family)]
    hardware += [path for name in mutation_subjects.LOGIC for path in mutation_subjects.logic_files(name)]
    every = [one for path in hardware for one in mutants.places(path)]
    for subject in (make() for make in mutation_subjects.SOFTWARE.values()):
        every += [one for path in subject.files for one in mutation.PLACES[subject.kind](path)]
    assert set(mutation.equivalents()) <= set(mutation.named(every).values())


def test_equal_texts_are_told_apart(source: Path) -> None:
    """A reason is for one of them: the others may change something."""
    text = mutation.without_line(mutants.places(source)[0].text)
    assert text in mutation.named(mutants.places(source)).values()
    source.write_text(SOURCE + SOURCE.replace("perle_counter", "perle_other"), encoding="utf-8")
    names = mutation.named(reversed(mutants.places(source)))
    assert [one.begin < len(SOURCE) for one in names if names[one] == f"{text} #1"] == [True]
    assert [one.begin < len(SOURCE) for one in names if names[one] == f"{text} #2"] == [False]
    assert text not in names.values()


def test_a_change_leaves_the_draw_of_other_faults(source: Path) -> None:
    """Those that are gone leave their places; another seed draws otherwise."""
    names = mutation.named(mutants.places(source))
    drawn = mutation.drawn(names, 1)
    left = dict(list(names.items())[1:])
    assert 0 < len(left) < len(names)
    assert mutation.drawn(left, 1) == [one for one in drawn if one in left]
    assert mutation.drawn(names, 2) != drawn != sorted(names, key=lambda one: one.begin)


def test_every_family_has_places_and_tests() -> None:
    for subject in mutation_subjects.subjects("orup"):
        assert sum(len(mutants.places(path)) for path in subject.files) > 200
        assert any("test_random" in test for test in subject.tests)


def test_what_few_tests_do_not_see_is_tried_with_more(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other fault is not seen by the first tests; but for the last one, the others see them."""
    ran: list[tuple[str, int]] = []

    class Server:
        def __init__(self, _copy: object, tests: tuple[str, ...]) -> None:
            self.name = tests[0]

        def test(self, number: int, _seconds: float) -> str:
            ran.append((self.name, number))
            seen = number % 2 == 0 or (self.name == "more" and number != 5)
            return mutation_copy.KILLED if number and seen else mutation_copy.SURVIVED

        def close(self) -> None:
            pass

    monkeypatch.setattr(mutation, "Server", Server)
    monkeypatch.setattr(mutation, "Copy", lambda subject, _: SimpleNamespace(subject=subject))
    subject = mutation_copy.Subject("orup", (source,), ("few",), ("more",))
    found = mutation.campaign(subject, None, 1, 60, 1)
    assert [number for name, number in ran if name == "few" and number] == [1, 2, 3, 4, 5]
    assert [number for name, number in ran if name == "more" and number] == [1, 3, 5]
    assert (found.counts["killed"], found.counts["survivors"]) == (4, 1)
    again = mutation.campaign(subject, found, 1, 60, 1)
    assert again.counts == found.counts


def test_outcomes_count_only_if_the_tests_still_pass_without_a_fault(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full from some fault on makes all tests fail, which says nothing about the faults."""
    closed: list[object] = []

    class Server:
        def __init__(self, *_: object) -> None:
            self.full = False

        def test(self, number: int, _seconds: float) -> str:
            self.full |= number == 3
            return mutation_copy.KILLED if self.full else mutation_copy.SURVIVED

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(mutation, "Server", Server)
    monkeypatch.setattr(mutation, "Copy", lambda subject, _: SimpleNamespace(subject=subject))
    with pytest.raises(ToolError, match="no longer pass without a fault"):
        mutation.campaign(mutation_copy.Subject("orup", (source,), ("few",)), None, 1, 60, 1)
    assert len(closed) == 1


def test_a_campaign_that_is_ended_tells_how_far_it_came(
    source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is kept, and the next one goes on there."""
    ran: list[int] = []
    closed: list[object] = []

    class Server:
        def __init__(self, *_: object) -> None:
            self.ended = 3

        def test(self, number: int, _seconds: float) -> str:
            if number:
                ran.append(number)
            if number == self.ended and ran.count(number) == 1:
                raise KeyboardInterrupt
            return mutation_copy.KILLED if number else mutation_copy.SURVIVED

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(mutation, "Server", Server)
    monkeypatch.setattr(parts, "stale", lambda _: [])  # the source is not of this checkout
    monkeypatch.setattr(mutation, "Copy", lambda subject, _: SimpleNamespace(subject=subject))
    subject = mutation_copy.Subject("orup", (source,), ("few",))
    task = Task(mutation.NAME, "orup", lambda one: mutation.campaign(subject, one, 1, 60, 1))
    store = Records(tmp_path / "records")
    with pytest.raises(KeyboardInterrupt):
        list(parts.campaign([task], store))
    assert len(closed) == 1
    assert [one.counts["tried"] for one in store.load()] == [2]
    [whole] = parts.campaign([task], store)
    assert (ran, whole.counts["killed"]) == ([1, 2, 3, 3, 4, 5], 5)
