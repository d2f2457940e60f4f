# SPDX-License-Identifier: Apache-2.0
"""What tests ask of a process that is not theirs to wait for."""

from __future__ import annotations

import os
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Tell whether a process is there and has not ended; one that nobody has waited for has."""
    try:
        os.kill(pid, 0)
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (ProcessLookupError, FileNotFoundError):
        return False
    return text.rpartition(")")[2].split()[0] != "Z"
