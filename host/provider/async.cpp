// SPDX-License-Identifier: Apache-2.0
#include "async.hpp"

#include <openssl/async.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "board/process.hpp"
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
    // Drop the work first: once `done` is set, the application may free the key.
    work = nullptr;
    done.store(true, std::memory_order_release);
    const std::uint64_t one = 1;
    // Fails only if the counter is full, and then the descriptor is readable anyway.
    (void)!::write(fd, &one, sizeof one);
  }

  std::function<Bytes()> work;
  int fd;
  std::atomic<bool> done{false};
  Bytes result;
  std::exception_ptr error;
};

using Shared = std::shared_ptr<Task>;

// The threads of this process that may still be running. A child of fork() starts with an empty list of its
// own and does not touch its parent's.
class Workers {
 public:
  ~Workers() { join(); }
  void start(const Shared& task) {
    const std::scoped_lock lock(mutex_);
    join_finished();
    running_.push_back({task, {}});
    try {
      running_.back().thread = start_thread([task] { task->run(); });
    } catch (...) {
      running_.pop_back();
      throw;
    }
  }
  // Joins the threads whose tasks are done: they only have to end. Under the lock, so that join() returns
  // after all of them have ended.
  void collect() {
    const std::scoped_lock lock(mutex_);
    join_finished();
  }
  void join() {
    const std::scoped_lock lock(mutex_);
    for (Running& one : running_) one.thread.join();
    running_.clear();
  }
  bool here() const { return made_.here(); }

 private:
  struct Running {
    Shared task;
    std::thread thread;
  };
  void join_finished() {
    running_.remove_if([](Running& one) {
      if (!one.task->done.load(std::memory_order_acquire)) return false;
      one.thread.join();
      return true;
    });
  }
  ProcessStamp made_;
  std::mutex mutex_;
  std::list<Running> running_;
};

std::atomic<Workers*> workers{nullptr};

Workers& own_workers() {
  static const int registered = std::atexit(join_workers);
  (void)registered;  // if it failed, OPENSSL_cleanup waits
  Workers* found = workers.load();
  while (found == nullptr || !found->here()) {
    auto made = std::make_unique<Workers>();
    if (workers.compare_exchange_strong(found, made.get())) return *made.release();
  }
  return *found;
}

void start(const Shared& task) {
  try {
    own_workers().start(task);
  } catch (...) {
    task->run();  // no thread could be created
  }
}

// The threads of a parent process are left alone.
void collect_workers() {
  Workers* const found = workers.load();
  if (found != nullptr && found->here()) found->collect();
}

void drop(ASYNC_WAIT_CTX*, const void*, OSSL_ASYNC_FD, void* task) { delete static_cast<Shared*>(task); }

}  // namespace

extern "C" void join_workers() noexcept {
  Workers* const found = workers.load();
  if (found != nullptr && found->here()) found->join();
}

bool in_async_job() { return ASYNC_get_current_job() != nullptr; }

Bytes await(std::function<Bytes()> work) {
  ASYNC_WAIT_CTX* const wait = ASYNC_get_wait_ctx(ASYNC_get_current_job());
  auto held = std::make_unique<Shared>(std::make_shared<Task>(std::move(work)));
  const Shared& task = *held;
  // The wait context owns a reference: the descriptor stays open as long as the application may poll it.
  want(ASYNC_WAIT_CTX_set_wait_fd(wait, task.get(), task->fd, held.get(), drop) == 1, Reason::kInternal,
       "an asynchronous job without a wait context");
  Shared* const share = held.release();
  start(*share);
  while (!(*share)->done.load(std::memory_order_acquire)) ASYNC_pause_job();
  // Clearing does not call `drop`: this function owns the reference again.
  ASYNC_WAIT_CTX_clear_fd(wait, share->get());
  const std::unique_ptr<Shared> last(share);
  // Otherwise its thread and its descriptor would remain until the next job.
  collect_workers();
  const std::exception_ptr error = (*last)->error;
  Bytes result = std::move((*last)->result);
  if (error) std::rethrow_exception(error);
  return result;
}

}  // namespace perle::provider
