// SPDX-License-Identifier: Apache-2.0
//
// What the host needs to know about a core family: the constants of a modulus, the range of products, and the
// longest time of a product. A new family adds one file, and one line in family.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rsa/bn.hpp"

namespace perle {

// The parameters that a board reports. Boards of equal shape use the same constants.
struct Shape {
  std::uint32_t family_id = 0;
  std::uint32_t width = 0;         // bits of the widest modulus
  std::uint32_t operand_bits = 0;  // bits of an operand
  std::uint32_t word_bits = 0;     // 32 or 64
  std::uint32_t window_bits = 0;   // exponent bits per window
  std::uint32_t const_count = 0;   // constants of a modulus, including M
  std::uint32_t parameter = 0;     // specific to the family, see Family::read_parameter
  std::uint32_t lanes = 1;         // lanes that share the multiplier, including this one
  bool operator==(const Shape&) const = default;

  std::size_t line_words() const { return (operand_bits + word_bits - 1) / word_bits; }
  // The exponent register is as long as the words that hold an operand.
  std::uint32_t exponent_bits() const { return static_cast<std::uint32_t>(line_words()) * word_bits; }
};

struct Constants {
  std::vector<Bn> values;  // after M, in the family's order
  Bn bound;                // operands and results of Montgomery products are below it
  unsigned r_exp = 0;      // R = 2^r_exp
};

// Value of a named parameter of the core, -1 if the board does not report it.
using ParameterSource = std::function<long(const char* name)>;

struct Family {
  std::uint32_t id;
  const char* name;
  std::uint32_t const_count;
  // Determines Shape::parameter and checks that the shape is valid for the family; throws PERLE_ERR_BOARD_ID.
  std::uint32_t (*read_parameter)(const Shape& shape, const ParameterSource& source);
  // Constants of a valid modulus m. No branch may depend on the value of m: it may be a secret prime.
  Constants (*derive)(const Shape& shape, const Bn& m, const Arithmetic& math);
  // Upper bound of the cycles of a product or a reduction, for timeouts only; the family's model has the
  // exact numbers.
  std::uint64_t (*product_cycles_limit)(const Shape& shape);
};

extern const Family kOrup;
extern const Family kIterative;
extern const Family kBitSystolic;
extern const Family kScalable;
extern const Family kKaratsuba;
extern const Family kStream;
extern const Family kLowlat;
extern const Family kTile;
extern const Family kCarrySave;

// Throws PERLE_ERR_FAMILY.
const Family& family_of(std::uint32_t id);

}  // namespace perle
