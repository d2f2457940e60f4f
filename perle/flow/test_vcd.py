# SPDX-License-Identifier: Apache-2.0
"""Waveforms are read as registers see them: values before each rising edge."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow.vcd import Vcd, VcdError

WAVE = """$timescale 1ps $end
 $scope module board $end
  $scope module perle_top $end
   $var wire 1 ! clk_i $end
   $scope module u_mul $end
    $var wire 4 a count_q [3:0] $end
    $var wire 1 b valid $end
   $upscope $end
  $upscope $end
 $upscope $end
$enddefinitions $end
#0
0!
b0000 a
xb
#5
1!
b0011 a
1b
#10
0!
#15
1!
b01x1 a
#20
0!
#25
1!
0b
"""


def test_a_cycle_has_the_values_before_its_edge(tmp_path: Path) -> None:
    path = tmp_path / "x.vcd"
    path.write_text(WAVE)
    wave = Vcd(path)
    names = ["u_mul.count_q", "u_mul.valid"]
    assert [[one[name] for name in names] for one in wave.cycles(names)] == [[0, 0], [3, 1], [5, 1]]
    assert [wave.bits(name) for name in names] == [4, 1]
    for wanted in ("u_mul.other", "count_q"):
        with pytest.raises(VcdError, match=wanted):
            list(wave.cycles([wanted]))
        with pytest.raises(VcdError, match=wanted):
            wave.bits(wanted)
