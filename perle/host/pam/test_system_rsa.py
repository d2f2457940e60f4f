# SPDX-License-Identifier: Apache-2.0
"""RSA with padding, blinding and check on systems of active memories; systems by name; new keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from perle.boards.memory import build_memory
from perle.cores.registry import UnknownCoreError, resolve_memory
from perle.flow import tools
from perle.flow.cache import cache_root
from perle.host import Boards, Key, Padding, PerleError
from perle.host.pam import units
from perle.host.pam.driver import names, private
from perle.host.pam.spec import ROWS, SpecError, SystemSpec
from perle.host.pam.system import System
from perle.host.sample import Numbers, sample

DIGEST = hashlib.sha256(b"a message").digest()
# The paper's driver, in configurations that other tests build.
SYSTEMS = [f"system:{name}" for name in names() if not name.startswith("mpu")] + ["system:mpu_inlined:w254"]


@pytest.fixture(scope="module")
def rsa() -> Numbers:
    """Return the key whose units other tests build."""
    return sample("RSA-508", 254, 254)


def opened(spec: str, key: Key) -> Boards:
    """Open a system for a key."""
    chosen = SystemSpec.parse(spec)
    return Boards.on_system(chosen.opened(key), chosen.driver)


@pytest.mark.parametrize("spec", SYSTEMS)
def test_signatures_of_every_driver_verify(rsa: Numbers, spec: str) -> None:
    with opened(spec, rsa.key()) as boards:
        signed = rsa.key().sign(boards, DIGEST, padding=Padding.PKCS1)
        assert (signed.cycles, signed.elapsed) == (0, 0)
        assert signed.time_ps > 0
        assert rsa.key().verify(None, DIGEST, signed.data, padding=Padding.PKCS1)
        assert not rsa.key().verify(None, DIGEST[::-1], signed.data, padding=Padding.PKCS1)
        assert all(one.operations == 1 and one.bus_writes > 0 for one in boards.stats())
        secret = rsa.key().encrypt(None, b"for your eyes", padding=Padding.PKCS1).data
        assert rsa.key().decrypt(boards, secret, padding=Padding.PKCS1).data == b"for your eyes"
        assert boards.total().faults == 0


@pytest.mark.parametrize("driver", ["bus_bignum", "reg_naive"])
def test_the_cost_is_the_drivers_whole_time(rsa: Numbers, driver: str) -> None:
    """Bus and host: what the driver takes for the block, when the message is not blinded."""
    block = rsa.n // 5
    with SystemSpec.parse(f"system:{driver}").opened(rsa.key()) as system:
        _, taken = private(system, driver, rsa.key(), [block])
    assert 0 < taken.host_ps < taken.now_ps
    with opened(f"system:{driver}", rsa.key()) as boards:
        found = rsa.key().private(boards, block.to_bytes(rsa.key().size, "big"), blinding=False)
    assert found.time_ps == taken.now_ps


@pytest.mark.parametrize("spec", ["system:bus_chained", "system:reg_straight", "system:mpu_inlined:w254"])
def test_zeroizing_leaves_nothing_of_key_and_message(rsa: Numbers, spec: str) -> None:
    """Words of the primes, of the blocks and of the result, wherever they may be in a board's registers."""
    block = rsa.n // 3
    result = pow(block, rsa.d, rsa.n)
    numbers = [block % rsa.p, block % rsa.q, result, result % rsa.p, result % rsa.q]
    if "mpu" not in spec:  # those have the primes in their circuit
        numbers += [rsa.p, rsa.q]
    words = {f"{number >> 32 * i & 0xFFFFFFFF:08x}" for number in numbers for i in range(7)}

    def found(boards: Boards) -> int:
        texts = [boards.snapshot(index).lower() for index in range(boards.info.count)]
        return sum(word in text for word in words for text in texts)

    with opened(spec, rsa.key()) as boards:
        clean = found(boards)
        rsa.key().private(boards, block.to_bytes(rsa.key().size, "big"), blinding=False)
        assert found(boards) > clean
        boards.zeroize()
        assert found(boards) == clean
        again = rsa.key().private(boards, block.to_bytes(rsa.key().size, "big"))
        assert int.from_bytes(again.data, "big") == result


