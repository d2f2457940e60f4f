# SPDX-License-Identifier: Apache-2.0
"""Published test vectors: FIPS 186 and Wycheproof through the provider and the command, and our own on cores.

Software boards have the registers of a board and compute with libcrypto: they show that the provider and
libperle do what the vectors say with every key and message. The simulated hardware does a sample of the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from perle.boards.build import SIM_FILES
from perle.boards.regs import RDL
from perle.boards.sources import WAIVERS, kept_files
from perle.cores.registry import Family, families, resolve
from perle.flow import host_make
from perle.flow.cache import content_hash
from perle.flow.places import HOST, INSTALLED
from perle.flow.tools import ToolError
from perle.trust import evp, published, records, vector_files, vector_powers, vector_runs
from perle.trust.parts import Part, Task, Wanted
from perle.trust.provider_files import provider_settings
from perle.trust.records import Record, Run
from perle.trust.vector_files import Source, Vector
from perle.trust.vector_runs import Answering, Outcome, through_library, through_provider
from perle.verify import failure, testbench

NAME = "vectors"
CORE = "orup:w1024"
"""The simulated hardware: its simulator is the fastest one for keys of 2048 bits."""
HARDWARE_BITS, SAMPLE = 2048, 32
"""Longest keys, and number of vectors of each kind, for the simulated hardware: seconds per operation."""
SOFTWARE = "software boards"
SOFTWARE_BITS = 8192
POWERS = "FIPS 186 powers, perle exp, orup"
COUNTS = ("vectors", "planned", "checked", "invalid", "boards")
Measure = Callable[[float, int], Record]
"""Runs a case for at most that many seconds, with a seed."""
Basis = Callable[[], tuple[list[Path], dict[str, Any]]]
Maker = tuple[str, Measure, Basis]
CODE = (evp, vector_files, vector_runs, vector_powers, published)


@dataclass(frozen=True)
class Case:
    """Vectors of RSA, what they run through, and the boards that do their private operations."""

    what: str
    source: Source
    path: str = "provider"
    board: str = SOFTWARE

    @property
    def name(self) -> str:
        """Name of the case."""
        return f"{self.what}, {self.path}, {self.board}"

    def planned(self, found: Sequence[Vector]) -> list[Vector]:
        """Return the vectors that are run, in their order."""
        if self.board == SOFTWARE:
            return vector_runs.planned(found, SOFTWARE_BITS, None)
        return vector_runs.planned(found, HARDWARE_BITS, SAMPLE)

    def opened(self) -> AbstractContextManager[Answering]:
        """Open the boards, and what the vectors run through."""
        spec = host_make.softboard() if self.board == SOFTWARE else self.board
        open_: Callable[[str], AbstractContextManager[Answering]] = (
            through_provider if self.path == "provider" else through_library
        )
        return open_(f"sim:{spec},boards=2")

    def environment(self) -> AbstractContextManager[None]:
        """Set the width of software boards."""
        width = {"SOFTBOARD": f"width={SOFTWARE_BITS // 2}"}
        return evp.environment(width) if self.board == SOFTWARE else nullcontext()


def _on_both(what: str, source: Source, path: str = "provider") -> tuple[Case, Case]:
    return Case(what, source, path), Case(what, source, path, CORE)


CASES = (
    *_on_both("FIPS 186 signatures", vector_files.FIPS_SIGNING),
    Case("FIPS 186 verification", vector_files.FIPS_VERIFYING),
    *_on_both("Wycheproof signatures", vector_files.SIGNING),
    Case("Wycheproof verification", vector_files.VERIFYING),
    *_on_both("Wycheproof OAEP", vector_files.OAEP),
    Case("Wycheproof PKCS #1 v1.5", vector_files.PKCS1),
    *_on_both("Wycheproof PKCS #1 v1.5", vector_files.PKCS1, "libperle"),
)


def basis(case: Case) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a run of a case depends on."""
    made_of = [*_code(), *records.host_files()]
    if case.board == SOFTWARE:
        made_of += sorted((HOST / "tests").glob("softboard*"))
    else:
        made_of += [*kept_files(resolve(case.board)), RDL, WAIVERS, *SIM_FILES]
    settings: dict[str, Any] = {
        "most": None if case.board == SOFTWARE else SAMPLE,
        "vectors": _hashes(case.source.files),
    }
    if case.path == "provider":
        settings |= provider_settings()
    return made_of, settings


def _code() -> list[Path]:
    return [Path(__file__), *(Path(str(module.__file__)) for module in CODE)]


def _hashes(files: Callable[[Path], list[Path]]) -> dict[str, str]:
    """Return the hashes of published files; none if they are missing here."""
    try:
        return {path.name: content_hash([path]) for path in files(vector_files.root())}
    except ToolError:
        return {}


