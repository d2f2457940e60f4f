// SPDX-License-Identifier: Apache-2.0
//
// The accesses of the bus multiplier (perle/pam/bus_mul), and a single product.
#pragma once

#include "pam/driver_crt.hpp"

namespace perle {

// Words [from, to) of a product are read; the others are discarded.
struct Wanted {
  std::size_t from, to;
};

class BusBoard {
 public:
  BusBoard(System& system, std::size_t board) : system_(&system), board_(board) {}

  void write_a(std::uint64_t word) { write(0, word); }
  void write_b(std::uint64_t word) { write(1, word); }
  void write_s(std::uint64_t word) { write(2, word); }
  // Returns the word that left in the step before the last write_s.
  std::uint64_t read_p() { return system_->read(board_, 4 * 3); }

  // Removes what an earlier run left: P = 0, B_pre = 0, digits selected; the length of A does not change.
  void clear(std::size_t words);
  // S + A·B: a row of accesses for each word of A, of B, and of the rest of the product, and one more.
  // Returns the wanted words; the others are zero. With `loop` each row and the call cost HostCost::kLoop.
  // Afterwards the row of full adders is empty if the carry, word a + b, is zero or wanted. S has a + b
  // words; empty: 0.
  Words multiply(const Words& a, const Words& b, const Words& s, Wanted wanted, bool loop);

 private:
  void write(std::uint32_t instruction, std::uint64_t word) {
    system_->write(board_, 4 * instruction, static_cast<std::uint32_t>(word));
  }

  System* system_;
  std::size_t board_;
};

// Lengths of the numbers that the boards of a system multiply.
struct BusShape {
  std::size_t words;  // of A; the maximum if the length is variable
  bool variable;
  // The length of A for numbers of `wanted` words; 0 if they do not fit.
  std::size_t length(std::size_t wanted) const;
};
// Throws PERLE_ERR_ARGUMENT unless all boards are bus multipliers of one configuration.
BusShape bus_shape(System& system);

}  // namespace perle
