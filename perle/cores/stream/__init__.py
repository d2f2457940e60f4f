# SPDX-License-Identifier: Apache-2.0
"""The PE chain through which digits stream, Perle's own."""
