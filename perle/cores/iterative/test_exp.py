# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its exponentiator: results, cycles, resets."""

from __future__ import annotations

import pytest

from perle.cores.iterative.test_rtl import BOTH_FORMS
from perle.verify.exponents import ExponentSuite

pytestmark = pytest.mark.proves("exact", "timed")


class TestExponents(ExponentSuite):
    family_name = "iterative"
    ports = BOTH_FORMS
