# SPDX-License-Identifier: Apache-2.0
"""A core in its harness computes what it computes without, and the harness holds no long wires."""

from __future__ import annotations

import ctypes
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from perle.cores.registry import Config, resolve
from perle.flow import verible, verilator, yosys
from perle.flow.cache import cached, content_hash
from perle.measure import harness
from perle.measure.design import design

BENCH = Path(__file__).with_name("harness_testbench.cpp")
CORE = resolve("bit_systolic:w64")


class Bench:
    """The Verilated harness: words in, handshake, words out."""

    def __init__(self, config: Config, folder: Path) -> None:
        core = design(config, "mul")
        read = yosys.synthesize(core.files, core.top, core.params, ["hierarchy -check"], folder)
        self.ports = read.ports(core.top)
        self.where = harness.layout(self.ports)
        params = {key: str(value) for key, value in core.params.items()}
        top = folder / f"{harness.TOP}.sv"
        top.write_text(harness.top(core.top, self.ports, params), encoding="utf-8")
        files = [*core.files, harness.SOURCE, top]
        key = content_hash([*files, BENCH], verilator.verilator_version())

        def build(out: Path) -> None:
            # The contract's enumeration has a plain bit here, as it has in a netlist.
            verilator.build_so(harness.TOP, files, [BENCH], {}, out, extra=["-Wno-ENUMVALUE"])

        library = cached(f"harness-{key}", ".so", build)
        self.lib = ctypes.CDLL(str(library))
        self.lib.bench_new.restype = ctypes.c_void_p
        self.lib.bench_data.restype = self.lib.bench_pins.restype = ctypes.c_uint32
        self.bench = ctypes.c_void_p(self.lib.bench_new())
        self.hold, self.pins = 0, 0
        for _ in range(3):
            self.clock(run=0)

    def clock(self, *, run: int = 1, unload: int = 0, data: int = 0) -> None:
        words = [ctypes.c_uint32(data), ctypes.c_uint32(self.pins)]
        self.lib.bench_clock(self.bench, run, self.hold, unload, *words)

    def load(self, values: dict[str, int]) -> None:
        """Load the ports that go by words; what is between two words that stay is noise."""
        line = sum(values[name] << offset for name, offset in self.where.inputs.items())
        count = -(-self.where.in_bits // 32)
        words = [line >> (32 * k) & 0xFFFFFFFF for k in range(count)]
        self.hold = 0
        for _ in range(count):
            self.clock()
        first = 1 - count
        for step in range(first, count):
            self.hold = int(step >= 0)
            k, noise = divmod(count - 1 - step, 2)
            self.clock(data=words[k] ^ (0xFFFFFFFF if noise else 0))

    def unload(self) -> dict[str, int]:
        self.clock(unload=1)
        line = 0
        for k in range(-(-self.where.out_bits // 32)):
            self.clock()
            line |= self.lib.bench_data(self.bench) << (32 * k)
            self.clock()
        outputs = self.where.outputs.items()
        return {name: line >> at & ((1 << self.where.widths[name]) - 1) for name, at in outputs}

    def set(self, **pins: int) -> None:
        self.pins = sum(value << self.where.in_pins[name] for name, value in pins.items())

    def see(self, pin: str) -> int:
        return int(self.lib.bench_pins(self.bench)) >> self.where.out_pins[pin] & 1

    def close(self) -> None:
        self.lib.bench_free(self.bench)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(CORE, tmp_path)
    yield made
    made.close()


def test_a_core_in_its_harness_multiplies(bench: Bench) -> None:
    draw = random.Random("harness")
    r = 1 << CORE.model.r_exp(CORE.params)
    for tag in range(1, 9):
        modulus = draw.getrandbits(64) | 1 << 63 | 1
        x, y = draw.randrange(modulus), draw.randrange(modulus)
        bench.load({"mod_i": modulus, "req_tag_i": tag, "req_x_i": x, "req_y_i": y})
        bench.set(req_valid_i=1)
        bench.clock()
        bench.set()
        for _ in range(1000):
            bench.clock()
            if bench.see("rsp_valid_o"):
                break
        found = bench.unload()
        assert found["rsp_tag_o"] == tag
        assert found["rsp_z_o"] % modulus == x * y * pow(r, -1, modulus) % modulus
        bench.set(rsp_ready_i=1)
        bench.clock()
        bench.set()
        for _ in range(4):
            bench.clock()
        assert not bench.see("rsp_valid_o")


def test_no_net_of_the_harness_is_long(tmp_path: Path) -> None:
    """Whatever its size: a register reaches a word and the next control, but for the clock."""
    sizes = {"InBits": 2000, "OutBits": 1500, "InPins": 3, "OutPins": 2}
    made = yosys.synthesize(
        [harness.SOURCE], "perle_harness", sizes, ["synth_ecp5 -noiopad -top perle_harness"], tmp_path
    )
    module = json.loads(made.json.read_text())["modules"]["perle_harness"]
    clock = module["ports"]["clk_i"]["bits"][0]
    sinks: Counter[int | str] = Counter()
    levels = Counter(cell["type"] for cell in module["cells"].values())
    for cell in module["cells"].values():
        ins = [name for name, way in cell["port_directions"].items() if way == "input"]
        sinks.update({bit for name in ins for bit in cell["connections"][name]})
    longest = max(count for bit, count in sinks.items() if isinstance(bit, int) and bit != clock)
    assert longest <= 32 + 2
    words = (2000 + 31) // 32 + (1500 + 31) // 32
    assert levels["TRELLIS_FF"] <= 32 * (words + 1) + words + 5
    assert levels["LUT4"] <= 1500 + words


def test_layout_has_every_bit_once() -> None:
    ports = [
        yosys.Port(name, way, bits)
        for name, way, bits in [
            ("clk_i", "input", 1),
            ("a_i", "input", 40),
            ("b_i", "input", 1),
            ("c_i", "input", 3),
            ("z_o", "output", 2),
            ("v_o", "output", 1),
        ]
    ]
    where = harness.layout(ports)
    assert (where.inputs, where.in_bits) == ({"a_i": 0, "c_i": 40}, 43)
    assert (where.outputs, where.out_bits) == ({"z_o": 0}, 2)
    assert (where.in_pins, where.out_pins) == ({"b_i": 0}, {"v_o": 0})
    text = harness.top("x", ports)
    for join in (".clk_i(clk_i)", ".a_i(to_core[0+:40])", ".c_i(to_core[40+:3])", ".b_i(to_core_pins[0+:1])"):
        assert join in text


def test_style_and_warnings() -> None:
    verible.lint([harness.SOURCE])
    for sizes in ({}, {"InBits": 100, "OutBits": 90, "InPins": 3, "OutPins": 2}, {"InBits": 1, "OutBits": 1}):
        verilator.lint([harness.SOURCE], "perle_harness", sizes)
