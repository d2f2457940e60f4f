# SPDX-License-Identifier: Apache-2.0
"""The README's section on how to drive an IP: registers, word port, streams."""

from __future__ import annotations

from perle.boards import simulated as regs
from perle.generate.ip import Ip

SECRETS = """\
Use mode 0 for secret exponents: its number of cycles depends on the exponent length in the command, but not
on the exponent. There are no countermeasures against power analysis or electromagnetic emission.
"""

DRIVER = """
The driver in `sw/` runs in constant time and checks RSA results, but blinds nothing: the caller has to, if
power consumption or emission can be measured. `perle_fw_modexp` takes the exponent to be 8·e_len bits wide:
pad a secret exponent to a public length.
"""


def _lengths(ip: Ip) -> str:
    """Return the text about lengths of exponents, and about the requirements of the mode for secrets."""
    most, w = ip.shape.words * ip.word_bits, ip.shape.window_bits
    return f"""\
An exponent has 1 to {most} bits; a command with another length is a fault. Mode 0 takes digits of {w} bits:
the bits of the bank from the exponent's length up to the next multiple of {w} must be 0. Modes 1 and 3 ignore
these bits; mode 2 ignores the length and uses as many bits as an operand has.
"""


CLEARING = """\
## Clearing secrets

A reset makes the multiplier ready, but does not clear its operands. To zeroize it, request the product 0·0
with all constants 0, wait for the response, and then for the same time again. After that no register depends
on earlier operands.
"""


WHOLE = {
    32: "A write of fewer bits is a fault.",
    64: "A write of fewer bits is a fault: a master of 32 bits needs `perle gen --word-bits 32`.",
}
"""By the bits of a word: what whole words ask of a master."""
RESPONSES = """\
Responses come in the order of the accesses, those of reads and writes together: take a response without
waiting for another one. RREADY must not wait for BVALID, nor BREADY for RVALID.

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
There are {ip.lanes} lanes, which share {shared}. Each lane has its own operands, flags and interrupt,
and is used as follows; add 0x{regs.LANE_BYTES:x}·i to all addresses for lane i. Accesses beyond the last lane
get an error response.

"""
    return f"""\
## Driving it

{several}An operand bank has {ip.shape.words} words of {ip.word_bits} bits, least significant first,
at 0x{regs.BANKS:04x} + 0x{regs.BANK_BYTES:x}·bank + {step}·word. Banks: 0 X, 1 Y, 2 R², 3 exponent,
4 M, then the other constants. Write whole words (all strobes set), and all words of a bank: words that are
not written keep their old values. {WHOLE[ip.word_bits]}

1. After reset, poll STATUS (0x{regs.STATUS:02x}) until busy (bit 0) is 0.
2. Once per modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Write COMMAND (0x{regs.COMMAND:02x}) = operation + 16·mode + 65536·(bits of the exponent), then CONTROL
   (0x{regs.CONTROL:02x}) = 1. The mode is that of an
   exponentiation ([doc/registers.md](doc/registers.md#mode-field)), otherwise 0.
5. Wait for `irq_o`, or poll STATUS until done (bit 1) is 1; the next start clears it. Bits 8 and up are
   faults, which CONTROL = 4 clears. `irq_o` is STATUS.done, a level, which only a start or a reset lowers: a
   handler that does not start the next operation has to mask it in the interrupt controller.
6. Read the result, which has as many words as a bank, at 0x{regs.RESULT:04x}. The cycles are at
   0x{regs.CYCLES_LO:02x} and 0x{regs.CYCLES_HI:02x}.

CONTROL = 2 zeroizes a lane that is not busy: it clears operands, constants, result and all intermediate
values. On a busy lane it is a fault without effect; only a reset stops a running operation. The bus registers
keep the last word written until the next write, and words read until two reads follow each other without a
write between them: other bus masters must not be able to read from here.

{RESPONSES if ip.bus == "axil" else ""}{_lengths(ip)}{SECRETS}{DRIVER}"""


def _word_port(ip: Ip) -> str:
    each = " of the lane" if ip.lanes > 1 else ""
    effect = "no effect" if ip.has_engine else "no effect but a fault"
    numbers = ""
    if ip.lanes > 1:
        numbers = f"""\
Lanes are numbered 0 to {ip.lanes - 1}. No other number may be used: such an access can reach the operands of
another lane, even of a busy one.

"""
    return f"""\
## Driving it

An operand bank has {ip.shape.words} words of {ip.word_bits} bits. In each cycle at most one of `wr_valid_i`,
`rd_valid_i`, `start_i` and `zeroize_i` may be 1; each cycle with a 1 is one access, and there are no wait
states. Start the next read only after the `rd_ack_o` of the previous one.

1. After reset, wait until `busy_o`{each} is 0.
2. Once per modulus: write its constants and R².
3. Write X and Y, or X and the exponent.
4. Apply the command with `start_i`. `busy_o`{each} is 1 from the next cycle or the one after that.
5. Wait for `done_o`{each} and then until `busy_o` is 0. Collect all faults that `err_o` shows until then:
   if there is any of bits 6:2, there is no result. Bits 1:0 tell of refused accesses; the result is valid.
6. Read the result.

`zeroize_i` clears operands, constants, result and all intermediate values. Writes, reads, starts and
zeroizations of a busy lane have {effect}: only a reset stops a running operation. The same
holds for writes beyond a bank.
Modes: 0 window, 1 binary, 2 paper, 3 ladder ([doc/modexp.md](doc/modexp.md)).

{numbers}{_lengths(ip)}{SECRETS}"""


def _streams(ip: Ip) -> str:
    banks = ", ".join(
        f"{bank} {name}" for bank, name in enumerate(["X", "Y", "R²", "exponent", *ip.constants])
    )
    several = ""
    if ip.lanes > 1:
        several = f"""\
There are {ip.lanes} lanes, each with its own operands and modulus. A record waits until its lane has
answered the previous one, and blocks the records behind it: address the lanes in turn. Answers are sent in
the order in which the lanes finish; if several have finished, in turn.

"""
    return f"""\
## Driving it

Each input record yields one output record, the answer; TLAST marks the last word of either. Words have
64 bits, and an operand has {ip.shape.words} words, least significant first. Records may be sent at any time:
one that cannot be processed yet waits.

| bits of a record's first word | meaning |
| --- | --- |
| 1:0 | operation |
| 2 | instead of an operation, zeroize operands, constants, result and all intermediate values |
| 5:4 | mode of an exponentiation: 0 window, 1 binary, 2 paper, 3 ladder ([doc/modexp.md](doc/modexp.md)) |
| 15:8 | operand banks whose contents follow, in ascending order, one bit each: {banks} |
| 28:16 | length of the exponent in bits |
| 37:32 | lane, 0 to {ip.lanes - 1} |
| 63:48 | tag: any value, returned in the answer |

Banks that are not in a record keep their contents: send the constants of a modulus and R² once. A record that
is too short or too long changes the banks that it contains before its end: after an answer with bit 7 set,
send all banks again.

| bits of an answer's first word | meaning |
| --- | --- |
| 6:0 | faults: 2 even modulus or 0, 3 modulus 1, 4 modulus too wide, 5 operand ≥ modulus, 6 bad command |
| 7 | the record was too short or too long |
| 8 | no such lane or bank |
| 15:10 | lane |
| 31:16 | tag |
| 63:32 | clock cycles of the operation |

The result follows; it is zero after any fault and after a zeroization.

{several}{_lengths(ip)}{SECRETS}"""
