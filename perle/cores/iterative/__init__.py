# SPDX-License-Identifier: Apache-2.0
"""The iterative family (nedjah2002)."""
