# SPDX-License-Identifier: Apache-2.0
"""Flows: one module per tool, with typed results. They work on files and parameters and import no core."""
