# SPDX-License-Identifier: Apache-2.0
"""Values that a command must not take for something else: empty ones, options it lacks, files of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli_run import invoke, refused


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rsa", "sign", "--key", "k", "--batch", ""), "folder is empty"),
        (("gen", "orup:w64", "--out", ""), "folder is empty"),
        (("report", "--out", ""), "folder is empty"),
        (("rsa", "sign", "--key", ""), "'--key': the name of the file is empty"),
        (("rsa", "sign", "--key", "k", "--in", ""), "'--in': the name of the file is empty"),
        (("rsa", "sign", "--key", "k", "--out", ""), "'--out': the name of the file is empty"),
        (("rsa", "verify", "--key", "k", "--signature", ""), "'--signature': the name"),
        (("rsa", "decrypt", "--key", "k", "--passphrase-file", ""), "'--passphrase-file': the name"),
        (("rsa", "generate", "--out", ""), "'--out': the name of the file is empty"),
        (("rsa", "forget", "--key", ""), "'--key': the name of the file is empty"),
        (("mul", "--batch", ""), "'--batch': the name of the file is empty"),
        (("explore", "orup", "--log", ""), "'--log': the name of the file is empty"),
        (("explore", "orup", "--tls-ca", ""), "'--tls-ca': the name of the file is empty"),
        (("manual", "--out", ""), "'--out' / '-o': the name of the file is empty"),
        (("provider", "metrics", "--out", ""), "'--out' / '-o': the name of the file is empty"),
        (("provider", "conf", "--status", ""), "'--status': the name of the folder is empty"),
        (("provider", "check", "--conf", ""), "'--conf': the name of the file is empty"),
        (("preload", "--report", "", "true"), "'--report': the name of the file is empty"),
        (("reproduce", "--out", ""), "'--out': the name of the file is empty"),
        (("reproduce", "headline", "--prices", ""), "'--prices': the name of the file is empty"),
        (("results", "export", "--out", ""), "the name of the file is empty"),
        (("trace", "mul", "3", "5", "7", "--out", ""), "the name of the file is empty"),
        (("trust", "--records", ""), "'--records': the name of the folder is empty"),
        (("soc", "ulx3s-85f", "--routed", ""), "'--routed': the name of the folder is empty"),
        (("mul", "--board", "", "3", "5", "7"), "unknown kind of board"),
        (("step", "mul", "3", "5", "7", "--board", "sim:orup:w64,junk=3"), "may follow a comma"),
        (("bench", "sim", "orup:w64,lanes=0"), "may follow a comma"),
        (("cache", "prune", "--keep-size", "2e299"), "--keep-size"),
        (("bench", "farm", "--seconds", "inf"), "not a finite number"),
        (("bench", "farm", "--board", "foo"), "unknown kind of board"),
        (("bench", "farm", "--board", "system:reg_straight"), "only runs private RSA operations"),
        (("bench", "explore", "--target", "ecp5"), "ecp5 is not one device with place and route"),
        (("bench", "explore", "--target", "xcve"), "xcve is not one device with place and route"),
        (("bench", "explore", "--target", "ecp6"), "no target 'ecp6'"),
        (("bench", "explore", "orup"), "FAMILY:CONFIG"),
        (("soc", "ulx3s-85f", "--out", "d", "--clock", "0"), "--clock"),
        (("trust", "nosuch", "--summary"), "no part 'nosuch'"),
        (("trust", "--summary", "--family", "orup"), "all families"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], told: str) -> None:
    assert told in refused(2, *words)


def test_a_misspelt_option_of_a_board_is_told_before_the_board_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    told = refused(2, "mul", "--board", "sim:orup:w69,bords=2", "3", "5", "7")
    assert "sim:orup:w69,bords=2" in told
    assert not list((tmp_path / "cache").glob("board-*"))


def test_a_value_is_refused_in_words_of_this_program() -> None:
    told = refused(2, "rsa", "sign", "--key", "k", "--padding", "foo")
    assert "Invalid value for '--padding': 'foo' is not one of 'pss', 'pkcs1', 'none'." in told


def test_metrics_replace_only_metrics(tmp_path: Path) -> None:
    out, folder = tmp_path / "perle.prom", tmp_path / "status"
    folder.mkdir()
    for _ in range(2):
        invoke("provider", "metrics", "--status", folder, "-o", out)
    assert out.read_bytes().startswith(b"# HELP perle_")
    out.write_text("of somebody else")
    assert "exists already" in refused(3, "provider", "metrics", "--status", folder, "-o", out)
    assert out.read_text() == "of somebody else"


def test_a_summary_has_the_parts_that_are_asked_for() -> None:
    told = json.loads(invoke("trust", "secrets", "--summary", "--json").stdout)
    assert {one["part"] for one in told["runs"]} == {"secrets"}
