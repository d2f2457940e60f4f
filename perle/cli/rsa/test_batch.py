# SPDX-License-Identifier: Apache-2.0
"""`perle rsa sign --batch`: a folder of files, signed on lanes, verified by OpenSSL."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from perle.cli.io.openssl import verifies
from perle.cli.rsa import batch as folder_batch
from perle.cli.rsa.workers import Workers
from perle.cores.registry import resolve
from tests.cli_run import answer, invoke, openssl, refused, spawn

pytest_plugins = ["tests.batch_fixtures"]

NAMES = ("a", "b.txt", "c d", "z")


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """Return a folder with files to sign, and others that are not signed."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number, name in enumerate(NAMES):
        (folder / name).write_bytes(bytes([number]) * 1000 * number)
    (folder / ".hidden").write_bytes(b"hidden")
    (folder / "old.sig").write_bytes(b"a signature")
    (folder / "folder").mkdir()
    (folder / "folder" / "inner").write_bytes(b"inner")
    (folder / "link").symlink_to(folder / "a")
    os.mkfifo(folder / "pipe")
    return folder


def added(folder: Path, before: set[str]) -> set[str]:
    return {path.name for path in folder.iterdir()} - before


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_file_gets_its_signature(keys: Path, batch: Path, board: str) -> None:
    before = names(batch)
    facts = answer("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", board)
    assert added(batch, before) == {f"{name}.sig" for name in NAMES}
    assert all(verifies(keys / "public", batch / name, batch / f"{name}.sig") for name in NAMES)
    assert not verifies(keys / "public", batch / "a", batch / "z.sig")
    assert (facts["files"], facts["signed"], facts["failed"]) == (4, 4, [])
    assert 0 < facts["cycles"] < facts["busy_cycles"] <= 3 * facts["cycles"]
    assert facts["halves_at_a_time"] == round(facts["busy_cycles"] / facts["cycles"], 3)
    assert facts["clock_mhz"] is None
    assert facts["device_ops_per_second"] is None
    assert (batch / "old.sig").read_bytes() == b"a signature"


def test_another_folder_and_padding(keys: Path, batch: Path, board: str, tmp_path: Path) -> None:
    target, before = tmp_path / "signatures", names(batch)
    target.mkdir()
    how = ("--padding", "pkcs1", "--hash", "sha384", "--out-dir", target, "--board", board)
    told = invoke("rsa", "sign", "--key", keys / "key", "--batch", batch, *how)
    assert told.stdout == ""
    assert f"sign: 4 of 4 files of {batch} signed, on {board}: " in told.stderr
    assert names(batch) == before
    assert names(target) == {f"{name}.sig" for name in NAMES}
    for name in NAMES:
        check = ("-verify", keys / "public", "-signature", target / f"{name}.sig")
        assert openssl("dgst", "-sha384", *check, batch / name) == b"Verified OK\n"


def test_signatures_that_are_there_stay_unless_forced(keys: Path, batch: Path, board: str) -> None:
    (batch / "b.txt.sig").write_bytes(b"there")
    args = ("rsa", "sign", "--key", keys / "key", "--batch", batch, "--board", board)
    result = invoke(*args, "--json", code=3)
    facts = json.loads(result.stdout)
    assert (facts["files"], facts["signed"]) == (4, 3)
    assert [(one["file"], one["code"]) for one in facts["failed"]] == [(str(batch / "b.txt"), 3)]
    assert f"perle: {batch / 'b.txt'}: {batch / 'b.txt.sig'}: exists already" in result.stderr
    assert (batch / "b.txt.sig").read_bytes() == b"there"
    assert verifies(keys / "public", batch / "c d", batch / "c d.sig")
    assert "signed" in invoke(*args, "--force").stderr
    assert verifies(keys / "public", batch / "b.txt", batch / "b.txt.sig")


def test_a_file_that_cannot_be_signed_leaves_the_others(keys: Path, batch: Path, board: str) -> None:
    """With --prehashed the content is the digest, and only one file has the length of a digest."""
    (batch / "digest").write_bytes(bytes(32))
    args = ("--prehashed", "--board", board)
    result = invoke("rsa", "sign", "--key", keys / "key", "--batch", batch, *args, code=3)
    for name in NAMES:
        assert f"perle: {batch / name}: " in result.stderr
        assert not (batch / f"{name}.sig").exists()
    assert "sign: 1 of 5 files" in result.stderr
    assert (batch / "digest.sig").stat().st_size == 96


