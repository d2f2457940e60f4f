# SPDX-License-Identifier: Apache-2.0
"""A small core and a short place and route, for tests of targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow import nextpnr
from perle.measure.design import Design
from perle.measure.ecp5_grid import Device
from perle.results import Store

REGISTER = """\
module tiny #(parameter int Width = 33) (
  input logic clk_i, rst_ni, en_i, input logic [Width-1:0] x_i, output logic [Width-1:0] z_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) z_o <= '0;
    else if (en_i) z_o <= z_o + x_i;
  end
endmodule
"""


def place_and_route(netlist: Path, workdir: Path, device: Device) -> nextpnr.Routed:
    """Place and route; nextpnr refuses sites that do not exist or are of another kind."""
    return nextpnr.route(
        netlist,
        workdir,
        device=device.nextpnr,
        package=device.package,
        speed=8,
        freq=100,
        seed=1,
        timeout=300,
    )


@pytest.fixture
def tiny(tmp_path: Path, own_cache: None) -> Design:  # noqa: ARG001
    """A core of 33 registers, measured with a cache of its own."""
    source = tmp_path / "tiny.sv"
    source.write_text(REGISTER)
    return Design("tiny", (source,), {"Width": 33})


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and builds of a test are in a cache of its own."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(tmp_path / "results")
