# SPDX-License-Identifier: Apache-2.0
"""The doctor finds what is there, and names a command for what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow import doctor, tools


def by_name() -> dict[str, doctor.Check]:
    return {check.name: check for check in doctor.checks()}


def test_this_machine_is_complete() -> None:
    assert [check.name for check in doctor.missing(doctor.checks())] == []


def test_found_things_have_versions_and_no_fix() -> None:
    found = [check for check in doctor.checks() if check.found]
    assert all(not check.fix for check in found)
    unversioned = {"libssl-dev", "liblz4-dev", "zlib1g-dev", "PDK_ROOT", *doctor.CLIENTS}
    assert all(check.version[0].isdigit() for check in found if check.name not in unversioned)


def test_missing_things_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.has_header.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tools, "scripts_dir", lambda: tmp_path)
    found = by_name()
    monkeypatch.undo()
    tools.has_header.cache_clear()
    for name in ("make", "g++", "openssl", "perl"):
        assert not found[name].found
        assert found[name].fix == f"apt-get install -y --no-install-recommends {name}"
    assert "libssl-dev" in found["libssl-dev"].fix
    assert found["nginx"].fix == "apt-get install -y --no-install-recommends nginx-light"
    assert found["peakrdl"].fix == found["ruff"].fix == "make setup"
    assert {"make", "g++", "libssl-dev", "ruff"} <= {check.name for check in doctor.missing(found.values())}


def test_an_installed_package_needs_nothing_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = set(by_name())
    monkeypatch.setattr(doctor, "INSTALLED", True)
    assert everything - set(by_name()) == doctor.TESTING


def test_pdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PDK_ROOT", str(tmp_path))
    assert "export PDK_ROOT" in by_name()["PDK_ROOT"].fix
    cells = tmp_path / doctor.PDK_CELLS
    cells.mkdir(parents=True)
    (cells / "typ.lib").touch()
    assert by_name()["PDK_ROOT"].found
