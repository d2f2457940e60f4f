// SPDX-License-Identifier: Apache-2.0
//
// Recovery of a board that failed: it is reset, zeroized, and tested with a power whose result is known. If
// it passes, it works again; otherwise it is retired. BoardSet decides when.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "board/board.hpp"
#include "board/regs.hpp"

namespace perle {
namespace {

// Timeout of a zeroization, including the one that follows a reset.
constexpr std::uint64_t kZeroizeCycles = 1 << 20;
constexpr int kZeroizeLooks = 100;
constexpr std::chrono::milliseconds kZeroizeTime{1000};
// Timeout of the self-test of a board with a free-running clock.
constexpr std::uint64_t kTestMilliseconds = 1000;
constexpr std::uint64_t kTestSlice = 64;  // cycles between two polls, as lanes share a clock

// A fixed number of at most that many bits.
Bn pattern(unsigned bits, unsigned step) {
  Bytes raw((bits + 7) / 8);
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::uint8_t>(0x9D + step * i);
  Bn out{ByteView(raw)};
  BN_mask_bits(out.get(), static_cast<int>(bits));  // fails if the number is shorter: no matter
  return out;
}

}  // namespace

// A power in constant time with an exponent of two windows, and operands of full width.
struct Board::SelfTest {
  explicit SelfTest(const Shape& shape)
      : modulus(shape, whole(shape.width), "the self-test's modulus"),
        elen(std::min(2 * shape.window_bits, shape.exponent_bits())),
        x(Arithmetic().mod(pattern(shape.width, 29), modulus.m())),
        e(pattern(elen, 73)),
        power(Arithmetic().modexp(x, e, modulus.m())) {}

  static Bn whole(unsigned bits) {
    Bn out = pattern(bits, 41);
    check_crypto(BN_set_bit(out.get(), static_cast<int>(bits) - 1) == 1 && BN_set_bit(out.get(), 0) == 1,
                 "a number");
    return out;
  }

