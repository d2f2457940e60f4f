// SPDX-License-Identifier: Apache-2.0
//
// Processes and fork(): a child must not use its parent's random values, threads and boards.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <thread>
#include <utility>

namespace perle {

// Number of forks between this process and the one that loaded the library.
std::uint64_t fork_count() noexcept;

// Identifies the process in which it was created, by process id and fork count: ids can repeat (in another
// PID namespace), and a child of a direct system call is not counted.
class ProcessStamp {
 public:
  bool here() const noexcept { return forks_ == fork_count() && pid_ == ::getpid(); }

 private:
  std::uint64_t forks_ = fork_count();
  pid_t pid_ = ::getpid();
};

// Delays fork() during its lifetime: the data it guards is consistent, and its lock free, in every child.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

// A file descriptor that no child of fork() keeps open: with it the child would hold a device's lock.
class OwnFile {
 public:
  OwnFile() = default;
  // Opened by `open`, which returns a descriptor, or -1 with the reason in errno, which is kept.
  template <typename Open>
  explicit OwnFile(Open open) {
    const NoFork whole;
    fd_ = open();
    if (fd_ >= 0) add();
  }
  ~OwnFile() { close(); }
  OwnFile(OwnFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnFile& operator=(OwnFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() noexcept;

 private:
  void add();
  int fd_ = -1;
};

// A thread with all signals blocked, so that the program's handlers do not run on it. Throws
// std::system_error if no thread can be created.
template <typename Work>
std::thread start_thread(Work&& work) {
  struct Masked {
    Masked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~Masked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before;
  } const masked;
  return std::thread(std::forward<Work>(work));
}

// Throws PERLE_ERR_ARGUMENT unless this is the process that opened `what`.
void check_here(const ProcessStamp& opened, const char* what);

}  // namespace perle
