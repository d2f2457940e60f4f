# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the Karatsuba product and the three passes (chow2010); defines the cycle counts.

R = 2^RExp, and an operand has RExp bits. Without step 4, R = 2^(Width+2) and operands and products live in
[0, 2M); with it, R = 2^Width and they live in [0, M). `reduce` returns the canonical value in [0, M).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perle.cores.params import WIDEST_FACTOR
from perle.spec import check_modulus

Params = dict[str, int]

LEAF_CYCLES = 2
"""Latency of a leaf multiplier: a device multiplier has an input and an output register."""


PRODUCTS, PASSES = 3, 3
"""Half-width products per Karatsuba layer, and passes of a modular product through the multiplier."""


# ---------------------------------------------------------------- sizes and cycles


def operand_bits(params: Params) -> int:
    """Bits of an operand."""
    return params["Width"] if params["WithStep4"] else params["Width"] + 2


def r_exp(params: Params) -> int:
    """RExp: R = 2^RExp."""
    return operand_bits(params)


def limbs(bits: int, limb_width: int) -> int:
    """Limbs of a number, and cycles of an adder of that width."""
    return -(-bits // limb_width)


def limb_size(bits: int, limb_width: int) -> int:
    """Bits of a limb: as even a split as possible."""
    return -(-bits // limbs(bits, limb_width))


def halves(params: Params) -> list[int]:
    """Bits of a half, layer by layer from the outermost."""
    found, bits = [], operand_bits(params)
    while bits > params["LeafWidth"]:
        bits = (bits + 1) // 2
        found.append(bits)
    return found


def leaf_bits(params: Params) -> int:
    """Bits of a factor of a leaf."""
    return [operand_bits(params), *halves(params)][-1]


def leaves(params: Params) -> int:
    """Leaf multipliers: 3 to the number of layers; a folded one has one multiplier instead of three."""
    return int(PRODUCTS ** (len(halves(params)) - params["Fold"]))


def multipliers(params: Params) -> int:
    """Device multipliers: one per leaf, or four if a leaf is wider than a device multiplier."""
    return leaves(params) * (4 if leaf_bits(params) > WIDEST_FACTOR else 1)


def leaf_cycles(params: Params) -> int:
    """Latency of a leaf; of a split one: its four multipliers, the middle term, the sum limb by limb."""
    if not params["SplitLeaf"]:
        return LEAF_CYCLES
    return LEAF_CYCLES + 1 + limbs(3 * ((leaf_bits(params) + 1) // 2), params["LimbWidth"])


def product_cycles(params: Params) -> int:
    """Latency of a product: the leaf, and 4s + 1 per layer with s limbs per half, or as below if folded."""
    counts = [limbs(half, params["LimbWidth"]) for half in halves(params)]
    if not params["Fold"]:
        return leaf_cycles(params) + sum(4 * s + 1 for s in counts)
    outer, *inner = counts
    multiplier = leaf_cycles(params) + sum(4 * s + 1 for s in inner)
    return PRODUCTS * (1 + fold_rounds(outer) + outer) + multiplier + (2 * multiplier + 2) % PRODUCTS


def fold_rounds(half_limbs: int) -> int:
    """Return the rounds of a folded layer from its first two products to the third.

    The differences take s + 1 cycles. There is a register in front of the multiplier; those behind it make
    the loop a multiple of PRODUCTS cycles, so that operations never need the multiplier in the same cycle.
    """
    return max(1, (half_limbs + 1) // PRODUCTS)


def low_cycles(params: Params) -> int:
    """Latency of the low half of a product: without the upper half of the outermost middle, and the top."""
    layers = halves(params)
    saved = 2 * limbs(layers[0], params["LimbWidth"]) if layers else 0
    return product_cycles(params) - (saved - saved % PRODUCTS if params["Fold"] else saved)


def depth(params: Params) -> int:
    """Stages of the loop: cycles from pass to pass."""
    return 1 + (low_cycles(params) if params["HalfProducts"] else product_cycles(params))


def start(params: Params) -> int:
    """Cycles from one request to the next while the loop fills: one, or three for a folded layer."""
    return PRODUCTS if params["Fold"] else 1


def slots(params: Params) -> int:
    """Maximum number of operations in the loop: the smallest batch that saturates it."""
    return depth(params) // start(params)


def interval(params: Params) -> int:
    """Average initiation interval over batches of at least `slots` operations."""
    return PASSES * start(params)


def exit_cycles(params: Params) -> int:
    """Cycles from the third product to the response: sum, subtraction or comparison, selection, FIFO."""
    bits, limb_width = operand_bits(params), params["LimbWidth"]
    total = limbs(bits if params["HalfProducts"] else 2 * bits, limb_width)
    return total + (limbs(bits + 1, limb_width) + 3 if params["WithStep4"] else 4)


def mul_cycles(params: Params) -> int:
    """Latency of OpMul, independent of other operations in flight."""
    return 2 + 2 * depth(params) + product_cycles(params) + exit_cycles(params)


def reduce_cycles(params: Params) -> int:
    """Latency of OpReduce: that of OpMul."""
    return mul_cycles(params)


def places(params: Params) -> int:
    """Maximum number of operations in flight, including waiting results.

    As many as the loop accepts in the time of an operation, plus two, as the count is two cycles old.
    """
    rounds, rest = divmod(mul_cycles(params), PASSES * depth(params))
    return rounds * slots(params) + min(-(-rest // start(params)), slots(params)) + 2


def admits(params: Params, taken: Sequence[int], now: int) -> bool:
    """Tell whether a request is accepted in cycle `now`: the slot at the input is free.

    With a folded layer it also has to be a multiple of three cycles behind all operations in the loop. Valid
    without backpressure; otherwise there may be no space for the result.
    """
    stages, step = depth(params), start(params)
    return all(
        now - t >= PASSES * stages or ((now - t) % step == 0 and (now - t) % stages != 0) for t in taken
    )


def acceptance(params: Params, index: int) -> int:
    """Cycle of acceptance of back-to-back request `index`: `slots` are accepted in every 3·`depth` cycles."""
    batch, place = divmod(index, slots(params))
    return batch * PASSES * depth(params) + place * start(params)


# ---------------------------------------------------------------- the modulus


def constants(params: Params, m: int) -> dict[str, int]:
    """Return mprime of a modulus; IllegalModulusError if it is even, below 3 or too wide."""
    check_modulus(m, params["Width"])
    r = 1 << r_exp(params)
    return {"mprime": -pow(m, -1, r) % r}


def operand_limit(params: Params, m: int) -> int:
    """Exclusive upper bound of operands and products: 2M, or M with step 4."""
    check_modulus(m, params["Width"])
    return m if params["WithStep4"] else 2 * m


# ---------------------------------------------------------------- adders


@dataclass(frozen=True)
class Cut:
    """The limbs of a number of `bits` bits."""

    bits: int
    limb_width: int

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First bit and length of every limb."""
        size = limb_size(self.bits, self.limb_width)
        return [(first, min(size, self.bits - first)) for first in range(0, self.bits, size)]

    def limb(self, value: int, index: int) -> int:
        """Return one limb of a value."""
        first, length = self.spans[index]
        return value >> first & ((1 << length) - 1)


def add(cut: Cut, a: int, b: int, carry: int) -> tuple[int, int]:
    """perle_karatsuba_add: sum and carry, rippled limb by limb."""
    total = 0
    for i, (first, length) in enumerate(cut.spans):
        limb = cut.limb(a, i) + cut.limb(b, i) + carry
        total |= (limb & ((1 << length) - 1)) << first
        carry = limb >> length
    return total, carry


def absdiff(cut: Cut, x: int, y: int) -> tuple[int, bool]:
    """perle_karatsuba_absdiff: |x − y|, and whether x < y."""
    mask = (1 << cut.bits) - 1
    x_less_y, not_below = add(cut, x, y ^ mask, 1)
    y_less_x, _ = add(cut, y, x ^ mask, 1)
    return (x_less_y, False) if not_below else (y_less_x, True)


@dataclass(frozen=True)
class CarrySave:
    """A sum of the middle: limbs, the carry out of each, and the first cycle's most significant carry."""

    limbs: list[int]
    carries: list[int]
    msb: int


def carry_save(cut: Cut, z0: int, z2: int) -> CarrySave:
    """perle_karatsuba_csa: L(z2) + U(z0) once, then the third operand in both halves."""
    mask = (1 << cut.bits) - 1
    spans = cut.spans
    first = [cut.limb(z2 & mask, j) + cut.limb(z0 >> cut.bits, j) for j in range(len(spans))]
    shared = [total & ((1 << length) - 1) for total, (_, length) in zip(first, spans, strict=True)]
    shared_carry = [total >> length for total, (_, length) in zip(first, spans, strict=True)]
    sums: list[int] = []
    carries: list[int] = []
    for line in (z0 & mask, z2 >> cut.bits):
        for j, (_, length) in enumerate(spans):
            below = shared_carry[j - 1] if j or sums else 0  # of limb 0: the other half's last carry
            total = shared[j] + cut.limb(line, j) + below
            sums.append(total & ((1 << length) - 1))
            carries.append(total >> length)
    assert max(carries) <= 1, "a carry of the carry-save adder has more than one bit"
    return CarrySave(sums, carries, shared_carry[-1])


def add_or_subtract(cut: Cut, saved: CarrySave, g: int, sub: bool) -> tuple[int, list[int]]:
    """perle_karatsuba_addsub: the middle ± g, and the carry of every limb, plus one for a difference."""
    total, carry, carries = 0, int(sub), []
    for i, limb in enumerate(saved.limbs):
        j = i % len(cut.spans)
        first, length = cut.spans[j]
        mask = (1 << length) - 1
        start = first + (cut.bits if i != j else 0)
        into = saved.carries[i - 1] if i else 0
        limb_sum = limb + ((g >> start & mask) ^ (mask if sub else 0)) + into + carry
        total |= (limb_sum & mask) << start
        carry = limb_sum >> length
        assert 0 <= carry <= 2, "a carry of the middle left its two bits"
        carries.append(carry)
    return total, carries


# ---------------------------------------------------------------- product


def product(params: Params, bits: int, x: int, y: int) -> tuple[int, int]:
    """perle_karatsuba_product: low_o, and x·y."""
    assert max(x, y) >> bits == 0
    if bits <= params["LeafWidth"]:
        return x * y & ((1 << bits) - 1), x * y
    half = (bits + 1) // 2
    mask = (1 << half) - 1
    cut = Cut(half, params["LimbWidth"])
    x0, x1, y0, y1 = x & mask, x >> half, y & mask, y >> half
    x_diff, x_negative = absdiff(cut, x1, x0)
    y_diff, y_negative = absdiff(cut, y1, y0)
    _, z0 = product(params, half, x0, y0)
    _, z2 = product(params, half, x1, y1)
    _, g = product(params, half, x_diff, y_diff)
    sub = x_negative == y_negative
    saved = carry_save(cut, z0, z2)
    middle, carries = add_or_subtract(cut, saved, g, sub)
    net = saved.msb + saved.carries[-1] + carries[-1] - int(sub)
    assert 0 <= net <= 2, "the middle's carry left 0 … 2"
    top, over = add(cut, z2 >> half, net, 0)
    assert over == 0, "the product left its bits"
    value = z0 & mask | middle << half | top << 3 * half
    assert value >> 2 * bits == 0
    return value & ((1 << bits) - 1), value


# ---------------------------------------------------------------- the three passes


def passes(params: Params, m: int, x: int, y: int) -> int:
    """Return u = (t1 + Q·M)/R, pass by pass."""
    bits = operand_bits(params)
    low, t1 = product(params, bits, x, y)
    quotient, _ = product(params, bits, low, constants(params, m)["mprime"])
    qm_low, qm = product(params, bits, quotient, m)
    if params["HalfProducts"]:
        carry = int(quotient != 0)
        assert low + qm_low == carry << bits, "the known half is not what it is known to be"
        upper, over = add(Cut(bits, params["LimbWidth"]), t1 >> bits, qm >> bits, carry)
        return upper | over << bits
    total, over = add(Cut(2 * bits, params["LimbWidth"]), t1, qm, 0)
    assert total & ((1 << bits) - 1) == 0, "t1 + Q·M is no multiple of R"
    return total >> bits | over << bits


def writeback(params: Params, m: int, u: int, *, canonical: bool) -> int:
    """perle_karatsuba_exit: step 4, or for a canonical result M itself becomes 0."""
    if not params["WithStep4"]:
        return 0 if canonical and u == m else u
    cut = Cut(operand_bits(params) + 1, params["LimbWidth"])
    difference, not_below = add(cut, u, m ^ ((1 << cut.bits) - 1), 1)
    return difference if not_below else u


def mont(params: Params, m: int, x: int, y: int) -> int:
    """OpMul: ≡ x·y·R^-1 (mod M), in [0, operand_limit) for operands in that range."""
    return writeback(params, m, passes(params, m, x, y), canonical=False)


def mont_value(params: Params, m: int, x: int, y: int) -> int:
    """Return what `mont` returns, in closed form: (x·y + Q·M)/R, less M in step 4."""
    r = 1 << r_exp(params)
    u = (x * y + (x * y * constants(params, m)["mprime"]) % r * m) // r
    return u - m if params["WithStep4"] and u >= m else u


def reduce(params: Params, m: int, x: int) -> int:
    """OpReduce: x·R^-1 mod M in [0, M), for any x below R: the product by 1, then M itself becomes 0."""
    return writeback(params, m, passes(params, m, 1, x), canonical=True)
