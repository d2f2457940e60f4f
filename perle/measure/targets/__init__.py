# SPDX-License-Identifier: Apache-2.0
"""The targets, one small file each; see `perle.measure.target`."""
