# SPDX-License-Identifier: Apache-2.0
"""`perle explore --search` and `--scheduler tls://…`, with fake tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
pytest.importorskip("optuna", reason="no optuna: make setup")

from perle.cli import explore
from perle.explore import engine
from perle.explore.tls import Tls
from perle.results import Store
from tests import sweeping
from tests.cli_run import answer, invoke, refused
from tests.joined import Certificates, Processes

GRID = ("orup", "--set", "Width=64", "--set", "RadixBits=9,12,17,20", "--set", "QuotientDelay=0,1,2")
ONE = (*GRID, "--target", "ecp5_8")
SEARCH = (*ONE, "--search", "tpe", "--trials", 5)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    found = Store(tmp_path / "store")
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(explore, "Store", lambda: found)
    monkeypatch.setattr(explore, "evaluate", sweeping.pretend)
    return found


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Start a scheduler and a worker with TLS."""
    found = Processes(tmp_path_factory.mktemp("joined"), Certificates(tmp_path_factory.mktemp("files")))
    try:
        found.scheduler()
        found.worker("one", PRETENDED=str(tmp_path_factory.mktemp("pretended")))
        yield found
    finally:
        found.end()


@pytest.fixture(scope="module")
def mine(joined: Processes) -> Tls:
    return joined.certificates.tls("client")


@pytest.fixture(scope="module")
def there(joined: Processes, mine: Tls) -> tuple[str, ...]:
    """Return the options for that scheduler."""
    return at(joined, mine)


def at(joined: Processes, files: Tls) -> tuple[str, ...]:
    given = (("--tls-ca", files.ca), ("--tls-cert", files.cert), ("--tls-key", files.key))
    return ("--scheduler", joined.address, *(word for option, file in given for word in (option, str(file))))


def test_a_sweep_behind_tls(there: tuple[str, ...], kept: Store) -> None:
    shown = invoke("explore", *ONE, *there)
    assert "3 infeasible, 9 measured" in shown.stdout
    assert len(kept.load()) == 9


def test_a_search_and_what_it_tells(there: tuple[str, ...], kept: Store) -> None:
    shown = invoke("explore", *SEARCH, *there)
    assert "search on ecp5_8: 5 runs" in shown.stderr
    assert "5 measured; ★ on the front; log: " in shown.stdout
    first = {one.key for one in kept.load()}
    more = answer("explore", *SEARCH, "--trials", 7, "--objectives", "luts,latency", *there)
    assert (more["counts"]["recorded"], more["counts"]["measured"]) == (5, 2)
    assert more["search"] == {
        "method": "tpe", "trials": 7, "seed": 1, "target": "ecp5_8", "figures": ["luts", "latency"],
        "size": 12, "recorded": 5,
    }  # fmt: skip
    assert first < {one.key for one in kept.load()}
    assert {one["core"] for one in more["front"]} <= {one["core"] for one in more["measurements"]}


def test_a_dry_run_tells_how_much_there_is_to_choose_from() -> None:
    shown = invoke("explore", *SEARCH, "--set", "Width=64,128", "--dry").stdout.splitlines()
    assert shown == [
        "64 bits: 12 points",
        "128 bits: 12 points",
        "24 points; 0 recorded already; at most 5 more are measured on ecp5_8, 1 run each",
    ]
    screened = (*GRID, "--target", "ecp5", "--screen", "xc6v", "--search", "nsga2", "--dry")
    assert "on xc6v, 1 run each, then those near the front" in invoke("explore", *screened).stdout
    assert answer("explore", *SEARCH, "--dry")["size"] == 12


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*ONE, "--trials", 5), "--trials needs --search"),
        ((*ONE, "--search-seed", 0), "--search-seed needs --search"),
        ((*ONE, "--search", "tpes"), "tpes"),
        ((*GRID, "--target", "ecp5", "--search", "tpe"), "on one device, not on ecp5_6, ecp5_8"),
        ((*ONE, "--objectives", "luts,speed"), "no figure 'speed'; there are: luts, ff, dsp"),
        ((*ONE, "--tls-ca", "ca.pem"), "need --scheduler tls://"),
        ((*ONE, "--scheduler", "tls://127.0.0.1:9"), "certificates are missing; --tls-ca"),
        ((*ONE, "--scheduler", "tls://127.0.0.1:9", "--tls-ca", "none"), "none: no such file"),
        ((*ONE, "--scheduler", "tcp://127.0.0.1:9", "--tls-ca", "ca.pem"), "this address is not encrypted"),
    ],
)
def test_what_makes_no_sense(words: tuple[object, ...], said: str) -> None:
    assert said in refused(2, "explore", *words)


def test_a_figure_that_the_target_does_not_tell(there: tuple[str, ...], kept: Store) -> None:
    for words, target in ((ONE, "ecp5_8"), (SEARCH, "ecp5_8"), ((*ONE, "--screen", "xc6v"), "xc6v")):
        said = f"{target} does not tell 'energy' of orup:w64"
        assert said in invoke("explore", *words, "--objectives", "energy", *there, code=2).stderr
        assert 1 <= len(kept.load()) < 9  # refused after its first run


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "WAIT", 0.5)
    said = invoke("explore", *ONE, "--scheduler", "tcp://127.0.0.1:9", code=5).stderr
    assert said == "perle: tcp://127.0.0.1:9: no answer within 0.5 s\n"
    monkeypatch.setattr(explore, "PATIENCE", 0.1)
    told = invoke("explore", *ONE, "--scheduler", "tcp://127.0.0.1:9", code=5).stderr
    assert told == f"waiting for tcp://127.0.0.1:9, 0.5 s at most\n{said}"


def test_certificates_that_others_signed(joined: Processes, mine: Tls, tmp_path: Path) -> None:
    strange = Certificates(tmp_path, "strangers").tls("client")
    authority = at(joined, Tls(strange.ca, mine.cert, mine.key))
    said = refused(5, "explore", *ONE, *authority)
    assert "is not from the authority of --tls-ca (self-signed certificate in certificate chain)" in said
    unknown = at(joined, Tls(mine.ca, strange.cert, strange.key))
    assert "does its authority know --tls-cert" in refused(5, "explore", *ONE, *unknown)


def test_the_package_that_it_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "cluster", lambda *_: pytest.fail("workers were started"))
    for name in ("perle.explore.way", "perle.explore.study"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert "needs the package optuna: make setup" in refused(5, "explore", *SEARCH)
