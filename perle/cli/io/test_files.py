# SPDX-License-Identifier: Apache-2.0
"""Outputs of commands: existing files only with --force, never the key or the input, and all or nothing."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from perle.cli.io import files
from tests.cli_run import invoke, refused

KEPT = {"the key": "key", "the input": "in"}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "in", "out"):
        Path(name).write_text(name)


def put(name: str, *, force: bool | None = False) -> None:
    with files.writing(name, force=force, kept=KEPT) as write:
        write(b"new")


def test_what_is_there_is_overwritten_by_force_only() -> None:
    with pytest.raises(FileExistsError, match="--force"):
        put("out")
    with pytest.raises(FileExistsError, match="not overwritten: "):
        put("out", force=None)
    assert Path("out").read_text() == "out"
    put("out", force=True)
    assert Path("out").read_text() == "new"
    put("fresh")
    assert Path("fresh").read_text() == "new"
    assert sorted(path.name for path in Path().iterdir()) == ["fresh", "in", "key", "out"]


@pytest.mark.parametrize("kept", ["key", "in"])
@pytest.mark.parametrize("alias", [os.symlink, os.link, None], ids=["symlink", "hard link", "dotted"])
def test_the_key_and_the_input_never_are(kept: str, alias: Callable[[str, str], None] | None) -> None:
    name = f"./../{Path.cwd().name}/{kept}"
    if alias is not None:
        name = "alias"
        alias(kept, name)
    for force in (False, True):
        with pytest.raises(FileExistsError, match="never overwritten"):
            put(name, force=force)
    assert Path(kept).read_text() == kept


def test_nor_is_what_comes_through_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("in").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        for name in ("-", f"/dev/fd/{file.fileno()}"):
            with pytest.raises(FileExistsError, match="never overwritten"):
                files.check(Path("in"), force=True, kept={"the input": name})
        files.check(Path("out"), force=True, kept={"the input": "-"})
    assert Path("in").read_text() == "in"


def test_devices_are_written_and_pipes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    put(os.devnull)
    put("/dev/stdout")
    assert capfdbinary.readouterr().out == b"new"


def test_a_file_among_the_devices_is_a_file() -> None:
    """/dev/shm has ordinary files."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        name = f"{folder}/key"
        with files.writing(name, private=True) as write:
            write(b"secret")
        assert Path(name).stat().st_mode & 0o777 == 0o600
        with pytest.raises(FileExistsError, match="--force"):
            put(name)
        assert Path(name).read_text() == "secret"


def test_a_name_may_be_as_long_as_the_system_allows() -> None:
    name = "x" * 251 + ".sig"
    put(name)
    assert Path(name).read_text() == "new"


def test_another_who_is_first_keeps_the_name() -> None:
    def late() -> None:
        with files.writing("late") as write:
            write(b"new")
            Path("late").write_text("theirs")

    with pytest.raises(FileExistsError, match="--force"):
        late()
    assert Path("late").read_text() == "theirs"


def test_file_systems_without_hard_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", fail)
    put("fresh")
    assert Path("fresh").read_text() == "new"

    def late() -> None:
        with files.writing("late"):
            Path("late").write_text("theirs")

    with pytest.raises(FileExistsError, match="--force"):
        late()
    assert Path("late").read_text() == "theirs"


def half(name: str, force: bool) -> None:
    with files.writing(name, force=force) as write:
        write(b"half")
        raise KeyboardInterrupt


def test_an_end_in_between_leaves_what_was_there() -> None:
    for name, force in (("out", True), ("fresh", False)):
        with pytest.raises(KeyboardInterrupt):
            half(name, force)
    assert sorted(path.name for path in Path().iterdir()) == ["in", "key", "out"]
    assert Path("out").read_text() == "out"


@pytest.mark.parametrize("command", ["sign", "decrypt", "encrypt", "raw"])
def test_rsa_commands_ask_before_any_work(command: str) -> None:
    invoke("rsa", "generate", "--bits", 512, "--out", "k.pem")
    pem = Path("k.pem").read_bytes()
    words = ("rsa", command, "--key", "k.pem", "--in", "in")
    assert "is the key" in refused(3, *words, "--out", "k.pem", "--force")
    assert "is the input" in refused(3, *words, "--out", "in", "--force")
    assert "--force" in refused(3, *words, "--out", "out")
    assert "not overwritten" in refused(3, "rsa", "generate", "--bits", 512, "--out", "k.pem")
    assert (Path("k.pem").read_bytes(), Path("in").read_text()) == (pem, "in")


def test_a_batch_keeps_the_key(tmp_path: Path) -> None:
    invoke("rsa", "generate", "--bits", 128, "--out", "k.pem")
    pem = Path("k.pem").read_bytes()
    Path("letters").mkdir()
    Path("letters/a").write_text("a")
    Path("letters/a.sig").symlink_to(tmp_path / "k.pem")
    Path("letters/a").write_bytes(bytes(16))
    words = ("rsa", "sign", "--key", "k.pem", "--batch", "letters", "--force", "--padding", "none")
    assert "is the key" in invoke(*words, code=3).stderr
    assert Path("k.pem").read_bytes() == pem


def test_tables_and_waveforms_ask_too() -> None:
    assert "--force" in refused(3, "reproduce", "tang2003.cycles", "--out", "out")
    Path("out.vcd").write_text("mine")
    assert "--force" in refused(3, "trace", "mul", "3", "5", "7f", "--out", "out.vcd")
    assert Path("out.vcd").read_text() == "mine"
