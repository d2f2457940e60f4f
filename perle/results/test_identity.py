# SPDX-License-Identifier: Apache-2.0
"""What makes a recorded result stale, and what does not: on copies of a real family's files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import Config, resolve
from perle.results import identity, status
from perle.results.parts import part_files

CONFIG = resolve("orup:w64")


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, str, str], Config]:
    """Return a function that gives the configuration with one of its files changed."""

    def edit(name: str, old: str, new: str) -> Config:
        family = CONFIG.family
        [path] = [one for one in family.files if one.name == name]
        text = path.read_text()
        assert old in text
        copy = tmp_path / name
        copy.write_text(text.replace(old, new))
        files = tuple(copy if one == path else one for one in family.files)
        return replace(CONFIG, family=replace(family, files=files))

    return edit


def test_a_comment_makes_nothing_stale(edited: Callable[[str, str, str], Config]) -> None:
    was = identity.files(CONFIG.family.files)
    changed = edited("perle_orup_row.sv", "//", "// indeed")
    assert identity.holds(changed, "mul", was) == []
    files, settings = status.made_of(status.Subject(changed.family))
    assert identity.changed_files(status.made_of(status.Subject(CONFIG.family))[0], files) == []
    assert settings == status.made_of(status.Subject(CONFIG.family))[1]


def test_an_operator_makes_exactly_its_core_stale(edited: Callable[[str, str, str], Config]) -> None:
    changed = edited("perle_orup_row.sv", "+", "-")
    for part in ("mul", "exp"):
        was = identity.files(part_files(CONFIG, part))
        assert any("perle_orup_row.sv" in why for why in identity.holds(changed, part, was))
    other = resolve("stream:w64")
    assert identity.holds(other, "mul", identity.files(other.family.files)) == []


def test_a_harness_is_part_of_what_a_target_measured() -> None:
    harness = identity.PACKAGE / "measure" / "perle_harness.sv"
    was = identity.files([*part_files(CONFIG, "mul"), harness])
    assert identity.holds(CONFIG, "mul", was) == []
    other = was | {"measure/perle_harness.sv": "another"}
    assert identity.holds(CONFIG, "mul", other) == ["file measure/perle_harness.sv has changed"]


def test_a_file_may_move_but_not_go_or_come(tmp_path: Path) -> None:
    first, *rest = CONFIG.family.files
    was = identity.files(CONFIG.family.files)
    moved = tmp_path / "elsewhere" / first.name
    moved.parent.mkdir()
    shutil.copy(first, moved)

    def having(*files: Path) -> Config:
        return replace(CONFIG, family=replace(CONFIG.family, files=files))

    assert identity.holds(having(moved, *rest), "mul", was) == []
    assert any("gone" in why for why in identity.holds(having(*rest), "mul", was))
    added = tmp_path / "more.sv"
    added.write_text("module more; endmodule\n")
    assert identity.holds(having(first, *rest, added), "mul", was) == ["file more.sv is new"]


@pytest.mark.parametrize("place", ["prim/dev", "tile/ecp5", "carry_save/ihp130"])
def test_leaf_cells_of_a_device_stand_for_the_generic_ones(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A generic leaf that was replaced does not matter; the one in its place does."""
    folder = tmp_path / "cores" / place
    folder.mkdir(parents=True)
    generic, own = folder.parent / "leaf.sv", folder / "leaf.sv"
    generic.write_text("module leaf; endmodule\n")
    own.write_text("module leaf; wire a; endmodule\n")
    monkeypatch.setattr(identity, "PACKAGE", tmp_path)
    config = replace(CONFIG, family=replace(CONFIG.family, files=(generic,)))
    was = identity.files([own])
    assert identity.holds(config, "mul", was) == []
    generic.write_text("module leaf; wire b; endmodule\n")
    assert identity.holds(config, "mul", was) == []
    own.write_text("module leaf; wire c; endmodule\n")
    assert identity.holds(config, "mul", was) == [f"file cores/{place}/leaf.sv has changed"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"title": "another", "paper": "none", "floorplanned": ("mul",)}, []),
        ({"constants": ("mhat",)}, ["core.toml's constants has changed"]),
        ({"configs": {}}, ["core.toml's configs has changed"]),
        ({"port_cycles": 3}, []),
    ],
)
def test_a_proof_depends_on_what_is_built_of_core_toml(change: dict[str, object], says: list[str]) -> None:
    now = status.made_of(status.Subject(replace(CONFIG.family, **change)))[1]  # type: ignore[arg-type]
    assert identity.differences(status.made_of(status.Subject(CONFIG.family))[1], now, "core.toml's") == says


def test_a_proof_of_an_exponentiator_depends_on_its_port() -> None:
    changed = replace(CONFIG.family, port_cycles=3)
    was, now = (status.made_of(status.Subject(one, "exp"))[1] for one in (CONFIG.family, changed))
    assert identity.differences(was, now, "core.toml's") == ["core.toml's port_cycles has changed"]


def test_a_proof_depends_on_models_oracle_benches_and_the_engine() -> None:
    orup = set(status.made_of(status.Subject(CONFIG.family))[0])
    assert {"cores/orup/model.py", "cores/orup/perle_orup_row.sv", "spec.py"} <= orup
    assert {"verify/testbench.py", "verify/contract_testbench.cpp"} <= orup
    exp = set(status.made_of(status.Subject(CONFIG.family, "exp"))[0])
    assert {"cores/orup/model.py", "cores/orup/perle_orup_row.sv", "cores/modexp/model.py"} <= exp
    assert {"cores/modexp/perle_modexp.sv", "perle_orup_exp.sv", "verify/word.py"} <= exp
    assert not {name for name in orup if "modexp" in name or "_exp" in name or "/word" in name}
    family = resolve("stream:w64").family
    stream = set(status.made_of(status.Subject(family))[0])
    engine = set(status.made_of(status.Subject(family, "engine"))[0])
    assert {"cores/stream/engine/model.py", "cores/stream/engine/perle_stream_engine.sv"} <= engine - stream
    assert {"cores/stream/model.py", "cores/stream/perle_stream_pe_chain.sv"} <= engine & stream
    assert {"cores/modexp/model.py", "boards/driver.py", "cores/stream/engine/conftest.py"} <= engine
    assert not any(Path(name).name.startswith("test_") for name in orup | exp | stream | engine)
