# SPDX-License-Identifier: Apache-2.0
"""Tools: what they say, what is said where one is missing, and that none is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import pytest

from perle import __version__
from perle.flow import places, tools
from perle.flow.tools import ToolEnded, ToolError, ToolMissing, run, system_tool, venv_tool, version
from tests.processes import is_alive


def test_run_reports(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert (
        run(["sh", "-c", "echo out; echo err >&2; pwd"], cwd=tmp_path, log=log).stdout
        == f"out\nerr\n{tmp_path}\n"
    )
    assert "err" in log.read_text()
    with pytest.raises(ToolError, match=r"exit status 3(.|\n)*why"):
        run(["sh", "-c", "echo why; exit 3"])
    with pytest.raises(ToolMissing, match=r"apt-get install .* no-such-tool"):
        run(["no-such-tool"])
    with pytest.raises(ToolMissing, match="package-of-it"):
        system_tool("no-such-tool", "package-of-it")
    with pytest.raises(ToolMissing, match="make setup"):
        venv_tool("no-such-tool")
    assert venv_tool("ruff").exists()
    assert version("g++")[0].isdigit()


def test_optional_packages_come_from_the_checkout_or_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never from an index, where perle is not."""
    assert places.extra("soc") == "make setup"
    monkeypatch.setattr(places, "INSTALLED", True)
    assert places.extra("soc") == f"pip install 'perle-{__version__}-py3-none-any.whl[soc]'"
    needed = ["rich==15", "coloquinte==0.4.1; extra == 'silicon'", "colo==1 ; extra == 'other'"]
    monkeypatch.setattr(metadata, "requires", lambda _: needed)
    assert tools.package_command("coloquinte") == places.extra("silicon")
    assert tools.package_command("rich") == f"pip install 'perle-{__version__}-py3-none-any.whl'"


def test_a_log_is_there_while_the_tool_works(tmp_path: Path) -> None:
    log = tmp_path / "log"
    said = run(["sh", "-c", 'echo begun; log=$(cat log); echo "$log"'], cwd=tmp_path, log=log).stdout
    assert said.startswith("begun\n$ sh -c")
    assert said.endswith("\nbegun\n")
    run(["echo", "again"], log=log)
    assert log.read_text().count("begun") == 4
    assert log.read_text().endswith("$ echo again\nagain\n")


def test_run_is_deaf_to_the_make_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKEFLAGS", "n")
    assert run(["sh", "-c", "echo $MAKEFLAGS$OTHER"], env={"OTHER": "x"}).stdout == "x\n"


def test_run_ends_children_at_time_out(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(ToolError, match="not done after"):
        run(["sh", "-c", f"(sleep 1; touch {mark}) & wait"], timeout=0.2)
    assert not threading.Event().wait(1.2)
    assert not mark.exists()


class Beginning(subprocess.Popen[bytes]):
    """A process that hears Ctrl-C, or another thread that ends all, when a tool has only just begun."""

    begun: ClassVar[list[int]] = []
    hears: ClassVar[Callable[[], object]] = lambda: None

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*args, **kwargs)
        self.begun.append(self.pid)
        type(self).hears()


def test_a_tool_that_has_only_just_begun_is_ended_by_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", Beginning)
    monkeypatch.setattr(Beginning, "hears", lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(["sleep", "60"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert not is_alive(Beginning.begun.pop())


def test_a_tool_that_has_only_just_begun_is_ended_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = threading.Thread(target=tools.end_all)

    def begin_to_end() -> None:
        ending.start()
        ending.join(0.2)

    monkeypatch.setattr(subprocess, "Popen", Beginning)
    monkeypatch.setattr(Beginning, "hears", begin_to_end)
    with pytest.raises(ToolEnded):
        run(["sleep", "5"])
    ending.join()
    assert not is_alive(Beginning.begun.pop())
