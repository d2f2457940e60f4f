// SPDX-License-Identifier: Apache-2.0
#include "board/process.hpp"

#include <atomic>
#include <mutex>

#include "api/error.hpp"

namespace perle {
namespace {

std::atomic<std::uint64_t> forks{0};
// fork() locks the gate, and waits until no NoFork exists.
std::mutex gate;
std::atomic<int> inside{0};
extern "C" void perle_before_fork() {
  gate.lock();
  for (int there = inside; there != 0; there = inside) inside.wait(there);
}
extern "C" void perle_parent_of_fork() { gate.unlock(); }
extern "C" void perle_child_of_fork() {
  forks.fetch_add(1);
  gate.unlock();
}
[[maybe_unused]] const int registered =
    ::pthread_atfork(perle_before_fork, perle_parent_of_fork, perle_child_of_fork);

}  // namespace

std::uint64_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

NoFork::NoFork() {
  const std::scoped_lock lock(gate);
  ++inside;
}
NoFork::~NoFork() {
  if (--inside == 0) inside.notify_all();
}

void check_here(const ProcessStamp& opened, const char* what) {
  if (!opened.here())
    throw Error(PERLE_ERR_ARGUMENT,
                std::string(what) + " of another process: a child of fork() has to open boards anew");
}

}  // namespace perle
