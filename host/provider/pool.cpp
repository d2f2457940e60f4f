// SPDX-License-Identifier: Apache-2.0
#include "pool.hpp"

#include <algorithm>

namespace perle::provider {
namespace {

// Whether the board is at fault, not the key or the caller.
bool blames_board(perle_status status) { return status >= PERLE_ERR_SPEC && status <= PERLE_ERR_BOARD_FLAG; }
bool wrong(perle_status status) { return status == PERLE_ERR_FAULT; }

constexpr unsigned kMostDoublings = 6;

}  // namespace

Pool::Pool(const Settings& settings, StatusPage& page) : settings_(settings), page_(page) {
  for (std::size_t i = 0; i < settings.boards.size(); ++i) {
    Unit unit;
    unit.spec = settings.boards[i];
    unit.row = &page->row[i];
    units_.push_back(std::move(unit));
  }
}

Pool::~Pool() {
  for (const Unit& unit : units_) perle_boards_close(unit.set);
}

bool Pool::fits(const Unit& unit, const Waiter& waiter, Clock::time_point now) const {
  return &unit != waiter.not_this && (unit.width == 0 || unit.width >= waiter.bits) &&
         (!unit.retired || unit.back <= now);
}

// The least busy free unit that no earlier caller could use.
Pool::Unit* Pool::choose(const std::list<Waiter>::iterator& self, Clock::time_point now) {
  Unit* best = nullptr;
  for (Unit& unit : units_) {
    if (!fits(unit, *self, now) || !free(unit)) continue;
    if (std::any_of(waiting_.begin(), self, [&](const Waiter& other) { return fits(unit, other, now); }))
      continue;
    if (best == nullptr || unit.busy * best->capacity < best->busy * unit.capacity) best = &unit;
  }
  return best;
}

Pool::Clock::time_point Pool::wake(Clock::time_point deadline) const {
  for (const Unit& unit : units_)
    if (unit.retired && unit.back > Clock::now()) deadline = std::min(deadline, unit.back);
  return deadline;
}

bool Pool::any_wide(unsigned bits) const {
  return std::any_of(units_.begin(), units_.end(),
                     [&](const Unit& unit) { return unit.width == 0 || unit.width >= bits; });
}

std::string Pool::why_none() const {
  std::string reasons;
  for (const Unit& unit : units_)
    if (unit.retired) reasons += (reasons.empty() ? "" : "; ") + unit.why;
  return "no board is in working order" + (reasons.empty() ? "" : " (" + reasons + ")");
}

Pool::Turn Pool::acquire(unsigned bits, const Unit* not_this, Outcome& outcome, std::string& why) {
  std::unique_lock lock(mutex_);
  const auto deadline = Clock::now() + std::chrono::milliseconds(settings_.timeout_ms);
  const auto self = waiting_.insert(waiting_.end(), Waiter{bits, not_this});
  bool counted = false;
  Turn found;
  for (;;) {
    const auto now = Clock::now();
    found.unit = choose(self, now);
    if (found.unit != nullptr) break;
    if (!any_wide(bits)) {
      outcome = Outcome::kTooNarrow;
      why = "no board is " + std::to_string(bits) + " bits wide";
      break;
    }
    if (std::none_of(units_.begin(), units_.end(),
                     [&](const Unit& unit) { return fits(unit, *self, now); })) {
      outcome = Outcome::kNoBoard;
      why = why_none();
      break;
    }
    if (!counted && page_->waiting.load() >= settings_.queue) {
      outcome = Outcome::kQueueFull;
      why = std::to_string(settings_.queue) + " operations wait already";
      break;
    }
    if (now >= deadline) {
      outcome = Outcome::kQueueFull;
      why = "no board was free within " + std::to_string(settings_.timeout_ms) + " ms";
      break;
    }
    if (!counted) {
      add(page_->waiting);
      page_->most_waiting = std::max(page_->most_waiting.load(), page_->waiting.load());
      counted = true;
    }
    changed_.wait_until(lock, wake(deadline));
  }
  if (counted) take(page_->waiting);
  waiting_.erase(self);
  if (found.unit != nullptr) {
    found.trial = found.unit->retired;
    ++found.unit->busy;
    add(found.unit->row->busy);
  }
  // The next caller may have been waiting for this one to choose.
  changed_.notify_all();
  return found;
}

// Opens a unit. Its capacity is 1 until then, so only one operation can do this.
perle_status Pool::open(const Turn& turn, std::string& why) {
  Unit& unit = *turn.unit;
  if (turn.trial) {
    perle_boards_close(unit.set);
    unit.set = nullptr;
  }
  if (unit.set != nullptr) return PERLE_OK;
  perle_boards* set = nullptr;
  perle_board_info info{};
  perle_status status = perle_boards_open(unit.spec.c_str(), &set);
  if (status == PERLE_OK) status = perle_boards_set_timeout(set, settings_.timeout_ms, 0);
  if (status == PERLE_OK) status = perle_boards_info(set, &info);
  if (status != PERLE_OK) {
    why = unit.spec + ": " + perle_last_error();
    perle_boards_close(set);
    return status;
  }
  const std::scoped_lock lock(mutex_);
  unit.set = set;
  unit.resets = unit.recoveries = 0;
  unit.width = info.width;
  unit.capacity = info.count;
  unit.row->width = info.width;
  unit.row->boards = info.count;
  unit.row->state = static_cast<std::uint32_t>(BoardState::kUp);
  return PERLE_OK;
}

void Pool::put_back(Unit& unit) {
  --unit.busy;
  take(unit.row->busy);
  changed_.notify_all();
}

// Adds the resets and recoveries of the unit's boards since the last call to the status page.
void Pool::note_recoveries(Unit& unit) {
  if (unit.set == nullptr) return;
  std::uint64_t resets = 0, recoveries = 0;
  for (unsigned i = 0; i < unit.capacity; ++i) {
    perle_board_stats stats{};
    if (perle_boards_stats(unit.set, i, &stats) != PERLE_OK) return;
    resets += stats.resets;
    recoveries += stats.recoveries;
  }
  add(unit.row->resets, resets - unit.resets);
  add(unit.row->recovered, recoveries - unit.recoveries);
  unit.resets = resets;
  unit.recoveries = recoveries;
}

void Pool::release(const Turn& turn, perle_status status, const std::string& why) {
  const std::scoped_lock lock(mutex_);
  Unit& unit = *turn.unit;
  StatusRow& row = *unit.row;
  put_back(unit);
  note_recoveries(unit);
  if (status == PERLE_OK) {
    unit.failures = unit.retirements = 0;
    unit.retired = false;
    row.state = static_cast<std::uint32_t>(BoardState::kUp);
    add(row.operations);
    return;
  }
  if (!blames_board(status) && !wrong(status)) return;
  add(row.errors);
  if (wrong(status)) add(row.wrong);
  if (status == PERLE_ERR_TIMEOUT) add(row.timeouts);
  row.last_error = static_cast<std::uint32_t>(status);
  ++unit.failures;
  const bool enough = turn.trial || unit.set == nullptr || unit.failures >= settings_.retire_after;
  if (!enough || (unit.retired && !turn.trial)) return;
  unit.retired = true;
  unit.why = why;
  const unsigned doublings = std::min(unit.retirements++, kMostDoublings);
  unit.back = Clock::now() + std::chrono::milliseconds(settings_.retry_ms << doublings);
  row.state = static_cast<std::uint32_t>(BoardState::kRetired);
  add(row.retired);
}

Pool::Outcome Pool::run(unsigned bits, const Work& work, std::string& why) {
  const Unit* failed = nullptr;
  for (;;) {
    Outcome outcome = Outcome::kFailed;
    std::string reason;
    const Turn turn = acquire(bits, failed, outcome, reason);
    if (turn.unit == nullptr) {
      // The only board failed before: its error is the reason.
      if (failed != nullptr) return Outcome::kFailed;
      why = reason;
      return outcome;
    }
    perle_status status = open(turn, why);
    if (status == PERLE_OK && turn.unit->width < bits) {
      const std::scoped_lock lock(mutex_);
      turn.unit->retired = false;
      put_back(*turn.unit);
      continue;
    }
    if (status == PERLE_OK) {
      status = work(turn.unit->set, *turn.unit->row);
      if (status != PERLE_OK) {
        const std::string said = perle_last_error();
        why = turn.unit->spec + ": " + (said.empty() ? perle_strerror(status) : said);
      }
    }
    release(turn, status, why);
    if (status == PERLE_OK) return Outcome::kDone;
    if (status == PERLE_ERR_KEY_WRONG) return Outcome::kBadKey;
    if (failed != nullptr || !(blames_board(status) || wrong(status))) return Outcome::kFailed;
    failed = turn.unit;
  }
}

}  // namespace perle::provider
