# SPDX-License-Identifier: Apache-2.0
"""IP-XACT (IEEE 1685-2014): PeakRDL describes the registers; bus interfaces, ports and files join them."""

from __future__ import annotations

import re
import tempfile
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from perle import __version__
from perle.boards import simulated as regs
from perle.boards.regs import RDL
from perle.flow import peakrdl
from perle.generate import interfaces, tops
from perle.generate.ip import Ip

SPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
NAME = "ip-xact/component.xml"
MAP = "registers"
BANKS = ("x", "y", "r2", "e")

ET.register_namespace("ipxact", SPACE)


@dataclass(frozen=True)
class FileSet:
    """Files with one use and one type."""

    name: str
    kind: str
    files: tuple[str, ...]


def _add(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> ET.Element:
    found = ET.SubElement(parent, f"{{{SPACE}}}{tag}", attributes)
    if text:
        found.text = text
    return found


def _tagged(tag: str) -> str:
    return f"{{{SPACE}}}{tag}"


def component(ip: Ip, sets: list[FileSet]) -> str:
    """Return the component's description; file names are relative to the folder `ip-xact`."""
    root = ET.Element(_tagged("component"))
    _vlnv(root, ("perle", "ip", ip.name, __version__))
    _buses(_add(root, "busInterfaces"), ip)
    if ip.registers:
        root.append(_memory_maps(ip))
    _model(_add(root, "model"), ip, sets)
    filesets = _add(root, "fileSets")
    for one in sets:
        fileset = _add(filesets, "fileSet")
        _add(fileset, "name", one.name)
        for name in one.files:
            file = _add(fileset, "file")
            _add(file, "name", f"../{name}")
            _add(file, "fileType", one.kind)
    _add(root, "description", ip.summary)
    ET.indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
    return head + ET.tostring(root, encoding="unicode") + "\n"


def _vlnv(parent: ET.Element, vlnv: tuple[str, str, str, str]) -> None:
    for tag, text in zip(("vendor", "library", "name", "version"), vlnv, strict=True):
        _add(parent, tag, text)


def _reference(parent: ET.Element, tag: str, vlnv: tuple[str, str, str, str]) -> None:
    vendor, library, name, version = vlnv
    _add(parent, tag, vendor=vendor, library=library, name=name, version=version)


def _buses(parent: ET.Element, ip: Ip) -> None:
    ports = list(tops.ports(ip))
    for one in [*interfaces.buses(ip, ports), *interfaces.signals(ip, ports)]:
        vendor, library, name, version = one.vlnv
        bus = _add(parent, "busInterface")
        _add(bus, "name", one.name)
        _reference(bus, "busType", (vendor, library, name.removesuffix("_rtl"), version))
        kind = _add(_add(bus, "abstractionTypes"), "abstractionType")
        _reference(kind, "abstractionRef", one.vlnv)
        maps = _add(kind, "portMaps")
        for logical, physical in one.ports.items():
            pair = _add(maps, "portMap")
            _add(_add(pair, "logicalPort"), "name", logical)
            _add(_add(pair, "physicalPort"), "name", physical)
        role = _add(bus, one.role)
        if ip.registers and one.role == "slave" and one.name not in ("CLK", "RST"):
            _add(role, "memoryMapRef", memoryMapRef=MAP)


def _model(model: ET.Element, ip: Ip, sets: list[FileSet]) -> None:
    views = _add(model, "views")
    instances = _add(model, "instantiations")
    for one in sets:
        view = _add(views, "view")
        _add(view, "name", one.name)
        _add(view, "componentInstantiationRef", one.name)
        instance = _add(instances, "componentInstantiation")
        _add(instance, "name", one.name)
        _add(instance, "language", "Verilog" if one.kind == "verilogSource" else "SystemVerilog")
        _add(instance, "moduleName", f"{ip.name}_tb" if one.name == "testbench" else ip.name)
        _add(_add(instance, "fileSetRef"), "localName", one.name)
    ports = _add(model, "ports")
    for port in tops.ports(ip):
        wire = _add(_port(ports, port.name), "wire")
        _add(wire, "direction", "in" if port.way == "input" else "out")
        vectors = _add(wire, "vectors") if port.range else wire
        for high in re.findall(r"\[(\d+):0\]", port.range):
            vector = _add(vectors, "vector")
            _add(vector, "left", high)
            _add(vector, "right", "0")


def _port(parent: ET.Element, name: str) -> ET.Element:
    port = _add(parent, "port")
    _add(port, "name", name)
    return port


def _memory_maps(ip: Ip) -> ET.Element:
    """Return PeakRDL's description of the registers, with the operand lines added, which it leaves out."""
    root = ET.fromstring(_registers(ip.word_bits, ip.shape.const_count))  # noqa: S314 - our own
    maps = root.find(_tagged("memoryMaps"))
    assert maps is not None
    found = maps.find(_tagged("memoryMap"))
    assert found is not None
    name = found.find(_tagged("name"))
    assert name is not None
    name.text = MAP
    block = found.find(_tagged("addressBlock"))
    assert block is not None
    size = block.find(_tagged("range"))
    assert size is not None
    size.text = f"'h{regs.BANKS:x}"
    banks = [*BANKS, *ip.constants]
    for index, bank in enumerate(banks):
        _memory(found, f"line_{bank}", regs.BANKS + index * regs.BANK_BYTES, ip, "write-only")
    _memory(found, "result", regs.RESULT, ip, "read-only")
    blocks = found.findall(_tagged("addressBlock"))
    for lane in range(1, ip.lanes):
        found.extend(_of_lane(one, lane) for one in blocks)
    return maps


def _of_lane(block: ET.Element, lane: int) -> ET.Element:
    """Return the block of another lane than 0."""
    copy = deepcopy(block)
    name, base = copy.find(_tagged("name")), copy.find(_tagged("baseAddress"))
    assert name is not None
    assert base is not None
    name.text = f"{name.text}_lane{lane}"
    first = int((base.text or "").removeprefix("'h"), 16)
    base.text = f"'h{first + lane * regs.LANE_BYTES:x}"
    return copy


def _memory(parent: ET.Element, name: str, base: int, ip: Ip, access: str) -> None:
    block = _add(parent, "addressBlock")
    _add(block, "name", name)
    _add(block, "baseAddress", f"'h{base:x}")
    _add(block, "range", f"'h{regs.BANK_BYTES:x}")
    _add(block, "width", str(ip.word_bits))
    _add(block, "usage", "memory")
    _add(block, "access", access)


@cache
def _registers(word_bits: int, const_count: int) -> str:
    params = {"DataWidth": word_bits, "Constants": const_count}
    with tempfile.TemporaryDirectory() as scratch:
        return peakrdl.ipxact(RDL, Path(scratch) / "registers.xml", params).read_text(encoding="utf-8")