def test_a_board_that_fails_leaves_nothing_half_written(
    keys: Path, batch: Path, softboard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=384,lanes=2,fault=flip")
    before = names(batch)
    args = ("--key", keys / "key", "--batch", batch, "--board", f"sim:{softboard}")
    result = invoke("rsa", "sign", *args, code=4)
    assert [line for line in result.stderr.splitlines() if "PERLE_ERR_FAULT" in line] == [
        line for line in result.stderr.splitlines() if line.startswith("perle: ")
    ]
    assert all(f"perle: {batch / name}: " in result.stderr for name in NAMES)
    assert names(batch) == before


@pytest.mark.parametrize("place", [("--jobs", 2), ("--board", "sim:orup:w256,boards=2")])
def test_a_key_that_is_too_short_for_every_file_is_told_once(
    batch: Path, place: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before a board is built or a worker started."""
    monkeypatch.setattr(folder_batch, "on_boards", None)
    monkeypatch.setattr(Workers, "place", None)
    openssl("genrsa", "-out", tmp_path / "short", 512)
    before, given = names(batch), ("rsa", "sign", "--key", tmp_path / "short", "--batch", batch, *place)
    said = invoke(*given, code=3).stderr
    assert said.count("a key of 512 bits is too short for a digest of 32 bytes and a salt of 32 bytes") == 1
    assert said.count("\n") == 1
    assert names(batch) == before
    for more in (("--prehashed",), ("--salt", 31), ("--padding", "pkcs1", "--hash", "sha512"), ("--json",)):
        assert "too short" in refused(3, *given, *more)


def test_an_empty_folder(keys: Path, tmp_path: Path, board: str) -> None:
    (tmp_path / "none").mkdir()
    facts = answer("rsa", "sign", "--key", keys / "key", "--batch", tmp_path / "none", "--board", board)
    assert (facts["files"], facts["signed"], facts["cycles"]) == (0, 0, 0)


def test_what_makes_no_sense(keys: Path, batch: Path, board: str, tmp_path: Path) -> None:
    given = ("rsa", "sign", "--key", keys / "key")
    assert "--in" in refused(2, *given, "--batch", batch, "--in", batch / "a", "--board", board)
    assert "--out-dir" in refused(2, *given, "--batch", batch, "--out", tmp_path / "x", "--board", board)
    assert "--batch" in refused(2, *given, "--out-dir", batch, "--in", batch / "a")
    for name in ("md0", "shake_128"):
        said = refused(2, *given, "--batch", batch, "--hash", name, "--board", board)
        assert "unknown hash, or not of fixed length" in said
        assert "shake_256" not in said
    assert "registers" in refused(2, *given, "--batch", batch, "--board", "system:reg_straight")
    assert "No such file" in refused(3, *given, "--batch", tmp_path / "absent", "--board", board)
    assert "Not a directory" in refused(3, *given, "--batch", batch / "a", "--board", board)
    assert "not a folder" in refused(3, *given, "--batch", batch, "--out-dir", batch / "a", "--board", board)
    public = ("rsa", "sign", "--key", keys / "public", "--batch", batch, "--board", board)
    assert "public key" in refused(3, *public)
    assert not list(batch.glob("*[!d].sig"))


@pytest.mark.parametrize(
    ("core", "lanes", "bits"),
    [
        ("orup:w256", 3, 512),
        pytest.param("stream:w512", 14, 1024, marks=pytest.mark.wide),
        pytest.param("stream:w1024", 14, 2048, marks=pytest.mark.wide),
    ],
)
def test_a_simulated_board_with_lanes(tmp_path: Path, core: str, lanes: int, bits: int) -> None:
    """Simulated lanes, as in `perle/cli/test_lanes.py`, in a process of their own."""
    openssl("genrsa", "-out", tmp_path / "key", bits)
    openssl("pkey", "-in", tmp_path / "key", "-pubout", "-out", tmp_path / "public")
    folder = tmp_path / "files"
    folder.mkdir()
    files = lanes + 2
    for number in range(files):
        (folder / str(number)).write_bytes(bytes([number]))
    how = ("--padding", "pkcs1", "--board", f"sim:{core},lanes={lanes}", "--json")
    done = spawn("rsa", "sign", "--key", tmp_path / "key", "--batch", folder, *how)
    assert done.returncode == 0, done.stderr.decode()
    facts = json.loads(done.stdout)
    assert facts["signed"] == files
    config = resolve(core)
    own = config.family.engine
    most = config.family.module(own.model).in_flight(config.params, lanes) if own else lanes
    assert most * 2 / 3 < facts["halves_at_a_time"] <= most
    for number in range(files):
        check = ("-verify", tmp_path / "public", "-signature", folder / f"{number}.sig")
        assert openssl("dgst", "-sha256", *check, folder / str(number)) == b"Verified OK\n"
