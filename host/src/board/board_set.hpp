// SPDX-License-Identifier: Apache-2.0
//
// One or several equal boards, given to threads one board at a time, in the order of their asking. One that
// failed recovers before it is given out again, together with its lanes; if it does not, others are given,
// and it is tried again after a while.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "board/board.hpp"

namespace perle {

class Link;

class BoardSet {
 public:
  // Throws if there is no board, if they are not equal, or if none of them works.
  explicit BoardSet(std::vector<std::unique_ptr<Board>> boards);
  ~BoardSet();  // zeroizes; the boards are idle

  // A board for as long as the lease lives.
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
    // In a child of fork(): neither the board nor the set is ours.
    void lose() { lost_ = true; }

   private:
    BoardSet& set_;
    std::size_t index_;
    bool lost_ = false;
  };
  // Any board; among idle ones the one that has modulus `preferred`, else an empty one, else the longest
  // unused.
  // One that does not work, and then throws why, only if no other does.
  Lease lease(std::uint64_t preferred);
  Lease lease_index(std::size_t index);
  // Without waiting: null if the board is busy, its lanes are to recover, or others wait for boards. It may
  // not work.
  std::unique_ptr<Lease> try_lease(std::size_t index);
  // The board, which may be in use by others now, gave a wrong result: it recovers before the next use.
  void blame(std::size_t index);
  // Until a board is given back, or that time is over.
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
    std::size_t line = 0;  // the first board on its reset line, which are in a row
    bool busy = false;
    bool blamed = false;
    std::uint64_t last_used = 0;
    unsigned uses = 0;         // since it recovered last
    unsigned relapses = 0;     // recoveries that did not last
    unsigned retirements = 0;  // since it lasted
    Clock::time_point back{};  // when a retired one is tried again
    bool retired() const { return back != Clock::time_point{}; }
  };
  bool works(const Slot& slot) const { return !slot.blamed && slot.board->works(); }
  bool any_works() const;
  // Whether a board that is idle should be tried now.
  bool due(const Slot& slot) const;
  // Of boards on one line: whether one is due, and whether any is in use.
  bool line_due(std::size_t line) const;
  bool line_busy(std::size_t line) const;
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
// Throws what open_spec throws for a specification that is not understood, or whose file is not there.
void check_spec(const std::string& spec);
// The same boards, out of the shared objects below this folder of simulated boards whatever the environment
// says.
std::string in_folder(const std::string& spec, const std::string& folder);
// One simulated board out of a shared object: its lanes.
std::vector<std::unique_ptr<Backend>> open_sim(const std::string& path);
// The lanes of the design at the other end of a link; `spec` for messages.
std::vector<std::unique_ptr<Backend>> open_link(std::unique_ptr<Link> link, const std::string& spec);

}  // namespace perle
