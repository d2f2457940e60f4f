// SPDX-License-Identifier: Apache-2.0
//
// Threads, forks, asynchronous jobs, and the queue.
#include <openssl/async.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::StatusData;

namespace {

const Data kMessage = {'t', 'h', 'r', 'e', 'a', 'd'};

std::string boards(int count) {
  return std::string("sim:") + std::getenv("SOFTBOARD_SO") + ",boards=" + std::to_string(count);
}

bool good(EVP_PKEY* key, const Host& host, unsigned bits) {
  return verifies(made(bits), nullptr, {}, kMessage, sign(key, host.ctx(), {}, kMessage));
}

// Runs `body` in a child that must end well within 30 s.
template <typename Body>
bool in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST(threads_share_boards_and_keys) {
  const Host host(Pairs{{"boards", boards(2) + " " + boards(1)}});
  const auto own = moved(made(1024), host.ctx()), other = moved(made(2048), host.ctx());
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i)
        if (t % 2 == 0 ? good(own.get(), host, 1024) : good(other.get(), host, 2048)) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(right.load(), 48);
  CHECK_EQ(host.count(&StatusData::boards), 48U);
  CHECK_EQ(host.page()->row[0].operations.load() + host.page()->row[1].operations.load(), 48U);
  CHECK(host.page()->row[1].operations.load() > 0);
  CHECK(host.count(&StatusData::waiting) == 0 && host.page()->row[0].busy.load() == 0);
}

TEST(full_queue) {
  // One board, 200 ms for each of its two powers, no place to wait.
  const Host soft(Pairs{{"queue", "0"}}, "width=1024,delay=200");
  const auto own = moved(made(1024), soft.ctx());
  const auto at_once = [](const Host& host, EVP_PKEY* key) {
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([&] { right += good(key, host, 1024) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    return right.load();
  };
  CHECK_EQ(at_once(soft, own.get()), 3);
  CHECK(soft.count(&StatusData::boards) == 1 && soft.count(&StatusData::queue_full) == 2 &&
        soft.count(&StatusData::software) == 2);
  const Host strict(Pairs{{"queue", "0"}, {"fallback", "fail"}}, "width=1024,delay=200");
  const auto refused = moved(made(1024), strict.ctx());
  CHECK_EQ(at_once(strict, refused.get()), 1);
  CHECK(strict.count(&StatusData::queue_full) == 2 && strict.count(&StatusData::failed) == 2);
  const Host patient(Pairs{{"queue", "2"}, {"fallback", "fail"}}, "width=1024,delay=200");
  const auto waiting = moved(made(1024), patient.ctx());
  CHECK_EQ(at_once(patient, waiting.get()), 3);
  CHECK_EQ(patient.count(&StatusData::most_waiting), 2U);
}

TEST(waiting_ends) {
  const Host host(Pairs{{"timeout", "100"}}, "width=1024,delay=300");
  const auto own = moved(made(1024), host.ctx());
  std::thread first([&] { CHECK(good(own.get(), host, 1024)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(good(own.get(), host, 1024));
  first.join();
  CHECK(host.count(&StatusData::queue_full) == 1);
}

// The child of a process whose threads are at work: its own boards, its own page, no lock of its parent's.
TEST(fork_in_mid_operation) {
  const Host host(Pairs{{"boards", boards(1)}}, "width=1024,delay=150");
  const auto own = moved(made(1024), host.ctx());
  CHECK(good(own.get(), host, 1024));
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back([&] { CHECK(good(own.get(), host, 1024)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  for (int i = 0; i < 3; ++i)
    CHECK(in_child([&] {
      ::setenv("SOFTBOARD", "width=1024", 1);
      const bool done = good(own.get(), host, 1024) && good(own.get(), host, 1024);
      // The parent's page is another file.
      int pages = 0;
      for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
        if (entry.path().extension() == ".status") ++pages;
      return done && pages >= 2;
    }));
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(host.count(&StatusData::boards), 4U);
  // The children did not tidy up: _exit.
  for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
    if (entry.path().extension() == ".status" &&
        entry.path().filename().string().rfind(std::to_string(::getpid()) + "-", 0) != 0)
      std::filesystem::remove(entry.path());
}

// Masters load keys and fork; their children sign; and a child that ends leaves its parent's page alone.
TEST(fork_before_the_first_operation) {
  Host host;
  const auto own = moved(made(1024), host.ctx());
  for (int i = 0; i < 2; ++i)
    CHECK(in_child([&] { return good(own.get(), host, 1024) && host.page() != nullptr; }));
  for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
    if (entry.path().extension() == ".status") std::filesystem::remove(entry.path());
  CHECK(good(own.get(), host, 1024));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
}

namespace {

struct JobArguments {
  EVP_PKEY* key;
  const Host* host;
  Data* out;
};

int job_body(void* arguments) {
  const auto& own = *static_cast<JobArguments*>(arguments);
  *own.out = sign(own.key, own.host->ctx(), {}, kMessage);
  return own.out->empty() ? 0 : 1;
}

}  // namespace

TEST(asynchronous_jobs) {
  const Host host(Pairs{}, "width=1024,delay=60");
  const auto own = moved(made(1024), host.ctx());
  constexpr int kJobs = 3;
  CHECK_EQ(ASYNC_init_thread(kJobs, kJobs), 1);
  Data out[kJobs];
  ASYNC_JOB* job[kJobs] = {};
  ASYNC_WAIT_CTX* wait[kJobs];
  int left = kJobs, pauses = 0;
  bool done[kJobs] = {};
  for (ASYNC_WAIT_CTX*& one : wait) one = ASYNC_WAIT_CTX_new();
  while (left > 0) {
    for (int i = 0; i < kJobs; ++i) {
      if (done[i]) continue;
      if (job[i] != nullptr) {
        OSSL_ASYNC_FD fd = -1;
        std::size_t count = 0;
        ASYNC_WAIT_CTX_get_all_fds(wait[i], nullptr, &count);
        CHECK_EQ(count, 1U);
        ASYNC_WAIT_CTX_get_all_fds(wait[i], &fd, &count);
        pollfd readable{fd, POLLIN, 0};
        CHECK_EQ(::poll(&readable, 1, 20'000), 1);
      }
      JobArguments arguments{own.get(), &host, &out[i]};
      int result = -1;
      const int status = ASYNC_start_job(&job[i], wait[i], &result, job_body, &arguments, sizeof arguments);
      if (status == ASYNC_PAUSE) ++pauses;
      if (status != ASYNC_FINISH) continue;
      CHECK_EQ(result, 1);
      CHECK(verifies(made(1024), nullptr, {}, kMessage, out[i]));
      done[i] = true;
      --left;
    }
  }
  CHECK_EQ(pauses, kJobs);
  CHECK(host.count(&StatusData::async) == kJobs && host.count(&StatusData::boards) == kJobs);
  for (ASYNC_WAIT_CTX* one : wait) {
    std::size_t count = 1;
    ASYNC_WAIT_CTX_get_all_fds(one, nullptr, &count);
    CHECK_EQ(count, 0U);
    ASYNC_WAIT_CTX_free(one);
  }
  ASYNC_cleanup_thread();
}
