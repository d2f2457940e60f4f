# SPDX-License-Identifier: Apache-2.0
"""Headers as cffi gets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow.c_headers import declarations


def test_a_header_is_read_once_and_without_comments(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(
        '#ifndef PERLE_H\n#define PERLE_H\n#include <stddef.h>\n#define A (-1) /* one */\n#include "b.h"\n'
        '#include "b.h"\n#ifdef __cplusplus\n}\n#endif\n#endif\n'
    )
    (tmp_path / "b.h").write_text("/* int x;\n#if */\nPERLE_API int f(void); // g\n")
    lines = [line for line in declarations(tmp_path / "a.h").splitlines() if line]
    assert lines == ["#define A -1", "int f(void);"]


@pytest.mark.parametrize(
    "line", ["#if A", "#ifdef A", "#define A(x) x", "#define A \\\n 1", "#pragma pack(1)"]
)
def test_what_only_a_preprocessor_knows_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.h").write_text(f"int a;\n{line}\nint b;\n")
    with pytest.raises(ValueError, match="preprocessor"):
        declarations(tmp_path / "a.h")
