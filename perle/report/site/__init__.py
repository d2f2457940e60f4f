# SPDX-License-Identifier: Apache-2.0
"""A static site made of recorded measurements: it opens from a folder, and asks no network."""
