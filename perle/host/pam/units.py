# SPDX-License-Identifier: Apache-2.0
"""Modular product units for a key: the prime is part of the circuit, and with it the secret.

A unit is built for one prime. Its sources, its simulated board (in the cache, `perle.flow.cache`), its build
log and whatever shows its parameters hold that prime in the clear: whoever reads them has the private key.
So nothing here puts a prime into a name, only a hash of it, and the files are for their owner only. The
cache keeps them until they are deleted (`forget`). In a real deployment the same goes for the bitstream:
configuring an FPGA with such a unit writes the secret into the FPGA's configuration, the file that holds it,
and the wires it goes through. It has to be encrypted and zeroized like the key.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from perle.boards.memory import WORD_BITS, build_memory
from perle.cores.registry import Config, memories
from perle.flow.cache import cache_root, log_path

FAMILY = "mod_product"
OWNER_ONLY = 0o600
HASH_DIGITS = 12
LOOSE_BITS = 2
"""Bits that the operands of drivers have more than the prime."""
_umask = threading.Lock()


def units(p: int, q: int, name: str = "w254", *, width: int | None = None) -> tuple[Config, Config]:
    """Return the units of a key's primes: the configuration `name` of mod_product, built for p and for q.

    `width` is that of both units; by default the configuration's, or if the wider prime is too wide for that,
    as many bits as the drivers want for it.
    """
    chosen = memories()[FAMILY].config(name)
    wide, needed = chosen.width, max(p.bit_length(), q.bit_length())
    # Operands are kept in whole words, and are not reduced all the way.
    if needed > wide or needed + LOOSE_BITS > -(-wide // WORD_BITS) * WORD_BITS:
        wide = needed + LOOSE_BITS
    wide = wide if width is None else width
    return _unit(chosen, p, wide), _unit(chosen, q, wide)


def build_unit(config: Config, *, progress: Callable[[str], None] | None = None) -> Path:
    """Return the shared object of a unit, as `build_memory` does; object and log are for their owner only."""
    with _private_files():
        built = build_memory(config, progress=progress)
    for path in (built, log_path(built)):  # they may have been there before
        if path.exists():
            path.chmod(OWNER_ONLY)
    return built


def forget(config: Config) -> None:
    """Delete what `build_unit` left of a unit in the cache, and with it the prime."""
    _delete(f"{config.family.name}-{config.name}")


def forget_key(p: int, q: int) -> int:
    """Delete the units of a key's primes, of whatever configuration; returns how many files that were."""
    return sum(_delete(f"{FAMILY}-*-{_digest(prime)}") for prime in (p, q))


def forget_all() -> int:
    """Delete the units of all keys; returns how many files that were."""
    return _delete(f"{FAMILY}-*-{'[0-9a-f]' * HASH_DIGITS}")


def _delete(pattern: str) -> int:
    found = [
        path
        for folder in (cache_root(), cache_root() / "boards")
        for start in ("memory-", "")
        for path in folder.glob(f"{start}{pattern}[-.]*")
    ]
    for path in found:
        if path.is_dir() and not path.is_symlink():  # of a build that was interrupted
            shutil.rmtree(path)
        else:
            path.unlink()
    return len(found)


def _digest(prime: int) -> str:
    return hashlib.sha256(prime.to_bytes((prime.bit_length() + 7) // 8, "big")).hexdigest()[:HASH_DIGITS]


def _unit(chosen: Config, prime: int, width: int) -> Config:
    # Links and entries of the cache have a configuration's name: those of two keys must differ.
    params = chosen.family.complete({**chosen.params, "Width": width, "Modulus": prime})
    return Config(chosen.family, f"{chosen.name}-{_digest(prime)}", params)


@contextmanager
def _private_files() -> Iterator[None]:
    # Not even for a moment readable by others. The mask is the whole process's: one at a time.
    with _umask:
        before = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(before)
