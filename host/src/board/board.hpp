// SPDX-License-Identifier: Apache-2.0
//
// One board: register-level operations. Not thread-safe, except for its statistics: BoardSet gives a board to
// one thread at a time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "board/modulus.hpp"
#include "family/family.hpp"
#include "perle.h"

namespace perle {

// Owns a perle_backend with its context: closes it once.
class Backend {
 public:
  // Backends of equal `line` are lanes of one board, which are reset together.
  // `checked`: transmission errors between host and board are detected.
  Backend(const perle_backend& ops, void* ctx, const void* line = nullptr, bool checked = true)
      : ops_(ops), ctx_(ctx), line_(line), checked_(checked) {}
  ~Backend() {
    if (ops_.close != nullptr) ops_.close(ctx_);
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  const perle_backend& ops() const { return ops_; }
  void* ctx() const { return ctx_; }
  bool simulated() const { return ops_.advance != nullptr; }
  const void* line() const { return line_; }  // null: no lanes
  bool checked() const { return checked_; }

 private:
  perle_backend ops_;
  void* ctx_;
  const void* line_;
  bool checked_;
};

struct Limits {
  std::uint64_t milliseconds = 0;  // 0: none for simulated boards, 30 s for others
  std::uint64_t cycles = 0;        // simulated boards; 0: computed
};

enum class Op : std::uint8_t { kMont = 0, kMulMod = 1, kExp = 2 };

struct Answer {
  Bn value;
  std::uint64_t cycles = 0;
};

class Counters {
 public:
  enum Item {
    kOperations,
    kCycles,
    kWrites,
    kReads,
    kBytesWritten,
    kBytesRead,
    kLoads,
    kFaults,
    kTimeouts,
    kResets,
    kRecoveries,
    kRetirements,
    kKeyErrors,
    kItems
  };
  void add(Item item, std::uint64_t amount = 1) { count_[item].fetch_add(amount, std::memory_order_relaxed); }
  void reset();
  perle_board_stats snapshot() const;

 private:
  std::array<std::atomic<std::uint64_t>, kItems> count_{};
};

class Board {
 public:
  // Identifies the board, after a reset if it does not answer; throws PERLE_ERR_BOARD_ID, _FAMILY, _BUS. If
  // STATUS is not 0 (busy, flags set), works() is false until the board has been recovered.
  explicit Board(std::unique_ptr<Backend> backend);

  const Shape& shape() const { return shape_; }
  std::uint32_t config_hash() const { return config_hash_; }
  const Family& family() const { return *family_; }
  bool simulated() const { return backend_->simulated(); }
  std::uint64_t resident() const { return resident_; }  // id of the modulus on the board, 0 none
  Counters& counters() { return counters_; }
  const Counters& counters() const { return counters_; }

  // Operations. Operands must be in the range of `op`; results out of range are refused (_FAULT).
  Answer product(const Modulus& mod, Op op, const Bn& x, const Bn& y, const Limits& limits);
  // `elen` bits of e are used. A secret exponent is overwritten on the board afterwards.
  Answer power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, perle_mode mode, bool secret,
               const Limits& limits);
  // The same for a secret exponent in PERLE_MODE_WINDOW, asynchronously, for callers that keep many boards
  // busy: start, then poll until there is an answer. The board must not be used otherwise meanwhile. Both
  // throw the errors of power(), after which nothing is left to poll for.
  void start_power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, const Limits& limits);
  // Advances a simulated board by at most `cycles`, or until its interrupt.
  std::optional<Answer> poll_power(std::uint64_t cycles);
  // Extends the deadline of a simulated board by the time for which it was not advanced.
  void allow(std::chrono::nanoseconds more);
  // Ends the started operation: by a reset, or if that is not possible by waiting for it.
  void cancel_power() noexcept;
  // Cycle count of the board's clock, if it reports one.
  std::optional<std::uint64_t> clock() const;
  void zeroize();

