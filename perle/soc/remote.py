# SPDX-License-Identifier: Apache-2.0
"""Access to the bus of a design from Python: UARTBone over a serial line, Etherbone over UDP.

This is a minimal implementation for debugging and tests; applications use the host library
(`uart:/dev/ttyUSB0`, `etherbone:HOST`).
"""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from perle.boards import simulated
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, Outcome, modulus_lines
from perle.cores.registry import Config
from perle.soc.core import CONTROL_AT, LANES_AT, PARAM_WORDS

PATIENCE = 5.0
"""Time limit in seconds for an answer."""
MAGIC = 0x5045524C
ONES = 0xFFFF_FFFF
WRITE, READ = 1, 2
MOST_WORDS = 64
ETHERBONE = 0x4E6F_1044


class NoAnswerError(RuntimeError):
    """There was no answer over a link."""


class Bus(ABC):
    """Words of 32 bits at byte addresses."""

    @abstractmethod
    def write(self, addr: int, words: Sequence[int]) -> None:
        """Write consecutive words."""

    @abstractmethod
    def read(self, addr: int, count: int = 1) -> list[int]:
        """Read consecutive words."""

    @abstractmethod
    def close(self) -> None:
        """Close the link."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Uart(Bus):
    """UARTBone: command code, number of words, word address of the first one, data; all big-endian."""

    def __init__(self, device: str) -> None:
        self.file = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def close(self) -> None:
        """Close the device."""
        os.close(self.file)

    def write(self, addr: int, words: Sequence[int]) -> None:
        """Write consecutive words; there is no answer."""
        for at in range(0, len(words), MOST_WORDS):
            part = words[at : at + MOST_WORDS]
            self.send(struct.pack(f">BBI{len(part)}I", WRITE, len(part), addr // 4 + at, *part))

    def read(self, addr: int, count: int = 1) -> list[int]:
        """Read consecutive words."""
        self.send(struct.pack(">BBI", READ, count, addr // 4))
        return list(struct.unpack(f">{count}I", self.receive(4 * count)))

    def send(self, data: bytes) -> None:
        """Put bytes on the line."""
        while data:
            select.select([], [self.file], [], PATIENCE)
            with suppress(BlockingIOError):
                data = data[os.write(self.file, data) :]

    def receive(self, size: int) -> bytes:
        """Read bytes from the line; NoAnswerError if they do not arrive."""
        data = b""
        end = time.monotonic() + PATIENCE
        while len(data) < size:
            if not select.select([self.file], [], [], max(0.0, end - time.monotonic()))[0]:
                raise NoAnswerError(f"{len(data)} of {size} bytes")
            data += os.read(self.file, size - len(data))
        return data


class Etherbone(Bus):
    """Etherbone: datagrams with one record each, of writes or of reads."""

    def __init__(self, host: str, port: int) -> None:
        """Open a socket on the same port number, because LiteEth sends answers to its own port number."""
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host, port))
            self.socket.bind((probe.getsockname()[0], port))
        self.socket.connect((host, port))
        self.socket.settimeout(PATIENCE)

    def close(self) -> None:
        """Close the port."""
        self.socket.close()

    def write(self, addr: int, words: Sequence[int]) -> None:
        """Write consecutive words; there is no answer."""
        for at in range(0, len(words), MOST_WORDS):
            part = words[at : at + MOST_WORDS]
            head = 0x000F_0000 | len(part) << 8
            self.socket.send(struct.pack(f">IIII{len(part)}I", ETHERBONE, 0, head, addr + 4 * at, *part))

    def read(self, addr: int, count: int = 1) -> list[int]:
        """Read consecutive words."""
        asked = [addr + 4 * i for i in range(count)]
        self.socket.send(struct.pack(f">IIII{count}I", ETHERBONE, 0, 0x000F_0000 | count, 0, *asked))
        try:
            answer = self.socket.recv(2048)
        except TimeoutError as error:
            raise NoAnswerError(f"read of {addr:#x}") from error
        return list(struct.unpack(f">{count}I", answer[16 : 16 + 4 * count]))


@dataclass
class Design:
    """The control block of a design, and operations on its lanes."""

    bus: Bus

    def control(self, word: int) -> int:
        """Read a word of the control block."""
        return self.bus.read(CONTROL_AT + 4 * word)[0]

    @property
    def text(self) -> str:
        """The core's parameters, as text from the control block."""
        words = [
            one for at in range(0, PARAM_WORDS, 16) for one in self.bus.read(CONTROL_AT + 0x100 + 4 * at, 16)
        ]
        return struct.pack(f"<{PARAM_WORDS}I", *words).rstrip(b"\0").decode("ascii")

    def reset(self) -> None:
        """Reset the core and wait until it runs."""
        self.bus.write(CONTROL_AT + 8, [1])
        end = time.monotonic() + PATIENCE
        while self.control(2) != 0:
            if time.monotonic() > end:
                raise NoAnswerError("the core stays in reset")

    def register(self, lane: int, addr: int) -> int:
        """Read a register of a lane."""
        return self.bus.read(self.base(lane) + addr)[0]

    def base(self, lane: int) -> int:
        """Return the address of a lane's registers."""
        return LANES_AT + lane * simulated.LANE_BYTES

    def run(self, config: Config, m: int, word: int, *, lane: int = 0, **lines: int) -> Outcome:
        """Load a modulus and the given operands (x, y, e), start the command `word`, and wait for its end."""
        end = time.monotonic() + PATIENCE
        while (status := self.register(lane, simulated.STATUS)) & 1:
            if status == ONES:
                raise NoAnswerError(f"lane {lane} does not answer")
            if time.monotonic() > end:
                raise NoAnswerError("the lane stays busy")
        for bank, value in modulus_lines(config, m).items():
            self._line(config, lane, bank, value)
        for name, bank in (("x", BANK_X), ("y", BANK_Y), ("e", BANK_E)):
            if name in lines:
                self._line(config, lane, bank, lines[name])
        self.bus.write(self.base(lane) + simulated.COMMAND, [word])
        self.bus.write(self.base(lane) + simulated.CONTROL, [simulated.START])
        end = time.monotonic() + 20 * PATIENCE
        while not (status := self.register(lane, simulated.STATUS)) & 2:
            if time.monotonic() > end:
                raise NoAnswerError("the operation does not end")
        words = self.bus.read(self.base(lane) + simulated.RESULT, _words(config))
        cycles = self.register(lane, simulated.CYCLES_LO)
        return Outcome(sum(one << 32 * i for i, one in enumerate(words)), status >> 8, cycles)

    def _line(self, config: Config, lane: int, bank: int, value: int) -> None:
        words = [value >> 32 * i & ONES for i in range(_words(config))]
        self.bus.write(self.base(lane) + simulated.BANKS + bank * simulated.BANK_BYTES, words)


def _words(config: Config) -> int:
    return -(-config.operand_bits // 32)
