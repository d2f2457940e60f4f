# SPDX-License-Identifier: Apache-2.0
"""The identity of a recorded result: what it depends on, and whether it is still current.

A result contains `files`, the fingerprints of its sources by their paths below `perle`, and `settings`, all
other dependencies by value: parameters, options of the target, version of the flow. It is current as long as
all of these are unchanged. Fingerprints ignore comments, layout and docstrings (`perle.results.canonical`),
and files may be moved.

Reports do not import targets: they call `holds`, which compares the files and the core's parameters.
`perle.measure`, which has the targets, compares the settings too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from perle.cores import leaves
from perle.cores.registry import CORES, Config, UnknownCoreError, resolve_any
from perle.results import Measurement
from perle.results.canonical import fingerprint
from perle.results.parts import members, part_files

PACKAGE = CORES.parent

Files = dict[str, str]
Settings = dict[str, Any]


def label(path: Path) -> str:
    """Return a file's label in a result: its path in the package, or its name if it is elsewhere."""
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name


def files(paths: Iterable[Path]) -> Files:
    """Return the fingerprints of files by their labels."""
    return {label(path): fingerprint(path) for path in paths}


def plain(value: object) -> Any:  # noqa: ANN401
    """Return a value after a round trip through JSON, so that it compares equal to stored values."""
    return json.loads(json.dumps(value, sort_keys=True))


def parameters(config: Config, part: str, target: str = "") -> list[dict[str, int]]:
    """Return the parameters of everything that is placed together for a part, the configuration's own first.

    They include lanes if the device, not the configuration, determines their number.
    """
    return [
        {**one.config.params, **({"Lanes": one.lanes} if one.lanes else {})}
        for one in members(config, part, target)
    ]


def differences(was: Mapping[str, object], now: Mapping[str, object], what: str) -> list[str]:
    """Describe the differences of two mappings, one line per key."""
    return [
        f"{what} {key}" + (" is new" if key not in was else " is gone" if key not in now else " has changed")
        for key in sorted({*was, *now})
        if was.get(key) != now.get(key)
    ]


def changed_files(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Name the files that differ; files that were only moved do not."""
    moved = set(was.values()) & set(now.values())
    return differences(
        {name: one for name, one in was.items() if one not in moved},
        {name: one for name, one in now.items() if one not in moved},
        "file",
    )


def holds(config: Config, part: str, was: Mapping[str, str]) -> list[str]:
    """Return the reasons why a part's result of files `was` is stale; empty if it is current.

    A target replaces generic leaf cells by its own of the same name, and adds a harness: these files are
    looked up by their recorded paths.
    """
    others = {Path(name).name: name for name in was if _of_target(name) and (PACKAGE / name).is_file()}
    paths = {path.name: path for path in part_files(config, part)}
    return changed_files(
        was, files({**paths, **{key: PACKAGE / name for key, name in others.items()}}.values())
    )


def _of_target(name: str) -> bool:
    folder = Path(name).parent
    of_families = {one.relative_to(CORES.parent) for one in leaves.OF_FAMILIES}
    return folder.parent == Path("cores/prim") or folder in of_families or name.startswith("measure/")


def current(runs: Iterable[Measurement]) -> list[Measurement]:
    """Return the current runs, including failed ones; none for cores that no longer exist."""
    return [one for one in runs if not stale(one)]


def stale(one: Measurement) -> list[str]:
    """Return the reasons why a run is stale, as far as they are known without its target."""
    try:
        config = resolve_any(one.core)
    except UnknownCoreError as error:
        return [str(error)]
    if one.settings.get("cores") != parameters(config, one.part, one.target):
        return ["other parameters"]
    return holds(config, one.part, one.files)
