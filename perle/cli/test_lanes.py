# SPDX-License-Identifier: Apache-2.0
"""Lanes from the command line: a stream, the two halves of a key, and refusals."""

from __future__ import annotations

import json
import random
from pathlib import Path

from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from tests.cli_run import answer, invoke, openssl, refused

SPEC = "orup:w256"
LANES = 3
BOARD = f"sim:{SPEC},lanes={LANES}"


def test_a_stream_uses_all_lanes() -> None:
    """Powers overlap: lanes wait for each other's products, so they take longer than one lane alone."""
    rng = random.Random(5)
    work = []
    for _ in range(4 * LANES):
        m = rng.getrandbits(256) | 1 << 255 | 1
        work.append({"b": rng.randrange(m), "e": rng.getrandbits(256), "m": m})
    stdin = "".join(json.dumps({key: f"{value:x}" for key, value in one.items()}) + "\n" for one in work)
    result = invoke("exp", "--batch", "-", "--board", BOARD, stdin=stdin)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["r"] for one in found] == [f"{pow(one['b'], one['e'], one['m']):x}" for one in work]
    alone = cycles(registry.resolve(SPEC), Command.EXP, Mode.WINDOW, 256)
    assert min(one["cycles"] for one in found) >= cycles(
        registry.resolve(SPEC), Command.EXP, Mode.WINDOW, 240
    )
    assert max(one["cycles"] for one in found) > 3 * alone // 2


def test_both_halves_of_a_key_share_the_multiplier(tmp_path: Path) -> None:
    key, public, message, signature = (tmp_path / name for name in ("key", "public", "message", "signature"))
    openssl("genrsa", "-out", key, "512")
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    message.write_bytes(b"a message")
    given = ("--key", key, "--hash", "sha1", "--in", message, "--out", signature)
    facts = answer("rsa", "sign", *given, "--board", BOARD)
    alone = cycles(registry.resolve(SPEC), Command.EXP, Mode.WINDOW, 256)
    assert facts["cycles"] > 2 * alone
    assert alone < facts["elapsed_cycles"] <= 2 * alone + 1000
    told = openssl(
        "dgst",
        "-sha1",
        "-verify",
        public,
        "-sigopt",
        "rsa_padding_mode:pss",
        "-signature",
        signature,
        message,
    )
    assert told == b"Verified OK\n"


def test_build_takes_lanes() -> None:
    facts = answer("build", BOARD)
    assert (facts["family"], facts["config"], facts["lanes"]) == ("orup", "w256", LANES)


def test_what_is_no_number_of_lanes() -> None:
    for wrong in ("lanes=0", "lanes=65", "lanes=x", "lanes=2,lanes=2"):
        assert "lanes" in refused(2, "exp", "3", "5", "7", "--board", f"sim:orup:w64,{wrong}")
    assert "lanes" in refused(2, "build", "orup:w64,boards=2")
