# SPDX-License-Identifier: Apache-2.0
"""Runs the cocotb tests of the adapters between a bus and a board, with assertions."""

from __future__ import annotations

from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.config import libs_dir
from cocotb_tools.runner import get_runner

from perle.flow import verible, verilator
from perle.flow.cache import cache_root, content_hash, locked
from perle.generate.ip import ADAPTERS, RTL, Bus

SEED = 20240607
SIZES: dict[str, tuple[Bus, str, dict[str, int]]] = {
    "apb": ("apb", "cocotb_bridge", {"WordBits": 32}),
    "wishbone": ("wishbone", "cocotb_bridge", {"WordBits": 32}),
    "axis": ("axis", "cocotb_axis", {"Lanes": 5, "Words": 3, "ConstCount": 3}),
    "axis alone": ("axis", "cocotb_axis", {"Lanes": 1, "Words": 2, "ConstCount": 4}),
}


def files(bus: Bus) -> list[Path]:
    found = [RTL / f"{name}.sv" for name in ADAPTERS[bus]]
    return [*found, *(path for name in ADAPTERS[bus] for path in RTL.glob(f"{name}_sva.sv"))]


def build(bus: Bus, sizes: dict[str, int], folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in verilator.verilator_env().items():
            patch.setenv(name, value)
        # For a design this small, compiling takes longer than the simulation.
        levels = " ".join(f"OPT_{kind}=-O0" for kind in ("FAST", "SLOW", "GLOBAL"))
        patch.setenv("MAKEFLAGS", f"-- CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= {levels}")
        get_runner("verilator").build(
            sources=files(bus),
            hdl_toplevel=ADAPTERS[bus][-1],
            parameters=sizes,
            build_args=["--assert", "--x-assign", "unique", "--x-initial", "unique", "-Wno-SYNCASYNCNET"],
            build_dir=folder,
            always=True,
            timescale=("1ns", "1ps"),
            log_file=folder / "build.log",
        )


def built(name: str) -> Path:
    bus, _, sizes = SIZES[name]
    # the simulator looks for cocotb's library where it was linked: in this checkout
    key = content_hash(files(bus), sizes, verilator.verilator_version(), str(libs_dir))
    folder = cache_root() / f"cocotb-{bus}-{key}"
    with locked(folder.name):
        if not (folder / "built").exists():
            build(bus, sizes, folder)
            (folder / "built").touch()
    return folder


# A single lane is also simulated with four states, by test_plain.py.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.wide) if name == "axis alone" else name for name in SIZES]
)
def test_cocotb(name: str, tmp_path: Path) -> None:
    bus, module, sizes = SIZES[name]
    variables = {"LANES": "Lanes", "WORDS": "Words", "CONSTS": "ConstCount"}
    results = get_runner("verilator").test(
        test_module=f"perle.generate.{module}",
        hdl_toplevel=ADAPTERS[bus][-1],
        hdl_toplevel_lang="verilog",
        build_dir=built(name),
        test_dir=tmp_path,
        results_xml=str(tmp_path / "results.xml"),
        seed=SEED,
        extra_env={
            "PERLE_BUS": bus,
            **{f"PERLE_{key}": str(sizes.get(size, 1)) for key, size in variables.items()},
        },
    )
    count, failed = get_results(results)
    assert count > 2
    assert failed == 0


@pytest.mark.parametrize("bus", ADAPTERS)
def test_lint(bus: Bus) -> None:
    options = ["--assert", "-Wno-SYNCASYNCNET"]
    verible.lint(files(bus))
    verilator.lint(files(bus), ADAPTERS[bus][-1], {}, options)
