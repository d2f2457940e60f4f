# SPDX-License-Identifier: Apache-2.0
"""`perle mul`, `perle exp` and `perle rsa` on a board of every family: values, and cycles of the models."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perle.cores import registry
from perle.cores.modexp.model import Command, Mode, cycles
from perle.host import Boards, Key
from tests.cli_run import answer, invoke, openssl, stated

MESSAGE = b"a short message"
PRIME_BITS = 256
"""OpenSSL makes no keys below 512 bits."""

# A simulator is built once for each. Those that take longest to build are marked slow; those with another
# one of their family here are marked wide.
RSA_CONFIGS = [
    "iterative:w256",
    "bit_systolic:w256",
    pytest.param("scalable:r2_w16_p16_n256", marks=pytest.mark.wide),
    pytest.param("scalable:r4_w16_p8_n256", marks=pytest.mark.slow),
    pytest.param("scalable:b4_w16_p8_n256", marks=pytest.mark.wide),
    pytest.param("karatsuba:w256", marks=pytest.mark.wide),
    pytest.param("stream:w256", marks=pytest.mark.slow),
    pytest.param("lowlat:w256", marks=pytest.mark.slow),
]
CONFIGS = [*RSA_CONFIGS, "karatsuba:w128_step4"]


def moduli(width: int) -> Iterator[int]:
    """Yield moduli ≡ 1 and 3 modulo 4, all ones, next to a power of two; of full width and narrower."""
    rng = random.Random(width)
    for bits in (width, width - 1, width - 63, 65, 64):
        for residue in (1, 3):
            yield (1 << bits - 1 | rng.getrandbits(bits - 1)) & ~3 | residue
        yield (1 << bits) - 1
        yield (1 << bits - 1) + 1
    yield from (3, 5)


def few(width: int) -> list[int]:
    """Return moduli for powers: ≡ 1 of full width, ≡ 3 with a clear top bit, all ones, ≡ 1 far narrower."""
    found = list(moduli(width))
    return [found[0], found[5], found[2], found[8]]


def stream(*args: object, work: list[dict[str, int]]) -> list[dict[str, Any]]:
    """Run operations on one board as a stream; return its answers."""
    stdin = "".join(json.dumps({key: f"{value:x}" for key, value in one.items()}) + "\n" for one in work)
    return [json.loads(line) for line in invoke(*args, "--batch", "-", stdin=stdin).stdout.splitlines()]


@pytest.mark.parametrize("spec", CONFIGS)
def test_products(spec: str) -> None:
    config = registry.resolve(spec)
    work = [
        {"x": x, "y": y, "m": m}
        for m in moduli(config.width)
        for x, y in ((m // 3, m - 2), (m - 1, m - 1), (0, 1))
    ]
    found = stream("mul", "--board", f"sim:{spec}", work=work)
    assert [one["r"] for one in found] == [f"{one['x'] * one['y'] % one['m']:x}" for one in work]
    assert [one["cycles"] for one in found] == [
        cycles(config, Command.MULMOD, bits=one["m"].bit_length()) for one in work
    ]


@pytest.mark.parametrize("mode", ["window", "binary", "paper", "ladder"])
@pytest.mark.parametrize("spec", CONFIGS)
def test_powers(spec: str, mode: str) -> None:
    config = registry.resolve(spec)
    rng = random.Random(1)
    lengths = (config.width, 61, 17, 1)
    work = [
        {"b": rng.randrange(m), "e": rng.getrandbits(bits) | 1 << bits - 1, "m": m}
        for m, bits in zip(few(config.width), lengths, strict=True)
    ]
    found = stream("exp", "--mode", mode, "--board", f"sim:{spec}", work=work)
    assert [one["r"] for one in found] == [f"{pow(one['b'], one['e'], one['m']):x}" for one in work]
    assert [one["cycles"] for one in found] == [
        cycles(
            config,
            Command.EXP,
            Mode[mode.upper()],
            stated(mode, one["e"], one["m"]),
            one["e"],
            bits=one["m"].bit_length(),
        )
        for one in work
    ]


@pytest.mark.parametrize("spec", CONFIGS)
def test_what_is_printed(spec: str) -> None:
    config = registry.resolve(spec)
    m = (1 << config.width - 1) - 1
    x, y = m // 3, m - 2
    board = ("--board", f"sim:{spec}")
    count = cycles(config, Command.MULMOD, bits=m.bit_length())
    printed = f"r       {x * y % m:x}\ncycles  {count}\nboard   sim:{spec}\n"
    assert invoke("mul", *board, f"{x:x}", f"{y:x}", f"{m:x}").stdout == printed
    assert answer("exp", *board, f"{x:x}", "11", f"{m:x}") == {
        "r": f"{pow(x, 17, m):x}",
        "cycles": cycles(config, Command.EXP, Mode.WINDOW, m.bit_length(), bits=m.bit_length()),
        "board": f"sim:{spec}",
    }


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an OpenSSL key, a message, and its encryption by OpenSSL."""
    folder = tmp_path_factory.mktemp("families")
    key, public, message = folder / "key.pem", folder / "key.pub", folder / "message"
    openssl("genrsa", "-out", key, str(2 * PRIME_BITS))
    openssl("pkey", "-in", key, "-pubout", "-out", public)
    message.write_bytes(MESSAGE)
    for padding in ("oaep", "pkcs1"):
        how = ("-pubin", "-inkey", public, "-pkeyopt", f"rsa_padding_mode:{padding}")
        openssl("pkeyutl", "-encrypt", *how, "-in", message, "-out", folder / padding)
    return folder


