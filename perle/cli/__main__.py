# SPDX-License-Identifier: Apache-2.0
"""Makes `python -m perle.cli` run `perle`."""

from perle.cli import main

main()
