# SPDX-License-Identifier: Apache-2.0
"""LiteX, LiteEth and litex-boards: an optional part (`perle[soc]`), imported when needed."""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

from perle.flow.places import extra
from perle.flow.tools import ToolMissing

INSTALL = extra("soc")


def litex(module: str) -> Any:  # noqa: ANN401 - packages without types
    """Import a module of LiteX's packages; ToolMissing with the installation command if it is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"litex", "litex_boards", "liteeth", "migen"}:
            raise
        raise ToolMissing(str(error.name), INSTALL, "designs for boards") from error


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress what LiteX prints about every step."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    hear_nothing = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    try:
        with hear_nothing[0], hear_nothing[1], warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
