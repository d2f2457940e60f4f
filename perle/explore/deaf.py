# SPDX-License-Identifier: Apache-2.0
"""Loaded by workers of this machine, which leave Ctrl-C at a terminal to the process that began them."""

from __future__ import annotations

import signal


def dask_setup(_: object) -> None:
    """Ignore it: that process has the tools ended, and then its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
