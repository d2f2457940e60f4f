# SPDX-License-Identifier: Apache-2.0
"""Testbenches at C++ speed, and code shared by the tests of all families."""
