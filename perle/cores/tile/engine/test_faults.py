# SPDX-License-Identifier: Apache-2.0
"""Tiles behind the registers of a board: faults, refusals, zeroization of a lane, as for every engine."""

from __future__ import annotations

import pytest

from perle.cores.stream.engine.test_faults import (
    test_a_zeroize_of_one_lane_leaves_the_others_alone,
    test_busy_refuses_everything_and_the_operation_survives,
    test_faults_are_those_of_a_board,
    test_undefined_commands_are_flagged,
    test_words_are_zeroized_whatever_else_is_written,
    test_words_beyond_a_line_are_flagged,
)

__all__ = [
    "test_a_zeroize_of_one_lane_leaves_the_others_alone",
    "test_busy_refuses_everything_and_the_operation_survives",
    "test_faults_are_those_of_a_board",
    "test_undefined_commands_are_flagged",
    "test_words_are_zeroized_whatever_else_is_written",
    "test_words_beyond_a_line_are_flagged",
]

pytestmark = pytest.mark.proves("exact")
