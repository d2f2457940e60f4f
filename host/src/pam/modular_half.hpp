// SPDX-License-Identifier: Apache-2.0
//
// One prime of a key on its modular product unit: constants for the conversion between the domains of the
// unit and of the register multiplier, and the host's processing of a result.
#pragma once

#include "pam/modular_crt.hpp"
#include "pam/modular_unit.hpp"

namespace perle {

class ModularHalf {
 public:
  // c^exponent modulo `prime` on board `board`; `inverse` is the inverse of the other prime. Merged: results
  // leave the unit's domain by the constants of the recombination; otherwise by a product with 1.
  // Throws PERLE_ERR_WIDTH, PERLE_ERR_ARGUMENT.
  struct Numbers {
    const char* name;
    const Bn& prime;
    const Bn& exponent;
    const Bn& inverse;
  };
  ModularHalf(System& system, std::size_t board, const Numbers& of, const CrtBoard& crt, bool merged);
  ModularHalf(const ModularHalf&) = delete;
  ModularHalf& operator=(const ModularHalf&) = delete;

  CrtHalf& crt() { return crt_; }
  Program load() const { return unit_.load(crt_.b3, crt_.b1); }
  Program products() const { return unit_.products(chain_); }
  // Leaves the domain if constants do not do it; then reads the result.
  Program leave() const { return merged_ ? Program() : unit_.times(one_); }
  Program unload() { return unit_.unload(crt_.result); }
  // Shortens a result by one word: the host replaces the bits beyond the prime's length by their value modulo
  // the prime, from a table. Empty if merged.
  Program fold();

 private:
  void set_plain(const Bn& beta, const Bn& radix, const Bn& inverse);
  void set_merged(const Bn& beta, const Bn& radix, const Bn& inverse, const Bn& exponent);
  void set_table();
  void fold_now();

  ProductUnit unit_;
  Chain chain_;
  bool merged_;
  HostWords one_;
  CrtHalf crt_;
  std::vector<HostWords> table_;
};

}  // namespace perle
