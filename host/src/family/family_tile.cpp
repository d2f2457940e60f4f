// SPDX-License-Identifier: Apache-2.0
//
// tile (id 11): blocks of 3·k bits, k = RadixBits = 18, N = max(3, ceil((Width + 3·k + 2) / (3·k))) of them;
// R = 2^(3·k·N) = 2^OperandBits. Quotient-simplified form with blocks as digits.
#include <algorithm>

#include "family/quotient_simplified.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kBlockBits = 54, kFewestBlocks = 3;

// No parameter; checks that the widths are valid for the family.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits");
  const std::uint32_t blocks = std::max((shape.width + 2 * kBlockBits + 1) / kBlockBits, kFewestBlocks);
  if (blocks * kBlockBits != shape.operand_bits)
    throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family tile");
  if (radix >= 0 && 3 * radix != static_cast<long>(kBlockBits))
    throw Error(PERLE_ERR_BOARD_ID,
                "RadixBits = " + std::to_string(radix) + " does not go with the board's widths");
  return 0;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  static_assert(kBlockBits < kBaseBits);
  return derive_quotient_simplified(shape, kBlockBits, m, math);
}

// A product takes N² + N + 5 turns of four contexts, and its result waits for those of the other contexts;
// the conversion out of the domain takes less than as much again. Loading a lane takes an access on the
// tiles' bus per block of six numbers.
std::uint64_t product_cycles_limit(const Shape& shape) {
  constexpr std::uint64_t kContexts = 4, kSlots = 6, kAccessCycles = 64;
  const std::uint64_t blocks = shape.operand_bits / kBlockBits;
  const std::uint64_t product = kContexts * (blocks * blocks + blocks + 16);
  return 2 * product + (kSlots * kAccessCycles + 64) * blocks + 128;
}

}  // namespace

const Family kTile = {11, "tile", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
