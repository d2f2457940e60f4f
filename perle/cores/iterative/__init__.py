# SPDX-License-Identifier: Apache-2.0
"""The family `iterative` (nedjah2002)."""
