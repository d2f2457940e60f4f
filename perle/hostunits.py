# SPDX-License-Identifier: Apache-2.0
"""Modular product units for a key: the prime is part of the circuit, and with it the secret.

A unit is built for one prime. Its sources, its simulated board (in the cache, `perle.flow.cache`), its build
log and whatever shows its parameters hold that prime in the clear: whoever reads them has the private key.
So nothing here puts a prime into a name, only a hash of it, and the files are for their owner only. The
cache keeps them until they are deleted (`forget`). In a real deployment the same goes for the bitstream:
configuring an FPGA with such a unit writes the secret into the FPGA's configuration, the file that holds it,
and the wires it goes through. It has to be encrypted and wiped like the key.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from perle.boards.memory import build_memory
from perle.cores.registry import Config, memories
from perle.flow.cache import cache_root, log_path

FAMILY = "mod_product"
OWNER_ONLY = 0o600
HASH_DIGITS = 12
_umask = threading.Lock()


def units(p: int, q: int, name: str = "w254", *, width: int | None = None) -> tuple[Config, Config]:
    """Return the units of a key's primes: the configuration `name` of mod_product, built for p and for q.

    `width` is that of both units; by default the wider prime's, but at least the configuration's.
    """
    chosen = memories()[FAMILY].config(name)
    wide = max(chosen.width, p.bit_length(), q.bit_length()) if width is None else width
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
    for folder in (cache_root(), cache_root() / "boards"):
        for path in folder.glob(f"*{config.family.name}-{config.name}[-.]*"):
            path.unlink()


def _unit(chosen: Config, prime: int, width: int) -> Config:
    # Links and entries of the cache have a configuration's name: those of two keys must differ.
    digest = hashlib.sha256(prime.to_bytes((prime.bit_length() + 7) // 8, "big")).hexdigest()
    params = chosen.family.complete({**chosen.params, "Width": width, "Modulus": prime})
    return Config(chosen.family, f"{chosen.name}-{digest[:HASH_DIGITS]}", params)


@contextmanager
def _private_files() -> Iterator[None]:
    # Not even for a moment readable by others. The mask is the whole process's: one at a time.
    with _umask:
        before = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(before)
