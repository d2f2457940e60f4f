# SPDX-License-Identifier: Apache-2.0
"""The freestanding C driver of an IP directory, and its parameters."""

from __future__ import annotations

from perle.flow.places import HOST
from perle.generate.ip import Ip
from perle.generate.pages import page

FOLDER = HOST / "freestanding"
NAMES = ("RadixBits", "QuotientDelay", "Fold", "Kind", "WordWidth", "Elements")
"""Parameters of a core, in the order of the fields of perle_fw_params."""


def firmware(ip: Ip) -> dict[str, str]:
    """Return the driver's files and page in the folder sw; empty for an IP without registers."""
    if not ip.registers:
        return {}
    files = [*sorted(FOLDER.glob("perle_fw*.[ch]"))]
    found = {f"sw/{path.name}": path.read_text(encoding="utf-8") for path in files}
    found["sw/README.md"] = page(FOLDER / "README.md", {path.resolve(): path.name for path in files})
    return {**found, "sw/perle_fw_config.h": _config(ip)}


def _config(ip: Ip) -> str:
    values = ", ".join(str(ip.config.params.get(name, 0)) for name in NAMES)
    return f"""// SPDX-License-Identifier: Apache-2.0
//
// {ip.config.spec}, {ip.word_bits}-bit words: for the driver beside this file. Generated, not to be edited.
// Compile all of it with PERLE_FW_WORD_BITS={ip.word_bits}.

#ifndef PERLE_FW_CONFIG_H_
#define PERLE_FW_CONFIG_H_

#include "perle_fw.h"

#if PERLE_FW_WORD_BITS != {ip.word_bits}
#error "this board has words of {ip.word_bits} bits: PERLE_FW_WORD_BITS={ip.word_bits}"
#endif

// {", ".join(NAMES)}; 0 where the family has none
#define PERLE_FW_CONFIG {{{values}}}

#endif  // PERLE_FW_CONFIG_H_
"""
