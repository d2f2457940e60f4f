# SPDX-License-Identifier: Apache-2.0
"""`python -m perle.cli` is `perle`."""

from perle.cli import main

main()
