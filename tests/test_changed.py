# SPDX-License-Identifier: Apache-2.0
"""What `make check-changed` chooses."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow.tools import run
from tests.changed import changed_since, reach, reached

TESTS = [
    "perle/cores/orup/test_rtl.py::test_edges[w64]",
    "perle/cores/stream/test_rtl.py::test_edges[w64]",
    "perle/flow/test_flow.py::test_cached_makes_once",
    "perle/host/test_key.py::test_shape",
    "perle/papers/test_papers.py::test_papers",
    "tests/test_house.py::test_links",
    "perle/cli/test_families.py::test_products[orup:w64]",
    "tests/test_readme.py::test_first_commands",
    "tests/test_docs_site.py::test_every_link_leads_somewhere",
]
ORUP, STREAM, FLOW, KEY, PAPERS, HOUSE, PRODUCTS, README, SITE = TESTS


@pytest.mark.parametrize(
    ("changed", "some", "none"),
    [
        ("perle/cores/orup/perle_orup_mul.sv", {ORUP, PRODUCTS, HOUSE}, {STREAM, FLOW, PAPERS}),
        ("perle/cores/prim/perle_pkg.sv", set(TESTS), set()),
        ("perle/flow/cache.py", {FLOW, ORUP, STREAM, PRODUCTS, HOUSE}, set()),
        ("perle/papers/notation.md", {PAPERS, HOUSE, SITE}, {ORUP, FLOW}),
        ("docs/site/static/site.css", {SITE, HOUSE}, {ORUP, FLOW, README}),
        ("host/src/rsa/key.cpp", {KEY, PRODUCTS, HOUSE}, {ORUP, PAPERS}),
        ("docs/openssl.md", {README, SITE, HOUSE}, {ORUP, FLOW, KEY}),
        ("tests/test_readme.py", {README, HOUSE}, {ORUP, FLOW}),
        ("requirements.lock", set(TESTS), set()),
    ],
)
def test_what_a_change_reaches(changed: str, some: set[str], none: set[str]) -> None:
    found = reached(TESTS, [Path(changed)])
    assert some <= found
    assert not none & found


def test_nothing_changed() -> None:
    assert reached(TESTS, []) == set()


def test_imports_are_followed() -> None:
    found = reach(Path("tests/test_changed.py"))
    assert {Path("tests/changed.py"), Path("perle/results/canonical.py")} <= found
    assert Path("perle/host/boards.py") not in found


def test_a_comment_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> None:
        run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *words])

    monkeypatch.setattr("tests.changed.ROOT", tmp_path)
    for name, text in (
        ("a.py", "x = 1\n"),
        ("b.sv", "module b; endmodule\n"),
        ("c.md", "c\n"),
        ("d.py", "\n"),
    ):
        (tmp_path / name).write_text(text)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    assert changed_since("HEAD") == set()
    (tmp_path / "a.py").write_text('"""Say more."""\n\nx = (  # one\n    1\n)\n')
    (tmp_path / "b.sv").write_text("// b\nmodule b;\nendmodule\n")
    assert changed_since("HEAD") == set()
    (tmp_path / "a.py").write_text("x = 2\n")
    (tmp_path / "b.sv").write_text("module c; endmodule\n")
    (tmp_path / "c.md").write_text("d\n")
    (tmp_path / "d.py").unlink()
    (tmp_path / "e.py").write_text("")
    assert {str(path) for path in changed_since("HEAD")} == {"a.py", "b.sv", "c.md", "d.py", "e.py"}
