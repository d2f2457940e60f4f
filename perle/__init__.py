# SPDX-License-Identifier: Apache-2.0
"""Perle: open hardware for RSA-sized modular multiplication — cores, boards, host and measurements."""

__version__ = "0.2.0"
