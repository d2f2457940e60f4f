// SPDX-License-Identifier: Apache-2.0
#include "board/board_set.hpp"

#include <algorithm>
#include <exception>

namespace perle {
namespace {

// Time after which a retired board is tested again, doubled after every failed test.
constexpr std::chrono::seconds kRetry{1};
constexpr unsigned kMostDoublings = 6;
// A board that fails within this many uses of its recovery has relapsed. After this many relapses in a row it
// is retired.
constexpr unsigned kFewUses = 2, kMostRelapses = 3;

// A place in the queue of callers; left by the destructor. The mutex must be held at construction and
// destruction.
class Turn {
 public:
  Turn(std::uint64_t& next, std::uint64_t& serving, std::condition_variable& idle)
      : serving_(serving), idle_(idle), ticket_(next++) {}
  ~Turn() {
    ++serving_;
    idle_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  bool here() const { return ticket_ == serving_; }

 private:
  std::uint64_t& serving_;
  std::condition_variable& idle_;
  const std::uint64_t ticket_;
};

}  // namespace

BoardSet::BoardSet(std::vector<std::unique_ptr<Board>> boards) {
  if (boards.empty()) throw Error(PERLE_ERR_SPEC, "a set of no boards");
  for (const auto& board : boards)
    if (!(board->shape() == boards.front()->shape()))
      throw Error(PERLE_ERR_BOARD_ID, "the boards of a set have to be equal");
  slots_.reserve(boards.size());
  for (auto& board : boards) {
    const void* const line = board->backend().line();
    const bool lane = line != nullptr && !slots_.empty() && slots_.back().board->backend().line() == line;
    const std::size_t first = lane ? slots_.back().line : slots_.size();
    slots_.emplace_back();
    slots_.back().board = std::move(board);
    slots_.back().line = first;
  }
  // Another process may have left boards busy or with flags set.
  std::unique_lock lock(mutex_);
  for (std::size_t line = 0; line < count(); ++line)
    if (slots_[line].line == line && line_due(line)) recover(lock, line);
  if (!any_works()) slots_[0].board->need_works();
}

BoardSet::~BoardSet() {
  for (std::size_t line = 0; line < count(); ++line)
    if (slots_[line].line == line && lanes_failed(line)) slots_[line].board->reset_line();
  for (Slot& slot : slots_) {
    try {
      slot.board->zeroize();
    } catch (...) {
      // A board that does not answer cannot be zeroized, and a destructor cannot report it.
    }
  }
}

bool BoardSet::any_works() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.busy || works(slot); });
}

bool BoardSet::due(const Slot& slot) const {
  return !slot.busy && !works(slot) && (slot.back <= Clock::now() || !any_works());
}

bool BoardSet::line_due(std::size_t line) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.line == line && due(slot); });
}

bool BoardSet::line_busy(std::size_t line) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.line == line && slot.busy; });
}

bool BoardSet::lanes_failed(std::size_t line) const {
  return slots_[line].board->backend().line() != nullptr &&
         std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.line == line && !works(slot); });
}

std::optional<BoardSet::Clock::time_point> BoardSet::next_due() const {
  std::optional<Clock::time_point> next;
  const Clock::time_point now = Clock::now();
  for (const Slot& slot : slots_)
    if (!slot.busy && slot.back > now && (!next || slot.back < *next)) next = slot.back;
  return next;
}

std::size_t BoardSet::pick(std::uint64_t preferred) const {
  const bool well =
      std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.busy || works(slot); });
  std::size_t best = count();
  int best_rank = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const Slot& slot = slots_[i];
    const bool recovers = !well && line_due(slot.line);
    if (slot.busy || (recovers ? line_busy(slot.line) : !works(slot))) continue;
    const std::uint64_t resident = slot.board->resident();
    // A board that failed is recovered first; a retired one only if no other board is idle.
    const int rank = recovers                                  ? (works(slot) || slot.retired() ? 4 : 0)
                     : resident == preferred && preferred != 0 ? 1
                     : resident == 0                           ? 2
                                                               : 3;
    if (best != count() &&
        (rank > best_rank || (rank == best_rank && slot.last_used >= slots_[best].last_used)))
      continue;
    best = i;
    best_rank = rank;
  }
  return best;
}

BoardSet::Lease BoardSet::lease(std::uint64_t preferred) {
  std::unique_lock lock(mutex_);
  const Turn turn(next_ticket_, serving_, idle_);
  std::size_t index = count();
  for (;;) {
    while (!turn.here() || (index = pick(preferred)) == count()) {
      const auto due = turn.here() ? next_due() : std::nullopt;
      if (due)
        idle_.wait_until(lock, *due);
      else
        idle_.wait(lock);
    }
    // The line may have become due since pick() chose; another lane of it may then be in use.
    const std::size_t line = slots_[index].line;
    if (!line_due(line) || line_busy(line)) break;
    recover(lock, line);
    if (!any_works()) break;
  }
  take(index);
  return {*this, index};
}

