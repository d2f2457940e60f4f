// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a board, always with a timeout.
#include <algorithm>
#include <chrono>
#include <thread>

#include "board/board.hpp"
#include "board/regs.hpp"

namespace perle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kDefaultMilliseconds = 30'000;
// Simulated cycles between two checks of the wall clock: some hundredths of a second.
constexpr std::uint64_t kCyclesBetweenLooks = 2'000;

// A started hardware board that is neither busy nor done in this many polls in a row has lost the command.
constexpr unsigned kIdleLooks = 4;
constexpr const char* kNotStarted = "the board did not start: the command was lost";

bool finished(std::uint64_t status) { return regs::kDone.get(status) != 0 && regs::kBusy.get(status) == 0; }
bool idle(std::uint64_t status) { return regs::kDone.get(status) == 0 && regs::kBusy.get(status) == 0; }

}  // namespace

// Returns STATUS of the finished operation; throws PERLE_ERR_TIMEOUT.
std::uint64_t Board::wait(std::uint64_t cycle_limit, const Limits& limits) {
  return simulated() ? wait_simulated(cycle_limit, limits.milliseconds)
                     : wait_polling(limits.milliseconds != 0 ? limits.milliseconds : kDefaultMilliseconds);
}

std::uint64_t Board::wait_simulated(std::uint64_t cycle_limit, std::uint64_t milliseconds) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds);
  bool until_irq = true;
  for (std::uint64_t left = cycle_limit;;) {
    const std::uint64_t step = milliseconds == 0 ? left : std::min(left, kCyclesBetweenLooks);
    std::uint64_t passed = 0;
    run_simulated(step, until_irq, passed);
    const std::uint64_t status = read(regs::kStatus);
    if (finished(status)) return status;
    // It interrupted without having finished: ignore its interrupts from now on.
    if (passed < step) until_irq = false;
    left -= std::min(left, std::max<std::uint64_t>(passed, 1));
    if (left == 0) timed_out(std::to_string(cycle_limit) + " cycles");
    if (milliseconds != 0 && Clock::now() >= deadline) timed_out(std::to_string(milliseconds) + " ms");
  }
}

std::uint64_t Board::wait_polling(std::uint64_t milliseconds) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds);
  constexpr auto kLongestSleep = std::chrono::microseconds(1000);
  auto sleep = std::chrono::microseconds(1);
  for (unsigned idle_looks = 0;;) {
    const bool late = Clock::now() >= deadline;
    const std::uint64_t status = read(regs::kStatus);
    if (finished(status)) return status;
    idle_looks = idle(status) ? idle_looks + 1 : 0;
    if (idle_looks == kIdleLooks) fail(PERLE_ERR_BUS, kNotStarted);
    if (late) timed_out(std::to_string(milliseconds) + " ms");
    std::this_thread::sleep_for(sleep);
    sleep = std::min(2 * sleep, kLongestSleep);
  }
}

void Board::run_simulated(std::uint64_t cycles, bool until_irq, std::uint64_t& passed) {
  if (backend_->ops().advance(backend_->ctx(), cycles, until_irq ? 1 : 0, &passed) == 0) return;
  fail(PERLE_ERR_BUS, "the simulated board does not run");
}

std::optional<std::uint64_t> Board::clock() const {
  if (backend_->ops().cycles == nullptr) return std::nullopt;
  return backend_->ops().cycles(backend_->ctx());
}

void Board::start_power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, const Limits& limits) {
  need_works();  // nothing is loaded yet: nothing to zeroize
  try {
    const Wanted wanted = enter_power(mod, x, e, elen, PERLE_MODE_WINDOW);
    Started now{mod.m(), cycle_limit(mod, wanted.products, limits), 0, clock(), limits.milliseconds, {}, true,
                0};
    if (!simulated() && now.milliseconds == 0) now.milliseconds = kDefaultMilliseconds;
    now.deadline = Clock::now() + std::chrono::milliseconds(now.milliseconds);
    started_ = std::move(now);
    issue(wanted.command);
  } catch (...) {
    started_.reset();
    try_zeroize();
    throw;
  }
}

void Board::allow(std::chrono::nanoseconds more) {
  if (started_ && simulated()) started_->deadline += std::chrono::duration_cast<Clock::duration>(more);
}

std::optional<Answer> Board::poll_power(std::uint64_t cycles) {
  try {
    std::optional<Answer> answer = look(cycles);
    if (answer) {
      clear_exponent();
      started_.reset();
    }
    return answer;
  } catch (...) {
    started_.reset();
    try_zeroize();
    throw;
  }
}

std::optional<Answer> Board::look(std::uint64_t cycles) {
  Started& now = *started_;
  const bool late = now.milliseconds != 0 && Clock::now() >= now.deadline;
  std::uint64_t passed = 0;
  if (simulated()) run_simulated(cycles, now.until_irq, passed);
  const std::uint64_t status = read(regs::kStatus);
  if (finished(status)) {
    Answer answer = collect(status);
    answer.value.secret();
    if (answer.value < now.bound) return answer;
    note_fault();
    throw Error(PERLE_ERR_FAULT, "the board's power is out of range");
  }
  // It interrupted without having finished: ignore its interrupts from now on.
  if (passed < cycles) now.until_irq = false;
  now.passed += std::max<std::uint64_t>(passed, 1);
  // Other lanes advance the shared clock too.
  const std::uint64_t spent = std::max(now.passed, now.begin ? *clock() - *now.begin : 0);
  now.idle_looks = idle(status) ? now.idle_looks + 1 : 0;
  if (!simulated() && now.idle_looks >= kIdleLooks) fail(PERLE_ERR_BUS, kNotStarted);
  if (simulated() && spent >= now.cycle_limit) timed_out(std::to_string(now.cycle_limit) + " cycles");
  if (late) timed_out(std::to_string(now.milliseconds) + " ms");
  return std::nullopt;
}

void Board::cancel_power() noexcept {
  if (!started_) return;
  if (try_reset()) {
    started_.reset();
    try {
      zeroize_idle();
    } catch (...) {
      // It does not answer. It is marked as failed and will be recovered before its next use.
    }
  }
  while (started_) {
    try {
      poll_power(kCyclesBetweenLooks);
    } catch (...) {
      // It has ended with an error and was zeroized if possible; nobody waits for the result.
    }
    if (started_ && !simulated()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Board::timed_out(const std::string& limit) {
  const std::string text = "the board did not finish within " + limit;
  count(Counters::kTimeouts);
  distrust(PERLE_ERR_TIMEOUT, text.c_str());
  throw Error(PERLE_ERR_TIMEOUT, text);
}

}  // namespace perle
