// SPDX-License-Identifier: Apache-2.0
//
// Sets of boards used by many threads; run under the thread sanitizer as well.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "fixture.hpp"

TEST(many_threads_share_two_boards) {
  const Arithmetic math;
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512}, 2);
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  std::vector<std::thread> threads;
  std::vector<int> good(6, 0);
  std::vector<Bn> inputs;
  for (std::size_t t = 0; t < good.size(); ++t) inputs.push_back(random_below(key512().q));
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&, t] {
      const Arithmetic own;
      for (int i = 0; i < 8; ++i) {
        const Got got =
            t % 2 == 0 ? rsa_private(bench, key, inputs[t]) : modexp(bench, mod, Bn(t + 2), Bn(65537));
        const Bn expected =
            t % 2 == 0 ? own.modexp(inputs[t], key512().d, key512().n) : own.modexp(Bn(t + 2), Bn(65537), m);
        if (got.status == PERLE_OK && got.value() == expected) ++good[t];
        perle_board_stats stats{};
        perle_boards_stats(bench.set, t % 2, &stats);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int count : good) CHECK_EQ(count, 8);
  const std::uint64_t operations = bench.stats(0).operations + bench.stats(1).operations;
  CHECK_EQ(operations, std::uint64_t{3 * 8 * 2 + 3 * 8});
}

namespace {

// A board that finishes an operation only when another one is busy as well (or after a long wait).
std::mutex meeting;
std::condition_variable met;
int running = 0;

int advance_together(void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
  if (until_irq != 0) {
    std::unique_lock lock(meeting);
    ++running;
    met.notify_all();
    met.wait_for(lock, std::chrono::seconds(10), [] { return running >= 2; });
  }
  return kSoftSimulated.advance(ctx, cycles, until_irq, passed);
}

}  // namespace

TEST(both_halves_on_two_boards_at_once) {
  const KeyPtr key = key512().load();
  perle_backend together = kSoftSimulated;
  together.advance = advance_together;
  const Bench bench({.width = 256}, 2, together);
  running = 0;
  const auto start = std::chrono::steady_clock::now();
  const Got got = rsa_private(bench, key, Bn(3));
  CHECK_EQ(got.status, PERLE_OK);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(got.cost.elapsed * 2 == got.cost.cycles);
  CHECK(bench.stats(0).operations == 1 && bench.stats(1).operations == 1);
}

// One batch that some threads fill and others poll, while the first also use boards of the set by themselves.
TEST(threads_share_a_batch_and_the_boards) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 256}, 3);
  perle_batch* batch = nullptr;
  CHECK_EQ(perle_batch_open(bench.set, 4, &batch), PERLE_OK);
  constexpr std::size_t kThreads = 3, kEach = 8;
  std::vector<Data> outputs(kThreads * kEach, Data(64));
  std::atomic<std::size_t> reported{0}, failed{0}, alone{0};
  const auto poll = [&](std::uint64_t milliseconds) {
    perle_batch_done done[2];
    std::size_t count = 0;
    CHECK_EQ(perle_batch_poll(batch, milliseconds, done, 2, &count), PERLE_OK);
    for (std::size_t i = 0; i < count; ++i) failed += done[i].status == PERLE_OK ? 0 : 1;
    reported += count;
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kEach; ++i) {
        const std::uint8_t in = static_cast<std::uint8_t>(t * kEach + i + 2);
        Data& out = outputs[t * kEach + i];
        while (perle_batch_submit(batch, key.get(), 0, &in, 1, out.data(), out.size(), 0) ==
               PERLE_ERR_QUEUE_FULL)
          std::this_thread::yield();
        alone += rsa_private(bench, key, Bn(in)).status == PERLE_OK ? 1 : 0;
      }
    });
  for (int poller = 0; poller < 2; ++poller)
    threads.emplace_back([&] {
      while (reported < kThreads * kEach) poll(5);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(failed.load(), 0U);
  CHECK_EQ(alone.load(), kThreads * kEach);
  const Arithmetic math;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    CHECK(math.modexp(Bn(perle::ByteView(outputs[i])), key512().e, key512().n) == Bn(i + 2));
  perle_batch_close(batch);
}

namespace {

std::atomic<int> at_board{0}, most_at_board{0};

int read_slowly(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  const int now = ++at_board;
  if (now > most_at_board) most_at_board = now;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const int rc = kSoftSimulated.read(ctx, addr, data);
  --at_board;
  return rc;
}

}  // namespace

TEST(accesses_to_a_board_take_turns) {
  perle_backend slow = kSoftSimulated;
  slow.read = read_slowly;
  const Bench bench({.width = 64}, 1, slow);
  std::atomic<unsigned> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        std::uint64_t data = 0;
        right += perle_board_read(bench.set, 0, 0, &data) == PERLE_OK ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(right.load(), 40U);
  CHECK_EQ(most_at_board.load(), 1);
}

// Everything else that a set takes, each from a thread of its own, so that no lock of one call orders
// another; meanwhile others work with one key that has no primes, and share what blinds it.
TEST(settings_change_while_others_work) {
  const KeyPtr key = key512().load_plain();
  const Bench bench({.width = 512}, 2);
  constexpr unsigned kCalls = 7;
  std::atomic<unsigned> begun{0}, left{3}, wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      while (begun < kCalls) std::this_thread::yield();
      for (unsigned i = 0; i < 6; ++i) {
        const Bn c(10 * t + i + 2);
        const Got got = rsa_private(bench, key, c);
        if (got.status != PERLE_OK || !(got.value() == Arithmetic().modexp(c, key512().d, key512().n)))
          ++wrong;
      }
      --left;
    });
  perle_board_info info{};
  perle_board_stats stats{};
  std::uint64_t data = 0;
  const std::function<perle_status(int)> calls[kCalls] = {
      [&](int i) { return perle_boards_set_timeout(bench.set, 60'000 + i % 2, 0); },
      [&](int i) { return perle_boards_set_check(bench.set, i % 2); },
      [&](int) { return perle_boards_info(bench.set, &info); },
      [&](int i) { return perle_boards_stats(bench.set, i % 2, &stats); },
      [&](int) { return perle_boards_stats_reset(bench.set); },
      [&](int i) { return perle_board_read(bench.set, i % 2, 0, &data); },
      [&](int) { return perle_boards_zeroize(bench.set); },
  };
  for (const auto& call : calls)
    threads.emplace_back([&] {
      for (int i = 0; left > 0; ++i) {
        wrong += call(i) == PERLE_OK ? 0 : 1;
        begun += i == 0 ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(wrong.load(), 0U);
}

TEST(errors_belong_to_their_thread) {
  const Bench bench({.width = 64});
  CHECK_EQ(Mod(bench, Bn(4)).status, PERLE_ERR_MODULUS_EVEN);
  const std::string mine = perle_last_error();
  std::string theirs;
  std::thread([&] {
    Mod(bench, Bn(1));
    theirs = perle_last_error();
  }).join();
  CHECK(mine == perle_last_error());
  CHECK(theirs != mine && !theirs.empty());
}

TEST(one_board_failing_of_two) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 256}, 2);
  bench.soft[0]->inject(Fault::kHang, 1);
  bench.soft[1]->inject(Fault::kHang, 1);
  CHECK_EQ(rsa_private(bench, key, Bn(3)).status, PERLE_ERR_TIMEOUT);
  CHECK_EQ(rsa_private(bench, key, Bn(3)).status, PERLE_OK);
}
