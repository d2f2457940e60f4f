// SPDX-License-Identifier: Apache-2.0
//
// One constant-time power a prime on the boards, and their recombination.
#include "halves.hpp"

#include <exception>
#include <system_error>
#include <thread>

namespace perle {
namespace {

// More is of no use against differential power analysis, and costs board cycles; less than the least is no
// secret.
constexpr unsigned kMostBlinding = 64, kLeastBlinding = 20;

// The public width of an exponent of up to `bits` bits: whole windows of it, as far as the exponent line
// goes.
unsigned public_width(const Shape& shape, unsigned bits) {
  const unsigned rounded = (bits + shape.window_bits - 1) / shape.window_bits * shape.window_bits;
  const unsigned width = std::min<unsigned>(rounded, shape.exponent_bits());
  if (width < bits)
    throw Error(PERLE_ERR_WIDTH, "exponents have " + std::to_string(bits) + " bits, the board takes " +
                                     std::to_string(shape.exponent_bits()));
  return width;
}

// One power with a secret exponent, and where it was formed.
struct Power {
  std::shared_ptr<const Modulus> modulus;
  Bn exponent;
  unsigned bits;  // of the longest exponent that it might be
  Answer answer;
  std::size_t board = 0;
  std::exception_ptr error;

  void run(BoardSet& set, const Bn& base) noexcept {
    try {
      const unsigned width = public_width(set.shape(), bits);
      const Arithmetic math;
      const Bn reduced = math.mod(base, modulus->m());
      const auto lease = set.lease(modulus->id());
      board = lease.index();
      answer = lease->power(*modulus, reduced, exponent, width, PERLE_MODE_WINDOW, true, set.limits());
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

// Half of a private power: exponent e modulo the prime p; or e + r·(p − 1), r secret and new, which does the
// same.
Power half(const BoardSet& set, const Key& key, Key::Part part, bool blind) {
  const Bn& p = part == Key::Part::kP ? key.p() : key.q();
  const Bn& e = part == Key::Part::kP ? key.dp() : key.dq();
  Power out{key.modulus(part, set.shape()), e, p.bits(), {}, 0, {}};
  if (!blind) return out;
  const unsigned extra = Halves::blinding_bits(set.shape(), p);
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

std::vector<Power> powers(const BoardSet& set, const Key& key, bool blind) {
  std::vector<Power> out;
  if (key.has_crt()) {
    out.push_back(half(set, key, Key::Part::kP, blind));
    out.push_back(half(set, key, Key::Part::kQ, blind));
  } else {
    if (blind) throw Error(PERLE_ERR_UNSUPPORTED, "without its primes a key's exponent cannot be blinded");
    out.push_back({key.modulus(Key::Part::kN, set.shape()), key.d(), key.n().bits(), {}, 0, {}});
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

unsigned Halves::blinding_bits(const Shape& shape, const Bn& modulus) {
  if (shape.exponent_bits() < modulus.bits() + kLeastBlinding) return 0;
  return std::min(kMostBlinding, shape.exponent_bits() - modulus.bits());
}

PrivatePower Halves::form(const Key& key, const Bn& base, bool blind_exponent) {
  const Arithmetic math;
  auto todo = std::make_shared<std::vector<Power>>(powers(set_, key, blind_exponent));
  const bool together = run_all(set_, base, *todo);
  const bool both = todo->size() == 2;
  const Answer& first = todo->front().answer;
  PrivatePower out;
  out.value = both ? recombine(key, math, first.value, todo->back().answer.value) : first.value;
  out.cost.cycles = out.cost.elapsed = first.cycles;
  if (both) {
    const std::uint64_t second = todo->back().answer.cycles;
    out.cost.cycles += second;
    out.cost.elapsed = together ? std::max(out.cost.elapsed, second) : out.cost.cycles;
  }
  out.blame = [this, &key, base, todo] {
    for (const Power& power : *todo) blame(set_, key, Arithmetic(), base, power);
  };
  return out;
}

}  // namespace perle
