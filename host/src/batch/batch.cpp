// SPDX-License-Identifier: Apache-2.0
//
// The interface of a batch: submitting operations, polling, reports.
#include "batch/batch.hpp"

#include <algorithm>

namespace perle {
namespace {

constexpr std::chrono::microseconds kLongestNap{50};  // a fraction of the time of a half

}  // namespace

Batch::Batch(std::shared_ptr<BoardSet> set, std::size_t capacity)
    : set_(std::move(set)), capacity_(capacity != 0 ? capacity : 4 * set_->count()), places_(set_->count()) {}

Batch::~Batch() {
  if (!process_.here()) {
    for (Place& place : places_)
      if (place.lease) place.lease->lose();
    // Leak a reference: the last owner would zeroize boards that belong to the parent process.
    if (set_.use_count() == 1) (void)new std::shared_ptr<BoardSet>(set_);
    return;
  }
  for (Place& place : places_)
    if (place.lease) (*place.lease)->cancel_power();
}

void Batch::check_process() const { check_here(process_, "a batch"); }

void Batch::submit(std::shared_ptr<const Key> key, Bn message, unsigned flags, std::uint8_t* out,
                   std::uint64_t tag) {
  const auto operation =
      std::make_shared<BatchOperation>(set_->shape(), std::move(key), std::move(message), flags, out, tag);
  const std::scoped_lock lock(queue_);
  if (pending_ >= capacity_)
    throw Error(PERLE_ERR_QUEUE_FULL, "the batch has " + std::to_string(capacity_) + " operations already");
  inbox_.push_back(operation);
  ++pending_;
}

std::size_t Batch::poll(std::uint64_t milliseconds, perle_batch_done* done, std::size_t room) {
  constexpr std::uint64_t kLongest = std::uint64_t{1000} * 60 * 60 * 24 * 365;  // sums must not overflow
  const auto deadline = Clock::now() + std::chrono::milliseconds(std::min(milliseconds, kLongest));
  for (;;) {
    bool moved = false;
    {
      const std::scoped_lock lock(drive_);
      moved = round();
    }
    {
      const std::scoped_lock lock(queue_);
      if (pending_ == 0 || !ended_.empty()) return take_reports(done, room);
    }
    if (Clock::now() >= deadline) return 0;
    if (!moved) pause(deadline);
  }
}

std::size_t Batch::take_reports(perle_batch_done* done, std::size_t room) {
  std::size_t count = 0;
  for (; count < room && !ended_.empty(); ++count, --pending_) {
    ended_.front()->report(done[count]);
    ended_.pop_front();
  }
  return count;
}

// Nothing has changed: hardware boards are working, or other callers use all boards.
void Batch::pause(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
  std::chrono::microseconds nap{};
  {
    const std::scoped_lock lock(drive_);
    nap = nap_;
    nap_ = std::min(2 * nap_, kLongestNap);
  }
  set_->await_idle(std::clamp(left, std::chrono::microseconds(0), nap));
}

perle_batch_stats Batch::stats() {
  perle_batch_stats out{};
  const std::scoped_lock lock(drive_, queue_);
  out.pending = pending_;
  out.succeeded = succeeded_;
  out.failed = failed_;
  out.refused = refused_;
  out.repeated = repeated_;
  out.busy_cycles = busy_cycles_;
  for (const Place& place : places_) {
    out.running += place.lease ? 1 : 0;
    if (place.first && place.last) out.cycles = std::max(out.cycles, *place.last - *place.first);
  }
  return out;
}

}  // namespace perle
