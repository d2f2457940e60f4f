# SPDX-License-Identifier: Apache-2.0
"""`perle provider check`: whether OpenSSL on this machine signs on boards, and with which files."""

from __future__ import annotations

import configparser
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from perle.cli import boards
from perle.cli.io.console import Steps
from perle.cli.io.errors import Code, Fault, bad_input, usage
from perle.flow.tools import ToolError, run, system_tool
from perle.host import Boards, resolve_spec
from perle.host.provider import Provision, provider_path, statuses

KEY, SHORTEST_KEY = 2048, 512
"""Key sizes in bits: the one that default boards are made for, and the smallest that OpenSSL accepts."""
MODULUS = (1 << 64) - 59
SECONDS = 600


@dataclass(frozen=True)
class Fact:
    """A result of the check."""

    what: str
    value: str


@dataclass(frozen=True)
class Section:
    """The provider's section of a configuration: its name, the module and the boards."""

    name: str
    module: Path
    boards: tuple[str, ...]


def read(path: Path) -> Section:
    """Return the section of the provider. Raises Fault for a file without one."""
    parser = configparser.ConfigParser(
        interpolation=None, strict=False, allow_no_value=True, delimiters=("=",), comment_prefixes=("#",)
    )
    try:
        parser.read_string(f"[top]\n{path.read_text(encoding='utf-8')}")
    except (UnicodeDecodeError, configparser.Error) as error:
        raise bad_input(f"{path}: not a configuration of OpenSSL: {' '.join(str(error).split())}") from None
    for name in parser.sections():
        section = parser[name]
        if section.get("module") and section.get("boards"):
            return Section(name, Path(section["module"]), tuple(section["boards"].split()))
    raise bad_input(f"{path}: no section with a module and boards (perle provider conf writes one)")


def watched(path: Path, section: Section, status: Path) -> str:
    """Return the configuration without fallback to software, with its status kept in the folder `status`."""
    mine = {"fallback": "fail", "status": str(status), "keep_status": "yes"}
    lines, inside = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        head = re.match(r"\s*\[\s*(\S+)\s*\]", line)
        if head is not None:
            inside = head[1] == section.name
            lines.append(line)
            lines += [f"{name} = {value}" for name, value in mine.items()] if inside else []
        elif not inside or line.partition("=")[0].strip() not in mine:
            lines.append(line)
    return "\n".join(lines) + "\n"


def check(conf: Path | None, steps: Steps) -> list[Fact]:
    """Check each step from OpenSSL to a verified signature; raises Fault or ToolError if one fails."""
    with tempfile.TemporaryDirectory(prefix="perle-check-") as name:
        folder = Path(name)
        program = system_tool("openssl", needed_for="checking the provider")
        version = run([program, "version"], timeout=60).stdout.strip()
        found = [Fact("OpenSSL", f"{version}, {program}")]
        where = conf or _default(folder, steps)
        section = read(where)
        found.append(Fact("configuration", str(where) if conf else "the default one (perle provider conf)"))
        found.append(Fact("provider", _loaded(program, folder, where, section)))
        widths = []
        for spec in section.boards:
            steps.work(f"products on {spec}")
            fact, width = _tried(spec)
            found.append(fact)
            widths.append(width)
        steps.work("signing")
        found.append(_signed(program, folder, where, section, max(widths)))
        return found


