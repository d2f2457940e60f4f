# SPDX-License-Identifier: Apache-2.0
"""Generates an IP directory: the same bytes for the same sources, on every machine."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import perle
from perle.boards.regs import BUS, c_header, reference, register_block
from perle.boards.sources import WAIVERS
from perle.boards.wrapper import Shape
from perle.generate import frozen, here, ipxact, packages, tops, vectors_axis, vectors_host, vectors_mul
from perle.generate.firmware import firmware
from perle.generate.ip import Ip
from perle.generate.output import MANIFEST, check_free, manifest, write
from perle.generate.pages import pages
from perle.generate.plain import plain
from perle.generate.prefix import prefixed
from perle.generate.readme import readme
from perle.generate.vendor import vendor

SLASHES = "// SPDX-License-Identifier: Apache-2.0\n"
MARKUP = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"


@dataclass(frozen=True)
class Generated:
    """A written directory; names are relative to the folder."""

    folder: Path
    top: str
    files: tuple[str, ...]
    source_hash: str


def generate(ip: Ip, out: Path, *, force: bool = False) -> Generated:
    """Write an IP directory; FileExistsError if `out` is not empty, unless forced."""
    check_free(out, force=force)
    files = contents(ip)
    write(files, out, force=force)
    here.write(out)
    return Generated(out, ip.top, tuple(sorted(files)), ip.source_hash)


def contents(ip: Ip, *, copy: bool = True) -> dict[str, str]:
    """Return all files of the directory by name; with `copy` also the Verilog-2005 file, which takes time."""
    hardware, waivers, about = _hardware(ip)
    vectors, sizes = _vectors(ip)
    assertions = {f"tb/{path.name}": _read(path) for path in ip.assertions}
    driving = {f"tb/{path.name}": _read(path) for path in ip.drivers}
    driving[f"tb/{ip.name}_tb.sv"] = frozen.bench(ip, sizes)
    parts = packages.Files(list(hardware), list(waivers), list(assertions), list(driving))

    files = {**hardware, **waivers, **about, **assertions, **driving, **pages(ip)}
    if copy:
        files[packages.copy(ip)] = plain(hardware, ip.name)
    files[parts.vectors] = vectors
    files |= firmware(ip)
    files |= vendor(ip, parts.rtl)
    files[ipxact.NAME] = ipxact.component(ip, packages.file_sets(ip, parts))
    files[f"{ip.name}.f"] = packages.file_list(parts)
    files[f"{ip.name}.core"] = packages.fusesoc(ip, parts)
    files["Bender.yml"] = packages.bender(ip, parts)
    files["Makefile"] = packages.makefile(ip, parts)
    files["LICENSE"] = licence()
    files["README.md"] = readme(ip)
    files = prefixed(files, ip.prefix)
    files[MANIFEST] = manifest(files, f"{ip.top}, Perle {perle.__version__}", ip.source_hash)
    return files


def hardware_texts(ip: Ip) -> dict[str, str]:
    """Return the hardware alone, in compile order."""
    return _hardware(ip)[0]


def _hardware(ip: Ip) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the hardware in compile order, its waivers, and the description of its registers."""
    hardware = {f"rtl/{path.name}": _read(path) for path in ip.hardware}
    assert len(hardware) == len(ip.hardware), "two sources of the same name"
    waivers: dict[str, str] = {}
    about: dict[str, str] = {}
    if ip.registers:
        # After packages and cells, before the board, which imports the package of the register block.
        registers, about = _registers(ip.word_bits, ip.shape.const_count)
        board = f"rtl/{BUS.name}"
        names = list(hardware)
        before = {name: hardware[name] for name in names[: names.index(board)]}
        after = {name: hardware[name] for name in names[names.index(board) + 1 :]}
        hardware = {**before, **registers, **after}
        waivers[f"rtl/{WAIVERS.name}"] = _read(WAIVERS)
    hardware |= {f"rtl/{path.name}": _read(path) for path in ip.adapters}
    hardware |= {f"rtl/{name}.sv": text for name, text in tops.tops(ip).items()}
    return hardware, waivers, about


def _vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    if ip.bus == "none":
        return vectors_mul.vectors(ip)
    return vectors_axis.vectors(ip) if ip.bus == "axis" else vectors_host.vectors(ip)


@cache
def _registers(word_bits: int, const_count: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return the register block's hardware, and its description for programs and people.

    They depend only on these two arguments, not on the rest of a board's configuration.
    """
    shape = Shape(width=0, operand_bits=0, word_bits=word_bits, const_count=const_count)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        block = register_block(shape, folder / "rtl")
        hardware = {f"rtl/{path.name}": SLASHES + _tidy(_read(path)) for path in block}
        header = c_header(shape, folder / "perle_regs.h")
        page = reference(shape, folder / "registers.md")
        # Remove the comment at the beginning, which has file names of this machine.
        text = re.sub(r"\A<!---.*?-->\n", "", _read(page), flags=re.DOTALL)
        about = {
            f"include/{header.name}": SLASHES + _tidy(_read(header)),
            f"doc/{page.name}": MARKUP + _tidy(text),
        }
    return hardware, about


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _tidy(text: str) -> str:
    """Return generated text without trailing blanks."""
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip("\n") + "\n"


def licence() -> str:
    """Return the licence, from the checkout or from the metadata of the installed package."""
    beside = Path(perle.__file__).parents[1] / "LICENSE"
    return _read(beside) if beside.is_file() else licence_of("perle")


def licence_of(package: str) -> str:
    """Return the licence in the metadata of an installed package."""
    records = metadata.files(package) or []
    return _read(Path(str(next(record for record in records if record.name == "LICENSE").locate())))
