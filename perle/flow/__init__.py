# SPDX-License-Identifier: Apache-2.0
"""Flows: one module a tool, each with typed results. A flow knows files and parameters, never a core."""
