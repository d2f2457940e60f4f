# SPDX-License-Identifier: Apache-2.0
"""A small engine of six multipliers for products of blocks, Perle's own: model and schedule."""
