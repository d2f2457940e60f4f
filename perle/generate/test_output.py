# SPDX-License-Identifier: Apache-2.0
"""Writing a directory, and the parts of its pages that come from the sources."""

from __future__ import annotations

import dataclasses
import errno
import os
import tomllib
from pathlib import Path

import pytest

from perle.cores.registry import resolve, resolve_any, run_time_width
from perle.generate import vectors_host, vectors_mul
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli, pairs
from perle.generate.output import MANIFEST, listed, manifest, write
from perle.generate.pages import pages
from perle.generate.ranges import formulas, operand_range
from perle.generate.readme import readme
from perle.generate.stream import Stream


def tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def complete(files: dict[str, str]) -> dict[str, str]:
    return {**files, MANIFEST: manifest(files, "title", "0")}


OLD = complete({"a": "1", "sub/b": "2", "gone/c": "3"})
NEW = complete({"a": "4", "sub/b": "2", "new/d": "5"})


@pytest.mark.parametrize("empty", [False, True])
def test_a_new_or_empty_folder(tmp_path: Path, empty: bool) -> None:
    out = tmp_path / "x" / "ip"
    if empty:
        out.mkdir(parents=True)
    write(OLD, out)
    assert tree(out) == OLD
    assert [path.name for path in out.parent.iterdir()] == ["ip"]


def test_an_empty_folder_stays_the_same_one(tmp_path: Path) -> None:
    """It may be a mount point, have special permissions, or be a shell's working directory."""
    tmp_path.chmod(0o700)
    before = tmp_path.stat()
    write(OLD, tmp_path)
    assert tree(tmp_path) == OLD
    after = tmp_path.stat()
    assert (before.st_ino, before.st_mode) == (after.st_ino, after.st_mode)


def test_a_full_disk_is_told_with_the_name_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left") as error:
        write(OLD, tmp_path / "ip")
    assert error.value.filename == str(tmp_path / "ip" / "a")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("!")
    with pytest.raises(FileExistsError, match="--force"):
        write(OLD, tmp_path)
    with pytest.raises(FileExistsError, match="no directory"):
        write(OLD, tmp_path / "mine", force=True)
    assert tree(tmp_path) == {"mine": "!"}


def test_force_replaces_what_was_generated_only(tmp_path: Path) -> None:
    out = tmp_path / "ip"
    write(OLD, out)
    (out / "mine").write_text("!")
    write(NEW, out, force=True)
    assert tree(out) == {**NEW, "mine": "!"}
    assert not (out / "gone").exists()
    write(OLD, out, force=True)
    assert tree(out) == {**OLD, "mine": "!"}
    assert [path.name for path in tmp_path.iterdir()] == ["ip"]


def test_a_manifest_cannot_lead_outside(tmp_path: Path) -> None:
    out, outside = tmp_path / "ip", tmp_path / "outside"
    outside.write_text("!")
    write(OLD, out)
    with (out / MANIFEST).open("a") as file:
        file.write(f"{'0' * 64}  ../outside\n{'0' * 64}  {outside}\n")
    assert "../outside" not in listed(out)
    write(NEW, out, force=True)
    assert outside.read_text() == "!"


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write(OLD, tmp_path / "ip")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("done", range(len(NEW) + 1))
def test_a_forced_failure_is_seen_and_can_be_finished(done: int, tmp_path: Path) -> None:
    """The folder always has a manifest, and that of an unfinished folder does not match."""
    out = tmp_path / "ip"
    write(OLD, out)
    replace, steps = os.replace, iter(range(done))

    def fail(source: Path, target: Path) -> None:
        if next(steps, None) is None:
            raise OSError(28, "No space left on device")
        replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="No space"):
            write(NEW, out, force=True)
    assert tree(out) == OLD if done == 0 else any(len(hashes) > 1 for hashes in listed(out).values())
    write(NEW, out, force=True)
    assert tree(out) == NEW


@pytest.mark.parametrize("name", [name for name in NEW if name != MANIFEST])
def test_what_was_not_generated_is_never_replaced(name: str, tmp_path: Path) -> None:
    """Not in folders without generated files, not changed files, not through a link."""
    bare = tmp_path / "bare"
    (bare / name).parent.mkdir(parents=True)
    (bare / name).write_text("mine")
    with pytest.raises(FileExistsError, match="not generated") as raised:
        write(NEW, bare, force=True)
    assert raised.value.filename == str(bare / name)
    assert tree(bare) == {name: "mine"}

    changed = tmp_path / "changed"
    write(NEW, changed)
    (changed / name).write_text("better")
    with pytest.raises(FileExistsError, match="changed since"):
        write(OLD, changed, force=True)
    assert tree(changed) == NEW | {name: "better"}

    linked, elsewhere = tmp_path / "linked", tmp_path / "elsewhere"
    write(NEW, linked)
    (linked / name).rename(elsewhere)
    (linked / name).symlink_to(elsewhere)
    with pytest.raises(FileExistsError):
        write(OLD, linked, force=True)
    assert elsewhere.read_text() == NEW[name]


