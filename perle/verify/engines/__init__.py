# SPDX-License-Identifier: Apache-2.0
"""Code shared by the tests of all engines, which are tested behind the registers of a board."""
