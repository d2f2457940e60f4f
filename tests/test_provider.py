# SPDX-License-Identifier: Apache-2.0
"""The provider under OpenSSL's own programs, and the command that configures it and shows what it does."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from perle.cli.io.errors import Code
from perle.flow import tools
from perle.host import provider as host_provider
from perle.host.provider import Provision, read_page, statuses
from perle.host.settings import ConfigurationError
from tests.cli_run import answer, invoke, refused
from tests.provider_run import Openssl, counted, runner
from tests.sanitized import make_sanitized

pytest_plugins = ["perle.host.fixtures", "tests.provider_fixtures"]

SUBJECT = ("-subj", "/CN=perle.example", "-days", "3")
# Stated: newer releases add other extensions by themselves, and then want this one of an authority.
AUTHORITY = ("-addext", "basicConstraints=critical,CA:true")


@pytest.mark.slow
def test_the_unit_tests_pass() -> None:
    done = make_sanitized("test-provider")
    assert ", 0 failed" in done.stdout


@pytest.mark.slow
def test_dgst_and_pkeyutl(perled: Openssl, default: Openssl, key_file: Path, tmp_path: Path) -> None:
    pss = ("-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")
    for options in ((), pss):
        perled("dgst", "-sha256", *options, "-sign", key_file, "-out", "s", "m")
        for program in (default, perled):
            out = program("dgst", "-sha256", *options, "-verify", "pub.pem", "-signature", "s", "m")
            assert b"Verified OK" in out
    assert counted(tmp_path) == {"boards": 2}
    for mode in ("oaep", "pkcs1"):
        option = ("-pkeyopt", f"rsa_padding_mode:{mode}")
        default("pkeyutl", "-encrypt", "-pubin", "-inkey", "pub.pem", *option, "-in", "m", "-out", "c")
        assert perled("pkeyutl", "-decrypt", "-inkey", key_file, *option, "-in", "c") == b"a message"
    # PKCS #1 v1.5 is decrypted by OpenSSL's own implementation, whatever the policy
    assert counted(tmp_path) == {"boards": 1, "declined": 1}


@pytest.mark.slow
def test_a_ciphertext_without_its_zeros_goes_to_the_boards(
    perled: Openssl, default: Openssl, key_file: Path, tmp_path: Path
) -> None:
    """One that is shorter than n is a number; whoever sends it does not choose who decrypts it."""
    raw = ("pkeyutl", "-decrypt", "-inkey", key_file, "-pkeyopt", "rsa_padding_mode:none", "-in", "short")
    for short in (b"\2", b"\1" + bytes(99)):
        (tmp_path / "short").write_bytes(short)
        assert perled(*raw) == default(*raw)
        assert counted(tmp_path) == {"boards": 1}


@pytest.mark.slow
def test_keys_and_certificates(perled: Openssl, default: Openssl, tmp_path: Path) -> None:
    perled("genrsa", "-out", "made.pem", 1024)
    default("pkey", "-in", "made.pem", "-check", "-noout")
    perled("pkey", "-in", "made.pem", "-check", "-noout")
    perled("pkey", "-in", "made.pem", "-pubout", "-out", "half.pem")
    assert counted(tmp_path) == {}
    for bits, options in ((2048, ()), (1024, ("-sigopt", "rsa_padding_mode:pss"))):
        new = ("-newkey", f"rsa:{bits}", "-noenc", "-keyout", "ca.pem", "-out", "ca.crt")
        perled("req", "-x509", *new, *SUBJECT, *AUTHORITY, *options)
        assert counted(tmp_path) == {"boards": 1}
        for program in (default, perled):
            assert b"OK" in program("verify", "-auth_level", 0, "-CAfile", "ca.crt", "ca.crt")
        perled("req", "-new", "-key", "made.pem", "-subj", "/CN=leaf", "-out", "leaf.csr")
        default("req", "-in", "leaf.csr", "-verify", "-noout")
        perled("x509", "-req", "-in", "leaf.csr", "-CA", "ca.crt", "-CAkey", "ca.pem", "-out", "leaf.crt")
        assert b"OK" in default("verify", "-auth_level", 0, "-CAfile", "ca.crt", "leaf.crt")
        assert counted(tmp_path)["boards"] >= 2


@pytest.mark.slow
def test_a_failing_board_is_an_error(
    provider: Path, softboard: Path, conf: Path, key_file: Path, tmp_path: Path
) -> None:
    environment = {"OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024,fault=garbage"}
    said = runner(tmp_path, environment)("dgst", "-sha256", "-sign", key_file, "-out", "s", "m", code=1)
    assert b"no board did it" in said
    assert not (tmp_path / "s").exists() or (tmp_path / "s").read_bytes() == b""
    assert counted(tmp_path) == {"failed": 1, "wrong": 1}
    soft = Provision((f"sim:{softboard}",), status=tmp_path / "status", more={"keep_status": "yes"})
    conf.write_text(soft.text(provider))
    run = runner(tmp_path, environment)
    run("dgst", "-sha256", "-sign", key_file, "-out", "s", "m")
    assert b"Verified OK" in run("dgst", "-sha256", "-verify", "pub.pem", "-signature", "s", "m")
    assert counted(tmp_path) == {"software": 1, "wrong": 1}


@pytest.mark.slow
def test_a_bad_configuration_is_no_software(perled: Openssl, conf: Path, key_file: Path) -> None:
    conf.write_text(conf.read_text().replace("fallback = fail", "fallback = perhaps"))
    perled("rand", "-hex", 4)
    said = perled("dgst", "-sha256", "-sign", key_file, "-out", "s", "m", code=1)
    assert b"fallback = perhaps: software or fail is wanted" in said
    said = perled("pkeyutl", "-sign", "-inkey", key_file, "-in", "m", "-out", "s", code=1)
    assert b"fallback = perhaps: software or fail is wanted" in said


@pytest.fixture
def waiting(conf: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that signs for as long as the test runs, and leaves no page."""
    text = conf.read_text().replace("keep_status = yes", "keep_status = no")
    conf.write_text(text)
    environment = {**os.environ, "OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024"}
    command = ["openssl", "speed", "-seconds", "30", "rsa2048"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL) as process:
        yield process
        process.kill()


