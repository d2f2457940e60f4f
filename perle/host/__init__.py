# SPDX-License-Identifier: Apache-2.0
"""libperle from Python: boards, RSA keys and batches.

    from perle.host import Boards, Key

    with Boards("sim:orup:w512") as boards:
        print(boards.modexp(3, 65537, (1 << 511) + 111).value)

`boards` has the arithmetic, `key` RSA, `batch` many operations at a time, `provider` what OpenSSL
loads, and `pam` the machines of 1990. Whatever libperle refuses raises PerleError.
"""

from perle.host.batch import Batch
from perle.host.boards import BoardInfo, Boards, BoardStats, Mode, Result, resolve_spec, take_lanes
from perle.host.key import Key, Output, Padding, PerleError

__all__ = [
    "Batch", "BoardInfo", "BoardStats", "Boards", "Key", "Mode", "Output", "Padding", "PerleError", "Result",
    "resolve_spec", "take_lanes",
]  # fmt: skip
