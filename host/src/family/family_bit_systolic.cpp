// SPDX-License-Identifier: Apache-2.0
//
// bit_systolic (id 3): Width + 2 rows, one bit of x each; R = 2^(Width+2), OperandBits = Width + 1.
// Operands and products are in [0, 2·M). No constants after M: the array computes M + y itself.
#include "family/family.hpp"

namespace perle {
namespace {

// No parameter: the width determines everything that the host needs.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource&) {
  if (shape.operand_bits == shape.width + 1) return 0;
  throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family bit_systolic");
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  Constants constants;
  constants.bound = math.add(m, m);
  constants.r_exp = shape.width + 2;
  return constants;
}

// A product takes 3·OperandBits + 8: two cycles per row, the propagation of the last bit, input and output.
std::uint64_t product_cycles_limit(const Shape& shape) { return 3 * std::uint64_t{shape.operand_bits} + 64; }

}  // namespace

const Family kBitSystolic = {3, "bit_systolic", 1, read_parameter, derive, product_cycles_limit};

}  // namespace perle
