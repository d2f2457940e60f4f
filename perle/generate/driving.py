# SPDX-License-Identifier: Apache-2.0
"""The README's section about driving an IP: registers, word port, streams."""

from __future__ import annotations

from perle.boards import simulated as regs
from perle.generate.ip import Ip

SECRETS = """\
Mode 0 is the mode for secrets: its time depends on the exponent length in the command, not on the exponent.
Time means cycles; power and emission are not hidden.
"""


def _lengths(ip: Ip) -> str:
    """Return the text about lengths of exponents, and about the requirements of the mode for secrets."""
    most, w = ip.shape.words * ip.word_bits, ip.shape.window_bits
    return f"""\
An exponent has 1 to {most} bits; a command with another length is a fault. Mode 0 takes digits of {w} bits:
what the line has from the exponent's length up to the next multiple of {w} must be 0. Modes 1 and 3 do not
look at it, and mode 2 takes as many bits as an operand has, whatever the length.
"""


CLEARING = """\
## Clearing secrets

A reset makes the multiplier ready, but does not clear its operands. To zeroize it, request the product 0·0
with all constants 0, and wait for the response and for as long again: no register depends on earlier operands
then.
"""


def driving(ip: Ip) -> str:
    """Return the section; for a bare multiplier only how it is zeroized: its ports explain the rest."""
    if ip.bus == "none":
        return CLEARING
    if ip.registers:
        return _registers(ip)
    return _streams(ip) if ip.bus == "axis" else _word_port(ip)


def _registers(ip: Ip) -> str:
    step = ip.word_bits // 8
    several = ""
    if ip.lanes > 1:
        shared = "the engine" if ip.has_engine else "the multiplier"
        several = f"""\
There are {ip.lanes} lanes, which share {shared}. Each is a board of its own: lane i has all of these
addresses from 0x{regs.LANE_BYTES:x}·i on, its own operands, flags and interrupt; an address beyond the last
lane answers with an error. What follows is done for each.

"""
    return f"""\
## Driving it

{several}Operand lines are {ip.shape.words} words of {ip.word_bits} bits, least significant first,
at 0x{regs.BANKS:04x} + 0x{regs.BANK_BYTES:x}·bank + {step}·word. Banks: 0 X, 1 Y, 2 R², 3 exponent,
4 M, then the other constants. Write each word at once (all strobes), and all words of a line: what is not
written keeps its old value.

1. After reset, poll STATUS (0x{regs.STATUS:02x}) until busy (bit 0) is 0.
2. Once a modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Write COMMAND (0x{regs.COMMAND:02x}) = operation + 16·mode + 65536·(bits of the exponent), then CONTROL
   (0x{regs.CONTROL:02x}) = 1. Modes are for powers ([doc/registers.md](doc/registers.md#mode-field)); else 0.
5. Wait for `irq_o`, or poll STATUS until done (bit 1) is 1; the next start lowers it. Bits 8 and up are
   faults, cleared by CONTROL = 4.
6. Read the result, a line too, at 0x{regs.RESULT:04x}; the cycles at 0x{regs.CYCLES_LO:02x} and
   0x{regs.CYCLES_HI:02x}.

CONTROL = 2, while the lane is not busy, clears operands, constants, result and every intermediate value; of a
busy one it is a fault, and only a reset ends what runs. The registers of the bus keep the last word written
and the last two read until the next accesses: let nobody else read here.

{_lengths(ip)}{SECRETS}"""


def _word_port(ip: Ip) -> str:
    each = " of the lane" if ip.lanes > 1 else ""
    effect = "no effect" if ip.has_engine else "no effect but a fault"
    return f"""\
## Driving it

Operand lines are {ip.shape.words} words of {ip.word_bits} bits. One of `wr_valid_i`, `rd_valid_i`,
`start_i` and `zeroize_i` at a time is 1, for a cycle each; none waits. After a read comes no other before its
`rd_ack_o`.

1. After reset, wait until `busy_o`{each} is 0.
2. Once a modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Give the command with `start_i`. `busy_o`{each} is 1 from the next cycle or the one after it.
5. Wait for `done_o`{each} and then until `busy_o` is 0, and keep what `err_o` has shown until then:
   with a fault there is no result.
6. Read the result.

`zeroize_i` clears operands, constants, result and every intermediate value. What is written to, read
from or started on a lane that is busy has {effect}, nor has `zeroize_i`: only a reset ends what
runs. Modes: 0 window, 1 binary, 2 paper, 3 ladder ([doc/modexp.md](doc/modexp.md)).

{_lengths(ip)}{SECRETS}"""


def _streams(ip: Ip) -> str:
    banks = ", ".join(
        f"{bank} {name}" for bank, name in enumerate(["X", "Y", "R²", "exponent", *ip.constants])
    )
    several = ""
    if ip.lanes > 1:
        several = f"""\
There are {ip.lanes} lanes, each with operands and a modulus of its own. A record waits until its lane has
answered the one before, and so do those behind it: send to the lanes in turn. Answers come as lanes end;
of several that have ended, in turn.

"""
    return f"""\
## Driving it

A record goes in, an answer comes out, each ended by TLAST; words have 64 bits, lines {ip.shape.words} words,
the least significant first. Nothing has to be asked for or waited for: a record that comes early waits.

| bits of a record's first word | meaning |
| --- | --- |
| 1:0 | operation |
| 2 | zeroize instead: operands, constants, result and every intermediate value |
| 5:4 | mode of a power: 0 window, 1 binary, 2 paper, 3 ladder ([doc/modexp.md](doc/modexp.md)) |
| 15:8 | which banks follow, a line each, in ascending order: {banks} |
| 28:16 | bits of the exponent |
| 37:32 | lane, 0 to {ip.lanes - 1} |
| 63:48 | tag: anything, the answer has it |

What a record does not bring stays in the lane from the one before: the constants of a modulus and R² are
sent once. A record that is too short or too long has changed the lines that came before its end: send all
lines again after bit 7 of an answer.

| bits of an answer's first word | meaning |
| --- | --- |
| 6:0 | faults: 2 even modulus, 3 modulus 0 or 1, 4 too wide, 5 operand not below it, 6 no such command |
| 7 | the record was too short or too long |
| 8 | no such lane or bank |
| 15:10 | lane |
| 31:16 | tag |
| 63:32 | cycles |

The line of the result follows; it is zero with any fault, and after a zeroization.

{several}{_lengths(ip)}{SECRETS}"""
