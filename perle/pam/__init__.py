# SPDX-License-Identifier: Apache-2.0
"""The machines of 1990: active memories, which a host reads and writes; see memory.md."""
