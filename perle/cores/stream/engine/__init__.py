# SPDX-License-Identifier: Apache-2.0
"""The engine of `stream`: many exponentiations at the same time in one PE chain."""
