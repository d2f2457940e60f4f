# SPDX-License-Identifier: Apache-2.0
"""Rates at the bus, and their table in the README."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from perle.cli.boards import config_of, lanes_of
from perle.cores.registry import resolve
from perle.flow.places import PACKAGE
from perle.generate.ip import Ip
from perle.generate.rate import GAPS, WORKS, Rate, batch, between, engine, measure, table
from tests.cli_run import answer, invoke, refused

README = (PACKAGE / "generate" / "README.md").read_text(encoding="utf-8")
PRINTED = README.partition("<!-- rate:begin -->\n")[2].partition("<!-- rate:end -->")[0].strip()
SPEC = "stream:w512,lanes=16"
SMALL = "stream:w64,lanes=10"


def test_the_readmes_commands_run(tmp_path: Path) -> None:
    block = README.partition("```sh\n")[2].partition("```")[0]
    lines = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert len(lines) == 5
    for _, *words in lines:
        invoke(*words[:-1], tmp_path / words[-1])
        assert (tmp_path / words[-1] / "MANIFEST").is_file()


@pytest.mark.wide
def test_the_readme_prints_what_is_measured() -> None:
    found = measure(config_of(SPEC), lanes_of(SPEC), GAPS, list(WORKS), lambda _: None)
    assert f"`{SPEC}`" in README
    assert table(found).markdown().strip() == PRINTED


@pytest.mark.wide
def test_streams_are_as_fast_as_the_engine() -> None:
    found = {rate["work"]: rate for rate in answer("bench", "bus", SMALL, "--gap", 0, "--gap", 50)}
    assert set(found) == {work.name for work in WORKS.values()}
    for name in ("public", "secret"):
        rate = found[WORKS[name].name]
        assert rate["streams"] == pytest.approx(rate["engine"], rel=0.01)
    public = found[WORKS["public"].name]["registers"]
    assert public["50"] > public["0"]


def test_a_rate_is_of_whole_rounds_of_threads() -> None:
    ip = Ip(config_of(SPEC), "axis", lanes=16)
    ends = [100 * (index // 7) for index in range(6 * 16)]  # seven at a time
    assert between(ip, ends) == pytest.approx(100 / 7)


def test_the_first_and_the_last_operation_of_each_lane_do_not_count() -> None:
    ip = Ip(config_of(SMALL), "axis", lanes=10)
    first, counted = [1000] * 10, [1000 + 50 * (1 + index // 10) for index in range(40)]
    assert between(ip, [*first, *counted, *[9000] * 10]) == pytest.approx(50 / 10)


def test_the_engine_alone_keeps_every_lane_of_a_tile_in_flight() -> None:
    """A product of a lane takes four cycles for each of its turns, whatever the number of lanes."""
    model = resolve("tile:w256").family.module("engine.model")
    turns = model.turns(resolve("tile:w256").params)
    for lanes in (12, 24):
        ip = Ip(config_of("tile:w256,lanes=4"), "axis", 64, lanes)
        products = model.products(ip.config, WORKS["product"].op, WORKS["product"].mode, 256, 0)
        assert engine(ip, WORKS["product"]) == pytest.approx(products * 4 * turns / lanes)
    ends = [100 * (index // 24) for index in range(6 * 24)]
    assert between(Ip(config_of("tile:w256,lanes=4"), "axis", 64, 24), ends) == pytest.approx(100 / 24)


def test_operations_are_those_of_the_oracle() -> None:
    ip = Ip(config_of(SMALL), "axis", lanes=10)
    for work in WORKS.values():
        found = batch(ip, work, 3)
        assert len(set(found.xs)) == len(found.results) == 3
    assert "100,000,000" in table([Rate("c", 2, "w", 2.0, 1.0, {0: 4.0})]).markdown()


def test_bench_bus_refuses_what_has_no_engine() -> None:
    assert "an engine" in refused(2, "bench", "bus", "orup:w64,lanes=3")
    assert "an engine" in refused(2, "bench", "bus", "stream:w64")
    assert "needs 9" in refused(2, "bench", "bus", "stream:w3,lanes=2")
    assert "product, public, secret" in refused(2, "bench", "bus", SMALL, "--work", "x")
    assert "0 or more" in refused(2, "bench", "bus", SMALL, "--gap", "-1")
