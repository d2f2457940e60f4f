# SPDX-License-Identifier: Apache-2.0
"""The targets, a small file each; see `perle.measure.target`."""
