// SPDX-License-Identifier: Apache-2.0
#include "async.hpp"

#include <openssl/async.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

#include "errors.hpp"

namespace perle::provider {
namespace {

struct Task {
  explicit Task(std::function<Bytes()> todo)
      : work(std::move(todo)), fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    want(fd >= 0, Reason::kInternal, "no descriptor for an asynchronous job");
  }
  ~Task() { ::close(fd); }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  void run() noexcept {
    try {
      result = work();
    } catch (...) {
      error = std::current_exception();
    }
    // The key may be freed by its application as soon as that is told.
    work = nullptr;
    done.store(true, std::memory_order_release);
    const std::uint64_t one = 1;
    // Fails only if the counter is full, and then it is readable anyway.
    (void)!::write(fd, &one, sizeof one);
  }

  std::function<Bytes()> work;
  int fd;
  std::atomic<bool> done{false};
  Bytes result;
  std::exception_ptr error;
};

using Shared = std::shared_ptr<Task>;

// Handlers of signals belong to the application's threads.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

void start(const Shared& task) {
  const NoSignals none;
  try {
    std::thread([task] { task->run(); }).detach();
  } catch (const std::system_error&) {
    task->run();  // no thread to be had
  }
}

void drop(ASYNC_WAIT_CTX*, const void*, OSSL_ASYNC_FD, void* task) { delete static_cast<Shared*>(task); }

}  // namespace

bool in_async_job() { return ASYNC_get_current_job() != nullptr; }

Bytes await(std::function<Bytes()> work) {
  ASYNC_WAIT_CTX* const wait = ASYNC_get_wait_ctx(ASYNC_get_current_job());
  auto held = std::make_unique<Shared>(std::make_shared<Task>(std::move(work)));
  const Shared& task = *held;
  // The wait context owns a share: the descriptor lives as long as the application may look at it.
  want(ASYNC_WAIT_CTX_set_wait_fd(wait, task.get(), task->fd, held.get(), drop) == 1, Reason::kInternal,
       "an asynchronous job without a wait context");
  Shared* const share = held.release();
  start(*share);
  while (!(*share)->done.load(std::memory_order_acquire)) ASYNC_pause_job();
  // Clearing does not call `drop`: the share is this function's again.
  ASYNC_WAIT_CTX_clear_fd(wait, share->get());
  const std::unique_ptr<Shared> last(share);
  const std::exception_ptr error = (*last)->error;
  Bytes result = std::move((*last)->result);
  if (error) std::rethrow_exception(error);
  return result;
}

}  // namespace perle::provider
