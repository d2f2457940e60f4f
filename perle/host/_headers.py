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
"""The numbers of the headers by their names. cffi has them in any library; this one is there already."""