  Modulus modulus;
  unsigned elen;
  Bn x, e, power;
};

void Board::distrust(perle_status status, const char* why) noexcept {
  resident_ = 0;
  if (suspect_) return;
  suspect_ = true;
  status_ = status;
  why_ = {};
  std::strncpy(why_.data(), why, why_.size() - 1);
}

void Board::fail(perle_status status, const std::string& text) {
  count(Counters::kFaults);
  distrust(status, text.c_str());
  throw Error(status, text);
}

void Board::need_works() const {
  if (suspect_)
    throw Error(status_,
                std::string(retired_ ? "the board is retired: " : "the board failed before: ") + why_.data());
}

// Returns STATUS.
std::uint64_t Board::await_idle() {
  const auto deadline = std::chrono::steady_clock::now() + kZeroizeTime;
  for (int looks = 0;; ++looks) {
    const bool late = simulated() ? looks == kZeroizeLooks : std::chrono::steady_clock::now() >= deadline;
    const std::uint64_t status = read(regs::kStatus);
    if (regs::kBusy.get(status) == 0) return status;
    if (late) timed_out("the time of a zeroization");
    std::uint64_t passed = 0;
    if (simulated())
      run_simulated(kZeroizeCycles / kZeroizeLooks, false, passed);
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void Board::zeroize_idle() {
  resident_ = 0;
  await_idle();
  write(regs::kControl, regs::kZeroize.put(1) | regs::kClearErrors.put(1));
  await_idle();
}

void Board::zeroize() {
  if (suspect_) try_reset();
  zeroize_idle();
}

// After a failure with a secret on the board. Its own errors are dropped: the caller gets the first one.
void Board::try_zeroize() noexcept {
  try {
    distrust(PERLE_ERR_FAULT, "an operation ended badly");
    // A busy board that cannot be reset now is zeroized when it is recovered.
    if (try_reset() || regs::kBusy.get(read(regs::kStatus)) == 0) zeroize_idle();
  } catch (...) {
    // It does not answer. It is marked as failed and will be recovered before its next use.
  }
}

bool Board::pulse_reset() noexcept {
  resident_ = 0;
  const perle_backend& ops = backend_->ops();
  if (ops.reset == nullptr) return false;
  counters_.add(Counters::kResets);
  return ops.reset(backend_->ctx()) == 0;
}

// A reset would affect other lanes: lanes are only reset together, when they are recovered.
bool Board::try_reset() noexcept { return backend_->line() == nullptr && pulse_reset(); }

void Board::retire() noexcept {
  distrust(PERLE_ERR_FAULT, "it failed again and again right after it was reset");
  if (!retired_) counters_.add(Counters::kRetirements);
  retired_ = true;
}

void Board::start_test(const SelfTest& test) {
  if (regs::kMagicField.get(read(regs::kId)) != regs::kMagic ||
      regs::kHash.get(read(regs::kConfigHash)) != config_hash_)
    throw Error(PERLE_ERR_BOARD_ID, "it answers as another board");
  zeroize_idle();
  start_power(test.modulus, test.x, test.e, test.elen, {simulated() ? 0 : kTestMilliseconds, 0});
}

// Returns whether the test has passed; throws if it failed.
bool Board::poll_test(const SelfTest& test) {
  const std::optional<Answer> answer = poll_power(kTestSlice);
  if (!answer) {
    if (!simulated()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return false;
  }
  if (!(answer->value == test.power)) throw Error(PERLE_ERR_FAULT, "its self-test gave a wrong result");
  return true;
}

void Board::end_test(bool right, bool worked) noexcept {
  testing_ = false;
  started_.reset();
  resident_ = 0;
  if (right) {
    suspect_ = retired_ = false;
    if (!worked) counters_.add(Counters::kRecoveries);
    return;
  }
  if (!retired_) counters_.add(Counters::kRetirements);
  suspect_ = retired_ = true;
}

void Board::recover(std::span<Board* const> line) {
  struct Trial {
    Board* board = nullptr;
    bool worked = false, ended = false, right = false;
    void step(const std::function<bool()>& work) {
      try {
        ended = right = work();
      } catch (const Error& error) {
        if (!of_board(error.status())) throw;  // an error of the host, not of the board
        end(error.status(), error.what());
      }
    }
    void end(perle_status status, const char* why) {
      ended = true;
      board->suspect_ = false;
      board->distrust(status, why);
    }
  };
  constexpr std::size_t kMost = 256;  // the range of the register LANES
  std::array<Trial, kMost> trials;
  const std::size_t count = std::min(line.size(), kMost);
  for (std::size_t i = 0; i < count; ++i) {
    trials[i] = {line[i], line[i]->works(), false, false};
    line[i]->testing_ = true;
    line[i]->suspect_ = false;
    line[i]->started_.reset();
    if (i > 0 && line[i]->backend_->ops().reset != nullptr) line[i]->counters_.add(Counters::kResets);
  }
  line[0]->pulse_reset();
  try {
    const SelfTest test(line[0]->shape_);
    for (std::size_t i = 0; i < count; ++i) trials[i].step([&] { return line[i]->start_test(test), false; });
    // All at the same time: the lanes take no longer than one of them.
    while (std::any_of(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(count),
                       [](const Trial& one) { return !one.ended; }))
      for (std::size_t i = 0; i < count; ++i)
        if (!trials[i].ended) trials[i].step([&] { return line[i]->poll_test(test); });
  } catch (...) {
    // The host failed (out of memory), not a board. The boards are tested when they are needed again.
    for (std::size_t i = 0; i < count; ++i) {
      line[i]->testing_ = false;
      line[i]->started_.reset();
      line[i]->resident_ = 0;
      if (trials[i].worked)
        line[i]->distrust(PERLE_ERR_FAULT, "it was reset, and not tried");
      else
        line[i]->suspect_ = true;
    }
    throw;
  }
  for (std::size_t i = 0; i < count; ++i) line[i]->end_test(trials[i].right, trials[i].worked);
}

}  // namespace perle
