// SPDX-License-Identifier: Apache-2.0
//
// iterative (id 2): Width + 2 iterations, one bit of x each; R = 2^(Width+2), OperandBits = Width + 1.
// Operands and products are in [0, 2·M). No constants after M.
#include "family/family.hpp"

namespace perle {
namespace {

// No parameter: the width determines everything that the host needs.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource&) {
  if (shape.operand_bits == shape.width + 1) return 0;
  throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family iterative");
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  Constants constants;
  constants.bound = math.add(m, m);
  constants.r_exp = shape.width + 2;
  return constants;
}

// With the paper's wait states a bit takes three cycles. There are at most half as many segments as bits.
std::uint64_t product_cycles_limit(const Shape& shape) { return 3 * (std::uint64_t{shape.width} + 2) + 64; }

}  // namespace

const Family kIterative = {2, "iterative", 1, read_parameter, derive, product_cycles_limit};

}  // namespace perle
