# SPDX-License-Identifier: Apache-2.0
"""Which configuration serves a user's numbers, out of recorded measurements; docs/choose.md says how."""