def test_threads_take_turns(rsa: Numbers) -> None:
    with opened("system:reg_straight", rsa.key()) as boards, ThreadPoolExecutor(4) as pool:
        blocks = [bytes(rsa.key().size - 1) + bytes([i]) for i in range(2, 8)]
        results = pool.map(lambda block: rsa.key().private(boards, block).data, blocks)
        for block, result in zip(blocks, results, strict=True):
            assert rsa.key().public(None, result).data == block


def test_only_private_operations(rsa: Numbers) -> None:
    system = SystemSpec.parse("system:reg_straight").opened(rsa.key())
    boards = Boards.on_system(system, "reg_straight")
    info = boards.info
    assert (info.family, info.count, info.width, info.simulated) == ("reg_mul", 3, 0, True)
    calls: list[Callable[[], object]] = [
        lambda: boards.mulmod(3, 5, 29),
        lambda: boards.modexp(3, 5, 29),
        lambda: boards.read(0),
        lambda: boards.trace(Path("none.vcd")),
        lambda: boards.set_timeout(1),
        lambda: rsa.key().public(boards, b"\3"),
        lambda: rsa.key().verify(boards, DIGEST, bytes(rsa.key().size), padding=Padding.PKCS1),
    ]
    for call in calls:
        with pytest.raises(PerleError, match="UNSUPPORTED"):
            call()
    with pytest.raises(ValueError, match="closed"):
        system.read(0, 0)
    boards.close()
    with pytest.raises(ValueError, match="closed"):
        rsa.key().private(boards, b"\3")


def test_a_system_that_is_refused_stays_with_its_owner() -> None:
    with System([(build_memory(resolve_memory("reg_mul:booth")), 40)]) as system:
        with pytest.raises(PerleError, match="other boards"):
            Boards.on_system(system, "reg_straight")
        with pytest.raises(PerleError, match="no driver"):
            Boards.on_system(system, "reg_curved")
        system.write(0, 0, 1)


def test_a_name_without_details_is_the_papers() -> None:
    for driver in names():
        spec = SystemSpec.parse(f"system:{driver}")
        assert (spec.timing, spec.clock, spec.config) == ("vme68020", None, None)
        rows = [row for row in ROWS if row.driver == driver]
        if rows:
            assert spec.row(254) == rows[-1]
    assert SystemSpec.parse("system:bus_straight").row(254).clocks == (66,)


def test_boards_follow_the_key() -> None:
    straight, inlined = SystemSpec.parse("system:reg_straight"), SystemSpec.parse("system:mpu_inlined")
    wanted = {255: "w512", 510: "w512", 511: "w1024", 1022: "w1024", 1024: "w2048", 2046: "w2048"}
    for half, name in wanted.items():
        assert straight.row(half).configs == (name,) * 3
        assert straight.row(half).clocks == (40,) * 3
    assert inlined.row(512).configs == ("fast", "fast", "w1024")
    for spec, half, most in ((straight, 2047, 2046), (inlined, 1087, 1086)):
        with pytest.raises(PerleError, match=rf" {half} bits.* takes {most} .*WIDTH"):
            spec.row(half)
    widths = {254: 254, 255: 257, 511: 513, 512: 514}
    for half, width in widths.items():
        unit = units.units(3, (1 << half) - 1, "fast")[0]
        assert unit.params["Width"] == width


def test_details_are_taken(rsa: Numbers) -> None:
    spec = SystemSpec.parse("system:mpu_partial:radix2,clock=20.5,timing=axi")
    assert spec.timing == "axi"
    assert spec.row(254).configs == ("radix2", "radix2", "serial")
    assert spec.row(254).clocks == (20.5, 20.5, 50)
    assert SystemSpec.parse("system:reg_naive:serial,clock=75").row(100).clocks == (75,) * 3
    block = bytes(rsa.key().size - 1) + b"\5"
    times = []
    for timing in ("vme68020", "axi"):
        with opened(f"system:reg_straight,timing={timing}", rsa.key()) as boards:
            times.append(rsa.key().private(boards, block).time_ps)
    assert times[1] < times[0]


