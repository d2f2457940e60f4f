// SPDX-License-Identifier: Apache-2.0
//
// One or several equal boards, given to threads one board at a time, in the order of their asking.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "board.hpp"

namespace perle {

class BoardSet {
 public:
  // Throws if there is no board or they are not equal.
  explicit BoardSet(std::vector<std::unique_ptr<Board>> boards);
  ~BoardSet();  // wipes; the boards are idle

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
  Lease lease(std::uint64_t preferred);
  Lease lease_index(std::size_t index);
  // Without waiting: null if the board is busy, or others wait for boards.
  std::unique_ptr<Lease> try_lease(std::size_t index);
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
  struct Slot {
    std::unique_ptr<Board> board;
    bool busy = false;
    std::uint64_t last_used = 0;
  };
  std::size_t pick(std::uint64_t preferred) const;  // count() if none is idle
  void release(std::size_t index);

  std::vector<Slot> slots_;
  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::uint64_t next_ticket_ = 0, serving_ = 0, uses_ = 0;
  Limits limits_;
  perle_check check_ = PERLE_CHECK_RANGE;
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

}  // namespace perle
