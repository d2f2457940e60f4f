# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site, `make docs`: the repository's own pages, and references made from its sources.

`contents` is the table of contents, `collect` copies the pages into a folder for Sphinx and makes their links
lead inside the site, the other modules write what no page says: commands, C and Python, registers, papers.
"""
