# SPDX-License-Identifier: Apache-2.0
"""The line of elements through which digits stream, Perle's own."""
