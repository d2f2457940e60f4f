# SPDX-License-Identifier: Apache-2.0
"""The host's programs with sanitizers, as tests build them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress

from perle.flow.host_make import make_host
from perle.flow.places import build_folder

# As in host/Makefile, but not optimised: its build takes two thirds of the time so, the tests a fifth longer.
ASAN = "-fsanitize=address,undefined -fno-sanitize-recover=all -g1 -O0"


def make_sanitized(
    goal: str, makefile: str = "Makefile", settings: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Make a goal with the sanitizers, in a folder of its own: its objects have other flags than theirs.

    What has no sanitizers there either, for whole processes, shares the library's own objects. `makefile` is
    by its path from host/; `settings` as `NAME=value`.
    """
    folder = build_folder() / "sanitized"
    make_host("provider")
    folder.mkdir(exist_ok=True)
    with suppress(FileExistsError):  # another process may be here too
        (folder / "lib").symlink_to(build_folder() / "lib")
    # The same header too: objects older than one of its own would be made again, for paths in this folder.
    header = build_folder().parent / "gen" / "perle_board_regs.h"
    own = [f"OUT={folder}", f"ASAN={ASAN}", f"REGS_HEADER={header}"]
    return make_host(goal, makefile=makefile, settings=[*own, *settings])
