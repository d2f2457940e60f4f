# SPDX-License-Identifier: Apache-2.0
"""Declarations of libperle for cffi, read from its headers."""

from __future__ import annotations

from cffi import FFI

from perle.flow.c_headers import CData, declarations
from perle.flow.places import HOST

INCLUDE = HOST / "include"

ffi = FFI()
ffi.cdef(declarations(INCLUDE / "perle.h"))

constants: CData = ffi.dlopen(None)
"""The constants of the headers by name. cffi offers them in any library, such as the one already loaded."""