BoardSet::Lease BoardSet::lease_index(std::size_t index) {
  std::unique_lock lock(mutex_);
  check_argument(index < count(), "no board of that index");
  const Turn turn(next_ticket_, serving_, idle_);
  idle_.wait(lock, [&] { return turn.here() && !slots_[index].busy; });
  slots_[index].busy = true;
  return {*this, index};
}

void BoardSet::zeroize(std::size_t index) {
  const std::size_t line = slots_[index].line;
  {
    std::unique_lock lock(mutex_);
    const Turn turn(next_ticket_, serving_, idle_);
    const auto recovers = [&] { return index == line && lanes_failed(line); };
    idle_.wait(lock, [&] { return turn.here() && (recovers() ? !line_busy(line) : !slots_[index].busy); });
    if (recovers()) recover(lock, line);
    slots_[index].busy = true;
  }
  const Lease lease(*this, index);
  lease->zeroize();
}

std::unique_ptr<BoardSet::Lease> BoardSet::try_lease(std::size_t index) {
  std::unique_lock lock(mutex_);
  if (next_ticket_ != serving_ || slots_[index].busy) return nullptr;
  const std::size_t line = slots_[index].line;
  if (line_due(line)) {
    if (line_busy(line)) return nullptr;
    recover(lock, line);
    if (next_ticket_ != serving_ || slots_[index].busy) return nullptr;
  }
  auto out = std::make_unique<Lease>(*this, index);
  take(index);
  return out;
}

void BoardSet::take(std::size_t index) {
  Slot& slot = slots_[index];
  slot.busy = true;
  slot.last_used = ++uses_;
  ++slot.uses;
}

void BoardSet::blame(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  slots_[index].board->counters().add(Counters::kFaults);
  slots_[index].blamed = true;
}

// Recovers the boards of a line, which are idle; they are marked busy meanwhile. Other boards stay usable.
void BoardSet::recover(std::unique_lock<std::mutex>& lock, std::size_t line) {
  std::vector<Board*> boards;
  std::vector<Slot*> failed;
  for (Slot& slot : slots_) {
    if (slot.line != line) continue;
    if (!works(slot)) failed.push_back(&slot);
    boards.push_back(slot.board.get());
  }
  for (Slot& slot : slots_) {
    if (slot.line != line || !slot.blamed) continue;
    slot.board->distrust(PERLE_ERR_FAULT, "its result was wrong");
    slot.blamed = false;
  }
  const auto busy = [&](bool value) {
    for (Slot& slot : slots_)
      if (slot.line == line) slot.busy = value;
  };
  busy(true);
  lock.unlock();
  std::exception_ptr fault;  // the host failed (out of memory)
  try {
    Board::recover(boards);
  } catch (...) {
    fault = std::current_exception();
  }
  lock.lock();
  busy(false);
  idle_.notify_all();
  if (fault) std::rethrow_exception(fault);
  for (Slot* slot : failed) judge(*slot);
}

// After a recovery: a board that failed its test is retired for a while, and so is one that passes tests but
// keeps failing in use, unless no other board works. A retired board that passes its next test is used again.
void BoardSet::judge(Slot& slot) {
  const bool lasted = slot.uses > kFewUses;
  slot.relapses = lasted ? 0 : slot.relapses + 1;
  if (lasted) slot.retirements = 0;
  slot.uses = 0;
  if (slot.board->works()) {
    const auto others = std::count_if(slots_.begin(), slots_.end(),
                                      [&](const Slot& other) { return other.busy || works(other); });
    if (slot.retired() || slot.relapses < kMostRelapses || others <= 1) {
      slot.back = {};
      return;
    }
    slot.board->retire();
  }
  slot.back = Clock::now() + kRetry * (1U << std::min(slot.retirements, kMostDoublings));
  ++slot.retirements;
}

void BoardSet::await_idle(std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, longest);
}

void BoardSet::release(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  slots_[index].busy = false;
  idle_.notify_all();
}

void BoardSet::check_shape(const Shape& other) const {
  check_argument(other == shape(), "a modulus made for boards of another shape");
}

Limits BoardSet::limits() const {
  const std::scoped_lock lock(mutex_);
  return limits_;
}

void BoardSet::set_limits(const Limits& limits) {
  const std::scoped_lock lock(mutex_);
  limits_ = limits;
}

perle_check BoardSet::check() const {
  const std::scoped_lock lock(mutex_);
  return check_;
}

void BoardSet::set_check(perle_check check) {
  const std::scoped_lock lock(mutex_);
  const bool checked = std::all_of(slots_.begin(), slots_.end(),
                                   [](const Slot& slot) { return slot.board->backend().checked(); });
  check_ = checked ? check : PERLE_CHECK_FULL;
}

}  // namespace perle
