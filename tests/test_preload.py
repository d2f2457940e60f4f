# SPDX-License-Identifier: Apache-2.0
"""Programs that nobody changed, with and without boards under libcrypto and GMP: the same answers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from perle.boards.memory import build_memory
from perle.cli.io.errors import Code
from perle.cores.registry import resolve_memory
from perle.flow import places, tools
from perle.host.preload import Calls, Products, environment, preload_path, reports
from tests.cli_run import invoke, refused

pytest_plugins = ["perle.host.fixtures"]

PROGRAMS = places.HOST / "preload" / "tests"
SECONDS = 300
WIDTH = 1024
OPENSSL, GMP = ("exp", "mont", "word", "consttime", "x2"), ("powm", "sec")
NAMES = {
    "exp": "BN_mod_exp",
    "mont": "BN_mod_exp_mont",
    "word": "BN_mod_exp_mont_word",
    "consttime": "BN_mod_exp_mont_consttime",
    "x2": "BN_mod_exp_mont_consttime_x2",
    "powm": "__gmpz_powm",
    "sec": "__gmpz_powm_sec",
}


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Compile the two programs against the system's libraries; GMP's only where that is there."""
    folder = tmp_path_factory.mktemp("programs")
    made = {}
    for name, library in (("openssl", "-lcrypto"), ("gmp", "-l:libgmp.so.10")):
        out = folder / name
        words: list[str | Path] = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", out]
        try:
            tools.run([*words, PROGRAMS / f"powers_{name}.c", library], timeout=SECONDS)
        except tools.ToolError:
            if name == "openssl":
                raise
            continue
        made[name] = out
    return made


def lines(functions: Iterable[str], seed: int, *, gmp: bool) -> str:
    """Return cases as the programs read them: edges of a modulus, results in every operand, random ones."""
    rng, found = Random(seed), []
    aliases = "abc" if gmp else "apm"
    moduli = [(1 << 512) - 1, (1 << 511) + 1, (1 << 521) - 1, 3, 1, (1 << 300) + 2, (1 << WIDTH) + 1]
    moduli += [rng.getrandbits(512) | 1 | 1 << 511, rng.getrandbits(777) | 1 | 1 << 776]
    for function in functions:
        for m in moduli:
            if m % 2 == 0 and function not in {"exp", "powm"}:
                continue  # refused by the library itself
            bases = [0, 1, 2, m - 1, m, m + 5, rng.randrange(m)]
            bases += [-3] if function in {"exp", "powm"} else []
            few, more = (2, 65537), (0, 1, m, rng.getrandbits(512) | 1 << 511)
            for a in bases if function != "word" else (0, 1, 2, 3, 2**63):
                exponents = few + more if a == bases[6] or function == "word" else few
                found += [(function, "r", a, e, m) for e in exponents if e or function != "sec"]
        if function != "word":
            found += [(function, one, rng.getrandbits(500), 65537, moduli[0]) for one in aliases]
    return "".join(f"{name} {alias} {a:x} {e:x} {m:x}\n" for name, alias, a, e, m in found)


def run(program: Path, text: str, variables: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], input=text, capture_output=True, text=True, check=False, timeout=SECONDS,
        env=os.environ | variables,
    )  # fmt: skip


def preloaded(softboard: Path, report: Path, setup: str = f"width={WIDTH}") -> dict[str, str]:
    return {"SOFTBOARD": setup} | environment(preload_path(), f"sim:{softboard}", None, report=report)


def total(report: Path) -> dict[str, Calls]:
    """Return what all processes did together, by function."""
    found: dict[str, Calls] = {}
    for process in reports(report):
        for name, one in process.functions.items():
            before = found.get(name, Calls(0, 0, 0, 0))
            pairs = ((getattr(before, what), getattr(one, what)) for what in Calls.__struct_fields__)
            found[name] = Calls(*(a + b for a, b in pairs))
    return found


