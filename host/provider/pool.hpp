// SPDX-License-Identifier: Apache-2.0
//
// The boards of one process: opened when they are needed, assigned to callers in order of arrival, retired
// when they fail, and tried again later.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "perle.h"
#include "rsa/bn.hpp"
#include "status_page.hpp"

namespace perle::provider {

class Pool {
 public:
  enum class Outcome { kDone, kNoBoard, kTooNarrow, kQueueFull, kFailed, kBadKey };
  // One private operation on an open set. Returns a status; a wrong result is PERLE_ERR_FAULT, or
  // PERLE_ERR_KEY_WRONG if the key is at fault.
  using Work = std::function<perle_status(perle_boards* set, StatusRow& row)>;

  Pool(const Settings& settings, StatusPage& page);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Does the work on a board of at least `bits` bits; on a second one if the first one fails. `why` is set to
  // the reason unless it succeeds.
  Outcome run(unsigned bits, const Work& work, std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  struct Unit {  // one specification
    std::string spec;
    StatusRow* row;
    perle_boards* set = nullptr;  // null: not open
    unsigned width = 0;           // 0: unknown
    unsigned capacity = 1;        // operations at a time
    unsigned busy = 0;
    unsigned failures = 0;  // in a row
    unsigned retirements = 0;
    std::uint64_t resets = 0, recoveries = 0;  // of the set, already added to the status page
    bool retired = false;
    std::string why;           // the error that retired it
    Clock::time_point back{};  // when a retired unit may be tried again
  };
  struct Waiter {
    unsigned bits;
    const Unit* not_this;
  };

  bool fits(const Unit& unit, const Waiter& waiter, Clock::time_point now) const;
  bool free(const Unit& unit) const { return unit.busy < (unit.retired ? 1 : unit.capacity); }
  struct Turn {
    Unit* unit = nullptr;
    bool trial = false;  // the unit is retired and is being tried by this operation only
  };
  Unit* choose(const std::list<Waiter>::iterator& self, Clock::time_point now);
  Clock::time_point wake(Clock::time_point deadline) const;
  Turn acquire(unsigned bits, const Unit* not_this, Outcome& outcome, std::string& why);
  perle_status open(const Turn& turn, std::string& why);
  void release(const Turn& turn, perle_status status, const std::string& why);
  void put_back(Unit& unit);
  static void note_recoveries(Unit& unit);
  bool any_wide(unsigned bits) const;
  std::string why_none() const;

  const Settings& settings_;
  StatusPage& page_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Unit> units_;
  std::list<Waiter> waiting_;
};

}  // namespace perle::provider
