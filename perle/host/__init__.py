# SPDX-License-Identifier: Apache-2.0
"""libperle from Python: boards, RSA keys and batches.

    from perle.host import Boards, Key

    with Boards("sim:orup:w512") as boards:
        print(boards.modexp(3, 65537, (1 << 511) + 111).value)

`boards` has the boards and their operations, `arithmetic` many operations at a time and inverses, `key` RSA,
`batch` many RSA operations at a time, `dh` Diffie–Hellman in named groups, `provider` the OpenSSL provider,
and `pam` the accelerators of 1990. Errors of libperle raise PerleError. docs/python.md has examples.
"""

from perle.host.arithmetic import inverse, modexps, mulmods
from perle.host.batch import Batch
from perle.host.boards import BoardInfo, Boards, BoardStats, Mode, Result, is_link, resolve_spec, take_lanes
from perle.host.key import Key, Output, Padding, PerleError

__all__ = [
    "Batch", "BoardInfo", "BoardStats", "Boards", "Key", "Mode", "Output", "Padding", "PerleError", "Result",
    "inverse", "is_link", "modexps", "mulmods", "resolve_spec", "take_lanes",
]  # fmt: skip
