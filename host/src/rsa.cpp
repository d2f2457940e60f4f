// SPDX-License-Identifier: Apache-2.0
//
// The private operation: blind, one constant-time power a prime on the boards, recombine, unblind, check.
//
// Timing on the host: primes and exponents carry BN_FLG_CONSTTIME, so that libcrypto divides without branches
// on them; recombination has no branch on signs (p is added before sq is subtracted). What can show is the
// length in words of intermediate numbers, which are blinded.
#include "rsa.hpp"

#include <exception>
#include <system_error>
#include <thread>

namespace perle {
namespace {

// The public width of an exponent below `modulus`: whole windows of it, as far as the exponent line goes.
unsigned public_width(const Shape& shape, const Bn& modulus) {
  const unsigned rounded = (modulus.bits() + shape.window_bits - 1) / shape.window_bits * shape.window_bits;
  const unsigned width = std::min<unsigned>(rounded, shape.exponent_bits());
  if (width < modulus.bits())
    throw Error(PERLE_ERR_WIDTH, "exponents have " + std::to_string(modulus.bits()) +
                                     " bits, the board takes " + std::to_string(shape.exponent_bits()));
  return width;
}

// One power with a secret exponent, and where it was formed.
struct Power {
  std::shared_ptr<const Modulus> modulus;
  const Bn* exponent;
  Answer answer;
  std::size_t board = 0;
  std::exception_ptr error;

  void run(BoardSet& set, const Bn& base) noexcept {
    try {
      const unsigned width = public_width(set.shape(), modulus->m());
      const Arithmetic math;
      const Bn reduced = math.mod(base, modulus->m());
      const auto lease = set.lease(modulus->id());
      board = lease.index();
      answer = lease->power(*modulus, reduced, *exponent, width, PERLE_MODE_WINDOW, true, set.limits());
      answer.value.secret();
    } catch (...) {
      error = std::current_exception();
    }
  }
  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

// sq + q·((sp − sq)·qinv mod p), Garner. p may be below q.
Bn recombine(const Key& key, const Arithmetic& math, const Bn& sp, const Bn& sq) {
  const Bn difference = math.sub(math.add(sp, key.p()), math.mod(sq, key.p()));
  return math.add(sq, math.mul(key.q(), math.mulmod(difference, key.qinv(), key.p())));
}

// After a wrong result: which board gave it?
void blame(BoardSet& set, const Key& key, const Arithmetic& math, const Bn& base, const Power& power) {
  const Bn& m = power.modulus->m();
  if (math.modexp(power.answer.value, key.e(), m) == math.mod(base, m)) return;
  set.lease_index(power.board)->note_fault();
}

std::vector<Power> powers(const BoardSet& set, const Key& key) {
  std::vector<Power> out;
  if (key.has_crt()) {
    out.push_back({key.modulus(Key::Part::kP, set.shape()), &key.dp(), {}, 0, {}});
    out.push_back({key.modulus(Key::Part::kQ, set.shape()), &key.dq(), {}, 0, {}});
  } else {
    out.push_back({key.modulus(Key::Part::kN, set.shape()), &key.d(), {}, 0, {}});
  }
  return out;
}

// Both halves, at the same time where there are two boards; returns whether they were.
bool run_all(BoardSet& set, const Bn& base, std::vector<Power>& todo) {
  std::thread other;
  if (todo.size() == 2 && set.count() >= 2) {
    try {
      other = std::thread([&] { todo[1].run(set, base); });
    } catch (const std::system_error&) {
      // No thread to be had: one after the other.
    }
  }
  const bool together = other.joinable();
  todo[0].run(set, base);
  if (together)
    other.join();
  else if (todo.size() == 2 && !todo[0].error)
    todo[1].run(set, base);
  for (const Power& power : todo) power.rethrow();
  return together && todo[0].board != todo[1].board;
}

}  // namespace

Bn rsa_private(BoardSet& set, const Key& key, const Bn& c, bool blinded, perle_cost& cost) {
  if (!key.is_private()) throw Error(PERLE_ERR_KEY_PUBLIC, "the key has no private part");
  if (!(c < key.n())) throw Error(PERLE_ERR_OPERAND_RANGE, "the message is not below the key's modulus");
  const Arithmetic math;
  std::vector<Power> todo = powers(set, key);
  const Blinding blinding = blinded ? key.blinding() : Blinding{Bn(1), Bn(1)};
  const Bn base = math.mulmod(c, blinding.factor, key.n());
  const bool together = run_all(set, base, todo);

  const Bn& first = todo[0].answer.value;
  const Bn raw = todo.size() == 2 ? recombine(key, math, first, todo[1].answer.value) : first;
  Bn result = math.mulmod(raw, blinding.inverse, key.n());
  if (!(math.modexp(result, key.e(), key.n()) == c)) {
    for (const Power& power : todo) blame(set, key, math, base, power);
    throw Error(PERLE_ERR_FAULT,
                "the private operation went wrong on the board; its result was not released");
  }
  cost.cycles = cost.elapsed = todo[0].answer.cycles;
  if (todo.size() == 2) {
    const std::uint64_t second = todo[1].answer.cycles;
    cost.cycles += second;
    cost.elapsed = together ? std::max(cost.elapsed, second) : cost.cycles;
  }
  return result;
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
  cost = {answer.cycles, answer.cycles};
  return expected;
}

}  // namespace perle
