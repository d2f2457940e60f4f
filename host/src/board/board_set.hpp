// SPDX-License-Identifier: Apache-2.0
//
// One or more boards of equal shape, leased to threads in order of arrival. A board that failed is recovered,
// together with its lanes, before it is leased again. If that fails, other boards are leased, and it is
// tested again later.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "board/board.hpp"

namespace perle {

class Link;

class BoardSet {
 public:
  // Throws if there is no board, if their shapes differ, or if none of them works.
  explicit BoardSet(std::vector<std::unique_ptr<Board>> boards);
  ~BoardSet();  // zeroizes; the boards are idle

  // Exclusive use of a board during the lifetime of the lease.
  class Lease {
   public:
    Lease(BoardSet& set, std::size_t index) : set_(set), index_(index) {}
    ~Lease() {
      if (!lost_) set_.release(index_);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Board* operator->() const { return set_.slots_[index_].board.get(); }
    std::size_t index() const { return index_; }
    // In a child of fork() board and set belong to the parent: the board is not released.
    void lose() { lost_ = true; }

   private:
    BoardSet& set_;
    std::size_t index_;
    bool lost_ = false;
  };
  // Waits for an idle board: preferably one that has modulus `preferred`, else one without a modulus, else
  // the least recently used. If no board works, returns one that does not; operations on it throw the reason.
  Lease lease(std::uint64_t preferred);
  Lease lease_index(std::size_t index);
  // Waits for the board and zeroizes it. Lanes of which one has failed are recovered first: only the reset
  // that they share ends one that hangs.
  void zeroize(std::size_t index);
  // Does not wait: null if the board is busy, if its lanes must be recovered first and one is in use, or if
  // other callers wait for boards. The board may be one that does not work.
  std::unique_ptr<Lease> try_lease(std::size_t index);
  // A result of the board was wrong. It may be in use by another caller now; it is recovered before its next
  // use.
  void blame(std::size_t index);
  // Waits until a board is released, or for that time.
  void await_idle(std::chrono::microseconds longest);

  std::size_t count() const { return slots_.size(); }
  const Board& board(std::size_t index) const { return *slots_[index].board; }
  Board& board(std::size_t index) { return *slots_[index].board; }
  const Shape& shape() const { return slots_[0].board->shape(); }
  void check_shape(const Shape& other) const;

  Limits limits() const;
  void set_limits(const Limits& limits);
  perle_check check() const;
  void set_check(perle_check check);

 private:
  using Clock = std::chrono::steady_clock;
  struct Slot {
    std::unique_ptr<Board> board;
    std::size_t line = 0;  // index of the first board of its reset line; boards of a line are consecutive
    bool busy = false;
    bool blamed = false;
    std::uint64_t last_used = 0;
    unsigned uses = 0;         // since the last recovery
    unsigned relapses = 0;     // in a row: failures soon after a recovery
    unsigned retirements = 0;  // in a row; doubles the time until the next test
    Clock::time_point back{};  // when a retired board is tested again
    bool retired() const { return back != Clock::time_point{}; }
  };
  bool works(const Slot& slot) const { return !slot.blamed && slot.board->works(); }
  bool any_works() const;
  // Whether a board is idle, failed, and should be recovered now.
  bool due(const Slot& slot) const;
  // Whether a board of the line is due, or in use.
  bool line_due(std::size_t line) const;
  bool line_busy(std::size_t line) const;
  // Whether the line has lanes and one of them has failed.
  bool lanes_failed(std::size_t line) const;
  // The next time at which a board that is idle and retired is due, if there is one.
  std::optional<Clock::time_point> next_due() const;
  std::size_t pick(std::uint64_t preferred) const;  // count() if none is idle
  void take(std::size_t index);
  void recover(std::unique_lock<std::mutex>& lock, std::size_t line);
  void judge(Slot& slot);
  void release(std::size_t index);

  std::vector<Slot> slots_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::uint64_t next_ticket_ = 0, serving_ = 0, uses_ = 0;
  Limits limits_;
  perle_check check_ = PERLE_CHECK_FULL;
};

// The boards of a specification (see perle_boards_open).
std::vector<std::unique_ptr<Board>> open_spec(const std::string& spec);
// Throws the errors of open_spec for an invalid specification, or one whose file does not exist.
void check_spec(const std::string& spec);
// The specification of the same boards by path, in this cache folder instead of that of the environment.
std::string in_folder(const std::string& spec, const std::string& folder);
// Opens a simulated board; returns its lanes.
std::vector<std::unique_ptr<Backend>> open_sim(const std::string& path);
// Opens the design behind a link; returns its lanes. `spec` is for messages.
std::vector<std::unique_ptr<Backend>> open_link(std::unique_ptr<Link> link, const std::string& spec);

}  // namespace perle
