# SPDX-License-Identifier: Apache-2.0
"""Modular product units for a key: the secret prime is part of the circuit.

A unit is built for one prime. Its sources, its simulated board (in the cache, `perle.flow.cache`), its build
log and everything else that shows its parameters contain that prime in plain text: whoever can read them has
the private key. Therefore names contain only a hash of the prime, and the files are readable by their owner
only. They stay in the cache until they are deleted (`forget`). With a real FPGA the same holds for the
bitstream: the file, the FPGA's configuration memory and the connection between them contain the secret, so
the bitstream must be encrypted and deleted like the key.
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
"""Bits by which the drivers' operands are wider than the prime."""
_umask = threading.Lock()


def units(p: int, q: int, name: str = "w254", *, width: int | None = None) -> tuple[Config, Config]:
    """Return the units of a key's primes: the configuration `name` of mod_product, built for p and for q.

    `width` is the width of both units; by default that of the configuration, or if the wider prime does not
    fit, as many bits as the drivers need for it.
    """
    chosen = memories()[FAMILY].config(name)
    wide, needed = chosen.width, max(p.bit_length(), q.bit_length())
    # Operands are stored in whole words and not fully reduced.
    if needed > wide or needed + LOOSE_BITS > -(-wide // WORD_BITS) * WORD_BITS:
        wide = needed + LOOSE_BITS
    wide = wide if width is None else width
    return _unit(chosen, p, wide), _unit(chosen, q, wide)


def build_unit(config: Config, *, progress: Callable[[str], None] | None = None) -> Path:
    """Return the shared object of a unit, like `build_memory`; only its owner can read object and log."""
    with _private_files():
        built = build_memory(config, progress=progress)
    for path in (built, log_path(built)):  # they may have existed before, with other permissions
        if path.exists():
            path.chmod(OWNER_ONLY)
    return built


def forget(config: Config) -> None:
    """Delete a unit of `build_unit` from the cache, and with it the prime."""
    _delete(f"{config.family.name}-{config.name}")


def forget_key(p: int, q: int) -> int:
    """Delete the units of a key's primes, of all configurations; returns the number of files."""
    return sum(_delete(f"{FAMILY}-*-{_digest(prime)}") for prime in (p, q))


def forget_all() -> int:
    """Delete the units of all keys; returns the number of files."""
    return _delete(f"{FAMILY}-*-{'[0-9a-f]' * HASH_DIGITS}")


def _delete(pattern: str) -> int:
    found = [
        path
        for folder in (cache_root(), cache_root() / "boards")
        for start in ("memory-", "")
        for path in folder.glob(f"{start}{pattern}[-.]*")
    ]
    for path in found:
        if path.is_dir() and not path.is_symlink():  # of an interrupted build
            shutil.rmtree(path)
        else:
            path.unlink()
    return len(found)


def _digest(prime: int) -> str:
    return hashlib.sha256(prime.to_bytes((prime.bit_length() + 7) // 8, "big")).hexdigest()[:HASH_DIGITS]


def _unit(chosen: Config, prime: int, width: int) -> Config:
    # Links and entries of the cache are named by configuration: the names for two keys must differ.
    params = chosen.family.complete({**chosen.params, "Width": width, "Modulus": prime})
    return Config(chosen.family, f"{chosen.name}-{_digest(prime)}", params)


@contextmanager
def _private_files() -> Iterator[None]:
    # Files must never be readable by others. The umask is per process, so only one build at a time.
    with _umask:
        before = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(before)
