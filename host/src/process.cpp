// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <atomic>

#include "error.hpp"

namespace perle {
namespace {

std::atomic<std::uint64_t> forks{0};
extern "C" void perle_forked() { forks.fetch_add(1); }
[[maybe_unused]] const int registered = ::pthread_atfork(nullptr, nullptr, perle_forked);

}  // namespace

std::uint64_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

void check_here(const ProcessStamp& opened, const char* what) {
  if (!opened.here())
    throw Error(PERLE_ERR_ARGUMENT,
                std::string(what) + " of another process: a child of fork() has to open boards anew");
}

}  // namespace perle
