# SPDX-License-Identifier: Apache-2.0
"""Generates all files of the site as texts by name; the caller writes them to a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from perle import __version__
from perle.cores.registry import every, families, memories
from perle.papers import keys, load
from perle.report import headline, lineage, lineage_svg
from perle.report.line import Line
from perle.report.site import family_page, paper_page, provenance, story
from perle.report.site.family_page import Around
from perle.report.site.figures import style
from perle.report.site.paper_page import Shown
from perle.report.site.points import Drawn, devices, drawn, sizes
from perle.results import Store, flat
from perle.results.identity import stale
from perle.results.view import View

HERE = Path(__file__).resolve().parent
PLOTLY = "plotly"
"""Python package that contains plotly.js."""
DATA = "measurements.csv"
SYSTEMS = "pictures/systems.svg"
NAVIGATION = (
    ("index.html", "Overview"),
    ("explorer.html", "Explorer"),
    ("cores.html", "Cores"),
    ("papers.html", "Papers"),
    ("rsa.html", "RSA"),
    (provenance.PAGE, "Provenance"),
)


class PlotlyMissingError(RuntimeError):
    """The package plotly, which contains plotly.js, is not installed."""


def plotly_version() -> str:
    """Return the version of the package that contains plotly.js; PlotlyMissingError without it."""
    try:
        return version(PLOTLY)
    except PackageNotFoundError as error:
        raise PlotlyMissingError("the site's charts need the package plotly") from error


def plotly_js() -> str:
    """Return plotly.js."""
    script = package_files(PLOTLY) / "package_data" / "plotly.min.js"
    return script.read_text(encoding="utf-8")


@dataclass
class Site:
    """The generated files and pictures, and the measurements that all pages show."""

    store: Store
    view: View
    files: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare the templates."""
        loader = FileSystemLoader(HERE / "templates")
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        # The order of a menu's entries is that of the data.
        self._templates.policies["json.dumps_kwargs"] = {"sort_keys": False}
        self._templates.globals |= {
            "navigation": NAVIGATION,
            "version": __version__,
            "plotly_version": plotly_version(),
            "core_page": family_page.page_name,
            "paper_page": paper_page.page_name,
        }

    def page(self, name: str, template: str, *, section: str, **context: Any) -> None:  # noqa: ANN401
        """Add a page; `section` is the navigation entry that it belongs to."""
        made = self._templates.get_template(template)
        self.files[name] = made.render(section=section, **context) + "\n"


def build(store: Store, tables: Sequence[Shown], on_demand: Mapping[str, str]) -> dict[str, str]:
    """Return the site's files.

    `tables` are those of the papers. `on_demand` names and describes further tables of `perle reproduce`,
    which are not on the site because they have to run something.
    """
    site = Site(store, View(store))
    site.files["plotly.min.js"] = plotly_js()
    for path in sorted((HERE / "static").iterdir()):
        site.files[path.name] = path.read_text(encoding="utf-8")
    points = drawn(site.view, sizes(site.view))
    _families(site, points)
    _papers(site, tables, on_demand)
    _explorer(site, points)
    lines = headline.lines(site.view)
    chapters = list(story.chapters(lines))
    site.page("rsa.html", "rsa.html.j2", section="rsa.html", chapters=chapters)
    _provenance(site)
    _overview(site, points, lines)
    for name, path in site.pictures.items():
        site.files[name] = path.read_text(encoding="utf-8")
    return site.files


def _families(site: Site, points: Sequence[Drawn]) -> None:
    pages = {
        (one.folder / "README.md").resolve(): family_page.page_name(name) for name, one in every().items()
    }
    around = Around(pages, site.pictures)
    for name, family in every().items():
        context = family_page.context(family, site.view, points, around)
        if context["waveform"]:
            site.files[context["waveform"].picture] = context["waveform"].svg
        site.page(family_page.page_name(name), "family.html.j2", section="cores.html", **context)
    site.page("cores.html", "cores.html.j2", section="cores.html", families=_listed(site))


def _listed(site: Site) -> list[dict[str, Any]]:
    counts: dict[str, int] = {}
    for point in site.view.points():
        name = point.core.partition(":")[0]
        counts[name] = counts.get(name, 0) + 1
    papers = {key: load(key) for key in keys()}
    return [
        {"family": one, "paper": papers.get(one.paper), "points": counts.get(name, 0)}
        for name, one in every().items()
    ]


def _papers(site: Site, tables: Sequence[Shown], on_demand: Mapping[str, str]) -> None:
    for key in keys():
        context = paper_page.context(key, tables, on_demand)
        site.page(paper_page.page_name(key), "paper.html.j2", section="papers.html", **context)
    systems = lineage.systems(site.view)
    if any(one.product_us for one in systems):
        site.files[SYSTEMS] = lineage_svg.draw(systems)
    papers = sorted(map(load, keys()), key=lambda one: one.year)
    table = lineage.table(site.view)
    site.page(
        "papers.html",
        "papers.html.j2",
        section="papers.html",
        papers=papers,
        picture=_systems(site),
        table=table,
    )


def _systems(site: Site) -> str:
    """Return the name of the picture of all systems; empty if none of them is measured."""
    return SYSTEMS if SYSTEMS in site.files else ""


def _explorer(site: Site, points: Sequence[Drawn]) -> None:
    used = {one.size.key: one.size.title for one in points}
    names = list(every())
    data = {
        "points": [one.row() for one in points],
        "sizes": used,
        "devices": devices(site.view),
        "families": {name: style(index) for index, name in enumerate(names)},
        "pages": {name: family_page.page_name(name) for name in names},
    }
    site.page("explorer.html", "explorer.html.j2", section="explorer.html", data=data)


def _provenance(site: Site) -> None:
    runs = site.store.load()
    site.files[DATA] = flat.as_csv(flat.rows((one, stale(one), "") for one in runs))
    context = {
        "origins": provenance.origins(runs),
        "figures": provenance.figures,
        "source_hash": provenance.source_hash,
        "data": DATA,
    }
    site.page(provenance.PAGE, "provenance.html.j2", section=provenance.PAGE, **context)


def _overview(site: Site, points: Sequence[Drawn], lines: Sequence[Line]) -> None:
    current = [run for point in site.view.points() for run in site.view.runs(point)]
    site.page(
        "index.html",
        "index.html.j2",
        section="index.html",
        highlights=list(story.highlights(lines)),
        picture=_systems(site),
        runs=len(current),
        newest=max((run.date for run in current), default=""),
        points=len(points),
        multipliers=len(families()),
        memories=len(memories()),
        devices=devices(site.view),
        papers=len(keys()),
        best={bits: story.best(lines, bits) for bits in (1024, 2048)},
    )