@pytest.mark.parametrize(("library", "functions"), [("openssl", OPENSSL), ("gmp", GMP)])
def test_the_same_answers_and_boards_gave_them(
    programs: dict[str, Path], softboard: Path, tmp_path: Path, library: str, functions: tuple[str, ...]
) -> None:
    if library not in programs:
        pytest.skip("libgmp.so.10 is not installed")
    for function in functions:
        text, report = lines([function], 1990, gmp=library == "gmp"), tmp_path / function
        alone = run(programs[library], text, {})
        assert alone.returncode == 0, alone.stderr
        there = run(programs[library], text, preloaded(softboard, report))
        assert there.stdout == alone.stdout
        assert there.stderr == ""
        did = total(report)[NAMES[function]]
        assert did.boards >= 20
        assert did.calls > did.boards, "even, narrow and too wide moduli are not for the board"
        assert did.failed == 0
        assert did.cycles > 0


@pytest.mark.parametrize(("library", "function"), [("openssl", "consttime"), ("gmp", "sec")])
def test_a_secret_exponent_takes_as_long_as_its_modulus(
    programs: dict[str, Path], softboard: Path, tmp_path: Path, library: str, function: str
) -> None:
    if library not in programs:
        pytest.skip("libgmp.so.10 is not installed")
    m, cycles = (1 << 521) - 1, set()
    for e in (3, 65537, m - 2):
        report = tmp_path / f"{e}"[:9]
        run(programs[library], f"{function} r 2 {e:x} {m:x}\n", preloaded(softboard, report))
        cycles.add(total(report)[NAMES[function]].cycles)
    assert len(cycles) == 1


def test_what_libcrypto_refuses_is_refused(
    programs: dict[str, Path], softboard: Path, tmp_path: Path
) -> None:
    """An exponent that wants constant time, in a function that has none."""
    text = f"flagged r 3 {1 << 400:x} {(1 << 521) - 1:x}\n"
    assert run(programs["openssl"], text, {}).stdout == "error\n"
    assert run(programs["openssl"], text, preloaded(softboard, tmp_path / "r")).stdout == "error\n"


@pytest.mark.parametrize("fault", ["flip", "garbage", "dead", "huge", "slverr"])
def test_a_board_that_fails_gives_no_wrong_answer(
    programs: dict[str, Path], softboard: Path, tmp_path: Path, fault: str
) -> None:
    m = (1 << 521) - 1
    text = "".join(f"consttime r {a:x} {m - 2:x} {m:x}\n" for a in range(2, 8))
    there = run(
        programs["openssl"], text, preloaded(softboard, tmp_path / "r", f"width={WIDTH},fault={fault}")
    )
    assert there.stdout == run(programs["openssl"], text, {}).stdout
    did = total(tmp_path / "r")
    assert did["BN_mod_exp_mont_consttime"].boards == 0


@pytest.mark.parametrize("way", ["threads", "fork"])
def test_threads_and_processes(programs: dict[str, Path], softboard: Path, tmp_path: Path, way: str) -> None:
    there = run(programs["openssl"], "", preloaded(softboard, tmp_path / "r"), way)
    assert there.stdout.splitlines() == ["0 wrong"] * (1 if way == "threads" else 2)
    assert there.returncode == 0
    counts = [one.functions["BN_mod_exp_mont_consttime"].boards for one in reports(tmp_path / "r")]
    assert counts == [80] * (1 if way == "threads" else 2)


def test_a_board_that_is_not_there_is_told_and_software_does_it(programs: dict[str, Path]) -> None:
    text = f"exp r 3 5 {(1 << 521) - 1:x}\n"
    there = run(programs["openssl"], text, environment(preload_path(), "sim:/nowhere/board.so", None))
    assert int(there.stdout, 16) == 243
    assert "/nowhere/board.so" in there.stderr
    assert "software does it" in there.stderr


def test_long_products_of_gmp_on_the_multiplier_of_1990(programs: dict[str, Path], tmp_path: Path) -> None:
    if "gmp" not in programs:
        pytest.skip("libgmp.so.10 is not installed")
    rng = Random(3)
    numbers = [(rng.getrandbits(bits), rng.getrandbits(bits - 64)) for bits in (600, 5000, 20000)]
    numbers += [(a, a) for a, _ in numbers]
    text = "".join(f"mul r {a:x} {b:x} 0\n" for a, b in numbers)
    board = Products(build_memory(resolve_memory("bus_mul:fixed512")), 66_000, "vme68020")
    there = run(programs["gmp"], text, environment(preload_path(), None, board, 512, tmp_path / "r"))
    assert [int(line, 16) for line in there.stdout.split()] == [a * b for a, b in numbers]
    assert sum(one.boards for one in total(tmp_path / "r").values()) >= len(numbers)