@pytest.mark.slow
def test_a_running_process_is_seen(waiting: subprocess.Popen[bytes], tmp_path: Path) -> None:
    folder = tmp_path / "status"
    for _ in range(200):
        found = answer("provider", "status", "--status", folder) if folder.is_dir() else []
        if found and found[0]["counts"]["boards"]:
            break
        time.sleep(0.05)
    [page] = found
    assert page["pid"] == waiting.pid
    assert page["running"]
    assert page["fallback"] == "fail"
    assert page["boards"][0]["state"] == "up"
    assert page["boards"][0]["blinding_bits"] == 64
    assert str(waiting.pid) in invoke("provider", "status", "--status", folder).stdout
    waiting.kill()
    waiting.wait()
    [ended] = answer("provider", "status", "--status", folder)
    assert not ended["running"]
    assert "(ended)" in invoke("provider", "status", "--status", folder).stdout
    invoke("provider", "status", "--status", folder, "--forget")
    assert answer("provider", "status", "--status", folder) == []


@pytest.mark.slow
def test_conf(softboard: Path, provider: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOFTBOARD", "width=512")
    board = ("--board", f"sim:{softboard}")
    more = ("--queue", 7, "--fallback", "fail", "--set", "retry=5", "--no-exponent-blinding")
    text = invoke("provider", "conf", *board, *board, *more).stdout
    assert f"boards = sim:{softboard} sim:{softboard}\n" in text
    assert f"module = {provider}\n" in text
    for line in ("queue = 7", "fallback = fail", "retry = 5", "blind_exponent = no"):
        assert f"\n{line}\n" in text
    file = tmp_path / "c.cnf"
    file.write_text(text)
    run = runner(tmp_path, {"OPENSSL_CONF": str(file)})
    assert b"perle" in run("list", "-providers")
    for code, words, said in (
        (Code.USAGE, ("--board", "sim:"), ""),
        (Code.USAGE, ("--board", "orup:w64:x"), ""),
        (Code.USAGE, ("--board", "system:reg_straight"), "constant time"),
        (Code.BOARD, ("--board", "sim:/nowhere.so"), "no file /nowhere.so"),
        (Code.USAGE, (*board, "--fallback", "never"), "software, fail"),
        (Code.USAGE, (*board, "--queue", "65537"), "queue"),
        (Code.USAGE, (*board, "--timeout", "0"), "timeout"),
        (Code.USAGE, (*board, "--status", f"{tmp_path}/a b"), "status"),
        (Code.USAGE, (*board, "--set", "queue=3"), "NAME=VALUE"),
        (Code.USAGE, (*board, "--set", "retry=$HOME"), "characters"),
        (Code.USAGE, board * 17, "1 to 16"),
    ):
        assert said in refused(code, "provider", "conf", *words)


def test_pages_that_are_none(tmp_path: Path) -> None:
    for name, data in (("a", b""), ("b", b"PERLEST2"), ("c", b"x" * 4096)):
        (tmp_path / f"{name}.status").write_bytes(data)
        assert read_page(tmp_path / f"{name}.status") is None
    assert read_page(tmp_path / "none.status") is None
    os.mkfifo(tmp_path / "pipe.status")
    page = tmp_path / "page"
    page.write_bytes(b"PERLEST2".ljust(1 << 16, b"\0"))
    (tmp_path / "link.status").symlink_to(page)
    assert read_page(page) is not None
    assert [read_page(tmp_path / f"{name}.status") for name in ("pipe", "link")] == [None, None]
    assert list(statuses(tmp_path)) == []
    refused(Code.INPUT, "provider", "status", "--status", tmp_path / "none")


def test_a_page_with_numbers_that_mean_nothing(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b"PERLEST2".ljust(1 << 16, b"\xff"))
    page = read_page(tmp_path / "page")
    assert page is not None
    assert {(row.state, row.last_error) for row in page.boards} == {("?", "?")}


def page_of(pid: int, started: int, space: int) -> bytes:
    """The first bytes of status_page.hpp's StatusData, and zeros."""
    return struct.pack("<8s6I3Q", b"PERLEST2", pid, 0, 0, 0, 0, 0, started, 0, space).ljust(1 << 16, b"\0")


def test_processes_of_another_container_are_not_taken_for_ended(tmp_path: Path) -> None:
    space = Path("/proc/self/ns/pid").stat().st_ino
    for name, number in (("here", space), ("elsewhere", space + 1), ("unknown", 0)):
        (tmp_path / f"{name}.status").write_bytes(page_of(2**22 + 1, 7, number))
    assert {page.path.stem: page.running for page in statuses(tmp_path)} == {
        "here": False,
        "elsewhere": True,
        "unknown": True,
    }
    assert host_provider.forget_ended(tmp_path) == 1
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["elsewhere", "unknown"]


def test_a_folder_in_which_others_can_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "status").mkdir()
    (tmp_path / "status").chmod(0o777)
    said = refused(Code.TOOL, "provider", "status", "--status", tmp_path / "status")
    assert "can be written by others" in said
    assert f"chmod go-w {tmp_path / 'status'}" in said


