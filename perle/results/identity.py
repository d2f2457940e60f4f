# SPDX-License-Identifier: Apache-2.0
"""What a recorded result depends on, and whether it still holds.

A result names what it was made of: `files`, a fingerprint of each source by its place below `perle`, and
`settings`, everything else by value: parameters, the target's options, the version of the flow. It holds as
long as all of these are what they were. A fingerprint is over what decides (`perle.results.canonical`), not
over comments, layout or docstrings, and belongs to a file's content: a file may move.

Reports know no targets. They ask `holds`, which compares every file and the core's parameters; who knows the
target (`perle.measure`) compares the settings too.
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
    """Return how a file is called in a result: by its place in the package, elsewhere by its name."""
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name


def files(paths: Iterable[Path]) -> Files:
    """Return the fingerprints of files by their labels."""
    return {label(path): fingerprint(path) for path in paths}


def plain(value: object) -> Any:  # noqa: ANN401
    """Return a value as JSON gives it back: what is stored and what is asked for compare as equals."""
    return json.loads(json.dumps(value, sort_keys=True))


def parameters(config: Config, part: str, target: str = "") -> list[dict[str, int]]:
    """Return the parameters of all that a part places together, the configuration's own first.

    Lanes are among them where a device, not the configuration, decides how many there are.
    """
    return [
        {**one.config.params, **({"Lanes": one.lanes} if one.lanes else {})}
        for one in members(config, part, target)
    ]


def differences(was: Mapping[str, object], now: Mapping[str, object], what: str) -> list[str]:
    """Say in what two mappings differ, a line a key."""
    return [
        f"{what} {key}" + (" is new" if key not in was else " is gone" if key not in now else " has changed")
        for key in sorted({*was, *now})
        if was.get(key) != now.get(key)
    ]


def changed_files(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Say which files differ; one that only moved does not."""
    moved = set(was.values()) & set(now.values())
    return differences(
        {name: one for name, one in was.items() if one not in moved},
        {name: one for name, one in now.items() if one not in moved},
        "file",
    )


def holds(config: Config, part: str, was: Mapping[str, str]) -> list[str]:
    """Return why a part's result, made of files `was`, does not hold for today's; nothing where it does.

    A target puts leaf cells of its own in place of generic ones of the same name, and a harness around the
    whole: these are looked for where they were.
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
    """Return the runs that hold for today's cores, failed ones included; a core that is gone has none."""
    return [one for one in runs if not stale(one)]


def stale(one: Measurement) -> list[str]:
    """Return why a run does not hold for today's core, as far as that can be told without its target."""
    try:
        config = resolve_any(one.core)
    except UnknownCoreError as error:
        return [str(error)]
    if one.settings.get("cores") != parameters(config, one.part, one.target):
        return ["other parameters"]
    return holds(config, one.part, one.files)
