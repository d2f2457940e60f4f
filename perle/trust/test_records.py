# SPDX-License-Identifier: Apache-2.0
"""Records of campaigns: kept, stale when a source changes, told; what failed is run again and named."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.flow.places import HOST, PACKAGE
from perle.trust import every, page, records
from perle.trust.every import PARTS
from perle.trust.formal import FORMAL
from perle.trust.parts import Part, Task, Wanted, campaign
from perle.trust.records import LIBPERLE, Record, Records, Run, host_files, stale


def made(case: str, *failed: str) -> Record:
    run = Run("faults", case, 1)
    for text in failed:
        run.fail(text)
    return run.end({"trials": 5, "right": 5, "after: at once": 5}, [Path(__file__)])


def test_a_record_is_of_its_sources(tmp_path: Path) -> None:
    store = Records(tmp_path)
    store.put(made("a"))
    store.put(made("b"))
    store.put(made("a"))
    kept = store.load()
    assert [one.case for one in kept] == ["a", "b"]
    assert stale(kept[0]) == []
    changed = dict.fromkeys(kept[0].files, "0" * 12)
    assert len(stale(replace(kept[0], files=changed))) == 1


def test_an_installed_package_compares_the_files_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    one = made("a")
    tested = replace(one, files={**one.files, "host/tests/x.cpp": "0" * 12, "trust/test_none.py": "1" * 12})
    assert len(stale(tested)) == 2
    monkeypatch.setattr(records, "INSTALLED", True)
    assert stale(tested) == []
    changed = dict.fromkeys(tested.files, "0" * 12)
    assert len(stale(replace(one, files=changed))) == 1


def test_what_holds_is_not_run_again(tmp_path: Path) -> None:
    store, ran = Records(tmp_path), list[str]()

    def task(case: str, *failed: str) -> Task:
        def run(before: Record | None) -> Record:
            ran.append(f"{case} {'after' if before else 'first'}")
            return made(case, *failed)

        return Task("faults", case, run)

    tasks = [task("a"), task("b", "broken")]
    assert [one.failures for one in campaign(tasks, store)] == [0, 1]
    assert [one.failures for one in campaign(tasks, store)] == [0, 1]
    assert ran == ["a first", "b first", "b after"]
    list(campaign(tasks[:1], store, again=True))
    assert ran[-1] == "a first"


def test_further_files_and_other_settings_are_run_again(tmp_path: Path) -> None:
    """Where a task names what it depends on: a record's own files cannot tell what it lacks."""
    store, ran = Records(tmp_path), list[int]()

    def task(depth: int, *files: Path) -> Task:
        def run(_: Record | None) -> Record:
            ran.append(depth)
            counts = {"proved": 1, "twin refuted": 1}
            return Run("formal", "a", 0, depth=depth).end(counts, [Path(__file__), *files])

        return Task("formal", "a", run, basis=lambda: ([Path(__file__), *files], {"depth": depth}))

    other = Path(page.__file__)
    for one in (task(28), task(28), task(60), task(60, other), task(60, other)):
        list(campaign([one], store))
    assert ran == [28, 60, 60]
    [kept] = store.load()
    assert task(61, other).changes(kept) == ["setting depth has changed"]
    assert [text for text in task(60).changes(kept) if "page.py" in text] == ["file trust/page.py is gone"]


def test_a_proof_with_other_macros_is_stale() -> None:
    task = next(one for one in FORMAL.tasks(Wanted("orup")) if one.case == "orup handshake")
    assert task.basis is not None
    files, settings = task.basis()
    current = Run("formal", task.case, 0, **settings).end({}, files)
    assert every.stale(current) == []
    changed = {**current.settings, "macros": {**current.settings["macros"], "WIDTH": 4}}
    assert every.stale(replace(current, settings=changed)) == ["setting macros has changed"]


def test_what_a_campaign_finds_is_no_setting_of_it() -> None:
    files = [Path(__file__)]
    task = Task("secrets", "a", lambda _: made("a"), basis=lambda: (files, {"most": 3}))
    found = Run("secrets", "a", 1, most=3, listed=["b"]).end({}, files)
    assert task.changes(found) == []
    assert task.changes(replace(found, settings={"listed": ["b"]})) == ["setting most is new"]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_further_file_makes_records_stale(part: Part) -> None:
    for task in part.tasks(Wanted()):
        if task.basis is not None:
            files, settings = task.basis()
            now = Run(part.name, task.case, 1, **settings).end({}, files[1:])
            assert task.changes(now)


def test_the_page_names_what_failed(tmp_path: Path) -> None:
    store = Records(tmp_path)
    store.put(made("sound"))
    store.put(made("unsound", "wrong: bit 7"))
    text = page.render(store)
    assert "| sound | 5 | 5 |" in text
    assert "- unsound: wrong: bit 7" in text
    assert all(part.claim in text for part in PARTS)
    assert "- orup:w64 rsa single: not run" in text


def test_the_page_is_made_of_the_records() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.render()


def test_no_recorded_campaign_failed_in_silence() -> None:
    """What failed is on the page; the records count failures that they do not name."""
    for one in Records().load():
        assert one.failures >= len(one.failed)
        assert bool(one.failures) == bool(one.failed), one.case


def test_targets_of_the_host_are_files_of_their_own() -> None:
    path = HOST / "fuzz" / "driver.cpp"
    found = Run("fuzz", "key files", 1).end({}, [*host_files(), path])
    assert set(found.files) == {LIBPERLE, "host/fuzz/driver.cpp"}
    assert stale(found) == []
    changed = replace(found, files={**found.files, "host/fuzz/driver.cpp": "0"})
    assert any("driver.cpp" in text for text in stale(changed))


def test_files_of_the_host_library_and_of_its_package_are_told_apart() -> None:
    """Both are in a folder `host`."""
    names = "tests/test_main.cpp", "fuzz/batch.cpp", "src/board/board.cpp"
    own = [*(HOST / name for name in names), *(PACKAGE / "host" / "pam").glob("test_*.py")]
    record = Run("mutation", "a", 1).end({}, own)
    assert [name for name in record.files if name.startswith("host/pam/test_")]
    assert stale(replace(record, files={k: v for k, v in record.files.items() if k != LIBPERLE})) == []
