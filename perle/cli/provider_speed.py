# SPDX-License-Identifier: Apache-2.0
"""`perle speed --provider`: `openssl speed` with keys on boards through the provider, and without it.

OpenSSL's own loop makes the same calls for both rates: signatures by EVP, one after the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from perle.cli import boards
from perle.cli.io import console
from perle.cli.io.console import Steps
from perle.cli.io.errors import Code, Fault, usage
from perle.cores.registry import resolve
from perle.flow.tools import run, system_tool
from perle.host import resolve_spec
from perle.host.provider import ProcessStatus, Provision, provider_path, statuses
from perle.host.settings import ConfigurationError
from perle.report.quantities import quantity
from perle.results import names
from perle.results.view import Point, View
from perle.tables import Table

SIZES = (512, 1024, 2048, 3072, 4096, 7680, 15360)
"""RSA key sizes in bits that `openssl speed` measures."""
LONGEST_MS = 600_000
TARGET = names.ECP5_FAST
HALVES = 2


def rows(
    folder: Path, sizes: list[int], board: str | None, seconds: float, steps: Steps
) -> list[dict[str, Any]]:
    """Measure every key size: on boards through the provider, at a device's clock, and in software."""
    unknown = [size for size in sizes if size not in SIZES]
    if unknown:
        raise usage(
            f"--bits with --provider: openssl speed only has keys of {', '.join(map(str, SIZES))} bits"
        )
    if board is not None:
        boards.refuse_system(board)
    specs = [boards.default_spec(size // 2, 2) if board is None else board for size in sizes]
    return [_row(folder, size, spec, seconds, steps) for size, spec in zip(sizes, specs, strict=True)]


def show(found: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    head = ("key", "boards", "cycles", "simulated op/s", "device op/s", "software op/s")
    table = Table(head, right=range(2, len(head)))
    for row in found:
        device = "–" if row["device_ops_per_second"] is None else quantity(row["device_ops_per_second"])
        rates = (quantity(row["simulator_ops_per_second"]), device, quantity(row["software_ops_per_second"]))
        table.add(f"RSA-{row['key_bits']}", row["board"], f"{row['cycles']:,.0f}", *rates)
    out = console.output()
    out.print(table)
    for clock in dict.fromkeys(row["clock"] for row in found):
        out.print(f"device: {clock}")
    out.print(f"software: {found[0]['software']}, the same loop without the provider, one core")


def _row(folder: Path, bits: int, spec: str, seconds: float, steps: Steps) -> dict[str, Any]:
    with _configured(folder, spec, steps) as (conf, status):
        steps.work(f"openssl speed: RSA-{bits} on {spec}")
        operations, wall, said = _speed(bits, seconds, conf)
        page = next(statuses(status), None)
    cycles = _cycles(page, operations, said)
    steps.work(f"openssl speed: RSA-{bits} in software")
    count, passed, _ = _speed(bits, seconds, Path("/dev/null"))
    clock, words = measured_clock(spec)
    return {
        "key_bits": bits,
        "operation": "private",
        "board": spec,
        "operations": operations,
        "cycles": cycles,
        "simulator_ops_per_second": operations / wall,
        "clock_mhz": clock,
        "clock": words,
        "device_ops_per_second": None if clock is None else clock * 1e6 / cycles,
        "software_ops_per_second": count / passed,
        "software": _version(),
    }


@contextmanager
def _configured(folder: Path, spec: str, steps: Steps) -> Iterator[tuple[Path, Path]]:
    """Write a configuration without fallback to software; yield it and the folder of its status files."""
    status = folder / "status"
    conf = folder / "openssl.cnf"
    found = resolve_spec(spec, steps)
    provision = Provision((found,), "fail", timeout=LONGEST_MS, status=status, more={"keep_status": "yes"})
    steps.work("building the provider")
    try:
        conf.write_text(provision.text(provider_path()))
    except ConfigurationError as error:
        raise usage(str(error)) from None
    yield conf, status
    for page in statuses(status):
        page.path.unlink(missing_ok=True)


def _speed(bits: int, seconds: float, conf: Path) -> tuple[int, float, str]:
    """Run `openssl speed`; return its private operations, the seconds that passed, and its output."""
    program = system_tool("openssl", needed_for="measuring the provider")
    whole = max(1, math.ceil(seconds))
    command: list[str | Path] = [program, "speed", "-elapsed", "-mr", "-seconds", str(whole), f"rsa{bits}"]
    said = run(command, env={"OPENSSL_CONF": str(conf)}, timeout=2 * whole + LONGEST_MS / 1000).stdout
    # Count and seconds of the private operations; the line is missing if the first operation failed.
    line = re.search(rf"^\+R1:(\d+):{bits}:([\d.]+)$", said, re.MULTILINE)
    return (int(line[1]), float(line[2]), said) if line else (0, 0.0, said)


def _cycles(page: ProcessStatus | None, operations: int, said: str) -> float:
    """Return the cycles of an operation from start to end; its two halves run in parallel on two boards."""
    if page is None or operations == 0 or page.counts["failed"] or page.counts["software"]:
        reason = re.search(r"error:[0-9A-F]+:[^\n]*:([^:\n]+(?:: [^:\n]+)*)$", said, re.MULTILINE)
        raise Fault(Code.BOARD, f"openssl speed: {reason[1] if reason else 'no operation on boards'}")
    [row] = page.boards
    return row.cycles / row.operations / min(HALVES, row.boards)


def measured_clock(spec: str, view: View | None = None) -> tuple[float | None, str]:
    """Return the measured clock of a board's core in MHz, and a description of the measurement."""
    if not spec.startswith("sim:") or spec.startswith("sim:/"):
        return None, f"{spec.partition(',')[0]} is not a core of this project: no clock was measured"
    point = Point(resolve(spec.removeprefix("sim:").partition(",")[0]).spec, TARGET)
    view = view or View()
    spread = view.spread(point, names.FMAX)
    if spread is None:
        return None, f"{point.core}: no clock was measured from these sources ({point.command})"
    count = "one run" if spread.count == 1 else f"{spread.count} runs"
    return spread.median, (
        f"{point.core} at {spread.median:.1f} MHz, median of {count} on {view.device(point)} "
        f"(results/measure/{TARGET}.jsonl, {point.command}); without the transfers of operands"
    )


def _version() -> str:
    return run([system_tool("openssl"), "version"], timeout=60).stdout.strip()
