# SPDX-License-Identifier: Apache-2.0
"""The bit-systolic family (nedjah2002)."""
