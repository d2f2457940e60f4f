# SPDX-License-Identifier: Apache-2.0
"""A static site generated from recorded measurements. It can be opened from a folder, without a network."""
