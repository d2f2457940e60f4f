// SPDX-License-Identifier: Apache-2.0
#include "board/process.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include "api/error.hpp"

namespace perle {
namespace {

std::atomic<std::uint64_t> forks{0};
// fork() locks the gate, and waits until no NoFork exists.
std::mutex gate;
std::atomic<int> inside{0};
// Descriptors of OwnFile. Locked inside a NoFork only, so that it is free in every child. Never destroyed,
// because files are closed at exit too.
std::mutex own_files_lock;
std::vector<int>& own_files = *new std::vector<int>;
extern "C" void perle_before_fork() {
  gate.lock();
  for (int there = inside; there != 0; there = inside) inside.wait(there);
}
extern "C" void perle_parent_of_fork() { gate.unlock(); }
extern "C" void perle_child_of_fork() {
  forks.fetch_add(1);
  for (const int fd : own_files) ::close(fd);
  own_files.clear();
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

void OwnFile::add() {
  try {
    const std::scoped_lock lock(own_files_lock);
    own_files.push_back(fd_);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

void OwnFile::close() noexcept {
  if (fd_ < 0) return;
  const NoFork whole;
  {
    const std::scoped_lock lock(own_files_lock);
    std::erase(own_files, fd_);
  }
  ::close(std::exchange(fd_, -1));
}

void check_here(const ProcessStamp& opened, const char* what) {
  if (!opened.here())
    throw Error(PERLE_ERR_ARGUMENT,
                std::string(what) + " of another process: a child of fork() has to open boards anew");
}

}  // namespace perle