  // Whether there was no failure since the last recovery. Otherwise operations throw the reason.
  bool works() const { return !suspect_; }
  // Resets all boards of the board's reset line, whose contents are then unknown. They may be busy with the
  // zeroization at the end of it.
  bool reset_line() noexcept { return pulse_reset(); }
  void need_works() const;  // throws the reason if !works()
  // Its result was wrong: the board must be recovered before it is used again.
  void note_fault() {
    count(Counters::kFaults);
    distrust(PERLE_ERR_FAULT, "its result was wrong");
  }
  void distrust(perle_status status, const char* why) noexcept;
  // Takes it out of service: it fails in use although its self-test passes.
  void retire() noexcept;
  // Resets all boards of one reset line, none of which may be in use, zeroizes them, and tests them with a
  // power whose result is known. Those that pass work again.
  static void recover(std::span<Board* const> line);

  // Single accesses, for debugging. Call forget() before writes: the contents of the board are then unknown.
  std::uint64_t read(std::uint32_t addr);
  void write(std::uint32_t addr, std::uint64_t data);
  const Backend& backend() const { return *backend_; }
  void forget() { resident_ = 0; }

 private:
  Answer power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, perle_mode mode,
               const Limits& limits);
  // The command of a power whose operands are loaded.
  struct Wanted {
    std::uint64_t command;
    std::uint64_t products;  // at most
  };
  struct Started {
    Bn bound;  // of the result
    std::uint64_t cycle_limit, passed = 0;
    std::optional<std::uint64_t> begin;  // clock
    std::uint64_t milliseconds;          // 0: no limit
    std::chrono::steady_clock::time_point deadline;
    bool until_irq = true;
    unsigned idle_looks = 0;  // polls in a row that found it neither busy nor done
  };
  Wanted enter_power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, perle_mode mode);
  void issue(std::uint64_t command);
  std::uint64_t cycle_limit(const Modulus& mod, std::uint64_t products, const Limits& limits) const;
  Answer collect(std::uint64_t status);
  std::optional<Answer> look(std::uint64_t cycles);
  void run_simulated(std::uint64_t cycles, bool until_irq, std::uint64_t& passed);
  void clear_exponent();
  void identify();
  std::uint64_t await_idle();
  void zeroize_idle();
  [[noreturn]] void fail(perle_status status, const std::string& text);
  // Recovery (board_recover.cpp).
  struct SelfTest;
  void start_test(const SelfTest& test);
  bool poll_test(const SelfTest& test);
  void end_test(bool right, bool worked) noexcept;
  void count(Counters::Item item, std::uint64_t amount = 1) {
    if (!testing_) counters_.add(item, amount);
  }
  void load(const Modulus& mod);
  void write_line(std::uint32_t window, const Words& words, std::size_t count);
  Answer run(const Modulus& mod, std::uint64_t command, std::uint64_t products, const Limits& limits);
  std::uint64_t wait(std::uint64_t cycle_limit, const Limits& limits);
  std::uint64_t wait_simulated(std::uint64_t cycle_limit, std::uint64_t milliseconds);
  std::uint64_t wait_polling(std::uint64_t milliseconds);
  void timed_out(const std::string& limit);
  void check_flags(std::uint64_t status);
  bool pulse_reset() noexcept;
  bool try_reset() noexcept;
  void try_zeroize() noexcept;

  std::unique_ptr<Backend> backend_;
  Shape shape_;
  std::uint32_t config_hash_ = 0;
  const Family* family_ = nullptr;
  std::uint64_t resident_ = 0;
  bool suspect_ = false;            // it failed: recover it before the next operation
  bool retired_ = false;            // its recovery failed
  bool testing_ = false;            // recovering: accesses are not counted
  perle_status status_ = PERLE_OK;  // the first error, or that of the self-test
  std::array<char, 160> why_{};
  std::optional<Started> started_;
  Counters counters_;
};

}  // namespace perle
