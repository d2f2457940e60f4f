// SPDX-License-Identifier: Apache-2.0
//
// Threads: many at once, the queue, boards that fail under them, asynchronous jobs. Run under the thread
// sanitizer as well (host/tests/threads.mk).
#include <openssl/async.h>
#include <poll.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::StatusData;

namespace {

const Data kMessage = {'t', 'h', 'r', 'e', 'a', 'd'};
const How kPss = {.padding = RSA_PKCS1_PSS_PADDING};

std::string boards(int count) {
  return std::string("sim:") + std::getenv("SOFTBOARD_SO") + ",boards=" + std::to_string(count);
}

bool good(EVP_PKEY* key, const Host& host, unsigned bits, const How& how = {}) {
  return verifies(made(bits), nullptr, how, kMessage, sign(key, host.ctx(), how, kMessage));
}

// Runs `body` with 0, 1, … in as many threads, which begin together.
template <typename Body>
void at_once(int count, Body body) {
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      body(t);
    });
  for (std::thread& thread : threads) thread.join();
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

// Boards are opened, the page of status is made, and keys are loaded by whoever comes first.
TEST(first_operations_of_threads) {
  const Host host(Pairs{{"boards", boards(1) + " " + boards(2)}});
  const auto shared = moved(made(1024), host.ctx());
  std::atomic<int> right{0};
  at_once(6, [&](int t) {
    const auto own = t % 3 == 0 ? moved(made(1024), host.ctx()) : nullptr;
    right += good(own != nullptr ? own.get() : shared.get(), host, 1024, t % 2 == 0 ? How{} : kPss) ? 1 : 0;
  });
  CHECK_EQ(right.load(), 6);
  CHECK_EQ(host.count(&StatusData::boards), 6U);
}

// Everything that a program does with RSA, each by a thread of its own, on the same key.
TEST(threads_sign_decrypt_and_verify) {
  const Host host(Pairs{{"boards", boards(3)}});
  const auto own = moved(made(1024), host.ctx());
  const auto oaep = [](EVP_PKEY_CTX* ctx) {
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) > 0;
  };
  const Data signature = sign(made(1024), nullptr, {}, kMessage);
  const Data ciphertext = encrypt(made(1024), nullptr, oaep, kMessage);
  std::atomic<int> right{0};
  at_once(6, [&](int t) {
    for (int i = 0; i < 4; ++i) {
      bool done = false;
      if (t % 3 == 0) done = good(own.get(), host, 1024, i % 2 == 0 ? How{} : kPss);
      if (t % 3 == 1) done = decrypt(own.get(), host.ctx(), oaep, ciphertext) == kMessage;
      if (t % 3 == 2) done = verifies(own.get(), host.ctx(), {}, kMessage, signature);
      right += done ? 1 : 0;
    }
  });
  CHECK_EQ(right.load(), 24);
}

// Of two sets the first one fails and comes back, again and again, while all threads sign.
TEST(boards_fail_under_threads) {
  const Host host(Pairs{{"boards", boards(2) + " " + boards(1)}, {"retry", "1"}, {"retire_after", "1"}},
                  "width=1024,fault=dead,times=2");
  const auto own = moved(made(1024), host.ctx());
  std::atomic<int> right{0};
  at_once(6, [&](int) {
    for (int i = 0; i < 6; ++i) right += good(own.get(), host, 1024) ? 1 : 0;
  });
  CHECK_EQ(right.load(), 36);
  CHECK(host.page()->row[0].errors.load() + host.page()->row[1].errors.load() > 0);
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

constexpr int kJobs = 3;

// Signs in so many jobs of the calling thread; returns how often they paused.
int run_jobs(EVP_PKEY* key, const Host& host) {
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
      JobArguments arguments{key, &host, &out[i]};
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
  for (ASYNC_WAIT_CTX* one : wait) {
    std::size_t count = 1;
    ASYNC_WAIT_CTX_get_all_fds(one, nullptr, &count);
    CHECK_EQ(count, 0U);
    ASYNC_WAIT_CTX_free(one);
  }
  ASYNC_cleanup_thread();
  return pauses;
}

}  // namespace

TEST(asynchronous_jobs) {
  const Host host(Pairs{}, "width=1024,delay=60");
  const auto own = moved(made(1024), host.ctx());
  CHECK_EQ(run_jobs(own.get(), host), kJobs);
  CHECK(host.count(&StatusData::async) == kJobs && host.count(&StatusData::boards) == kJobs);
}

// A job that was waited for leaves neither its descriptor nor its thread.
TEST(asynchronous_jobs_leave_nothing) {
  const Host host(Pairs{}, "width=1024,delay=5");
  const auto own = moved(made(1024), host.ctx());
  CHECK(good(own.get(), host, 1024));
  const auto entries = [](const char* folder) {
    const std::filesystem::directory_iterator all(folder);
    return std::distance(begin(all), end(all));
  };
  const auto descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
  run_jobs(own.get(), host);
  CHECK_EQ(entries("/proc/self/fd"), descriptors);
  CHECK_EQ(entries("/proc/self/task"), threads);
}

// Jobs of several threads, each with those that it waits for, while other threads sign without jobs.
TEST(asynchronous_jobs_of_threads) {
  const Host host(Pairs{{"boards", boards(3)}}, "width=1024,delay=5");
  const auto own = moved(made(1024), host.ctx());
  std::atomic<int> right{0};
  at_once(4, [&](int t) {
    if (t == 0)
      right += good(own.get(), host, 1024) && good(own.get(), host, 1024) ? 1 : 0;
    else
      right += run_jobs(own.get(), host) == kJobs ? 1 : 0;
  });
  CHECK_EQ(right.load(), 4);
  CHECK(host.count(&StatusData::async) == 3 * kJobs);
}
