// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include <pthread.h>
#include <unistd.h>

namespace perle::provider {
namespace {

// The number of a process can come again (in another namespace of processes); the count of forks cannot.
std::atomic<std::uint64_t> forks{0};
std::atomic<std::uint64_t> processes{0};

extern "C" void perle_provider_forked() { forks.fetch_add(1); }

const int registered = ::pthread_atfork(nullptr, nullptr, perle_provider_forked);

}  // namespace

Process::Process(const Settings& settings) : id(++processes), page(settings), pool(settings, page) {}

struct Runtime::Owned {
  explicit Owned(const Settings& settings) : pid(::getpid()), fork(forks.load()), process(settings) {}
  bool mine() const { return pid == ::getpid() && fork == forks.load(); }
  pid_t pid;
  std::uint64_t fork;
  Process process;
};

Runtime::Runtime(const Settings& settings) : settings_(settings) { (void)registered; }

Runtime::~Runtime() {
  Owned* const last = current_.load();
  // A parent's is left as it is: its boards and its file are the parent's.
  if (last != nullptr && last->mine()) delete last;
}

Process& Runtime::process() {
  Owned* found = current_.load();
  while (found == nullptr || !found->mine()) {
    auto made = std::make_unique<Owned>(settings_);
    if (current_.compare_exchange_strong(found, made.get())) return made.release()->process;
  }
  return found->process;
}

std::uint64_t Runtime::id() const noexcept {
  const Owned* const found = current_.load();
  return found != nullptr && found->mine() ? found->process.id : 0;
}

}  // namespace perle::provider
