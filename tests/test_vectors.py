# SPDX-License-Identifier: Apache-2.0
"""`perle exp --batch` on the RSA vectors of FIPS 186: signatures opened, and made again."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from perle.flow.tools import scripts_dir
from perle.trust.vector_files import Signature, root
from perle.trust.vector_powers import fips

EVERY = 5
WHOLE = os.environ.get("PERLE_ALL_VECTORS") == "1"


def batch(tmp_path: Path, jobs: list[tuple[int, int, int]], *options: str) -> list[int]:
    """Run (base, exponent, modulus) jobs through the command line; its output lines and nothing else."""
    lines = [json.dumps({"b": f"{b:x}", "e": f"{e:x}", "m": f"{m:x}"}) for b, e, m in jobs]
    file = tmp_path / "jobs.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    command: list[str | Path] = [scripts_dir() / "perle", "exp", "--batch", file, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["cycles"] > 0 for answer in answers)
    return [int(answer["r"], 16) for answer in answers]


def load() -> list[Signature]:
    """Return the signatures below their odd moduli."""
    return list(fips(root()))


def sizes() -> list[int]:
    """Modulus sizes of the vectors."""
    return sorted({vector.bits for vector in load()})


SIZES = [pytest.param(bits, marks=pytest.mark.wide if bits in (1536, 3072, 4096) else ()) for bits in sizes()]


def test_the_vectors_are_there() -> None:
    assert sizes() == [1024, 1536, 2048, 3072, 4096]
    assert len(load()) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("bits", SIZES)
def test_every_signature_opens(bits: int, tmp_path: Path) -> None:
    """All of them with PERLE_ALL_VECTORS=1 (`make vectors`); else every few of them."""
    chosen = [vector for vector in load() if vector.bits == bits][:: 1 if WHOLE else EVERY]
    # Public exponents: in constant time each would take as long as a private one.
    jobs = [(vector.s, vector.e, vector.n) for vector in chosen]
    found = batch(tmp_path, jobs, "--mode", "binary")
    assert found == [pow(vector.s, vector.e, vector.n) for vector in chosen]


@pytest.mark.slow
@pytest.mark.parametrize(
    "bits", [bits if bits == 1024 else pytest.param(bits, marks=pytest.mark.wide) for bits in sizes()]
)
def test_signatures_are_made_again(bits: int, tmp_path: Path) -> None:
    """All of them with PERLE_ALL_VECTORS=1 (`make vectors`); else one a file, of the widest sizes one."""
    chosen = [vector for vector in load() if vector.bits == bits and vector.d]
    if not WHOLE:
        chosen = list({vector.file: vector for vector in chosen}.values())[: 4 if bits < 3072 else 1]
    encoded = [pow(vector.s, vector.e, vector.n) for vector in chosen]
    jobs = [(em, vector.d, vector.n) for em, vector in zip(encoded, chosen, strict=True)]
    found = batch(tmp_path, jobs)
    assert found == [pow(em, d, n) for em, d, n in jobs]
    # the files for verifiers have keys whose e was changed on purpose: d does not make their signatures
    made = [(z, vector.s) for z, vector in zip(found, chosen, strict=True) if "SigGen" in vector.file]
    assert made
    assert all(z == s for z, s in made)
