# SPDX-License-Identifier: Apache-2.0
"""Reports: they read results and never run a tool."""
