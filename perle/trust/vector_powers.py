# SPDX-License-Identifier: Apache-2.0
"""The RSA primitive on the signatures of FIPS 186, through `perle exp --batch`.

All signatures are opened: s^e, on a simulated board as wide as the modulus. A private power takes as long as
a thousand of these, so that few signatures are made: m^d, without the primes.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gmpy2 import powmod

from perle.flow import tools
from perle.flow.places import PACKAGE
from perle.flow.tools import NOT_THE_DESIGN, ToolError
from perle.trust.vector_files import FIPS_SIGNING, FIPS_VERIFYING, Signature, signatures
from perle.trust.vector_runs import Outcome

MADE = {1024: 8, 1536: 2, 2048: 2}
"""Number of signatures that are made again, by the bits of the modulus."""
AT_ONCE = 64
"""Powers of one process, between two looks at the time."""
SECONDS = 3600.0
PUBLIC = ("--mode", "binary")
"""Public exponents: in constant time each would take as long as a private one."""

Power = tuple[str, int, int, int, int]
"""Where a power is from, its base, exponent and modulus, and the result."""


def sources(folder: Path) -> list[Path]:
    """Return the files of signatures."""
    return [*FIPS_SIGNING.files(folder), *FIPS_VERIFYING.files(folder)]


def fips(folder: Path) -> Iterator[Signature]:
    """Yield the signatures below their odd moduli: others, which are forged, are no operands."""
    for path in sources(folder):
        yield from (one for one in signatures(path) if one.n % 2 == 1 and one.s < one.n)


def opened(found: Sequence[Signature]) -> list[Power]:
    """Return the powers that open signatures."""
    return [(one.where, one.s, one.e, one.n, int(powmod(one.s, one.e, one.n))) for one in found]


def remade(found: Sequence[Signature], most: dict[int, int] | None = None) -> list[Power]:
    """Return the powers that make signatures, of as many keys as there are.

    The keys for verification have exponents that were changed on purpose: theirs do not make the signatures.
    """
    usable = [one for one in found if one.d and "SigGen" in one.file]
    chosen: list[Signature] = []
    for bits, count in (MADE if most is None else most).items():
        own = [one for one in usable if one.bits == bits]
        step = max(1, len(own) // count)
        chosen += own[::step][:count]
    return [(one.where, int(powmod(one.s, one.e, one.n)), one.d, one.n, one.s) for one in chosen]


def batch(powers: Sequence[Power], *options: str) -> list[str]:
    """Run powers through the command line; return what is wrong."""
    lines = [json.dumps({"b": f"{b:x}", "e": f"{e:x}", "m": f"{m:x}"}) for _, b, e, m, _ in powers]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "jobs.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="ascii")
        words: list[str | Path] = [sys.executable, "-m", "perle.cli", "exp", "--batch", file, *options]
        try:
            said = tools.run(words, env={"PYTHONPATH": str(PACKAGE.parent)}, timeout=SECONDS).stdout
        except NOT_THE_DESIGN:
            raise
        except ToolError as error:
            return [f"perle exp: {error.message}"]
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    if len(answers) != len(powers):
        return [f"{len(answers)} answers to {len(powers)} powers"]
    pairs = zip(powers, answers, strict=True)
    return [where for (where, _, _, _, right), answer in pairs if not _right(answer, right)]


def _right(answer: dict[str, Any], right: int) -> bool:
    """Whether an answer has the result, and the cycles that a board took for it."""
    return int(answer.get("r", "-1"), 16) == right and answer["cycles"] > 0


def run(public: Sequence[Power], private: Sequence[Power], seconds: float) -> Outcome:
    """Run powers until the time is up, the private ones last."""
    end, out = time.monotonic() + seconds, Outcome(Counter(checked=0, invalid=0, boards=0), [])
    for powers, options in ((public, PUBLIC), (private, ())):
        for first in range(0, len(powers), AT_ONCE):
            if time.monotonic() > end and out.counts["checked"]:
                return out
            part = powers[first : first + AT_ONCE]
            wrong = batch(part, *options)
            out.failed += [f"{where}: another power than it should be" for where in wrong]
            out.counts.update(checked=len(part), boards=len(part))
    return out
