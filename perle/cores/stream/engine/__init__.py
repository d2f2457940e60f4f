# SPDX-License-Identifier: Apache-2.0
"""The engine of `stream`: many exponentiations at once in one chain of elements."""
