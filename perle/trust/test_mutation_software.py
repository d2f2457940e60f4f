# SPDX-License-Identifier: Apache-2.0
"""Faults of C++ and of Python: one text with all of them, and each does what it says."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from perle.flow.places import CHECKOUT
from perle.trust import mutants_python, mutants_text, mutation, mutation_host, mutation_subjects
from perle.trust.mutants import Mutant
from perle.trust.mutation_copy import CRASHED, HOST_LIBRARY, KILLED, PYTHON, SLOW, SURVIVED, Server, Subject
from perle.trust.records import Run

CPP = """\
#include <cstdlib>  // 1 + 1
static_assert(1 + 1 == 2);
constexpr int kSize = 2 + 2;
bool between(int a, int b) {
  const char* text = "a < b && 7"; // a < b
  if (a < b && b < 9) return true;
  return false;
}
int count(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += i;
  }
  return sum;
}
int main() { return count(4) + (between(3, 4) ? 100 : 0); }
"""
PY = '''\
"""1 + 1."""
SIZE = 2 + 2


def grow(values: list[int], more: int = 1) -> int:
    """Return 1 + 1."""
    if len(values) < 2 and more:
        values.append(more + 4)
    return values[0]
'''


def text(one: Mutant) -> str:
    return one.text.partition(": ")[2].partition(" in ")[0]


def test_what_is_broken_of_cpp(tmp_path: Path) -> None:
    path = tmp_path / "count.cpp"
    path.write_text(CPP, encoding="utf-8")
    every = mutants_text.places(path)
    assert {
        "operator: a < b && b < 9 → a < b || b < 9",
        "operator: a < b → a <= b",
        "operator: b < 9 → b <= 9",
        "constant: 9 → 10",
        "condition: a < b && b < 9 → !(a < b && b < 9)",
        "returned: sum → !(sum)",
        "left out: sum += i; → (nothing)",
    } <= set(map(text, every))
    lines = {path.read_bytes().count(b"\n", 0, one.begin) + 1 for one in every}
    assert lines.isdisjoint({1, 2, 3, 5})


def test_each_fault_of_cpp_does_what_it_says(tmp_path: Path) -> None:
    path, program = tmp_path / "count.cpp", tmp_path / "count"
    path.write_text(CPP, encoding="utf-8")
    every = dict(enumerate(mutants_text.places(path), 1))
    told = {number: text(one) for number, one in every.items()}
    path.write_bytes(mutants_text.instrumented(path.read_bytes(), every))
    words: list[str | Path] = ["g++", "-std=c++20", "-include", mutation_host.CHOICE, "-o", program, path]
    subprocess.run(words, check=True)
    ends = {"sound": subprocess.run([program], check=False).returncode}
    for number in every:
        environment = {**os.environ, "PERLE_MUTANT": f"{number}"}
        try:
            done = subprocess.run([program], env=environment, check=False, timeout=2)
            ends[told[number]] = done.returncode
        except subprocess.TimeoutExpired:
            pytest.fail(told[number])
    assert ends["sound"] == 106
    assert ends["left out: sum += i; → (nothing)"] == 100
    assert ends["operator: i < n → i <= n"] == 110
    assert ends["condition: a < b && b < 9 → !(a < b && b < 9)"] == 6
    assert ends["returned: sum → !(sum)"] == 100


def test_each_fault_of_python_does_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "grow.py"
    path.write_text(PY, encoding="utf-8")
    every = dict(enumerate(mutants_python.places(path), 1))
    assert len(every) == 9
    told = {number: text(one) for number, one in every.items()}
    path.write_bytes(mutants_python.instrumented(path.read_bytes(), every))
    call = "from grow import grow; a = [7]; print(grow(a), a)"
    ends = {}
    for number in (0, *every):
        environment = {**os.environ, "PERLE_MUTANT": f"{number}", "PYTHONPATH": f"{tmp_path}"}
        said = subprocess.check_output([sys.executable, "-c", call], env=environment, text=True)
        ends[told.get(number, "sound")] = said.strip()
    assert ends["sound"] == "7 [7, 5]"
    assert ends["operator: more + 4 → more - 4"] == "7 [7, -3]"
    assert ends["returned: values[0] → None"] == "None [7, 5]"
    assert ends["left out: values.append(more + 4) → (nothing)"] == "7 [7]"
    assert ends["constant: 0 → 1"] == "5 [7, 5]"


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("true", SURVIVED),
        ("exit 1", CRASHED),  # no test says that it failed
        ("echo FAILED; exit 1", KILLED),
        ("kill -SEGV $$", CRASHED),
        ("echo FAILED; sleep 60", KILLED),
        ("sleep 60", SLOW),
    ],
)
def test_how_a_program_ends(tmp_path: Path, script: str, how: str) -> None:
    log = tmp_path / "log"
    with log.open("wb") as to:
        process = subprocess.Popen(["sh", "-c", script], stdout=to, start_new_session=True)
    begin = time.monotonic()
    assert mutation_host.ended(process, 1, lambda: b"FAILED" in log.read_bytes()) == how
    assert time.monotonic() < begin + 30


def test_a_log_tells_which_test_saw_a_fault(tmp_path: Path) -> None:
    said = {
        1: "12 tests, 0 failed\n",
        2: "host/tests/test_x.cpp:3: a == b: 1 != 2\nFAILED one_of_cpp\nFAILED another\n",
        3: "F\nFAILED perle/apps/test_apps.py::test_pi[a b] - assert 1 == 2\n",
    }
    for number, words in said.items():
        (tmp_path / f"{number}.log").write_text(words, encoding="utf-8")
    copy = mutation_host.HostCopy.__new__(mutation_host.HostCopy)
    copy.folder = tmp_path
    assert copy.saw(range(5)) == {2: "one_of_cpp", 3: "perle/apps/test_apps.py::test_pi[a b]"}


def test_what_saw_a_fault_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults are tried in their order: a test that sees one again spares it all others."""
    ran: list[tuple[int, str]] = []

    class Server:
        def __init__(self, *_: object) -> None:
            pass

        def test(self, number: int, _seconds: float, only: str = "") -> str:
            ran.append((number, only))
            return KILLED if only == "good" or (number == 3 and not only) else SURVIVED

        def close(self) -> None:
            pass

    monkeypatch.setattr(mutation, "HostServer", Server)
    monkeypatch.setattr(mutation, "Server", Server)
    subject = Subject("libperle", (), ("quick",), kind=HOST_LIBRARY)
    copy: Any = SimpleNamespace(subject=subject, saw=lambda _: {1: "good", 2: "gone"})
    first = mutation._Before(copy, [1, 2, 3])
    found: dict[str, str] = {}
    mutation._try(copy, ("quick",), [1, 2, 3], found, 60, 1, first)
    assert found == {"1": KILLED, "2": SURVIVED, "3": KILLED}
    assert [one for one in ran if one[0]] == [(1, "good"), (2, "gone"), (2, ""), (3, "")]


