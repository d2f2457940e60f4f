// SPDX-License-Identifier: Apache-2.0
//
// The status of a process for other processes: a small memory-mapped file per process, written without locks.
// It contains counts and names of boards, and no keys or messages. perle/host/provider.py reads it and must
// have the same layout.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "settings.hpp"

namespace perle::provider {

using Count = std::atomic<std::uint64_t>;
static_assert(Count::is_always_lock_free && sizeof(Count) == 8);

enum class BoardState : std::uint32_t { kClosed = 0, kUp = 1, kRetired = 2 };

struct StatusRow {  // one specification; 224 bytes
  char spec[kLongestSpec + 1];
  std::atomic<std::uint32_t> state, last_error;  // BoardState, perle_status
  std::atomic<std::uint32_t> boards, width, blinding_bits, reserved;
  Count operations;  // correct results
  Count errors;      // board errors of any kind, including wrong results and timeouts
  Count wrong, timeouts, retired, cycles, busy;
  Count resets, recovered;  // of its boards: perle_board_stats
};
static_assert(sizeof(StatusRow) == 224);

constexpr char kMagic[] = "PERLEST2";
constexpr std::uint32_t kKept = 1;  // flag: keep the page when the process has ended

struct StatusHead {
  char magic[8];
  std::uint32_t pid, rows, queue, fallback, blind_exponent, flags;
  std::uint64_t started;  // start of the process, in clock ticks since boot, as process ids are reused
  std::uint64_t opened;   // of this page, seconds since 1970
  std::uint64_t space;    // PID namespace (containers have their own); 0: unknown
};

struct StatusData : StatusHead {
  Count boards;    // private operations on boards
  Count software;  // private operations in software as a fallback
  Count declined;  // operations in software that boards do not support (PKCS#1 v1.5 decryption, X9.31, …)
  Count failed;    // private operations that ended in an error
  Count wrong;     // results that the check refused, of boards or software
  Count queue_full, no_board, waiting, most_waiting, async, injected;
  Count bad_keys;  // operations refused because the key gives wrong results; not in `wrong`
  StatusRow row[kMostSpecs];
};

class StatusPage {
 public:
  // Creates the page of this process. If no file can be created, the counts are in private memory.
  explicit StatusPage(const Settings& settings);
  ~StatusPage();  // removes the file, unless it is to be kept
  void discard() { keep_ = false; }
  StatusPage(const StatusPage&) = delete;
  StatusPage& operator=(const StatusPage&) = delete;
  StatusData* operator->() const { return data_; }

 private:
  void* map(const std::string& folder);

  bool keep_;
  std::string path_;
  StatusData* data_;
};

inline void add(Count& count, std::uint64_t amount = 1) {
  count.fetch_add(amount, std::memory_order_relaxed);
}
inline void take(Count& count) { count.fetch_sub(1, std::memory_order_relaxed); }

}  // namespace perle::provider
