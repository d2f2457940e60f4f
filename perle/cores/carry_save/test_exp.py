# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

import pytest

from perle.verify.exponents import ExponentSuite

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "carry_save"
