# SPDX-License-Identifier: Apache-2.0
"""Settings of a configuration: the values that the provider refuses are refused when it is written."""

from __future__ import annotations

import re

import pytest

from perle.flow.places import HOST
from perle.host.settings import LONGEST_MS, MOST_FAILURES, SETTINGS, ConfigurationError, checked
from tests.cli_run import refused


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("retire_after=0", "retire_after: 0 is not from 1 to 1000"),
        ("retire_after=1001", "from 1 to 1000"),
        ("retire_after=x", "retire_after: 'x' is not a number from 1 to 1000"),
        ("retire_after=-1", "is not a number from 1 to 1000"),
        ("retire_after=+1", "is not a number from 1 to 1000"),
        ("retry=0", "retry: 0 is not from 1 to 86400000"),
        ("retry=86400001", "from 1 to 86400000"),
        ("retry=1e3", "retry: '1e3' is not a number"),
        ("keep_status=true", "keep_status: 'true' is none of yes, no"),
        ("secure_heap=1000", "secure_heap: 1000 is no power of two"),
        ("secure_heap=2147483648", "secure_heap: 2147483648 is not from 0 to 1073741824"),
        ("inject=1.5", "inject: '1.5' is not a probability from 0 to 1"),
        ("inject=nan", "a probability from 0 to 1"),
        ("inject=-1", "a probability from 0 to 1"),
        ("cache=boards", "cache: 'boards' is not an absolute path"),
        ("rety=5", "retire_after, retry, keep_status"),
    ],
)
def test_what_the_provider_refuses_is_refused_at_once(setting: str, said: str) -> None:
    assert said in refused(2, "provider", "conf", "--board", "sim:/nowhere.so", "--set", setting)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("retire_after", ("1", "007", str(MOST_FAILURES))),
        ("retry", ("1", "86400000")),
        ("keep_status", ("yes", "no")),
        ("secure_heap", ("0", "1", "65536", "1073741824")),
        ("inject", ("0", "1", "0.5", ".5", "1e-3", "1.")),
        ("cache", ("/var/cache/perle",)),
    ],
)
def test_what_it_takes(name: str, values: tuple[str, ...]) -> None:
    for value in values:
        assert checked(name, value) == value


def test_an_unknown_setting() -> None:
    with pytest.raises(ConfigurationError, match="no setting 'rety'; there are: retire_after"):
        checked("rety", "5")


def test_they_are_those_of_the_provider() -> None:
    source = (HOST / "provider" / "settings.cpp").read_text(encoding="utf-8")
    names = re.search(r"kNames\[\] = \{([^}]*)\}", source)
    assert names is not None
    with_options = {"boards", "fallback", "queue", "timeout", "blind_exponent", "status"}
    assert set(re.findall(r'"(\w+)"', names[1])) == {*SETTINGS, *with_options}
    assert f"number(name, value, 1, {MOST_FAILURES})" in source
    assert f"kDay = {LONGEST_MS:,};".replace(",", "'") in source
    assert "number(name, value, 0, std::uint64_t{1} << 30)" in source
