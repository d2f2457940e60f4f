# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import Config, resolve
from perle.cores.stream import model
from perle.verify.exponents import ExponentSuite
from perle.verify.state_leak import difference, interrupt

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "stream"

    def interrupted(self, config: Config) -> list[int]:
        """Return cycles above all in which digits are written to and read from the result memory."""
        product = model.mul_cycles(config.params)
        return [1, 2, 50, 333, *range(product - 2 * model.digits(config.params), product + 8)]


def test_a_reset_clears_the_memories(tmp_path: Path) -> None:
    """Nothing remains of a result of which some digits are in the result memories at the reset."""
    config = resolve("stream:w64")
    product, n = model.mul_cycles(config.params), model.digits(config.params)
    for cycles_before_the_response in (2 * n + 2, n + 6, n + 2, 6):
        assert difference(config, interrupt(3 * product - cycles_before_the_response), tmp_path) == []
