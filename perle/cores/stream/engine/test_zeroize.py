# SPDX-License-Identifier: Apache-2.0
"""Zeroization leaves nothing in the engine: afterwards no register or memory depends on a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import Config, family
from perle.cores.stream.engine import model
from perle.verify.engines.zeroized import Histories

pytestmark = pytest.mark.proves("exact", "timed")

FAMILY = family("stream")
# Two passes: the memory on the way back has to be cleared as well.
CONFIG = Config(FAMILY, "w20_f2", FAMILY.complete({"Width": 20, "Fold": 2}))
# Cycles until the PE chain holds only zeros.
DRAIN_CYCLES = 10 * model.product_cycles(CONFIG.params) * model.zeroize_products(CONFIG)
HISTORIES = Histories(CONFIG, 5, 32, DRAIN_CYCLES)
# An exponent of one word has fewer bits than a zeroize makes products.
SHORT = Config(FAMILY, "w20_r8", FAMILY.complete({"Width": 20, "RadixBits": 8}))
ONE_WORD = Histories(SHORT, 5, 32, DRAIN_CYCLES)


def test_without_a_zeroize_it_would_be_seen(tmp_path: Path) -> None:
    """Without a zeroization the comparison finds differences in every memory and in the PE chain.

    Those of results appear after operations have ended, those of the PE chain while they run.
    """
    seen = HISTORIES.difference(lambda board: board.advance(5000), tmp_path)
    seen += HISTORIES.difference(lambda board: board.advance(2000), tmp_path)
    memories = ["u_xin", "u_xres", "u_yin", "u_yres", "u_mhat", "u_m", "u_unload.u_digits"]
    for memory in (*memories, "u_exponent.u_words", "u_words.u_words", "u_words.u_results"):
        assert any(f".{memory}.mem" in name for name in seen), memory
    assert any(".u_pe_chain." in name for name in seen)
    assert any(".u_back.u_words.mem" in name for name in seen)
    assert any(".mprime_mem" in name for name in seen)


@pytest.mark.parametrize("histories", [HISTORIES, ONE_WORD], ids=lambda one: one.config.name)
def test_a_zeroize_leaves_nothing(histories: Histories, tmp_path: Path) -> None:
    assert histories.difference(histories.zeroize, tmp_path) == []


def test_a_reset_in_mid_operation_leaves_nothing(tmp_path: Path) -> None:
    for after in (1, 300, 1111, 2345, 4567):
        assert HISTORIES.difference(HISTORIES.reset(after), tmp_path) == []
