# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md run as they stand there, and the example programs are right."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import phe
import pytest

from perle.host import Boards
from tests import house

pytest_plugins = ["perle.host.fixtures"]

PAGE = house.text_of(house.ROOT / "docs" / "python.md")
PROGRAM = house.ROOT / "docs" / "examples" / "paillier.py"
SAID = {
    "Diffie": "True",
    "RSA": "True True",
    "Many": "[0, 1, 4, 9, 16, 25, 36, 49, 64, 81] 1",
    "single": "15 ",
}


@pytest.mark.slow
@pytest.mark.parametrize("title", re.findall(r"^## (.*)\n(?:[^#]*?)^```python", PAGE, re.MULTILINE))
def test_examples(title: str, tmp_path: Path) -> None:
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    [program] = house.blocks("python", section)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300
    )
    [wanted] = [said for word, said in SAID.items() if word in title]
    assert done.stdout.startswith(wanted)


@pytest.mark.slow
def test_the_example_program_runs() -> None:
    [command] = house.blocks("sh", PAGE)
    words = [sys.executable, *command.split()[1:]]
    done = subprocess.run(words, cwd=house.ROOT, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "42\n"


@pytest.fixture(scope="module")
def paillier() -> ModuleType:
    """Return the example program as a module."""
    spec = importlib.util.spec_from_file_location("paillier", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["paillier"] = module
    spec.loader.exec_module(module)
    return module


def test_paillier_agrees_with_another_implementation(paillier: ModuleType, wide: Boards) -> None:
    key = paillier.generate(1024)
    public = phe.PaillierPublicKey(key.public.n)
    private = phe.PaillierPrivateKey(public, key.p, key.q)
    for message in (0, 1, key.public.n // 3, 1 << 300):
        assert private.raw_decrypt(key.public.encrypt(wide, message)) == message
        assert key.decrypt(wide, public.raw_encrypt(message)) == message
    last = key.public.encrypt(wide, key.public.n - 1)
    assert key.decrypt(wide, last) == key.public.n - 1
    assert key.decrypt(wide, key.public.add(wide, last, key.public.encrypt(wide, 2))) == 1
    assert key.public.encrypt(wide, 5) != key.public.encrypt(wide, 5)


def test_paillier_refuses_what_it_cannot_do(paillier: ModuleType, wide: Boards) -> None:
    key = paillier.generate(64)
    for message in (-1, key.public.n):
        with pytest.raises(ValueError, match="from 0 to"):
            key.public.encrypt(wide, message)
    for ciphertext in (0, key.p, key.public.n**2):
        with pytest.raises(ValueError, match="no ciphertext"):
            key.decrypt(wide, ciphertext)
    for bits in (14, 65):
        with pytest.raises(ValueError, match="even number"):
            paillier.generate(bits)
