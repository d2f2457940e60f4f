# SPDX-License-Identifier: Apache-2.0
"""Systems of active memories as boards of `perle rsa`: opened for a key, with notes for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from perle.cli.boards import closing, is_system, opened
from perle.cli.io import console
from perle.cli.io.console import Steps
from perle.cli.io.errors import bad_input, usage
from perle.flow.cache import cache_root
from perle.host import Boards, Key
from perle.host.pam.spec import SpecError, SystemSpec


@contextmanager
def opened_for(spec: str, key: Key, steps: Steps) -> Iterator[Boards]:
    """Open boards for private operations of a key: `sim:` ones, or a system."""
    if is_system(spec):
        with closing(_system(spec, key, steps)) as boards:
            yield boards
    else:
        with opened(spec, steps) as boards:
            yield boards


def _system(spec: str, key: Key, steps: Steps) -> Boards:
    try:
        chosen = SystemSpec.parse(spec)
    except SpecError as error:
        raise usage(str(error)) from None
    if not key.has_crt:
        raise bad_input("the key has no primes, which a system needs")
    chosen.row(key.half_bits)  # fails now if no system is wide enough
    if chosen.holds_primes:
        console.note(
            f"perle: {chosen.driver} has the key's primes in its circuits, which are kept in {cache_root()}; "
            "perle rsa forget --key K.pem deletes them"
        )
    boards = Boards.on_system(chosen.opened(key, steps), chosen.driver)
    steps.pause()
    console.note(
        f"perle: {chosen.driver} is a program from the paper, not constant time: "
        "its time depends on the bits of the private exponent"
    )
    return boards
