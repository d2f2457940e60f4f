// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include "board/process.hpp"

namespace perle::provider {
namespace {

std::atomic<std::uint64_t> processes{0};

}  // namespace

Process::Process(const Settings& settings) : id(++processes), page(settings), pool(settings, page) {}

struct Runtime::Owned {
  explicit Owned(const Settings& settings) : process(settings) {}
  bool mine() const { return made.here(); }
  ProcessStamp made;
  Process process;
};

Runtime::Runtime(const Settings& settings) : settings_(settings) {}

Runtime::~Runtime() { close(); }

void Runtime::close() {
  Owned* const last = current_.exchange(nullptr);
  // One of the parent process is leaked: its boards and its file belong to the parent.
  if (last != nullptr && last->mine()) delete last;
}

Process& Runtime::process() {
  Owned* found = current_.load();
  while (found == nullptr || !found->mine()) {
    auto made = std::make_unique<Owned>(settings_);
    if (current_.compare_exchange_strong(found, made.get())) return made.release()->process;
    made->process.page.discard();  // another thread was faster
  }
  return found->process;
}

std::uint64_t Runtime::id() const noexcept {
  const Owned* const found = current_.load();
  return found != nullptr && found->mine() ? found->process.id : 0;
}

}  // namespace perle::provider