def test_a_foreign_manifest_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("cargo: 3 crates")
    with pytest.raises(FileExistsError, match="not generated"):
        write(NEW, tmp_path, force=True)
    assert tree(tmp_path) == {MANIFEST: "cargo: 3 crates"}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(OLD, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert tree(tmp_path / "real") == OLD


def test_a_read_only_folder_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests may run as root, who may write everywhere
    with pytest.raises(PermissionError):
        write(OLD, tmp_path, force=True)
    assert tree(tmp_path) == {}


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Not a directory") as caught:
        write(OLD, tmp_path / "file" / "ip")
    assert caught.value.filename == str(tmp_path / "file")


def test_formulas_come_from_the_family(tmp_path: Path) -> None:
    config = resolve("orup:w64")
    text = (config.family.folder / "core.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text).get("constants", {})
    assert formulas(config.family) == known
    stated = {"operands": "[0, 2·Mt)", "mhat": "(Mt + 1)/β", "mprime": "−1/M mod β"}
    bare = text.partition("[constants]")[0]
    table = "".join(f'{name} = "{formula}"\n' for name, formula in stated.items())
    (tmp_path / "core.toml").write_text(f"{bare}\n[constants]\n{table}", encoding="utf-8")
    told = dataclasses.replace(config, family=dataclasses.replace(config.family, folder=tmp_path))
    assert all(formula in readme(Ip(told)) for formula in stated.values())
    (tmp_path / "core.toml").write_text(bare, encoding="utf-8")
    assert "| `mprime` | 0x2800 | see [doc/orup.md](doc/orup.md) |" in readme(Ip(told))


def test_ranges_that_the_model_tells(tmp_path: Path) -> None:
    found = {spec: operand_range(Ip(resolve(spec))) for spec in ("iterative:w128", "karatsuba:w128_step4")}
    assert found == {"iterative:w128": "[0, 2·M)", "karatsuba:w128_step4": "[0, M)"}
    # 2·M or 6·M, not one multiple, so the family's core.toml must state it
    config = resolve("scalable:r4_w16_p4_n256")
    assert operand_range(Ip(config)) == formulas(config.family)["operands"]
    (tmp_path / "core.toml").write_text("", encoding="utf-8")
    silent = dataclasses.replace(config, family=dataclasses.replace(config.family, folder=tmp_path))
    assert "stated in" in operand_range(Ip(silent))


def test_a_width_of_run_time_is_explained() -> None:
    config = resolve("scalable:r4_w32_p64_n4096")
    text = readme(Ip(config, "none"))
    assert (
        f"| 4096 | 2^{config.model.r_exp(config.params)} | {config.model.mul_cycles(config.params):,} |"
        in text
    )
    assert "| 1024 | 2^" in text
    assert "Narrower" not in readme(Ip(resolve("iterative:w128")))


def test_a_width_of_run_time_is_tested() -> None:
    ip = Ip(resolve("scalable:r4_w16_p4_n256"), "none")
    text, sizes = vectors_mul.vectors(ip)
    model = run_time_width(ip.config)
    assert model is not None
    for n in (255, 128, 85):
        head = text.partition(f", on {n} bits: cycles, m, mhat, bits\n")[2].splitlines()
        assert int(head[1], 16) == model.mul_cycles_for(ip.config.params, n)
        assert int(head[5], 16) == n
    assert sizes["Operations"] > vectors_mul.vectors(Ip(resolve("iterative:w256"), "none"))[1]["Operations"]
    assert run_time_width(resolve("iterative:w256")) is None


def test_pages_keep_their_pictures_beside_half_open_ranges() -> None:
    found = pages(Ip(resolve("scalable:r4_w16_p4_n256"), "none"))
    for name in ("chain.svg", "timing.svg"):
        assert f"]({name})" in found["doc/scalable.md"]
        assert f"doc/{name}" in found


@pytest.mark.parametrize("width", [3, 8, 64, 1024])
def test_moduli_are_legal(width: int) -> None:
    chosen = moduli(width, Draw("x"))
    assert {3, (1 << width) - 1} <= set(chosen)
    assert all(m % 2 and 3 <= m < 1 << width for m in chosen)
    for m in chosen:
        found = pairs(m, 2 * m, Draw("y"))
        assert {(2 * m - 1, 2 * m - 1), (0, 0)} <= set(found)
        assert all(0 <= x < 2 * m and 0 <= y < 2 * m for x, y in found)


def test_numbers_are_the_same_for_ever() -> None:
    draw = Draw("orup:w64")
    assert [draw.bits(16), draw.bits(16), draw.below(1000)] == [58180, 8947, 222]
    assert Draw("a").modulus(9).bit_length() == 9


def test_stream_counts_lines_and_checks() -> None:
    stream = Stream()
    stream.put(1, 255)
    stream.comment("c")
    stream.check(2, 16)
    text = stream.finished("t")
    assert (stream.lines, stream.checks) == (5, 1)
    assert [line for line in text.splitlines() if not line.startswith("//")] == ["1", "ff", "2", "10", "0"]


@pytest.mark.parametrize("head", ["", "# SPDX-License-Identifier: Apache-2.0\n# mine\n", "\udcff"])
def test_a_list_of_hashes_that_is_not_ours_stays(tmp_path: Path, head: str) -> None:
    """Files in it are not treated as generated either, though their hashes match."""
    out = tmp_path / "ip"
    write(OLD, out)
    sums = "".join(line for line in OLD[MANIFEST].splitlines(keepends=True) if not line.startswith("#"))
    (out / MANIFEST).write_text(head + sums, encoding="utf-8", errors="surrogateescape")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(FileExistsError, match="not generated there"):
        write(NEW, out, force=True)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("core", ["bit_systolic:w2", "iterative:w2"])
def test_the_narrowest_board_has_a_script_too(core: str) -> None:
    """With two bits there is one modulus."""
    text, _ = vectors_host.vectors(Ip(resolve_any(core)))
    assert text
