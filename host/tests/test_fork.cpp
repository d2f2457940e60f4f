// SPDX-License-Identifier: Apache-2.0
//
// The library in children of fork(), and its behaviour towards signal handlers.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "api/api_boards.hpp"
#include "api/api_system.hpp"
#include "fixture.hpp"
#include "perle_batch.h"
#include "rsa/key.hpp"
#include "soft_bus.hpp"

namespace {

// Return value of `work` in a child (0 to 255); 1000 if the child died.
template <typename Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

// Number of the first of these results of calls in a child that is not the refusal; 0 if all are.
int not_refused(std::span<const perle_status> results) {
  int number = 1;
  for (const perle_status status : results) {
    if (status != PERLE_ERR_ARGUMENT || std::strstr(perle_last_error(), "fork") == nullptr) return number;
    ++number;
  }
  return 0;
}

// How many of `tries` children do not end their work, started while three threads repeat `busy`; stops at
// one.
template <typename Busy, typename Work>
int lost_children(int tries, Busy busy, Work work) {
  std::atomic<bool> over{false};
  std::atomic<int> begun{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      busy();
      ++begun;
      while (!over) busy();
    });
  // A thread seeds a random generator of its own from libcrypto's common one, whose lock no child could take.
  while (begun < 3) std::this_thread::yield();
  int lost = 0;
  for (int i = 0; i < tries && lost == 0; ++i)
    lost += in_child([&] {
      ::alarm(10);  // ends a child that waits for a thread that it does not have
      work();
      return 0;
    });
  over = true;
  for (std::thread& thread : threads) thread.join();
  return lost;
}

std::atomic<int> handled_on_thread{0}, accesses_on_thread{0};
pthread_t program;
void on_signal(int) {
  if (pthread_equal(pthread_self(), program) == 0) ++handled_on_thread;
}

}  // namespace

TEST(children_make_blinding_of_their_own) {
  const KeyPtr loaded = key512().load_plain();
  const perle::Key& key = *loaded->key;
  (void)key.blinding();
  int ends[2];
  CHECK(::pipe(ends) == 0);
  CHECK_EQ(in_child([&] {
             const perle::Bytes theirs = key.blinding().factor.to_bytes(64);
             return ::write(ends[1], theirs.data(), theirs.size()) == 64 ? 0 : 1;
           }),
           0);
  std::vector<std::uint8_t> theirs(64);
  CHECK(::read(ends[0], theirs.data(), theirs.size()) == 64);
  CHECK(!(Bn(perle::ByteView(theirs)) == key.blinding().factor));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(children_find_keys_unlocked) {
  const KeyPtr loaded = key512().load_plain();
  const perle::Key& key = *loaded->key;
  const auto blind = [&] { (void)key.blinding(); };
  CHECK_EQ(lost_children(100, blind, blind), 0);
}

TEST(children_leave_the_boards_of_their_parent) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512}, 2);
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  CHECK_EQ(modexp(bench, mod, Bn(3), Bn(5)).status, PERLE_OK);
  perle_batch* batch = nullptr;
  CHECK_EQ(perle_batch_open(bench.set, 0, &batch), PERLE_OK);
  CHECK_EQ(in_child([&] {
             perle_board_info info{};
             perle_board_stats stats{};
             perle_batch* other = nullptr;
             std::uint64_t data = 0;
             const perle_status refused[] = {
                 modexp(bench, mod, Bn(3), Bn(5)).status,
                 rsa_private(bench, key, Bn(2)).status,
                 perle_boards_zeroize(bench.set),
                 perle_boards_info(bench.set, &info),
                 perle_boards_stats(bench.set, 0, &stats),
                 perle_boards_stats_reset(bench.set),
                 perle_board_read(bench.set, 0, 0, &data),
                 perle_board_write(bench.set, 0, 0, 0),
                 perle_boards_set_timeout(bench.set, 1, 1),
                 perle_boards_set_check(bench.set, 1),
                 perle_board_advance(bench.set, 0, 1, 0, &data),
                 perle_batch_open(bench.set, 0, &other),
             };
             if (const int number = not_refused(refused)) return number;
             perle_batch_close(batch);
             perle_boards_close(bench.set);
             return bench.soft[0]->holds(m.get()) ? 0 : 99;
           }),
           0);
  perle_batch_close(batch);
  CHECK_EQ(modexp(bench, mod, Bn(3), Bn(5)).status, PERLE_OK);
}

TEST(children_leave_a_system_of_their_parent) {
  SoftBus board;
  auto* system = new perle_system{perle::System(members(board), {1, 1, 1})};
  perle_boards* set = nullptr;
  CHECK_EQ(perle_boards_on_system(system, "bus_bignum", &set), PERLE_OK);
  CHECK_EQ(in_child([&] {
             perle_board_info info{};
             perle_board_stats stats{};
             const perle_status refused[] = {
                 perle_boards_set_timeout(set, 0, 0), perle_boards_set_check(set, PERLE_CHECK_FULL),
                 perle_boards_zeroize(set),           perle_boards_info(set, &info),
                 perle_boards_stats(set, 0, &stats),  perle_boards_stats_reset(set),
             };
             if (const int number = not_refused(refused)) return number;
             perle_boards_close(set);
             return 0;
           }),
           0);
  CHECK_EQ(perle_boards_set_timeout(set, 0, 0), PERLE_OK);
  perle_boards_close(set);
}

// A child may start while a thread that it does not have holds the lock of the set: it must not wait for it.
TEST(children_close_a_batch_with_boards_in_use) {
  const Bench bench({.width = 256}, 3);
  const KeyPtr key = key512().load();
  perle_batch* batch = nullptr;
  CHECK_EQ(perle_batch_open(bench.set, 4, &batch), PERLE_OK);
  for (const auto& soft : bench.soft) soft->inject(Fault::kHang);
  const std::uint8_t in = 3;
  Data out(64);
  perle_batch_done done;
  std::size_t count = 0;
  CHECK_EQ(perle_batch_submit(batch, key.get(), 0, &in, 1, out.data(), out.size(), 0), PERLE_OK);
  CHECK_EQ(perle_batch_poll(batch, 0, &done, 1, &count), PERLE_OK);
  const auto access = [&] {
    std::uint64_t data = 0;
    (void)perle_board_read(bench.set, 2, 0, &data);
  };
  CHECK_EQ(lost_children(300, access, [&] { perle_batch_close(batch); }), 0);
  perle_batch_close(batch);
}

// Threads of the library block all signals: a signal to such a thread stays pending.
TEST(handlers_of_signals_do_not_run_on_threads_of_the_library) {
  program = pthread_self();
  struct sigaction action{}, old{};
  action.sa_handler = on_signal;
  ::sigaction(SIGUSR1, &action, &old);
  perle_backend backend = kSoftSimulated;
  backend.advance = [](void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
    if (pthread_equal(pthread_self(), program) == 0) {
      ++accesses_on_thread;
      pthread_kill(pthread_self(), SIGUSR1);
    }
    return kSoftSimulated.advance(ctx, cycles, until_irq, passed);
  };
  {
    const KeyPtr key = key512().load();
    const Bench bench({.width = 512}, 2, backend);
    CHECK_EQ(rsa_private(bench, key, Bn(2)).status, PERLE_OK);
  }
  ::sigaction(SIGUSR1, &old, nullptr);
  CHECK(accesses_on_thread > 0);
  CHECK_EQ(handled_on_thread.load(), 0);
  // The program's own mask is as it was.
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  CHECK_EQ(sigismember(&now, SIGUSR1), 0);
}
