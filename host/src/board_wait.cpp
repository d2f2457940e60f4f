// SPDX-License-Identifier: Apache-2.0
//
// Waiting for a board, never for ever.
#include <algorithm>
#include <chrono>
#include <thread>

#include "board.hpp"
#include "regs.hpp"

namespace perle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kDefaultMilliseconds = 30'000;
// Simulated cycles between two looks at the wall clock: some hundredths of a second.
constexpr std::uint64_t kCyclesBetweenLooks = 2'000;

bool finished(std::uint64_t status) { return regs::kDone.get(status) != 0 && regs::kBusy.get(status) == 0; }

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
    if (backend_->ops().advance(backend_->ctx(), step, until_irq ? 1 : 0, &passed) != 0) {
      suspect_ = true;
      note_fault();
      throw Error(PERLE_ERR_BUS, "the simulated board does not run");
    }
    const std::uint64_t status = read(regs::kStatus);
    if (finished(status)) return status;
    // An interrupt without an end: do not trust it again.
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
  for (;;) {
    const bool late = Clock::now() >= deadline;
    const std::uint64_t status = read(regs::kStatus);
    if (finished(status)) return status;
    if (late) timed_out(std::to_string(milliseconds) + " ms");
    std::this_thread::sleep_for(sleep);
    sleep = std::min(2 * sleep, kLongestSleep);
  }
}

void Board::timed_out(const std::string& limit) {
  counters_.add(Counters::kTimeouts);
  suspect_ = !try_reset();
  throw Error(PERLE_ERR_TIMEOUT, "the board did not finish within " + limit);
}

}  // namespace perle
