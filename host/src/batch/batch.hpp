// SPDX-License-Identifier: Apache-2.0
//
// Many private operations on all boards of a set, driven by the thread that polls (perle_batch.h).
#pragma once

#include <deque>

#include "batch/batch_operation.hpp"
#include "board/process.hpp"

namespace perle {

class Batch {
 public:
  Batch(std::shared_ptr<BoardSet> set, std::size_t capacity);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Throws PERLE_ERR_QUEUE_FULL, and what the operation's constructor throws.
  void submit(std::shared_ptr<const Key> key, Bn message, unsigned flags, std::uint8_t* out,
              std::uint64_t tag);
  // Returns how many reports were written to `done`.
  std::size_t poll(std::uint64_t milliseconds, perle_batch_done* done, std::size_t room);
  perle_batch_stats stats();
  // Throws PERLE_ERR_ARGUMENT in a process that did not open the batch.
  void check_process() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Operation = std::shared_ptr<BatchOperation>;
  struct Work {  // a half to be run
    Operation operation;
    std::size_t half = 0;
    unsigned passed_over = 0;
  };
  struct Place {                             // a board
    std::unique_ptr<BoardSet::Lease> lease;  // null: no half of this batch is on it
    Work work;
    unsigned failures = 0;                     // in a row
    std::uint64_t rests = 0;                   // not used until halves_done_ reaches this
    std::optional<std::uint64_t> first, last;  // its clock at the first start and at the last answer
  };

  bool round();
  bool collect();
  void collect(std::size_t index);
  void start();
  void start(Place& place, std::size_t index);
  void complete();
  void complete(const Operation& operation);
  void refill();
  bool rests(const Place& place) const { return halves_done_ < place.rests; }
  bool may(std::size_t index, const BatchOperation& operation) const;
  std::deque<Work>::iterator choose(std::size_t index, std::uint64_t resident);
  bool elsewhere(const BatchOperation& operation) const;
  void blame(Place& place);
  void failed(std::size_t index, Work work);
  void end(const Operation& operation, perle_status status, const std::string& why);
  void ended(const Operation& operation);
  std::size_t take_reports(perle_batch_done* done, std::size_t room);
  void pause(Clock::time_point deadline);

  const std::shared_ptr<BoardSet> set_;
  const std::size_t capacity_;
  const ProcessStamp process_;

  std::mutex drive_;  // guards the boards and all operations between inbox_ and ended_
  std::vector<Place> places_;
  std::deque<Work> waiting_;
  std::vector<Operation> whole_;  // all halves have completed
  std::uint64_t halves_done_ = 0, repeated_ = 0, busy_cycles_ = 0;
  Clock::time_point left_{};  // when the last round ended
  std::chrono::microseconds nap_{1};

  std::mutex queue_;  // never held while boards work
  std::deque<Operation> inbox_, ended_;
  std::size_t pending_ = 0;
  std::uint64_t succeeded_ = 0, failed_ = 0, refused_ = 0;
};

}  // namespace perle
