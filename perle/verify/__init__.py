# SPDX-License-Identifier: Apache-2.0
"""Verification benches at C++ speed, and what the tests of all families share."""
