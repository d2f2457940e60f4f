# SPDX-License-Identifier: Apache-2.0
"""A real browser without a window, for tests of pages: Debian's chromium with its driver."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

NEEDED = "no chromium with its driver: apt install chromium chromium-driver"
OPTIONS = ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage")


@contextmanager
def browser() -> Iterator[Browser]:
    """Open a browser; the test is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium")
    service = pytest.importorskip("selenium.webdriver.chrome.service")
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip(NEEDED)
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for one in (*OPTIONS, *(["--no-sandbox"] if os.getuid() == 0 else [])):
        options.add_argument(one)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=service.Service(driver))
    try:
        yield Browser(opened)
    finally:
        opened.quit()


class Browser:
    """Pages of a folder, as a reader with a certain screen sees them."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def screen(self, width: int, height: int, *, dark: bool = False) -> None:
        """Take a screen of so many pixels, and the system's choice of colours."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, page: Path) -> None:
        """Open a page from its file."""
        self.driver.get(page.as_uri())

    def run(self, script: str, *values: object) -> Any:  # noqa: ANN401
        """Return what JavaScript returns on the page."""
        return self.driver.execute_script(script, *values)

    def said(self) -> list[str]:
        """Return what the console has got since this was last asked."""
        return [str(one["message"]) for one in self.driver.get_log("browser")]
