# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/farm.md run as they stand there, at a port that is free."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from perle.cli.io.openssl import verifies
from tests import house
from tests.cli_run import ENDING, shell
from tests.clients_tls import free_port

PAGE = house.text_of(house.ROOT / "docs" / "farm.md")


@pytest.mark.slow
def test_signing_here_and_on_many_machines(tmp_path: Path) -> None:
    local, certificates, many, _ = house.blocks("sh", PAGE)
    said = shell(local, tmp_path)
    assert "sign: 6 of 6 files of letters signed, on 2 workers" in said
    assert "Verified OK" in said
    first = {path.name: path.read_bytes() for path in (tmp_path / "letters").glob("*.sig")}
    shell(certificates, tmp_path)
    assert many.count("8786") == 3
    said = shell(ENDING + many.replace("8786", str(free_port())), tmp_path)
    assert "sign: 6 of 6 files of letters signed, on 1 workers" in said
    for number in range(1, 7):
        letter = tmp_path / "letters" / str(number)
        signature = letter.with_name(f"{number}.sig")
        assert verifies(tmp_path / "pub.pem", letter, signature)
        assert signature.read_bytes() != first[signature.name]  # another salt: it was made anew


@pytest.mark.slow
def test_from_python(tmp_path: Path) -> None:
    [program] = house.blocks("python", PAGE)
    (tmp_path / "example.py").write_text(program)
    assert shell(f"{sys.executable} example.py", tmp_path) == "True 8 0\n"


def test_the_cluster_script_is_one_of_bash_and_has_the_options_of_the_other(tmp_path: Path) -> None:
    _, _, many, slurm = house.blocks("sh", PAGE)
    path = tmp_path / "farm.sh"
    path.write_text(slurm)
    subprocess.run(["bash", "-n", path], check=True, timeout=60)
    options = {word for word in slurm.split() if word.startswith("--tls")}
    assert options <= set(many.split())
