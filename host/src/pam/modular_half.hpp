// SPDX-License-Identifier: Apache-2.0
//
// One prime of a key on its modular product unit: the constants that make the unit and the register
// multiplier agree, and what the host does to a result.
#pragma once

#include "pam/modular_crt.hpp"
#include "pam/modular_unit.hpp"

namespace perle {

class ModularHalf {
 public:
  // c^exponent modulo `prime` on board `board`; `inverse` is that of the other prime. Merged: results stay in
  // the unit's domain, and constants of the recombination take them out of it; else a product with 1 does.
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
  // The domain is left where constants do not do it, and the result read.
  Program leave() const { return merged_ ? Program() : unit_.times(one_); }
  Program unload() { return unit_.unload(crt_.result); }
  // The host's look-up: the bits from the prime's length on choose what they are modulo the prime. What was
  // one word more than the prime has then has as many. Nothing to do if merged.
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
