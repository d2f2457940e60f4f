# SPDX-License-Identifier: Apache-2.0
"""The documentation's site as readers get it: no warning, no link that leads nowhere, and no network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.site import build, contents
from perle.flow.tools import ToolError
from tests.browser import Browser, browser

pytestmark = pytest.mark.slow

OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
LOOKED_AT = ("index", "docs/use", "perle/cores/orup/README", "reference/commands", "papers/errata")
LOADED = re.compile(r"url\(\s*[\"']?(?:https?:)?//|@import")


@dataclass
class Page(HTMLParser):
    """What a page links to, what it loads, and the names of its places."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag says."""
        said = {name: value or "" for name, value in attrs}
        self.places |= {said[name] for name in ("id", "name") if name in said}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        elif tag == "link":
            self.loads.append(said["href"])
        self.loads += [said[name] for name in ("src", "srcset", "data", "poster") if name in said]
        self.loads += [value for value in (said.get("style", ""),) if LOADED.search(value)]


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def is_remote(address: str) -> bool:
    return re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", address) is not None or bool(LOADED.search(address))


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.config.getoption("--quick"):
        pytest.skip("the site takes longer than a test of make quick may")
    place = tmp_path_factory.mktemp("docs")
    build.site(place / "site", place / "pages")
    return place / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: read(path) for path in sorted(site.rglob("*.html"))}


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as found:
        yield found


def test_what_sphinx_warns_of_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# One\n\n[two](two.md) and [three](#three)\n")
    with pytest.raises(ToolError, match=r"(?s)two\.md.*three"):
        build.render(tmp_path, tmp_path / "out")


def goal_of(link: str, path: Path) -> tuple[Path, str]:
    """Return the file to which a link of a page leads, and the place in it."""
    name, _, anchor = unquote(link).partition("#")
    return Path(os.path.normpath(path.parent / name)) if name else path, anchor


def broken(pages: dict[Path, Page], site: Path, links: dict[Path, list[str]]) -> list[str]:
    """Return those of the links of pages that lead nowhere; the report is written by `perle report`."""
    found = []
    for path, those in links.items():
        for link in those:
            goal, anchor = goal_of(link, path)
            if re.match(r"[a-z]+:", link) or goal == site / build.REPORT / "index.html":
                continue
            if not goal.is_file() or (anchor and goal in pages and anchor not in pages[goal].places):
                found.append(f"{path.relative_to(site)}: {link}")
    return found


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    assert broken(pages, site, {path: page.links for path, page in pages.items()}) == []
    orup = site / "perle/cores/orup/README.html"
    for bad in ("no.html", "../contract.html#no", "#no"):
        assert broken(pages, site, {orup: [bad]}) == [f"perle/cores/orup/README.html: {bad}"]


def test_every_page_is_reached_from_the_first(site: Path, pages: dict[Path, Page]) -> None:
    waiting, reached = [site / "index.html"], set()
    while waiting:
        path = waiting.pop()
        if path in reached or path not in pages:
            continue
        reached.add(path)
        waiting += [goal_of(link, path)[0] for link in pages[path].links]
    wanted = {site / one.with_suffix(".html") for one in contents.pages() if one != contents.HOME}
    assert wanted <= reached
    assert set(pages) - reached <= {site / "search.html"}
    report = site / build.REPORT / "index.html"
    for path, page in pages.items():
        assert any(goal_of(link, path)[0] == report for link in page.links), path


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("reference/c/perle.h", "c.perle_modexp"),
        ("reference/c/perle_rsa.h", "c.perle_passphrase_cb"),
        ("reference/commands", "cmdoption-perle-rsa-sign-key"),
        ("reference/python/perle.cores", "perle.cores.registry.resolve"),
        ("reference/python/perle.cores", "perle.cores.protocols.Model.mul_cycles"),
        ("reference/python/perle.host", "perle.host.Boards.modexp"),
        ("reference/python/perle.host", "perle.host.dh.group"),
        ("reference/registers", "status-register"),
        ("papers/tang2003", "slide-25"),
    ],
)
def test_references_have_what_they_are_for(pages: dict[Path, Page], site: Path, page: str, name: str) -> None:
    assert name in pages[site / f"{page}.html"].places


def test_nothing_is_loaded_from_a_network(site: Path, pages: dict[Path, Page]) -> None:
    assert [f"{path}: {one}" for path, page in pages.items() for one in page.loads if is_remote(one)] == []
    styles = [path for path in site.rglob("*.css") if LOADED.search(path.read_text(encoding="utf-8"))]
    assert styles == []
    bad = Page()
    bad.feed('<script src="https://x.invalid/a.js"></script><link href="//x.invalid/a.css"><img src="a.svg">')
    assert [is_remote(one) for one in bad.loads] == [True, True, False]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["laptop", "phone"])
def test_no_page_has_anything_to_complain_of(opened: Browser, site: Path, width: int, dark: bool) -> None:
    opened.screen(width, 800, dark=dark)
    for name in LOOKED_AT:
        opened.open(site / f"{name}.html")
        assert opened.said() == [], name
        assert opened.run(OVERFLOW) <= 0, name
        back = opened.run("return getComputedStyle(document.body).backgroundColor")
        assert (back == "rgb(255, 255, 255)") is not dark, back


def test_the_search_needs_no_server(opened: Browser, site: Path) -> None:
    opened.driver.get((site / "search.html").as_uri() + "?q=zeroization")
    opened.driver.implicitly_wait(5)
    assert opened.driver.find_elements("css selector", "#search-results li a")
    assert opened.said() == []
