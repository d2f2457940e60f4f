// SPDX-License-Identifier: Apache-2.0
//
// What belongs to one process: its boards and its status page. A child of fork() has neither: it gets its own
// at its first operation, and never touches what it inherited, whose locks another thread may have held.
#pragma once

#include <atomic>
#include <cstdint>

#include "pool.hpp"

namespace perle::provider {

struct Process {
  explicit Process(const Settings& settings);
  std::uint64_t id;  // of this Process; never that of another, in this process or its children
  StatusPage page;
  Pool pool;
};

class Runtime {
 public:
  explicit Runtime(const Settings& settings);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  // That of this process. Without locks.
  Process& process();
  // Its id; 0 if this process has none (yet).
  std::uint64_t id() const noexcept;

 private:
  struct Owned;
  const Settings& settings_;
  std::atomic<Owned*> current_{nullptr};
};

}  // namespace perle::provider
