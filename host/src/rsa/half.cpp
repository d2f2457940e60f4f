// SPDX-License-Identifier: Apache-2.0
#include "rsa/half.hpp"

namespace perle {
namespace {

// Bits of the random multiplier. More than 64 give no more protection against differential power analysis but
// cost board cycles; less than 20 could be guessed.
constexpr unsigned kMostBlinding = 64, kLeastBlinding = 20;

// The half for one prime p: with its exponent e, or with the equivalent e + r·(p − 1) for a new secret r.
Half half(const Shape& shape, const Key& key, Key::Part part, bool blind) {
  const Bn& p = part == Key::Part::kP ? key.p() : key.q();
  const Bn& e = part == Key::Part::kP ? key.dp() : key.dq();
  Half out{key.modulus(part, shape), e, p.bits()};
  if (!blind) return out;
  const unsigned extra = exponent_blinding_bits(shape, p);
  if (extra == 0) throw Error(PERLE_ERR_UNSUPPORTED, "the board's exponents have no room for blinding");
  const Arithmetic math;
  Bn r, order = math.sub(p, Bn(1));
  check_crypto(BN_priv_rand(r.get(), static_cast<int>(extra), BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1,
               "random number");
  out.exponent = math.add(e, math.mul(r.secret(), order.secret()));
  out.exponent.secret();
  out.bits += extra;
  return out;
}

}  // namespace

unsigned exponent_blinding_bits(const Shape& shape, const Bn& modulus) {
  if (shape.exponent_bits() < modulus.bits() + kLeastBlinding) return 0;
  return std::min(kMostBlinding, shape.exponent_bits() - modulus.bits());
}

unsigned public_width(const Shape& shape, const Half& half) {
  const unsigned rounded = (half.bits + shape.window_bits - 1) / shape.window_bits * shape.window_bits;
  const unsigned width = std::min<unsigned>(rounded, shape.exponent_bits());
  if (width < half.bits)
    throw Error(PERLE_ERR_WIDTH, "exponents have " + std::to_string(half.bits) + " bits, the board takes " +
                                     std::to_string(shape.exponent_bits()));
  return width;
}

std::vector<Half> halves_of(const Shape& shape, const Key& key, bool blind) {
  std::vector<Half> out;
  if (key.has_crt()) {
    out.push_back(half(shape, key, Key::Part::kP, blind));
    out.push_back(half(shape, key, Key::Part::kQ, blind));
  } else {
    if (blind) throw Error(PERLE_ERR_UNSUPPORTED, "without its primes a key's exponent cannot be blinded");
    out.push_back({key.modulus(Key::Part::kN, shape), key.d(), key.n().bits()});
  }
  return out;
}

// Garner's formula: sq + q·((sp − sq)·qinv mod p). p may be less than q.
Bn recombine(const Key& key, const std::vector<const Bn*>& powers) {
  if (powers.size() == 1) return *powers[0];
  const Arithmetic math;
  const Bn &sp = *powers[0], &sq = *powers[1];
  const Bn difference = math.sub(math.add(sp, key.p()), math.mod(sq, key.p()));
  return math.add(sq, math.mul(key.q(), math.mulmod(difference, key.qinv(), key.p())));
}

Bn software_power(const Key& key, const Bn& c) {
  const Arithmetic math;
  if (!key.has_crt()) return math.modexp(c, key.d(), key.n());
  const Bn sp = math.modexp(math.mod(c, key.p()), key.dp(), key.p());
  const Bn sq = math.modexp(math.mod(c, key.q()), key.dq(), key.q());
  return recombine(key, {&sp, &sq});
}

bool right_power(const Key& key, const Half& half, const Bn& base, const Bn& power) {
  const Arithmetic math;
  const Bn& m = half.modulus->m();
  return math.modexp(power, key.e(), m) == math.mod(base, m);
}

}  // namespace perle
