// SPDX-License-Identifier: Apache-2.0
//
// A round: collect finished halves, start waiting ones on free boards, and only then compute on the host
// (checks, blinding), so that boards do not stand idle meanwhile.
#include <algorithm>

#include "batch/batch.hpp"
#include "rsa/rsa.hpp"

namespace perle {
namespace {

// Number of halves per board that are prepared in advance: a free board prefers one whose modulus it has.
constexpr std::size_t kAhead = 2;
// How often a half may be passed over in favour of one whose modulus is on the board.
constexpr unsigned kMostPassedOver = 16;
// After this many failures in a row a board is not used, until this many halves have completed.
constexpr unsigned kFailuresToRest = 2;
constexpr std::uint64_t kRest = 64;
// Clock cycles between two polls of a simulated board. Lanes share a clock: while it advances for one, others
// may end. A board without lanes stops at its interrupt.
constexpr std::uint64_t kLaneSlice = 16, kSlice = 4096;

}  // namespace

// Returns whether another round should follow at once.
bool Batch::round() {
  const auto still = Clock::now() - left_;
  for (Place& place : places_)
    if (place.lease) (*place.lease)->allow(still);
  const bool moved = collect();
  start();
  complete();
  refill();
  start();
  if (moved) nap_ = std::chrono::microseconds(1);
  left_ = Clock::now();
  return moved;
}

bool Batch::collect() {
  bool moved = false;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].lease) continue;
    moved = moved || (*places_[i].lease)->simulated();
    collect(i);
    moved = moved || !places_[i].lease;
  }
  return moved;
}

void Batch::collect(std::size_t index) {
  Place& place = places_[index];
  Board& board = *place.lease->operator->();
  std::optional<Answer> answer;
  try {
    answer = board.poll_power(board.shape().lanes == 1 ? kSlice : kLaneSlice);
    if (!answer) return;
    place.last = board.clock();
  } catch (...) {
    place.lease.reset();
    failed(index, std::move(place.work));
    return;
  }
  place.lease.reset();
  place.failures = 0;
  ++halves_done_;
  busy_cycles_ += answer->cycles;
  const Work work = std::move(place.work);
  if (work.operation->over()) return;
  if (work.operation->put(work.half, index, std::move(*answer))) whole_.push_back(work.operation);
}

bool Batch::may(std::size_t index, const BatchOperation& operation) const {
  if (operation.avoid.count(index) != 0) return false;
  if (!rests(places_[index])) return true;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (operation.avoid.count(i) == 0 && !rests(places_[i])) return false;
  return true;
}

bool Batch::elsewhere(const BatchOperation& operation) const {
  return operation.avoid.size() < places_.size();
}

// The first half that may run on that board, or one whose modulus is on the board.
std::deque<Batch::Work>::iterator Batch::choose(std::size_t index, std::uint64_t resident) {
  const auto allowed = [&](const Work& work) { return may(index, *work.operation); };
  const auto first = std::find_if(waiting_.begin(), waiting_.end(), allowed);
  if (first == waiting_.end() || resident == 0 || first->passed_over >= kMostPassedOver) return first;
  const auto fits = std::find_if(first, waiting_.end(), [&](const Work& work) {
    return work.operation->half(work.half).modulus->id() == resident && allowed(work);
  });
  if (fits == waiting_.end()) return first;
  if (fits != first) ++first->passed_over;
  return fits;
}

void Batch::start() {
  for (std::size_t i = 0; i < places_.size() && !waiting_.empty(); ++i)
    if (!places_[i].lease && choose(i, 0) != waiting_.end()) start(places_[i], i);
}

void Batch::start(Place& place, std::size_t index) {
  auto lease = set_->try_lease(index);
  if (!lease) return;
  Board& board = *lease->operator->();
  const auto chosen = choose(index, board.resident());
  Work work = std::move(*chosen);
  waiting_.erase(chosen);
  try {
    const Half& half = work.operation->half(work.half);
    if (!place.first) place.first = board.clock();
    board.start_power(*half.modulus, work.operation->base(work.half), half.exponent,
                      public_width(set_->shape(), half), set_->limits());
  } catch (...) {
    lease.reset();
    failed(index, std::move(work));
    return;
  }
  place.work = std::move(work);
  place.lease = std::move(lease);
}

void Batch::blame(Place& place) {
  if (++place.failures >= kFailuresToRest) place.rests = halves_done_ + kRest;
}

// Called in an exception handler: the board did not finish a half.
void Batch::failed(std::size_t index, Work work) {
  BatchOperation& operation = *work.operation;
  const auto give_up = [&](perle_status status, const std::string& why) {
    if (!operation.over()) end(work.operation, status, why);
  };
  try {
    throw;
  } catch (const Error& error) {
    if (!of_board(error.status())) return give_up(error.status(), error.what());
    blame(places_[index]);
    if (operation.over()) return;
    operation.avoid.insert(index);
    if (!elsewhere(operation))
      return give_up(error.status(), "board " + std::to_string(index) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return give_up(PERLE_ERR_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return give_up(PERLE_ERR_CRYPTO, error.what());
  } catch (...) {
    return give_up(PERLE_ERR_CRYPTO, "an exception that is none of the library's");
  }
  ++operation.repeats;
  ++repeated_;
  waiting_.push_front(std::move(work));
}

void Batch::complete() {
  std::vector<Operation> now;
  now.swap(whole_);
  for (const Operation& operation : now) {
    try {
      complete(operation);
    } catch (...) {
      const perle_status status = current_exception_status();
      end(operation, status, perle_last_error());
    }
  }
}

void Batch::complete(const Operation& operation) {
  if (operation->complete()) return ended(operation);
  if (!operation->key_in_order()) {
    for (const std::size_t index : operation->boards())
      set_->board(index).counters().add(Counters::kKeyErrors);
    throw_wrong(false);
  }
  for (const std::size_t index : operation->culprits()) {
    set_->blame(index);
    blame(places_[index]);
    operation->avoid.insert(index);
  }
  if (++operation->wrong > 1 || !elsewhere(*operation)) throw_wrong(true);
  operation->prepare(set_->shape());
  for (std::size_t half = operation->halves(); half-- > 0;) {
    waiting_.push_front({operation, half, 0});
    ++operation->repeats;
    ++repeated_;
  }
}

// Prepares submitted operations, as many as the boards will need soon.
void Batch::refill() {
  while (waiting_.size() < kAhead * places_.size()) {
    Operation next;
    {
      const std::scoped_lock lock(queue_);
      if (inbox_.empty()) return;
      next = std::move(inbox_.front());
      inbox_.pop_front();
    }
    try {
      next->prepare(set_->shape());
      for (std::size_t half = 0; half < next->halves(); ++half) waiting_.push_back({next, half, 0});
    } catch (...) {
      const perle_status status = current_exception_status();
      end(next, status, perle_last_error());
    }
  }
}

void Batch::end(const Operation& operation, perle_status status, const std::string& why) {
  operation->fail(status, why);
  std::erase_if(waiting_, [&](const Work& work) { return work.operation == operation; });
  ended(operation);
}

void Batch::ended(const Operation& operation) {
  const std::scoped_lock lock(queue_);
  ++(operation->status() == PERLE_OK ? succeeded_ : failed_);
  refused_ += operation->status() == PERLE_ERR_KEY_WRONG ? 1 : 0;
  ended_.push_back(operation);
}

}  // namespace perle
