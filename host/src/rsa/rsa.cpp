// SPDX-License-Identifier: Apache-2.0
//
// The private operation: blind, compute the power on the boards, check, unblind.
//
// Timing on the host: primes and exponents have the flag BN_FLG_CONSTTIME; recombination has no branch on
// signs (p is added before sq is subtracted). What may be observable is the length in words of intermediate
// numbers, and whether libcrypto's division corrects a word of a quotient. These numbers are blinded, except
// those of which the constants of the primes are computed, once for each loading of a key.
#include "rsa/rsa.hpp"

#include "rsa/half.hpp"

namespace perle {

void need_private(const Key& key) {
  if (!key.is_private()) throw Error(PERLE_ERR_KEY_PUBLIC, "the key has no private part");
  if (key.refused()) throw_wrong(false);
}

void check_rsa_flags(unsigned flags) {
  check_argument((flags & ~(PERLE_RSA_NO_BLINDING | PERLE_RSA_BLIND_EXPONENT)) == 0, "undefined flag");
}

bool right_private_power(const Key& key, const Bn& c, const Bn& result) {
  return result < key.n() && Arithmetic().modexp(result, key.e(), key.n()) == c;
}

std::optional<Bn> unblinded_if_right(const Key& key, const Bn& base, const Bn& power,
                                     const Blinding& blinding) {
  if (!right_private_power(key, base, power)) return std::nullopt;
  return Arithmetic().mulmod_odd(power, blinding.inverse, key.n());
}

bool confirm_key(const Key& key, const Bn& base) {
  const bool in_order = right_private_power(key, base, software_power(key, base));
  if (!in_order) key.refuse();
  return in_order;
}

void throw_wrong(bool key_in_order) {
  if (key_in_order)
    throw Error(PERLE_ERR_FAULT,
                "the private operation went wrong on the board; its result was not released");
  throw Error(PERLE_ERR_KEY_WRONG,
              "the key is refused: its private numbers give results that its public ones do not undo, in "
              "software too (is p or q no prime?)");
}

Bn rsa_private(PrivateEngine& engine, const Key& key, const Bn& c, unsigned flags, perle_cost& cost) {
  need_private(key);
  if (!(c < key.n())) throw Error(PERLE_ERR_OPERAND_RANGE, "the message is not below the key's modulus");
  const bool plain = (flags & PERLE_RSA_NO_BLINDING) != 0;
  const Blinding blinding = plain ? Blinding{Bn(1), Bn(1)} : key.blinding();
  const Bn base = Arithmetic().mulmod(c, blinding.factor, key.n());
  const PrivatePower power = engine.form(key, base, (flags & PERLE_RSA_BLIND_EXPONENT) != 0);
  std::optional<Bn> result = unblinded_if_right(key, base, power.value, blinding);
  if (!result) {
    const bool key_in_order = confirm_key(key, base);
    power.blame(key_in_order);
    throw_wrong(key_in_order);
  }
  cost = power.cost;
  return std::move(*result);
}

Bn rsa_public(BoardSet* set, const Key& key, const Bn& x, perle_cost& cost) {
  if (!(x < key.n())) throw Error(PERLE_ERR_OPERAND_RANGE, "the message is not below the key's modulus");
  const Arithmetic math;
  Bn expected = math.modexp(x, key.e(), key.n());
  if (set == nullptr) return expected;
  const auto modulus = key.modulus(Key::Part::kN, set->shape());
  if (key.e().bits() > set->shape().exponent_bits())
    throw Error(PERLE_ERR_WIDTH, "the key's public exponent is wider than the board's exponent line");
  const auto lease = set->lease(modulus->id());
  const Answer answer =
      lease->power(*modulus, x, key.e(), key.e().bits(), PERLE_MODE_BINARY, false, set->limits());
  if (!(answer.value == expected)) {
    lease->note_fault();
    throw Error(PERLE_ERR_FAULT, "the public operation went wrong on the board");
  }
  cost = {answer.cycles, answer.cycles, 0};
  return expected;
}

}  // namespace perle