def test_openssl_signs_on_a_board(softboard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole program as it is installed, by the command; its output, its exit code, and the counts."""
    monkeypatch.setenv("SOFTBOARD", f"width={WIDTH}")
    monkeypatch.chdir(tmp_path)
    openssl = str(tools.system_tool("openssl"))
    tools.run([openssl, "genrsa", "-out", "key.pem", "2048"], timeout=SECONDS)
    tools.run([openssl, "rsa", "-in", "key.pem", "-pubout", "-out", "public.pem"], timeout=SECONDS)
    Path("message").write_text("hello\n")
    board = ["preload", "--board", f"sim:{softboard}", "--report", "counts"]
    signed = ["dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message"]
    invoke(*board, openssl, *signed)
    assert sum(one.boards for one in total(Path("counts")).values()) >= 2
    verify = ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message"]
    assert "Verified OK" in tools.run([openssl, *verify], timeout=SECONDS).stdout


def test_the_exit_code_is_the_programs(
    programs: dict[str, Path], softboard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTBOARD", f"width={WIDTH}")
    program = [str(programs["openssl"])]
    for words, code in ((["exit", "7"], 7), (["signal", "15"], 128 + 15)):
        said = refused(code, "preload", "--board", f"sim:{softboard}", *program, *words)
        assert "reported no replaced call" in said


def test_what_cannot_be_is_said_before_the_program_starts(tmp_path: Path) -> None:
    for words, code, said in (
        (["--board", f"sim:{tmp_path}/none.so", "true"], Code.BOARD, "none.so"),
        (["--board", "none", "no-such-program-here"], Code.INPUT, "no such program"),
        (["--board", "system:bus_chained", "true"], Code.USAGE, "system"),
        (["--board", "none", "--products", "mod_product:ripple", "true"], Code.INPUT, "long integers"),
    ):
        assert said in refused(code, "preload", *words)


def test_a_result_of_zero_is_not_negative(softboard: Path, tmp_path: Path) -> None:
    """libcrypto's own powers clear the sign of the number that gets the result."""
    source, program = tmp_path / "zero.c", tmp_path / "zero"
    source.write_text(
        "#include <openssl/bn.h>\n"
        "int main(void) {\n"
        "  BIGNUM *r = BN_new(), *zero = BN_new(), *e = BN_new(), *m = BN_new();\n"
        "  BN_set_word(r, 5), BN_set_negative(r, 1), BN_set_word(e, 65537), BN_zero(zero);\n"
        "  BN_set_bit(m, 300), BN_set_bit(m, 0);\n"
        "  return BN_mod_exp(r, zero, e, m, NULL) != 1 || BN_is_negative(r) || !BN_is_zero(r);\n"
        "}\n"
    )
    tools.run([tools.system_tool("cc"), "-o", program, source, "-lcrypto"], timeout=SECONDS)
    assert run(program, "", preloaded(softboard, tmp_path / "r")).returncode == 0
    assert total(tmp_path / "r")["BN_mod_exp"].boards == 1


def test_libraries_that_a_program_loads_itself_come_to_boards_too(softboard: Path, tmp_path: Path) -> None:
    """A module of Python with a GMP of its own, out of reach of the program's other symbols."""
    code = "import gmpy2; print(gmpy2.powmod(3, 10**90 + 7, 10**100 + 9), gmpy2.mpz(3)**3000 % 7)"
    there = run(Path(sys.executable), "", preloaded(softboard, tmp_path / "r"), "-c", code)
    assert there.stdout.split() == [str(pow(3, 10**90 + 7, 10**100 + 9)), str(3**3000 % 7)], there.stderr
    assert total(tmp_path / "r")["__gmpz_powm"].boards == 1


def test_powers_before_the_program_begins(softboard: Path, tmp_path: Path) -> None:
    """A library whose constructor computes one runs before the constructors of the preloaded library."""
    library, program = tmp_path / "libearly.so", tmp_path / "early"
    (tmp_path / "early.c").write_text(
        "#include <openssl/bn.h>\n"
        "int early;\n"
        "__attribute__((constructor)) static void begin(void) {\n"
        "  BIGNUM *r = BN_new(), *a = BN_new(), *e = BN_new(), *m = BN_new();\n"
        "  BN_CTX *ctx = BN_CTX_new();\n"
        "  BN_set_word(a, 3), BN_set_word(e, 5), BN_set_bit(m, 300), BN_set_bit(m, 0);\n"
        "  early = BN_mod_exp(r, a, e, m, ctx) == 1 && BN_is_word(r, 243);\n"
        "}\n"
    )
    (tmp_path / "main.c").write_text("extern int early;\nint main(void) { return !early; }\n")
    cc = tools.system_tool("cc")
    tools.run([cc, "-shared", "-fPIC", "-o", library, tmp_path / "early.c", "-lcrypto"], timeout=SECONDS)
    linked: list[str | Path] = [tmp_path / "main.c", library, f"-Wl,-rpath,{tmp_path}"]
    tools.run([cc, "-o", program, *linked], timeout=SECONDS)
    assert run(program, "", preloaded(softboard, tmp_path / "r")).returncode == 0
    assert total(tmp_path / "r")["BN_mod_exp"].boards == 1


def test_the_name_of_a_program_may_be_anything(
    programs: dict[str, Path], softboard: Path, tmp_path: Path
) -> None:
    named = tmp_path / 'my"\\\n\xe9'
    shutil.copy(programs["openssl"], named)
    run(named, f"exp r 3 5 {(1 << 521) - 1:x}\n", preloaded(softboard, tmp_path / "r"))
    [one] = reports(tmp_path / "r")
    assert one.program.startswith('my"\\\n')
    assert one.functions["BN_mod_exp"].boards == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_the_program(number: signal.Signals, code: int) -> None:
    words: list[str | Path] = [
        tools.scripts_dir() / "perle",
        "preload",
        "--board",
        "none",
        "sh",
        "-c",
        "echo here; exec sleep 60",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.send_signal(number)
        assert process.wait(timeout=20) == code


def test_a_report_that_cannot_be_written_is_told_before(tmp_path: Path) -> None:
    assert "no" in refused(
        Code.INPUT, "preload", "--board", "none", "--report", tmp_path / "no" / "r", "true"
    )


@pytest.mark.skipif(shutil.which("factor") is None, reason="factor of coreutils is not installed")
def test_factor_finds_its_primes_on_a_board(softboard: Path, tmp_path: Path) -> None:
    """GNU factor, which uses GMP for numbers of more than 128 bits; another build of it does not."""
    factor = str(shutil.which("factor"))
    if b"libgmp" not in Path(factor).read_bytes():
        pytest.skip("this factor is built without GMP")
    prime = (1 << 521) - 1
    there = run(Path(factor), "", preloaded(softboard, tmp_path / "r"), str(15 * prime))
    assert there.stdout.split() == [f"{15 * prime}:", "3", "5", str(prime)]
    assert total(tmp_path / "r")["__gmpz_powm"].boards > 0


def test_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    page = (places.HOST / "preload" / "README.md").read_text(encoding="utf-8")
    script = page.partition("```sh\n")[2].partition("```")[0]
    there = os.environ | {"PATH": f"{tools.scripts_dir()}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=there, capture_output=True, text=True, check=False,
        timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    prime = int((tmp_path / "prime").read_text())
    assert int(done.stdout.split()[-1]) % prime == 0
    assert (tmp_path / "signature").stat().st_size == 128
    for name in ("BN_mod_exp_mont", "__gmpn_mul"):
        counts = [line.split() for line in done.stderr.splitlines() if name in line]
        assert any(int(line[3].replace(",", "")) > 0 for line in counts), done.stderr
