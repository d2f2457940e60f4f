// SPDX-License-Identifier: Apache-2.0
//
// One constant-time power a prime on the boards, and their recombination.
#include "halves.hpp"

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

PrivatePower Halves::form(const Key& key, const Bn& base) {
  const Arithmetic math;
  auto todo = std::make_shared<std::vector<Power>>(powers(set_, key));
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
