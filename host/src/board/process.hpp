// SPDX-License-Identifier: Apache-2.0
//
// What a process has for itself: randomness, threads and hardware are not inherited by a child of fork().
#pragma once

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <thread>
#include <utility>

namespace perle {

// How many forks lie between this process and the one that loaded the library.
std::uint64_t fork_count() noexcept;

// The process in which it was made. Numbers of processes come again (in another namespace of processes), and
// a child made by a bare system call is not counted; so both are compared.
class ProcessStamp {
 public:
  bool here() const noexcept { return forks_ == fork_count() && pid_ == ::getpid(); }

 private:
  std::uint64_t forks_ = fork_count();
  pid_t pid_ = ::getpid();
};

// While one lives no child is made by fork(): what it guards is whole in every child, and locked in none.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

// A thread on which no handler of the program's signals runs. Throws std::system_error if there is none.
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

// Throws PERLE_ERR_ARGUMENT in another process than the one in which `what` was opened.
void check_here(const ProcessStamp& opened, const char* what);

}  // namespace perle
