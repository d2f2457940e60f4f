// SPDX-License-Identifier: Apache-2.0
//
// What the host has to know of a core family: how a modulus's constants follow from it, in which range
// products live, and how long a product may take at most. A new family adds one file and one table line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rsa/bn.hpp"

namespace perle {

// What a board says of itself. Boards of equal shape take the same constants.
struct Shape {
  std::uint32_t family_id = 0;
  std::uint32_t width = 0;         // bits of the widest modulus
  std::uint32_t operand_bits = 0;  // bits of an operand
  std::uint32_t word_bits = 0;     // 32 or 64
  std::uint32_t window_bits = 0;   // exponent bits a step
  std::uint32_t const_count = 0;   // constants of a modulus, M included
  std::uint32_t parameter = 0;     // the family's own, see Family::read_parameter
  std::uint32_t lanes = 1;         // boards that share the multiplier, this one included
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

// Value of a named parameter of the board's build, -1 if the board does not tell.
using ParameterSource = std::function<long(const char* name)>;

struct Family {
  std::uint32_t id;
  const char* name;
  std::uint32_t const_count;
  // Finds Shape::parameter and checks that the shape is one of the family's; throws PERLE_ERR_BOARD_ID.
  std::uint32_t (*read_parameter)(const Shape& shape, const ParameterSource& source);
  // Constants of the modulus m, which is legal. No branch depends on m's value: it may be a secret prime.
  Constants (*derive)(const Shape& shape, const Bn& m, const Arithmetic& math);
  // No product and no reduction of the family takes more cycles. Only for time limits: the exact counts
  // belong to the family's model.
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
