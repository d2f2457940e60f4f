# SPDX-License-Identifier: Apache-2.0
"""The family `stream`: a PE chain through which digits stream; Perle's own design."""
