// SPDX-License-Identifier: Apache-2.0
#include "rsa/key.hpp"

#include "rsa/key_limits.hpp"

namespace perle {
namespace {

constexpr unsigned kSmallestBits = 32;

void want(bool good, const char* why) {
  if (!good) throw Error(PERLE_ERR_KEY_INCONSISTENT, std::string("the key is inconsistent: ") + why);
}

// a·b ≡ 1 (mod m)
bool inverse_pair(const Arithmetic& math, const Bn& a, const Bn& b, const Bn& m) {
  return math.mulmod(a, b, m).is_one();
}

void check_public(const KeyNumbers& numbers) {
  want(numbers.n && numbers.e, "n or e is missing");
  const Bn &n = *numbers.n, &e = *numbers.e;
  want(n.is_odd() && n.bits() >= kSmallestBits && n.bits() <= kMostModulusBits,
       "n is even or has not 32 to 16384 bits");
  want(e.is_odd() && !e.is_one() && e < n, "e is even, one, or not below n");
  if (const std::string why = exponent_too_long(n, e); !why.empty())
    throw Error(PERLE_ERR_EXPONENT_WIDE, why);
}

// Primality is not tested: that takes longer than an operation. A key with composite "primes" gives results
// that the check s^e = m refuses; software then distinguishes it from a failing board.
void check_crt(const KeyNumbers& numbers, const Arithmetic& math) {
  const Bn &p = *numbers.p, &q = *numbers.q, &e = *numbers.e;
  want(p.is_odd() && q.is_odd() && p.bits() > 2 && q.bits() > 2 && !(p == q),
       "p or q is no odd prime, or p = q");
  want(math.mul(p, q) == *numbers.n, "n is not p·q");
  const Bn p1 = math.sub(p, Bn(1)).secret(), q1 = math.sub(q, Bn(1)).secret();
  want(*numbers.dp < p1 && inverse_pair(math, e, *numbers.dp, p1), "e·dp is not 1 modulo p-1");
  want(*numbers.dq < q1 && inverse_pair(math, e, *numbers.dq, q1), "e·dq is not 1 modulo q-1");
  want(*numbers.qinv < p && inverse_pair(math, q, *numbers.qinv, p), "q·qinv is not 1 modulo p");
  if (numbers.d)
    want(inverse_pair(math, e, *numbers.d, p1) && inverse_pair(math, e, *numbers.d, q1),
         "e·d is not 1 modulo p-1 and q-1");
}

// Without primes d can only be tested on an example: (2^e)^d = 2.
void check_exponent(const KeyNumbers& numbers, const Arithmetic& math) {
  want(!numbers.d->is_zero() && *numbers.d < *numbers.n, "d is zero or not below n");
  const Bn two(2);
  want(math.modexp(math.modexp(two, *numbers.e, *numbers.n), *numbers.d, *numbers.n) == two,
       "e and d do not undo each other");
}

}  // namespace

Key::Key(KeyNumbers numbers) : numbers_(std::move(numbers)) {
  const int crt = static_cast<int>(numbers_.p.has_value()) + static_cast<int>(numbers_.q.has_value()) +
                  static_cast<int>(numbers_.dp.has_value()) + static_cast<int>(numbers_.dq.has_value()) +
                  static_cast<int>(numbers_.qinv.has_value());
  for (auto* secret : {&numbers_.d, &numbers_.p, &numbers_.q, &numbers_.dp, &numbers_.dq, &numbers_.qinv})
    if (*secret) (*secret)->secret();
  const Arithmetic math;
  check_public(numbers_);
  want(crt == 0 || crt == 5, "some of p, q, dp, dq, qinv are missing");
  if (crt == 5)
    check_crt(numbers_, math);
  else if (numbers_.d)
    check_exponent(numbers_, math);
}

std::shared_ptr<const Modulus> Key::modulus(Part part, const Shape& shape) const {
  const NoFork whole;
  const std::scoped_lock lock(mutex_);
  for (const Made& made : made_)
    if (made.part == part && made.modulus->shape() == shape) return made.modulus;
  const Bn& value = part == Part::kN ? n() : part == Part::kP ? p() : q();
  if (value.bits() > shape.width)
    throw Error(PERLE_ERR_WIDTH, (part == Part::kN ? "the key's modulus has " : "a prime of the key has ") +
                                     std::to_string(value.bits()) + " bits, the board takes " +
                                     std::to_string(shape.width));
  auto modulus = std::make_shared<const Modulus>(shape, value, "a number of the key");
  made_.push_back({part, modulus});
  return modulus;
}

}  // namespace perle
