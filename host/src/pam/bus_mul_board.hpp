// SPDX-License-Identifier: Apache-2.0
//
// The instructions of the bus multiplier (perle/pam/bus_mul), and one product by itself.
#pragma once

#include "pam/driver_crt.hpp"

namespace perle {

// Words [from, to) of a product, that are read; the others leave the board unseen.
struct Wanted {
  std::size_t from, to;
};

class BusBoard {
 public:
  BusBoard(System& system, std::size_t board) : system_(&system), board_(board) {}

  void write_a(std::uint64_t word) { write(0, word); }
  void write_b(std::uint64_t word) { write(1, word); }
  void write_s(std::uint64_t word) { write(2, word); }
  // The word that left in the step before that of the last write_s.
  std::uint64_t read_p() { return system_->read(board_, 4 * 3); }

  // Whatever an earlier run left: zero P, B_pre = 0, digits selected, and A as short or long as it was.
  void clear(std::size_t words);
  // S + A·B, one row of accesses for each word of A, each of B, and each that is left then and one more; the
  // words that are wanted, the others zero. With loop, each row and the call cost HostCost::kLoop. The row of
  // full adders is empty afterwards if word a + b, the carry, is zero or wanted. S of a + b words, or none:
  // 0.
  Words multiply(const Words& a, const Words& b, const Words& s, Wanted wanted, bool loop);

 private:
  void write(std::uint32_t instruction, std::uint64_t word) {
    system_->write(board_, 4 * instruction, static_cast<std::uint32_t>(word));
  }

  System* system_;
  std::size_t board_;
};

// What the boards of a system multiply.
struct BusShape {
  std::size_t words;  // of A; the most if it is variable
  bool variable;
  // The length of A for numbers of so many words: 0 if there is none.
  std::size_t length(std::size_t wanted) const;
};
// Throws PERLE_ERR_ARGUMENT unless all boards are bus multipliers of one configuration.
BusShape bus_shape(System& system);

}  // namespace perle
