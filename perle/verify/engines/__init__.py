# SPDX-License-Identifier: Apache-2.0
"""Code shared by the tests of all engines: what they are driven with behind the registers of a board."""
