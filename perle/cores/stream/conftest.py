# SPDX-License-Identifier: Apache-2.0
"""The engines that tests run on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perle.cores.stream.engine_bench import LARGE, SHAPES, Bench


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.wide) if name in LARGE else name for name in SHAPES]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Yield a board of every shape, fresh from a reset."""
    opened = Bench(*SHAPES[request.param])
    yield opened
    opened.close()