@pytest.mark.parametrize(
    "text",
    [
        *("", "reg_curved", "reg_straight,lanes=2", "reg_straight,boards=2", "reg_straight,clock=0"),
        *("reg_straight,clock=1e3", "reg_straight,clock=40,clock=40", "reg_straight,", "reg_straight,clock"),
    ],
)
def test_names_that_make_no_sense(text: str) -> None:
    with pytest.raises(SpecError):
        SystemSpec.parse(f"system:{text}")


def test_names_of_what_is_not_there() -> None:
    with pytest.raises(UnknownCoreError, match="curved"):
        SystemSpec.parse("system:reg_straight:curved")
    with pytest.raises(UnknownCoreError):
        SystemSpec.parse("system:reg_straight:")
    with pytest.raises(PerleError, match="vme68020"):
        SystemSpec.parse("system:reg_straight,timing=scsi")


@pytest.mark.parametrize("bits", [64, 508, 1024])
def test_new_keys(bits: int, tmp_path: Path) -> None:
    with Key.generate(bits) as key, Key.generate(bits) as other:
        p, q = key.prime("p"), key.prime("q")
        assert p * q == key.n
        assert p > q
        assert key.n.bit_length() == key.bits == bits
        assert all(prime >> (bits // 2 - 2) == 3 for prime in (p, q))
        assert key.e == 65537
        assert key.n != other.n
        path = tmp_path / "key.pem"
        path.write_bytes(key.to_pem())
        checked = tools.run([tools.system_tool("openssl"), "rsa", "-in", path, "-check", "-noout"])
        assert "RSA key ok" in checked.stdout + checked.stderr
        with Key.from_bytes(key.to_pem()) as loaded:
            assert (loaded.n, loaded.prime("p"), loaded.prime("q")) == (key.n, p, q)


def test_keys_that_are_not_made(rsa: Numbers) -> None:
    for bits in (62, 65, 16386):
        with pytest.raises(PerleError, match="even number of bits"):
            Key.generate(bits)
    with Key.from_numbers(n=rsa.n, e=65537) as public, pytest.raises(PerleError, match="no primes"):
        public.to_pem()
    with Key.from_numbers(n=rsa.n, e=65537, d=rsa.d) as plain, pytest.raises(PerleError, match="no primes"):
        plain.prime("p")
    with pytest.raises(PerleError, match="ARGUMENT"):
        rsa.key().prime("d")
    # PKCS#1 wants d, which numbers may come without.
    half = {"dp": rsa.d % (rsa.p - 1), "dq": rsa.d % (rsa.q - 1), "qinv": pow(rsa.q, -1, rsa.p)}
    with Key.from_numbers(n=rsa.n, e=65537, p=rsa.p, q=rsa.q, **half) as key:
        assert Key.from_bytes(key.to_pem()).prime("q") == rsa.q


def test_units_of_a_key_are_forgotten(rsa: Numbers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path))
    (tmp_path / "boards").mkdir()
    other = 0xF00D

    def leave(prime: int, name: str) -> None:
        unit = units.units(prime, prime, name)[0].name
        for file in (f"memory-mod_product-{unit}-{0:016x}.so", f"boards/mod_product-{unit}.so"):
            (cache_root() / file).touch()

    for prime in (rsa.p, rsa.q, other):
        for name in ("fast", "w254"):
            leave(prime, name)
    kept = tmp_path / "memory-mod_product-fast-checks-28304cf01a0ba6b1.so"
    kept.touch()
    interrupted = cache_root() / f"memory-mod_product-{units.units(rsa.p, 3)[0].name}-0.so.scratch"
    interrupted.mkdir()
    (interrupted / "perle_top.sv").touch()
    assert units.forget_key(rsa.p, rsa.q) == 9
    assert not interrupted.exists()
    assert len(list(tmp_path.rglob("*.so"))) == 5
    assert units.forget_all() == 4
    assert list(tmp_path.rglob("*.so")) == [kept]
