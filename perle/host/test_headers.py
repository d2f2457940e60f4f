# SPDX-License-Identifier: Apache-2.0
"""The headers as the binding reads them, and what of them Python has under names of its own."""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum

import pytest

from perle.host import BoardInfo, Boards, BoardStats, Mode, Padding
from perle.host._headers import constants, ffi
from perle.host._lib import taken
from perle.host.batch import BatchStats
from perle.host.pam.bignum import Cost
from perle.host.pam.system import Time, Timing

pytest_plugins = ["perle.host.fixtures"]


@pytest.mark.parametrize(
    ("record", "structure"),
    [
        (BoardInfo, "perle_board_info"),
        (BoardStats, "perle_board_stats"),
        (BatchStats, "perle_batch_stats"),
        (Cost, "perle_bignum_cost"),
        (Time, "perle_system_time"),
        (Timing, "perle_timing"),
    ],
)
def test_records_have_all_that_their_structures_have(record: type, structure: str) -> None:
    members = [name for name, _ in ffi.typeof(structure).fields]
    assert [field.name for field in fields(record)] == members


@pytest.mark.parametrize(("enum", "of"), [(Mode, "perle_mode"), (Padding, "perle_padding")])
def test_enumerations_have_all_choices(enum: type[IntEnum], of: str) -> None:
    assert {f"{of.upper()}_{one.name}": one.value for one in enum} == ffi.typeof(of).relements


def test_numbers_of_every_kind() -> None:
    assert (constants.PERLE_SALT_AUTO, constants.PERLE_RSA_BLIND_EXPONENT) == (-2, 2)


def test_what_is_taken_is_zeroized() -> None:
    out = ffi.new("uint8_t[]", b"secret")
    assert taken(out, 3) == b"sec"
    assert bytes(out) == bytes(len(out))


def test_numbers_that_do_not_fit_are_not_cut(boards: Boards) -> None:
    with pytest.raises(ValueError, match="perle_board_read is out of range"):
        boards.read(1 << 32)
