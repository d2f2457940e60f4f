// SPDX-License-Identifier: Apache-2.0
//
// A modular product unit (perle/pam/mod_product): its parameters, found by accesses, and its sequences.
#pragma once

#include "pam/modular_program.hpp"

namespace perle {

// Square-and-multiply for x^e with the digits 1 and 3, one access per product. Its length and its addresses
// reveal e.
struct Chain {
  HostWords products;  // addresses
  Bn thirds;           // Σ 2^i over the places i at which the digit is 3
};
Chain chain_of(const Bn& exponent);

class ProductUnit {
 public:
  // Finds β, and checks that the board is built for `prime`. Throws PERLE_ERR_WIDTH, PERLE_ERR_ARGUMENT.
  ProductUnit(System& system, std::size_t board, const Bn& prime, const char* name);

  unsigned r_exp() const { return r_exp_; }  // β = 2^r_exp
  // Words of B1 and of B3; words of any result.
  std::size_t operand_words() const { return operand_words_; }
  std::size_t result_words() const { return result_words_; }

  // To follow `unload`: loads B3 and B1 from memory; A and S ← β.
  Program load(const HostWords& b3, const HostWords& b1) const;
  Program products(const Chain& chain) const;
  // A product with a number in memory; with 1 it leaves the domain.
  Program times(const HostWords& b1) const;
  // Reads S; A ← β/16. One access more than words, as P first holds an old word.
  Program unload(HostWords& out) const;

 private:
  unsigned find_r_exp(System& system, const char* name) const;
  void check_prime(System& system, const Bn& prime, const char* name) const;

  std::size_t board_;
  unsigned r_exp_ = 0;
  std::size_t operand_words_ = 0, result_words_ = 0;
};

}  // namespace perle
