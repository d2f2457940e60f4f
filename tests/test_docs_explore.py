# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/explore.md: command lines that make sense, and the script of a cluster, run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from tests import house
from tests.cli_run import ENDING, answer, shell
from tests.clients_tls import HOST, free_port
from tests.command_lines import check
from tests.joined import Certificates

PAGE = house.text_of(house.ROOT / "docs" / "explore.md")

# `perle` with a store of its own, and with tools that only pretend.
PERLE = f"""#!{sys.executable}
from pathlib import Path
from perle.cli import explore
from perle.cli.app import app
from perle.results import Store
from tests.sweeping import pretend

explore.Store = lambda: Store(Path("store"))
explore.evaluate = pretend
app(prog_name="perle")
"""
SPACE = 'targets = ["ecp5_8"]\n[[cores]]\nfamily = "orup"\nWidth = 64\nRadixBits = [16, 17]\n'


@pytest.mark.slow
def test_the_script_of_a_cluster(tmp_path: Path) -> None:
    """Where `srun` starts one worker, and `hostname` is this machine's loopback."""
    script = house.blocks("sh", PAGE)[-1]
    assert script.count("8786") == 3
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in (
        ("perle", PERLE), ("srun", '#!/bin/sh\nexec "$@"\n'), ("hostname", f"#!/bin/sh\necho {HOST}\n"),
    ):  # fmt: skip
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    certificates = Certificates(tmp_path)
    for name in ("worker", "client"):
        certificates.tls(name)
    (tmp_path / "space.toml").write_text(SPACE)
    more = {"SLURM_JOB_ID": "7", "TMPDIR": str(tmp_path), "PRETENDED": str(tmp_path / "worker")}
    said = shell(ENDING + script.replace("8786", str(free_port())), tmp_path, programs, **more)
    assert "2 measured; ★ on the front; log: " in said
    assert "Registered to" in said
    assert len((tmp_path / "store" / "ecp5_8.jsonl").read_text().splitlines()) == 2


# dask-jobqueue's cluster, of which only the arguments are known here: those of version 0.9.0.
CLUSTER = """
ARGUMENTS = {
    "cores", "processes", "memory", "walltime", "protocol", "security", "worker_extra_args",
    "job_script_prologue"
}

class SLURMCluster:
    scheduler_address = "tls://head:1234"

    def __init__(self, **given):
        assert set(given) <= ARGUMENTS
        of = given["security"]
        assert of.require_encryption
        for role in ("scheduler", "worker", "client"):
            has = of.get_tls_config_for_role(role)
            assert (has["ca_file"], has["cert"], has["key"]) == (
                "ca.pem", *(f"{'client' if role == 'client' else 'worker'}{end}.pem" for end in ("", "-key"))
            )

    def scale(self, jobs):
        print("jobs:", jobs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        print("closed")
"""


def test_the_program_that_submits_workers(tmp_path: Path) -> None:
    [program] = house.blocks("python", PAGE)
    (tmp_path / "dask_jobqueue.py").write_text(CLUSTER)
    (tmp_path / "perle").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "perle").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    first, words, last = done.stdout.splitlines()
    assert (first, last) == ("jobs: 32", "closed")
    assert "explore space.toml --scheduler tls://head:1234 --tls-ca ca.pem --tls-cert client.pem" in words
    check(words.split())


def test_the_search_makes_sense() -> None:
    [example] = [one for one in house.blocks("sh", PAGE) if "--search" in one]
    words = shlex.split(example.replace("\\\n", " "))
    assert words[:2] == ["perle", "explore"]
    todo = answer(*words[1:], "--dry")
    assert (todo["size"], todo["trials"]) == (72, 12)
