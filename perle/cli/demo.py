# SPDX-License-Identifier: Apache-2.0
"""`perle demo`: RSA on simulated boards from end to end, every result checked by OpenSSL."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from rich.text import Text

from perle.cli.arith import Json
from perle.cli.board_time import CLOCK_MHZ, Clock, Measurement, measure
from perle.cli.boards import opened
from perle.cli.io import console, openssl
from perle.cli.io.console import Steps
from perle.cli.io.errors import Code
from perle.cli.rsa import load, software
from perle.flow.cache import cache_root
from perle.host import Boards, Key
from perle.report.quantities import quantity, seconds
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="Show RSA on simulated boards from end to end.")

MESSAGE = "Perle signs this file and decrypts it on simulated boards; OpenSSL checks both.\n"
SECRET = b"the message that OpenSSL encrypted"
SOFTWARE_SECONDS = 0.5
TICKS = {True: Text("✓", "green"), False: Text("✗ wrong", "red")}


@dataclass(frozen=True)
class Done:
    """One finished operation."""

    name: str
    key_bits: int
    spec: str
    measured: Measurement
    rates: software.Rates
    verified: bool

    def facts(self, clock_mhz: float) -> dict[str, Any]:
        """Return the operation as it is printed with --json."""
        return {
            "operation": self.name,
            "key_bits": self.key_bits,
            "board": self.spec,
            **self.measured.facts(clock_mhz),
            "software_ops_per_second": self.rates.private,
            "software": self.rates.library,
            "verified": self.verified,
        }


class Workshop:
    """A folder with a key, its public key and the files of one operation."""

    def __init__(self, folder: Path, bits: int, steps: Steps) -> None:
        self.folder = folder / str(bits)
        self.folder.mkdir()
        self.steps = steps
        self.key, self.public = self.folder / "key.pem", self.folder / "public.pem"
        steps.work(f"openssl makes an RSA-{bits} key")
        openssl.make_key(bits, self.key)
        openssl.public_half(self.key, self.public)

    def sign(self) -> Done:
        """Sign a file on boards; OpenSSL verifies."""
        file, signature = self.folder / "message.txt", self.folder / "message.sig"
        file.write_text(MESSAGE, encoding="utf-8")
        digest = hashlib.sha256(file.read_bytes()).digest()

        def work(boards: Boards, key: Key) -> tuple[Measurement, bool]:
            measured = measure(boards, lambda: key.sign(boards, digest))
            signature.write_bytes(measured.output.data)
            return measured, openssl.verifies(self.public, file, signature)

        return self._run("sign, PSS SHA-256", work)

    def decrypt(self) -> Done:
        """Encrypt a message with OpenSSL; decrypt it on boards."""
        file, cipher = self.folder / "secret.txt", self.folder / "secret.bin"
        file.write_bytes(SECRET)
        openssl.encrypt(self.public, file, cipher)

        def work(boards: Boards, key: Key) -> tuple[Measurement, bool]:
            measured = measure(boards, lambda: key.decrypt(boards, cipher.read_bytes()))
            return measured, measured.output.data == SECRET

        return self._run("decrypt, OAEP SHA-256", work)

    def _run(self, name: str, work: Any) -> Done:  # noqa: ANN401
        with load.loaded(str(self.key), None) as key:
            spec = load.private_spec(key)
            with opened(spec, self.steps) as boards:
                self.steps.work(f"RSA-{key.bits} on {spec}: {name}")
                measured, verified = work(boards, key)
            self.steps.work(f"RSA-{key.bits} in software")
            return Done(
                name,
                key.bits,
                spec,
                measured,
                software.rates(self.key.read_bytes(), SOFTWARE_SECONDS),
                verified,
            )


@app.command()
def rsa(clock: Clock = CLOCK_MHZ, json: Json = False) -> None:
    """Sign with RSA-2048 and decrypt with RSA-1024 on simulated boards; OpenSSL verifies both.

    The keys are new and temporary. The first run builds the simulators, which takes a minute or two.
    """
    with TemporaryDirectory(prefix="perle-demo-") as folder, console.steps() as steps:
        done = [Workshop(Path(folder), 2048, steps).sign(), Workshop(Path(folder), 1024, steps).decrypt()]
    if json:
        facts = {"clock_mhz": clock, "operations": [one.facts(clock) for one in done]}
        console.print_json(
            {**facts, "verified": all(one.verified for one in done), "logs": str(cache_root())}
        )
    else:
        _print(done, clock)
    if not all(one.verified for one in done):
        console.note("perle: OpenSSL did not confirm every result")
        raise typer.Exit(Code.WRONG)


def _print(done: list[Done], clock: float) -> None:
    table = Table(("", *(f"RSA-{one.key_bits}" for one in done)), title="RSA on simulated boards")
    for label, cells in _rows(done, clock):
        table.add(label, *cells)
    out = console.output()
    out.print(table)
    out.print(
        f"{clock:g} MHz is an assumption (--clock). Boards count the cycles; bus transfers are not included."
    )
    out.print(
        f"Software: {done[0].rates.library}, one core of this machine. Build logs: {cache_root()}",
        soft_wrap=True,
    )


def _rows(done: list[Done], clock: float) -> list[tuple[str, Sequence[object]]]:
    facts = [one.facts(clock) for one in done]

    def row(label: str, text: str) -> tuple[str, Sequence[object]]:
        return label, [text.format(**fact) for fact in facts]

    return [
        row("operation", "{operation}"),
        row("boards", "{board}"),
        (
            "cycles of each half",
            [" + ".join(f"{count:,}" for count in fact["cycles_per_board"]) for fact in facts],
        ),
        row("cycles, start to end", "{cycles:,}"),
        (f"board time at {clock:g} MHz", [seconds(fact["board_seconds"]) for fact in facts]),
        (f"operations/s at {clock:g} MHz", [quantity(fact["board_ops_per_second"]) for fact in facts]),
        row("host bus", "{bus_accesses:,} accesses, {bus_bytes:,} bytes"),
        ("simulator's wall time", [seconds(fact["simulator_seconds"]) for fact in facts]),
        ("software, operations/s", [quantity(fact["software_ops_per_second"]) for fact in facts]),
        ("verified by OpenSSL", [TICKS[one.verified] for one in done]),
    ]
