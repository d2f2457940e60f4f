# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration. What its names mean is in its own documentation."""

from pathlib import Path

import perle
from docs.site import docstrings

_HERE = Path(__file__).parent

project = "Perle"
project_copyright = "the authors of Perle, Apache-2.0"
release = perle.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
source_suffix = {".md": "markdown"}
# What is not a language that a page names is no code of a language.
highlight_language = "none"
# Two hyphens are two hyphens.
smartquotes = False

# Headings of pages are addressed as on a host of repositories.
myst_heading_anchors = 4
# The pages' own mathematics is plain text, and stays it.
myst_enable_extensions: list[str] = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_preserve_defaults = True
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Perle"
html_static_path = [str(_HERE / "static")]
html_css_files = ["site.css"]
templates_path = [str(_HERE / "templates")]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "everywhere.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_domain_indices = False
# A summary would be fetched, which a page that is opened from a disk cannot.
html_show_search_summary = False

setup = docstrings.setup