@pytest.mark.parametrize("spec", RSA_CONFIGS)
def test_rsa(spec: str, place: Path, tmp_path: Path) -> None:
    half = cycles(registry.resolve(spec), Command.EXP, Mode.WINDOW, PRIME_BITS, bits=PRIME_BITS)
    key, signature = ("--key", place / "key.pem"), tmp_path / "signature"

    two = f"sim:{spec},boards=2"
    sign = ("--hash", "sha1", "--in", place / "message", "--out", signature)
    facts = answer("rsa", "sign", *key, "--board", two, *sign)
    assert (facts["board"], facts["elapsed_cycles"], facts["cycles"]) == (two, half, 2 * half)
    pss = ("-sigopt", "rsa_padding_mode:pss", "-signature", signature)
    told = openssl("dgst", "-sha1", "-verify", place / "key.pub", *pss, place / "message")
    assert told == b"Verified OK\n"

    one = f"sim:{spec}"
    for padding, more in (("oaep", ("--hash", "sha1")), ("pkcs1", ())):
        given = ("--padding", padding, *more, "--in", place / padding)
        facts = answer("rsa", "decrypt", *key, "--board", one, *given)
        assert bytes.fromhex(facts["data"]) == MESSAGE
        assert (facts["board"], facts["elapsed_cycles"], facts["cycles"]) == (one, 2 * half, 2 * half)


@pytest.mark.parametrize(
    ("spec", "count"),
    [("scalable:r2_w16_p16_n256", 1), ("scalable:r2_w16_p16_n256", 2), ("iterative:w256", 2)],
)
def test_primes_of_different_lengths(spec: str, count: int) -> None:
    """Each half has the time for its own prime, where the time depends on the modulus width."""
    config = registry.resolve(spec)
    p, q = (1 << 256) - 189, (1 << 217) - 519
    n, e, lengths = p * q, 65537, (256, 217)
    d = pow(e, -1, (p - 1) * (q - 1))
    numbers = {"n": n, "e": e, "d": d, "p": p, "q": q, "dp": d % (p - 1), "dq": d % (q - 1)}
    halves = [cycles(config, Command.EXP, Mode.WINDOW, bits, bits=bits) for bits in lengths]
    with (
        Boards(f"sim:{spec},boards={count}") as boards,
        Key.from_numbers(**numbers, qinv=pow(q, -1, p)) as key,
    ):
        output = key.private(boards, (n // 3).to_bytes(key.size, "big"))
    assert int.from_bytes(output.data, "big") == pow(n // 3, d, n)
    assert output.cycles == sum(halves)
    assert output.elapsed == (max(halves) if count == 2 else sum(halves))
