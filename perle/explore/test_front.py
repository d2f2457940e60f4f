# SPDX-License-Identifier: Apache-2.0
"""The Pareto front, points near it, and costs of measurements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perle.cores.registry import resolve
from perle.explore import front, objectives
from perle.explore.space import SpaceError
from perle.results import metrics
from tests.asked import cells
from tests.stores import made_up

COSTS = st.dictionaries(st.integers(0, 9), st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1)


def test_the_front_and_what_is_near() -> None:
    costs = {
        "small": (1.0, 9.0),
        "fast": (9.0, 1.0),
        "both": (3.0, 3.0),
        "near": (3.3, 3.3),
        "far": (6.0, 6.0),
    }
    assert front.near(costs) == ["small", "fast", "both"]
    assert front.near(costs, 0.25) == ["small", "fast", "both", "near"]
    assert front.near({"one": (0.0, 2.0), "other": (0.0, 3.0)}, 0.25) == ["one"]
    assert front.near({"one": (1.0, 1.0), "twin": (1.0, 1.0)}) == ["one", "twin"]


@given(COSTS)
def test_the_front_is_never_empty_and_grows_with_the_slack(costs: dict[int, tuple[int, int]]) -> None:
    """Any other point is beaten by one on the front; points near with less slack are near with more."""
    best = front.near(costs)
    assert best
    for key, (a, b) in costs.items():
        assert key in best or any(costs[one][0] <= a and costs[one][1] <= b for one in best)
    assert set(best) <= set(front.near(costs, 0.1)) <= set(front.near(costs, 1.0))


def test_costs_are_times_where_a_clock_is_known() -> None:
    config = resolve("orup:w256")
    cycles = metrics.product_cycles(config)
    placed = objectives.costs(made_up("orup:w256", "ecp5_8", cells(2000, 100, dsp=17.0)))
    assert placed == {
        "luts": 2000,
        "dsp": 17,
        "latency, µs": pytest.approx(cycles / 100),
        "next product, µs": pytest.approx(metrics.product_interval(config) / 100),
    }
    assert objectives.costs(made_up("orup:w256", "xcve", {"lut": 9.0}))["latency, cycles"] == cycles
    silicon = objectives.costs(made_up("orup:w256", "ihp130", {"area_um2": 1e5, "period_ns_typ": 2.0}))
    assert silicon["latency, µs"] == pytest.approx(cycles * 0.002)


@pytest.mark.parametrize("part", ["exp", "exp_pair"])
def test_figures_of_products_are_those_of_parts_that_compute_products(part: str) -> None:
    """Two multipliers take half the interval; an exponentiator is compared by its clock."""
    config, given = resolve("orup:w256"), cells(2000, 100)
    interval = metrics.product_interval(config)
    pair = objectives.costs(made_up("orup:w256", "ecp5_8", given, part="mul_pair"))
    assert pair["next product, µs"] == pytest.approx(interval / 2 / 100)
    assert pair["latency, µs"] == pytest.approx(metrics.product_cycles(config) / 100)
    whole = made_up("orup:w256", "ecp5_8", given, part=part)
    assert objectives.costs(whole) == {"luts": 2000, "dsp": 0, "period, ns": pytest.approx(10)}
    assert objectives.costs(made_up("orup:w256", "xc6v", {"lut": 9.0}, part=part)) == {"luts": 9}
    for figure in (objectives.LATENCY, objectives.INTERVAL):
        with pytest.raises(SpaceError, match=f"'{figure}' is of a product: mul and mul_pair .*, not {part}"):
            objectives.costs(whole, (figure,))


def test_the_default_figures_are_those_that_a_part_has_on_a_target() -> None:
    assert objectives.usual("ecp5_8") == ("luts", "dsp", "latency", "interval")
    assert objectives.usual("ihp130-placed", "mul") == objectives.usual("ihp130", "mul")
    assert objectives.usual("ihp130", "mul") == ("area", "latency", "interval")
    assert objectives.usual("ecp5_8", "exp") == ("luts", "dsp", "period")
    assert objectives.usual("ihp130", "pe") == ("area", "period")
    assert objectives.usual("xc6v", "exp", clocked=False) == ("luts", "dsp")
    assert objectives.usual("ecp5_8", "board") == ("luts", "dsp", "latency", "interval")


def test_only_equal_widths_are_compared_by_their_medians() -> None:
    runs = [
        made_up("orup:w256", "xcve", {"lut": 500.0}),
        made_up("orup:w512", "xcve", {"lut": 900.0}),
        made_up("orup:w512+RadixBits=8", "xcve", {"lut": 950.0}),
        made_up("orup:w512_d1", "xcve", {}, error="no"),
    ]
    assert front.worth(runs, 0) == [("orup:w256", "xcve"), ("orup:w512", "xcve")]
    # a core that is beaten on one target is not on its front because it is on the front of another
    cheap, dear = made_up("iterative:w256", "xc6v", {"lut": 9.0}), made_up("orup:w256", "xc6v", {"lut": 1e4})
    slow = made_up("orup:w256", "xcve", {"lut": 500.0})
    best = front.worth([cheap, dear, slow], 0, ("luts",))
    assert best == [("iterative:w256", "xc6v"), ("orup:w256", "xcve")]
    # one device placed for several clocks is one device
    clocks = [made_up("orup:w256", f"ecp5_8{at}", cells(9, mhz)) for at, mhz in (("", 90), ("@200", 99))]
    assert front.worth(clocks, 0) == [("orup:w256", "ecp5_8@200")]
    seeds = [made_up("orup:w256", "ecp5_8", cells(9, mhz), seed=n) for n, mhz in enumerate((50, 100, 400), 1)]
    [one] = front.medians(seeds).values()
    assert one["latency, µs"] == pytest.approx(metrics.product_cycles(resolve("orup:w256")) / 100)
