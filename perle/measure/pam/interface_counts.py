# SPDX-License-Identifier: Apache-2.0
"""The counts of shand1990, sections 3 and 4, from the models: accesses, instructions, cycles.

Each has the name of its claim; `perle reproduce shand1990.factors` compares them with the printed values.
"""

from __future__ import annotations

from random import Random
from statistics import fmean

from perle.cores.registry import resolve_memory
from perle.host.pam.bignum import Bignum
from perle.host.pam.spec import TIMING
from perle.host.pam.system import System, Timing
from perle.pam.bus_mul import model as bus
from perle.pam.mod_product import driving
from perle.pam.mod_product import model as unit
from perle.pam.reg_mul import model as registers
from perle.papers import load

BYTE, PS_PER_MS = 8, 10**9
PRODUCTS = 400
"""Number of chained squarings over which cycles are averaged."""
FIXED, VARIABLE, BOOTH, FAST = "bus_mul:fixed512", "bus_mul:variable512", "reg_mul:booth", "mod_product:fast"
VARIABLE_NS = 66
STREAM, LEAST_WORDS = 64, 2
UNIT_BITS = 254


def bus_accesses() -> int:
    """Count the accesses of a product of 512 × 512 + 1024 bits in a stream, with a separate carry."""
    return bus.accesses(resolve_memory(FIXED).params, 16, bus.Carry.APART)


def latency() -> int:
    """Count the steps from the first input word to the first output word."""
    return bus.latency_steps(resolve_memory(FIXED).params["Words"])


def commands() -> int:
    """Instructions of 256 × 768 + 1024 bits, in registers."""
    return len([*registers.product_row(0, [1, 2, 3], [4, 5, 6, 7], [8, 9, 10]), registers.close(11)])


def register_count() -> int:
    """Instructions of 512 × 512 + 1024 bits in registers, without the last, which the next one shares."""
    return len(registers.product_512([0, 1], [2, 3], [4, 5, 6, 7], [8, 9, 10, 11]))


def register_all() -> int:
    """Count the same with transfers of all operands and the result over the bus."""
    params = resolve_memory(BOOTH).params
    loads = sum(len(registers.write_register(params, n, 0)) for n in range(8))
    reads = sum(len(registers.read_register(params, n)) for n in range(8, 12))
    return loads + register_count() + reads


def unit_cycles(latency_of_detector: int = 0, *, seed: int = 1) -> float:
    """Cycles of a product with the carry completion detector, on average over chained squarings."""
    params = {**resolve_memory(FAST).params, "DetectLatency": latency_of_detector}
    z, taken = Random(seed).randrange(params["Modulus"]), []  # noqa: S311
    for _ in range(PRODUCTS):
        u, v, queue = unit.product_steps(params, z, z)
        taken.append(1 + unit.product_cycles(params, u, v))
        z = unit.product_resolved(params, u, v, queue)
    return fmean(taken)


def cube_gain() -> float:
    """Percentage of products saved by the digits 1 and 3, including the one that leaves the domain."""
    methods = (driving.Method.BINARY, driving.Method.WINDOW)
    binary, window = (driving.mean_products(UNIT_BITS, one) for one in methods)
    return 100 * float(1 - (window + 1) / (binary + 1))


def native_margin() -> float:
    """Percentage by which a product of two words on the variable multiplier is slower than in software.

    Products back to back, of the least length; software on the modelled host, with loads and stores.
    """
    config, timing = resolve_memory(VARIABLE), Timing.preset(TIMING)
    one = bus.Product((1 << 32) - 1, (1 << 32) - 1, 0, 1, LEAST_WORDS)
    with System([(config, VARIABLE_NS)], timing) as system:
        times = []
        for count in (1, STREAM + 1):
            system.reset_time()
            for write, addr, data in bus.pipelined(config.params, [one] * count):
                if write:
                    system.write(0, 4 * addr, data)
                else:
                    system.read(0, 4 * addr)
            times.append(system.time.now_ps)
    with Bignum(None, timing) as math:
        math.mul((1 << 32) - 1, (1 << 32) - 2)
        native = math.cost.host_ps
    return 100 * ((times[1] - times[0]) / STREAM / native - 1)


def download() -> float:
    """Time in which the host writes Perle-0's configuration byte by byte in straight-line code, ms."""
    bits = 1000 * float(load("shand1990")["config"].number)
    return bits / BYTE * Timing.preset(TIMING).write_ps / PS_PER_MS


COUNTS = {
    one.__name__: one
    for one in (
        bus_accesses,
        latency,
        commands,
        register_count,
        register_all,
        cube_gain,
        native_margin,
        download,
    )
} | {"mpu_cycles": unit_cycles}
"""Functions that count what a claim of the paper states, by the claim's name."""