def default_boards() -> str:
    """Return the default boards: one for each half of a key."""
    return boards.default_spec(KEY // 2, 2)


def _default(folder: Path, steps: Steps) -> Path:
    spec = resolve_spec(default_boards(), steps)
    steps.work("building the provider")
    path = folder / "openssl.cnf"
    path.write_text(Provision((spec,)).text(provider_path()), encoding="utf-8")
    return path


def _loaded(program: Path, folder: Path, conf: Path, section: Section) -> str:
    if not section.module.is_file():
        raise Fault(
            Code.TOOL, f"{section.module}: no such file: programs would use software without a message"
        )
    listed = run([program, "list", "-providers"], env={"OPENSSL_CONF": str(conf)}, timeout=60).stdout
    match = re.search(r"^  perle\w*\n((?:    .*\n?)+)", listed, re.MULTILINE)
    about = dict(re.findall(r"^    (\w+): (.*)$", match[1] if match else "", re.MULTILINE))
    if not about:
        raise Fault(
            Code.TOOL,
            f"{section.module}: OpenSSL could not load it with {conf}; was it built for this machine?",
        )
    if about.get("status") != "active":
        raise bad_input(f"{conf}: {_refused(program, folder, conf)}")
    return f"version {about.get('version', '?')}, active, {section.module}"


def _refused(program: Path, folder: Path, conf: Path) -> str:
    """Return why the provider refuses to work: every private operation says so."""
    key = folder / "refused.pem"
    plain, refusing = {"OPENSSL_CONF": "/dev/null"}, {"OPENSSL_CONF": str(conf)}
    run([program, "genrsa", "-out", key, f"{SHORTEST_KEY}"], env=plain, timeout=SECONDS)
    try:
        run([program, "dgst", "-sha256", "-sign", key, key], env=refusing, timeout=SECONDS)
    except ToolError as error:
        said = re.search(r"setting not understood:.*?perle: (.*)", str(error))
        if said is not None:
            return said[1]
    return "the provider is inactive"


def _tried(spec: str) -> tuple[Fact, int]:
    """Run a product and an exponentiation on boards; libperle compares the results with software."""
    with Boards(spec) as opened:
        info = opened.info
        m = MODULUS if info.width >= MODULUS.bit_length() else (1 << info.width) - 1
        x, y = m // 3, m - 2
        opened.mulmod(x, y, m)
        opened.modexp(x, y, m)
        text = f"{info.count} × {info.family}, {info.width} bits, a product and a power are right"
    return Fact(spec, text), info.width


def _signed(program: Path, folder: Path, conf: Path, section: Section, width: int) -> Fact:
    """Sign with a new key, verify without boards, and check that boards did it."""
    bits = min(KEY, 2 * width)
    if bits < SHORTEST_KEY:
        raise usage(f"boards of {width} bits are too narrow: OpenSSL's shortest key has {SHORTEST_KEY}")
    status = folder / "status"
    on_boards = folder / "watched.cnf"
    on_boards.write_text(watched(conf, section, status), encoding="utf-8")
    plain, mine = {"OPENSSL_CONF": "/dev/null"}, {"OPENSSL_CONF": str(on_boards)}
    names = [folder / name for name in ("key.pem", "public.pem", "message", "signature")]
    key, public, message, signature = names
    message.write_bytes(b"perle provider check\n")
    run([program, "genrsa", "-out", key, str(bits)], env=plain, timeout=SECONDS)
    run([program, "rsa", "-in", key, "-pubout", "-out", public], env=plain, timeout=SECONDS)
    sign: list[str | Path] = [program, "dgst", "-sha256", "-sign", key, "-out", signature, message]
    try:
        run(sign, env=mine, timeout=SECONDS)
    except ToolError as error:
        raise Fault(
            Code.BOARD, f"RSA-{bits} was not signed on boards: {' '.join(str(error).split())}"
        ) from None
    verify: list[str | Path] = [
        program,
        "dgst",
        "-sha256",
        "-verify",
        public,
        "-signature",
        signature,
        message,
    ]
    run(verify, env=plain, timeout=SECONDS)
    rows = [board for page in statuses(status) for board in page.boards]
    served = {board.spec: board.operations for board in rows if board.operations}
    if not served:
        raise Fault(
            Code.BOARD,
            "OpenSSL signed in software although the provider is loaded: the section of alg_section lacks "
            "default_properties = ?perle.boards=yes",
        )
    by = ", ".join(f"{count} on {spec}" for spec, count in served.items())
    return Fact("signature", f"RSA-{bits}, verified by OpenSSL without boards: {by}")
