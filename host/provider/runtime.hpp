// SPDX-License-Identifier: Apache-2.0
//
// The state of one process: its boards and its status page. A child of fork() creates its own at its first
// operation, and never touches what it inherited, because another thread may have held its locks.
#pragma once

#include <atomic>
#include <cstdint>

#include "pool.hpp"

namespace perle::provider {

struct Process {
  explicit Process(const Settings& settings);
  std::uint64_t id;  // unique among the Process objects of this process and its children
  StatusPage page;
  Pool pool;
};

class Runtime {
 public:
  explicit Runtime(const Settings& settings);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  // The Process of this process, created if necessary. Lock-free.
  Process& process();
  // Closes the boards of this process and its status page.
  void close();
  // Its id; 0 if this process has none (yet).
  std::uint64_t id() const noexcept;

 private:
  struct Owned;
  const Settings& settings_;
  std::atomic<Owned*> current_{nullptr};
};

}  // namespace perle::provider
