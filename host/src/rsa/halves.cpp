// SPDX-License-Identifier: Apache-2.0
//
// A constant-time power per prime on the boards, and their recombination.
#include "rsa/halves.hpp"

#include <exception>
#include <system_error>
#include <thread>

#include "board/process.hpp"
#include "rsa/half.hpp"

namespace perle {
namespace {

// One power with a secret exponent, and the board that computed it.
struct Power {
  Half half;
  Answer answer;
  std::size_t board = 0;
  std::exception_ptr error;

  void run(BoardSet& set, const Bn& base) noexcept {
    try {
      const unsigned width = public_width(set.shape(), half);
      const Arithmetic math;
      const Bn reduced = math.mod(base, half.modulus->m());
      const auto lease = set.lease(half.modulus->id());
      board = lease.index();
      answer =
          lease->power(*half.modulus, reduced, half.exponent, width, PERLE_MODE_WINDOW, true, set.limits());
      answer.value.secret();
    } catch (...) {
      error = std::current_exception();
    }
  }
  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

// Runs all halves, in parallel if there are two boards; returns whether they ran in parallel.
bool run_all(BoardSet& set, const Bn& base, std::vector<Power>& todo) {
  std::thread other;
  if (todo.size() == 2 && set.count() >= 2) {
    try {
      other = start_thread([&] { todo[1].run(set, base); });
    } catch (const std::system_error&) {
      // No thread could be created: run them one after the other.
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

PrivatePower Halves::form(const Key& key, const Bn& base, bool blind_exponent) {
  auto todo = std::make_shared<std::vector<Power>>();
  for (Half& half : halves_of(set_.shape(), key, blind_exponent))
    todo->push_back({std::move(half), {}, 0, {}});
  const bool together = run_all(set_, base, *todo);
  PrivatePower out;
  std::vector<const Bn*> powers;
  for (const Power& power : *todo) {
    powers.push_back(&power.answer.value);
    out.cost.cycles += power.answer.cycles;
    out.cost.elapsed = std::max(out.cost.elapsed, power.answer.cycles);
  }
  if (!together) out.cost.elapsed = out.cost.cycles;
  out.value = recombine(key, powers);
  out.blame = [this, &key, base, todo](bool key_in_order) {
    for (const Power& power : *todo)
      if (!key_in_order)
        set_.board(power.board).counters().add(Counters::kKeyErrors);
      else if (!right_power(key, power.half, base, power.answer.value))
        set_.blame(power.board);
  };
  return out;
}

}  // namespace perle