def measure(case: Case, seconds: float, seed: int, folder: Path | None = None) -> Record:
    """Run a case for at most that many seconds; `folder` replaces that of the published vectors."""
    found = case.source.vectors(folder or vector_files.root())
    files, settings = basis(case)
    mine, chosen = Run(NAME, case.name, seed, **settings), case.planned(found)
    with case.environment(), case.opened() as through:
        out = vector_runs.run(through, chosen, seconds)
    used = ("openssl", "g++") if case.board == SOFTWARE else ("openssl", "verilator", "g++")
    return _end(mine, out, len(found), len(chosen), files, used)


def measure_powers(seconds: float, seed: int) -> Record:
    """Run the powers of FIPS 186 through `perle exp` for at most that many seconds."""
    found = list(vector_powers.fips(vector_files.root()))
    files, settings = powers_basis()
    mine = Run(NAME, POWERS, seed, **settings)
    public, private = vector_powers.opened(found), vector_powers.remade(found)
    out = vector_powers.run(public, private, seconds)
    planned = len(public) + len(private)
    whole = len(found) + len(vector_powers.remade(found, {one.bits: len(found) for one in found}))
    return _end(mine, out, whole, planned, files, ("verilator", "g++"))


def powers_basis() -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that the powers depend on."""
    hardware = [*kept_files(resolve(CORE)), RDL, WAIVERS, *SIM_FILES]
    settings = {"made": list(vector_powers.MADE.items()), "vectors": _hashes(vector_powers.sources)}
    return [*_code(), *records.host_files(), *hardware], settings


def measure_family(family: Family, seconds: float, seed: int, file: Path | None = None) -> Record:
    """Check the hardware and the model by a family's own vectors; `file` replaces the family's."""
    sets = published.read(family, file)
    files, settings = family_basis(family)
    mine, out = Run(NAME, own(family), seed, **settings), Outcome(Counter(), [])
    if file is None and not published.current(family):
        out.failed.append(f"{published.NAME} is not what the command writes")
    todo = [(one, family.config(name)) for one in sets for name in one["configurations"]]
    for one, config in todo:
        if mine.seconds > seconds and out.counts["checked"]:
            break
        for done in (published.check_model(config, one), published.check_hardware(config, one)):
            out.failed += done.failed
        out.counts.update(checked=done.values, boards=done.operations)
    planned = sum(published.values(one) for one, _ in todo)
    return _end(mine, out, planned, planned, files, ("verilator", "g++"))


def own(family: Family) -> str:
    """Name of the case of a family's own vectors."""
    return f"{family.name}: own vectors"


def family_basis(family: Family) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a family's own vectors depend on."""
    bench = [Path(str(testbench.__file__)), testbench.DRIVER, failure.HEADER]
    hardware = [*family.files, *family.assertions, family.folder / "core.toml", family.folder / "model.py"]
    return [*_code(), *hardware, *bench, published.path(family)], {}


def _end(
    mine: Run, out: Outcome, vectors: int, planned: int, files: Sequence[Path], used: Sequence[str]
) -> Record:
    for text in out.failed:
        mine.fail(text)
    if not out.counts["checked"]:
        mine.fail("no vector was checked")
    counts = {name: int(out.counts[name]) for name in COUNTS}
    return mine.end({**counts, "vectors": vectors, "planned": planned}, files, used)


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per case; for a single family that of its own vectors."""
    makers: list[Maker] = []
    if wanted.family is None:
        cases = [case for case in CASES if not (INSTALLED and case.board == SOFTWARE)]
        makers += [(case.name, partial(measure, case), partial(basis, case)) for case in cases]
        makers.append((POWERS, measure_powers, powers_basis))
    for family in families().values():
        if wanted.family in (None, family.name):
            makers.append((own(family), partial(measure_family, family), partial(family_basis, family)))
    seconds = inf if wanted.seconds is None else wanted.seconds / max(1, len(makers))
    for name, run, made_of in makers:
        yield Task(NAME, name, partial(_task, run, seconds, wanted.seed), basis=made_of)


def _task(run: Measure, seconds: float, seed: int, _before: Record | None) -> Record:
    return run(seconds, seed)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in COUNTS)


VECTORS = Part(
    NAME,
    "Test vectors",
    "Signatures of FIPS 186 and the RSA vectors of Wycheproof (PKCS #1 v1.5 and PSS signatures, OAEP and "
    "PKCS #1 v1.5 decryption) have the published results, and what is invalid is refused. They run through "
    "OpenSSL with the provider, whose boards must do every private operation that it accepts: all of them on "
    "software boards, and a sample with keys of up to 2048 bits on simulated hardware. OpenSSL itself "
    "verifies and, with the provider, decrypts PKCS #1 v1.5; libperle decrypts it on boards, too. "
    "`perle exp` opens every signature of FIPS 186 and makes some of them again. This is the primitive that "
    "ACVP tests; vectors of ACVP itself are in none of the installed packages. Every family's simulated core "
    "and model compute the vectors that the family publishes (`vectors.json`).",
    tasks,
    ("vectors", "planned", "checked", "to be refused", "on boards or cores"),
    row,
)
