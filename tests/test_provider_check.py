# SPDX-License-Identifier: Apache-2.0
"""`perle provider check` says what serves or what does not, and `metrics` what Prometheus reads."""

from __future__ import annotations

import json
import re
import signal
import struct
import subprocess
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from perle.cli.io.errors import Code
from perle.cli.provider_metrics import COUNTS, EVENTS
from perle.flow import tools
from perle.host.provider import Provision, provider_path
from tests.cli_run import answer, environment, invoke, program, refused

pytest_plugins = ["perle.host.fixtures"]


@pytest.fixture
def conf(softboard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a configuration with two software boards of 1024 bits, whose processes leave their pages."""
    monkeypatch.setenv("SOFTBOARD", "width=1024")
    monkeypatch.delenv("OPENSSL_CONF", raising=False)
    provision = Provision(
        (f"sim:{softboard},boards=2",), status=tmp_path / "status", more={"keep_status": "yes"}
    )
    path = tmp_path / "openssl.cnf"
    path.write_text(provision.text(provider_path()))
    return path


def changed(conf: Path, old: str, new: str) -> Path:
    text = conf.read_text(encoding="utf-8")
    assert old in text
    other = conf.with_name("changed.cnf")
    other.write_text(text.replace(old, new), encoding="utf-8")
    return other


@pytest.mark.slow
def test_it_signs_and_says_by_what(conf: Path, softboard: Path, tmp_path: Path) -> None:
    facts = {fact["what"]: fact["value"] for fact in answer("provider", "check", "--conf", conf)}
    assert facts["configuration"] == str(conf)
    assert facts["provider"].endswith(str(provider_path()))
    assert "2 × " in facts[f"sim:{softboard},boards=2"]
    assert (
        facts["signature"]
        == (f"RSA-2048, verified by OpenSSL without boards: 2 powers on sim:{softboard},boards=2")
        or "RSA-2048" in facts["signature"]
    )
    assert not (tmp_path / "status").exists()  # the pages of the configuration are not touched


@pytest.mark.slow
def test_the_environments_configuration_is_taken(conf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENSSL_CONF", str(conf))
    said = invoke("provider", "check").stdout
    assert str(conf) in said
    assert "OpenSSL signs on these boards" in said


@pytest.mark.slow
def test_what_does_not_serve_is_named(conf: Path, softboard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = provider_path()
    absent = changed(conf, str(path), "/nowhere/perle.so")
    assert "would use software without a message" in refused(Code.TOOL, "provider", "check", "--conf", absent)
    other = changed(conf, str(path), str(softboard))  # a shared object that is no provider
    assert "could not load" in refused(Code.TOOL, "provider", "check", "--conf", other)
    bad = changed(conf, "keep_status = yes", "keep_status = yes\ntimeout = abc")
    assert "timeout = abc: a number" in refused(Code.INPUT, "provider", "check", "--conf", bad)
    unset = changed(conf, "default_properties = ?perle.boards=yes", "")
    assert "signed in software" in refused(Code.BOARD, "provider", "check", "--conf", unset)
    assert "no section" in refused(
        Code.INPUT, "provider", "check", "--conf", changed(conf, "boards =", "b =")
    )
    gone = conf.with_name("gone.cnf")
    assert "gone.cnf" in refused(Code.INPUT, "provider", "check", "--conf", gone)
    monkeypatch.setenv("SOFTBOARD", "width=128")
    assert "too narrow" in refused(Code.USAGE, "provider", "check", "--conf", conf)


@pytest.mark.slow
def test_a_board_that_is_wrong_is_a_fault(conf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=1024,fault=garbage")
    said = invoke("provider", "check", "--conf", conf, "--json", code=Code.BOARD)
    assert json.loads(said.stdout)["error"]["code"] == Code.BOARD


@pytest.fixture
def running(conf: Path, tmp_path: Path) -> Path:
    """Return a folder with the page of this process, by an operation of a program that ended."""
    openssl = tools.system_tool("openssl")
    key, message = tmp_path / "key.pem", tmp_path / "m"
    message.write_bytes(b"m")
    tools.run([openssl, "genrsa", "-out", key, "1024"], env={"OPENSSL_CONF": "/dev/null"}, timeout=60)
    command: list[str | Path] = [openssl, "dgst", "-sha256", "-sign", key, "-out", tmp_path / "s", message]
    tools.run(command, env={"OPENSSL_CONF": str(conf)}, timeout=60)
    return tmp_path / "status"


@pytest.mark.slow
def test_metrics(running: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {one.name: one for one in text_string_to_metric_families(_metrics(running))}
    assert told["perle_processes"].samples[0].value == 0  # it ended: its counts are no current ones
    monkeypatch.setattr("perle.host.provider._started", _as_in_page(running))
    out = tmp_path / "perle.prom"
    for _ in range(2):
        invoke("provider", "metrics", "--status", running, "--out", out)
    told = {one.name: one for one in text_string_to_metric_families(out.read_text(encoding="utf-8"))}
    assert told["perle_processes"].samples[0].value == 1
    by = {one.labels["by"]: one.value for one in told["perle_operations"].samples}
    assert by == {"boards": 1, "software": 0, "failed": 0, "declined": 0}
    [row] = told["perle_board_operations"].samples
    assert row.labels["boards"].startswith("sim:/")
    assert row.value == 1
    assert told["perle_board_cycles"].samples[0].value > 1000
    assert {f"perle_{name}" for name in EVENTS} | {f"perle_board_{name}" for name in COUNTS} < set(told)


def _metrics(folder: Path) -> str:
    return invoke("provider", "metrics", "--status", folder).stdout


def _as_in_page(folder: Path) -> object:
    """Return a clock by which the process of a page still runs."""
    [page] = folder.glob("*.status")
    data = page.read_bytes()
    started = struct.unpack_from("<8s6I3Q", data)[7]
    return lambda _: started


@pytest.mark.slow
def test_metrics_are_served(running: Path) -> None:
    words = [*program(), "provider", "metrics", "--status", str(running), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found is not None
        with urllib.request.urlopen(found[0].rstrip(","), timeout=10) as page:
            assert b"perle_processes 0.0" in page.read()
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) in (Code.TERMINATED, -signal.SIGTERM)


def test_metrics_of_nothing(tmp_path: Path) -> None:
    assert "no such folder" in refused(Code.INPUT, "provider", "metrics", "--status", tmp_path / "none")
    assert "perle_processes 0.0" in _metrics(tmp_path)
    for address in ("9000", "host:", ":9", "host:70000"):
        assert "HOST:PORT" in refused(
            Code.USAGE, "provider", "metrics", "--status", tmp_path, "--listen", address
        )
    together = ("--listen", "127.0.0.1:0", "--out", tmp_path / "f")
    assert "exclude each other" in refused(Code.USAGE, "provider", "metrics", "--status", tmp_path, *together)
