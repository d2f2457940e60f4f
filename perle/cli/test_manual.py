# SPDX-License-Identifier: Apache-2.0
"""The manual page contains every command and option, and shells complete them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main

from perle.cli.app import app
from perle.cli.manual import page
from tests.cli_run import ROOT, environment, invoke, program, refused

SHELLS = ("bash", "zsh", "fish")


def every(command: Any, name: str = "") -> dict[str, Any]:  # noqa: ANN401
    """Return all commands that are not groups, by name."""
    if not hasattr(command, "commands"):
        return {name.strip(): command}
    return {
        words: one
        for part, inner in command.commands.items()
        for words, one in every(inner, f"{name} {part}").items()
    }


def escaped(text: str) -> str:
    return text.replace("-", "\\-")


def test_every_command_and_option_is_told() -> None:
    text = invoke("manual").stdout
    commands = every(typer.main.get_command(app))
    assert len(commands) > 25
    for words, command in commands.items():
        assert f'.SS "perle {escaped(words)}' in text
        options = [part for part in command.params if part.param_type_name == "option"]
        for option in (name for part in options for name in part.opts):
            assert f"\\fB{escaped(option)}\\fR" in text
    assert "[/none]" not in text


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_reads_it_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "perle.1").write_text(page(typer.main.get_command(app)), encoding="utf-8")
    done = subprocess.run(
        ["man", "--warnings", "-l", tmp_path / "perle.1"],
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "perle rsa sign" in done.stdout


def test_a_page_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "perle.1"
    invoke("manual", "-o", out)
    assert out.read_text(encoding="utf-8").startswith('.\\" SPDX')
    assert "not overwritten" in refused(3, "manual", "-o", out)
    invoke("manual", "-o", out, "--force")


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete(shell: str) -> None:
    """The script that a shell loads, and the answer to its request."""
    ask = {
        "bash": {"COMP_WORDS": "perle res", "COMP_CWORD": "1"},
        "zsh": {"_TYPER_COMPLETE_ARGS": "perle res"},
        "fish": {"_TYPER_COMPLETE_ARGS": "perle res", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    script = _completion(f"source_{shell}", {})
    assert f"complete_{shell}" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
    assert "results" in _completion(f"complete_{shell}", ask)


def _completion(wanted: str, more: dict[str, str]) -> str:
    env = {**environment(), "_PERLE_COMPLETE": wanted, **more}
    done = subprocess.run(
        program(), env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    return done.stdout
