# SPDX-License-Identifier: Apache-2.0
"""The reference of the Python package: which modules it shows, on which page; Sphinx reads the rest there."""

from __future__ import annotations

from docs.site import plain

PAGES = {
    "perle.host": (
        "perle.host",
        "perle.host.dh",
        "perle.host.attached",
        "perle.host.provider",
    ),
    "perle.host.pam": (
        "perle.host.pam",
        "perle.host.pam.system",
        "perle.host.pam.driver",
        "perle.host.pam.bignum",
    ),
    "perle.boards": ("perle.boards", "perle.boards.build", "perle.boards.simulated", "perle.boards.driver"),
    "perle.cores": ("perle.cores.registry", "perle.cores.params", "perle.cores.protocols"),
    "perle.papers": ("perle.papers",),
    "perle.spec": ("perle.spec",),
}
"""The modules of each page."""
EXPORTS = "perle.host"
"""What this package exports is shown under its name; of other modules, what they define themselves."""
OWN = "   :ignore-module-all:\n"


def page(title: str) -> str:
    """Return a page about a part of the package, as Markdown."""
    return "\n".join(
        [
            f"{plain.SPDX}# {title}\n",
            *(
                f"```{{eval-rst}}\n.. automodule:: {module}\n{'' if module == EXPORTS else OWN}```\n"
                for module in PAGES[title]
            ),
        ]
    )