def test_values_that_a_configuration_does_not_take() -> None:
    with pytest.raises(ConfigurationError, match="1 to 16 boards"):
        Provision(()).text(Path("/perle.so"))


@pytest.mark.slow
@pytest.mark.parametrize("boards", ["width=1024", "width=64"])
def test_a_key_may_live_as_long_as_the_program(
    conf: Path, key_file: Path, tmp_path: Path, boards: str
) -> None:
    """A global object frees it, after libcrypto has cleaned up; with boards that sign, or that cannot."""
    source, program = tmp_path / "last.cpp", tmp_path / "last"
    source.write_text(
        "#include <openssl/err.h>\n"
        "#include <openssl/evp.h>\n"
        "#include <openssl/pem.h>\n"
        "#include <cstdio>\n"
        "struct Key { EVP_PKEY* key = nullptr; ~Key() { EVP_PKEY_free(key); } } last;\n"
        "int main(int, char** argv) {\n"
        '  std::FILE* file = std::fopen(argv[1], "r");\n'
        "  last.key = PEM_read_PrivateKey(file, nullptr, nullptr, nullptr);\n"
        "  std::fclose(file);\n"
        "  unsigned char signature[256];\n"
        "  std::size_t size = sizeof signature;\n"
        "  EVP_MD_CTX* ctx = EVP_MD_CTX_new();\n"
        "  const bool good = EVP_DigestSignInit(ctx, nullptr, EVP_sha256(), nullptr, last.key) == 1 &&\n"
        "      EVP_DigestSign(ctx, signature, &size, signature, 1) == 1;\n"
        "  EVP_MD_CTX_free(ctx);\n"
        "  if (!good) ERR_print_errors_fp(stderr);\n"
        '  std::puts(good ? "signed" : "refused");\n'
        "}\n"
    )
    tools.run([tools.system_tool("g++"), "-o", program, source, "-lcrypto"], timeout=60)
    env = {**os.environ, "OPENSSL_CONF": str(conf), "SOFTBOARD": boards}
    done = subprocess.run([program, key_file], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("signed\n" if boards == "width=1024" else "refused\n"), done.stderr
    assert not [page for page in statuses(tmp_path / "status") if page.running]


@pytest.mark.slow
def test_threads_that_begin_together_have_one_page(conf: Path, key_file: Path, tmp_path: Path) -> None:
    """Also if pages are kept: those of the slower threads were never used."""
    source, program = tmp_path / "many.cpp", tmp_path / "many"
    source.write_text(
        "#include <openssl/evp.h>\n"
        "#include <openssl/pem.h>\n"
        "#include <atomic>\n"
        "#include <cstdio>\n"
        "#include <thread>\n"
        "#include <vector>\n"
        "int main(int, char** argv) {\n"
        '  std::FILE* file = std::fopen(argv[1], "r");\n'
        "  EVP_PKEY* key = PEM_read_PrivateKey(file, nullptr, nullptr, nullptr);\n"
        "  std::fclose(file);\n"
        "  std::atomic<int> ready{0}, good{0};\n"
        "  std::vector<std::thread> threads;\n"
        "  for (int t = 0; t < 8; ++t) threads.emplace_back([&] {\n"
        "    for (++ready; ready < 8;) {}\n"
        "    unsigned char signature[256];\n"
        "    std::size_t size = sizeof signature;\n"
        "    EVP_MD_CTX* ctx = EVP_MD_CTX_new();\n"
        "    good += EVP_DigestSignInit(ctx, nullptr, EVP_sha256(), nullptr, key) == 1 &&\n"
        "        EVP_DigestSign(ctx, signature, &size, signature, 1) == 1;\n"
        "    EVP_MD_CTX_free(ctx);\n"
        "  });\n"
        "  for (std::thread& one : threads) one.join();\n"
        "  EVP_PKEY_free(key);\n"
        '  std::printf("%d\\n", good.load());\n'
        "}\n"
    )
    tools.run([tools.system_tool("g++"), "-pthread", "-o", program, source, "-lcrypto"], timeout=60)
    env = {**os.environ, "OPENSSL_CONF": str(conf), "SOFTBOARD": "width=1024"}
    for _ in range(4):
        done = subprocess.run([program, key_file], env=env, capture_output=True, text=True, check=True)
        assert done.stdout == "8\n"
    assert [page.counts["boards"] for page in statuses(tmp_path / "status")] == [8] * 4