def test_one_test_of_many_can_be_asked_for(tmp_path: Path) -> None:
    """With the fault on that it asks for; what is not there sees nothing."""
    path = tmp_path / "test_two.py"
    path.write_text(
        "import os\n"
        "def test_one() -> None:\n    assert os.environ['PERLE_MUTANT'] != '7'\n"
        "def test_two() -> None:\n    assert os.environ['PERLE_MUTANT'] == '0'\n",
        encoding="utf-8",
    )
    names = tuple(f"{path}::{name}" for name in ("test_one", "test_two"))
    copy = SimpleNamespace(
        folder=tmp_path, tree=CHECKOUT, cache=tmp_path, settings={}, subject=Subject("some", (), names)
    )
    server = Server(copy, names)
    assert server.test(0, 60) == SURVIVED
    assert server.test(7, 60) == KILLED
    assert server.test(5, 60, names[0]) == SURVIVED
    assert server.test(5, 60, names[1]) == KILLED
    assert server.test(5, 60, f"{path}::test_three") == SURVIVED
    server.close()


def test_what_the_compiler_refuses_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "count.cpp"
    path.write_text(CPP, encoding="utf-8")
    chosen = dict(enumerate(mutants_text.places(path), 1))
    ends = dict.fromkeys(map(str, chosen), KILLED) | {"1": mutation.REFUSED}
    subject = Subject("libperle", (path,), ("quick",), kind=HOST_LIBRARY)
    mine = Run(mutation.NAME, "libperle", 1, places=len(chosen), tests=[])
    found = mutation.record(mine, subject, chosen, set(), ends, 0)
    assert (found.counts["tried"], found.counts["killed"]) == (len(chosen) - 1, len(chosen) - 1)


def test_software_is_among_the_subjects() -> None:
    for name, least in {"libperle": 200, "apps": 100, "boards": 100}.items():
        [subject] = mutation_subjects.subjects(name)
        assert subject.tests
        assert sum(len(mutation.PLACES[subject.kind](path)) for path in subject.files) > least
    assert {one.kind for one in mutation_subjects.subjects("boards")} == {PYTHON}


def test_checkouts_do_not_share_a_copy_of_the_library(tmp_path: Path) -> None:
    """What make has noted in one names files that may be gone for the other."""
    assert mutation_host.folder(CHECKOUT) == mutation_host.folder(Path(f"{CHECKOUT}"))
    assert mutation_host.folder(CHECKOUT) != mutation_host.folder(tmp_path)
