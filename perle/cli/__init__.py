# SPDX-License-Identifier: Apache-2.0
"""The command `perle`."""

from __future__ import annotations

from perle.cli.app import app, main

__all__ = ["app", "main"]
