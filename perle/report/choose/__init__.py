# SPDX-License-Identifier: Apache-2.0
"""Choosing a configuration for a user's requirements from recorded measurements; see docs/choose.md."""
