// SPDX-License-Identifier: Apache-2.0
//
// Batches: many operations on many boards by one caller.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "batch_bench.hpp"

TEST(results_are_those_of_the_private_power) {
  for (const std::size_t boards : {1, 2, 5}) {
    const Bench bench({.width = 256}, boards);
    const KeyPtr crt = key512().load();
    BatchBench batch(bench.set, 24);
    for (int i = 0; i < 20; ++i) batch.submit(crt, key512(), i % 2 == 0 ? 0 : PERLE_RSA_NO_BLINDING);
    CHECK_EQ(batch.run(), 20U);
    const perle_batch_stats stats = batch.stats();
    CHECK_EQ(stats.succeeded, 20U);
    CHECK(stats.failed == 0 && stats.pending == 0 && stats.running == 0 && stats.repeated == 0);
    std::uint64_t operations = 0, cycles = 0;
    for (std::size_t i = 0; i < boards; ++i) {
      operations += bench.stats(i).operations;
      cycles += bench.stats(i).cycles;
      CHECK(bench.stats(i).operations > 0);
    }
    CHECK_EQ(operations, 40U);
    CHECK_EQ(stats.busy_cycles, cycles);
    CHECK_EQ(batch.cycles, cycles);
  }
}

TEST(keys_of_all_kinds_share_a_batch) {
  const Bench bench({.width = 512}, 3);
  const KeyPtr one = key512().load(), plain = key512().load_plain(), wide = key1024().load();
  BatchBench batch(bench.set, 30);
  for (int i = 0; i < 10; ++i) {
    batch.submit(one, key512());
    batch.submit(plain, key512());
    batch.submit(plain, key512(), PERLE_RSA_BLIND_EXPONENT, PERLE_ERR_UNSUPPORTED);
    batch.submit(wide, key1024(), i % 2 == 0 ? 0 : PERLE_RSA_BLIND_EXPONENT);
  }
  CHECK_EQ(batch.run(), 30U);
}

// Three boards: without preference for resident primes the halves would alternate between boards.
TEST(boards_keep_the_moduli_that_they_have) {
  const Bench bench({.width = 256}, 3);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 64);
  for (int i = 0; i < 40; ++i) batch.submit(key, key512());
  CHECK_EQ(batch.run(), 40U);
  std::uint64_t loads = 0;
  for (std::size_t i = 0; i < 3; ++i) loads += bench.stats(i).modulus_loads;
  CHECK(loads >= 3 && loads <= 20);
}

TEST(a_batch_is_blinded_unless_it_is_told_not_to) {
  const Bench bench({.width = 256});
  const KeyPtr key = key512().load();
  const Bn message(12345);
  const Data in = bytes(message);
  for (const unsigned flags : {0U, PERLE_RSA_NO_BLINDING}) {
    BatchBench batch(bench.set, 1);
    Data out(64);
    CHECK_EQ(perle_batch_submit(batch.batch, key.get(), flags, in.data(), in.size(), out.data(), 64, 0),
             PERLE_OK);
    perle_batch_done done{};
    std::size_t count = 0;
    CHECK_EQ(perle_batch_poll(batch.batch, 60'000, &done, 1, &count), PERLE_OK);
    CHECK(count == 1 && done.status == PERLE_OK);
    CHECK_EQ(bench.soft[0]->holds(message.get()), flags != 0);
  }
}

// Halves whose modulus is on the board go first, but at most sixteen of them.
TEST(nobody_is_passed_over_for_ever) {
  const Bench bench({.width = 512, .cycles_per_bit = 30});  // time to prepare what comes next
  const RsaKey other(512);
  const KeyPtr resident = key512().load_plain(), late = other.load_plain();
  BatchBench batch(bench.set, 64);
  batch.submit(resident, key512());
  CHECK_EQ(batch.run(), 1U);
  batch.submit(late, other);
  for (int i = 0; i < 30; ++i) batch.submit(resident, key512());
  CHECK_EQ(batch.run(), 32U);
  const auto its = std::ranges::find(batch.done, 1U, &perle_batch_done::tag);
  CHECK_EQ(its - batch.done.begin(), 1 + 16);
}

TEST(boards_that_run_by_themselves) {
  const Bench bench({.width = 256}, 3, kSoftFree);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 0);
  for (int i = 0; i < 12; ++i) batch.submit(key, key512());
  batch.submit(key, key512(), 0, PERLE_ERR_QUEUE_FULL);
  CHECK_EQ(batch.run(), 12U);
  CHECK_EQ(batch.stats().cycles, 0U);
}

// Boards are polled with pauses, because bus and processor are shared.
TEST(a_batch_that_waits_looks_seldom) {
  const Bench bench({.width = 256}, 1, kSoftFree);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 1);
  bench.soft[0]->inject(Fault::kHang, 1);
  batch.submit(key, key512());
  batch.poll(1, 0);
  const std::uint64_t before = bench.stats().bus_reads;
  CHECK_EQ(batch.poll(1, 200), 0U);
  CHECK(bench.stats().bus_reads - before < 200 * 1000 / 50 + 100);  // a nap is of 50 microseconds
}

TEST(a_full_batch_takes_nothing_until_one_is_reported) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 2);
  batch.submit(key, key512());
  batch.submit(key, key512());
  for (int i = 0; i < 3; ++i) batch.submit(key, key512(), 0, PERLE_ERR_QUEUE_FULL);
  CHECK_EQ(batch.stats().pending, 2U);
  while (batch.poll(1) == 0) {
  }
  batch.submit(key, key512());
  batch.submit(key, key512(), 0, PERLE_ERR_QUEUE_FULL);
  CHECK_EQ(batch.run(), 3U);
}

TEST(nothing_moves_without_a_poll_and_a_poll_of_no_time_moves_on) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 4);
  CHECK_EQ(batch.poll(1, 10'000), 0U);  // nothing to wait for: at once
  batch.submit(key, key512());
  CHECK_EQ(bench.stats(0).bus_writes, 1U);  // of its opening
  unsigned looks = 0;
  while (batch.poll(1, 0) == 0) CHECK(++looks < 1000);
  CHECK(looks >= 1);
}

TEST(what_a_batch_refuses) {
  const Bench bench({.width = 256});
  const KeyPtr key = key512().load(), open = key512().load_public(), wide = key1024().load();
  BatchBench batch(bench.set, 4);
  batch.submit(open, key512(), 0, PERLE_ERR_KEY_PUBLIC);
  batch.submit(wide, key1024(), 0, PERLE_ERR_WIDTH);
  batch.submit(key, key512(), 64, PERLE_ERR_ARGUMENT);
  const Data n = bytes(key512().n);
  Data out(64, 7);
  const auto submit = [&](const Data& in, std::uint8_t* to, std::size_t size) {
    return perle_batch_submit(batch.batch, key.get(), 0, in.data(), in.size(), to, size, 0);
  };
  CHECK_EQ(submit(n, out.data(), out.size()), PERLE_ERR_OPERAND_RANGE);
  CHECK(out == Data(64));
  CHECK_EQ(submit({1}, out.data(), 63), PERLE_ERR_BUFFER);
  CHECK_EQ(submit({1}, nullptr, 64), PERLE_ERR_ARGUMENT);
  CHECK_EQ(batch.stats().pending, 0U);
  perle_batch* none = nullptr;
  CHECK_EQ(perle_batch_open(bench.set, 65537, &none), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_batch_open(nullptr, 1, &none), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_batch_open(bench.set, 1, nullptr), PERLE_ERR_ARGUMENT);
  perle_batch_done done{};
  std::size_t count = 5;
  CHECK_EQ(perle_batch_poll(batch.batch, 0, &done, 0, &count), PERLE_ERR_ARGUMENT);
  CHECK_EQ(count, 0U);
  CHECK_EQ(perle_batch_poll(batch.batch, 0, nullptr, 1, &count), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_batch_poll(nullptr, 0, &done, 1, &count), PERLE_ERR_ARGUMENT);
  perle_batch_close(nullptr);
}

// In any order of closing, only operations not reported are lost, and no exponent stays on a board.
TEST(closing_with_operations_under_way) {
  perle_backend lasting = kSoftFree;  // has to be waited for
  lasting.reset = nullptr;
  for (const perle_backend* backend : {&kSoftSimulated, static_cast<const perle_backend*>(&lasting)}) {
    Bench bench({.width = 256}, 2, *backend);
    KeyPtr key = key512().load();
    BatchBench batch(bench.set, 8);
    for (int i = 0; i < 4; ++i) batch.submit(key, key512(), PERLE_RSA_NO_BLINDING);
    if (backend == &kSoftSimulated)
      for (auto& soft : bench.soft) soft->inject(Fault::kHang, 1);
    batch.poll(8, 0);
    CHECK(batch.stats().running == 2);
    CHECK(bench.soft[0]->holds(key512().dp.get()) || bench.soft[1]->holds(key512().dp.get()));
    key.reset();
    perle_boards_close(bench.set);
    bench.set = nullptr;
    CHECK(bench.soft[0]->holds(key512().dp.get()) || bench.soft[1]->holds(key512().dp.get()));
    batch.close();
    for (auto& soft : bench.soft)
      for (const Bn* secret : {&key512().dp, &key512().dq, &key512().p, &key512().q})
        CHECK(!soft->holds(secret->get()));
    for (const Data& out : batch.outputs) CHECK(out == Data(64));
  }
}

TEST(closing_a_batch_leaves_boards_that_work) {
  perle_backend lasting = kSoftFree;  // has to be waited for
  lasting.reset = nullptr;
  for (const perle_backend* backend : {&kSoftSimulated, static_cast<const perle_backend*>(&lasting)}) {
    const Bench bench({.width = 256}, 2, *backend);
    const KeyPtr key = key512().load();
    BatchBench batch(bench.set, 8);
    for (int i = 0; i < 4; ++i) batch.submit(key, key512(), PERLE_RSA_NO_BLINDING);
    batch.poll(8, 0);
    CHECK(bench.soft[0]->holds(key512().dp.get()) && bench.soft[1]->holds(key512().dq.get()));
    batch.close();
    for (auto& soft : bench.soft) CHECK(!soft->holds(key512().dp.get()) && !soft->holds(key512().dq.get()));
    for (int i = 2; i < 5; ++i) CHECK_EQ(rsa_private(bench, key, Bn(i)).status, PERLE_OK);
    CHECK_EQ(bench.stats(0).faults + bench.stats(1).faults, 0U);
  }
}

TEST(a_child_of_fork_touches_no_board) {
  Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 8);
  for (int i = 0; i < 4; ++i) batch.submit(key, key512());
  batch.poll(8, 0);
  CHECK(batch.stats().running == 2);
  const pid_t child = fork();
  if (child == 0) {
    perle_batch_done done{};
    perle_batch_stats stats{};
    std::size_t count = 0;
    const std::uint8_t in = 3;
    Data out(64);
    int bad = 0;
    bad |= perle_batch_poll(batch.batch, 0, &done, 1, &count) == PERLE_ERR_ARGUMENT ? 0 : 1;
    bad |= perle_batch_get_stats(batch.batch, &stats) == PERLE_ERR_ARGUMENT ? 0 : 2;
    bad |= perle_batch_submit(batch.batch, key.get(), 0, &in, 1, out.data(), 64, 0) == PERLE_ERR_ARGUMENT ? 0
                                                                                                          : 4;
    const std::uint64_t before = bench.soft[0]->cycles() + bench.soft[1]->cycles();
    perle_batch_close(batch.batch);
    bad |= bench.soft[0]->cycles() + bench.soft[1]->cycles() == before ? 0 : 8;
    _exit(bad);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK_EQ(batch.run(), 4U);
}

// Lanes share a clock: all of them work while it advances, in one thread.
TEST(lanes_work_at_the_same_time) {
  const char* path = std::getenv("SOFTBOARD_SO");
  if (!CHECK(path != nullptr)) return;
  const KeyPtr key = key512().load();
  perle_batch_stats stats[2] = {};
  for (const std::size_t lanes : {1, 4}) {
    setenv("SOFTBOARD", ("width=256,lanes=" + std::to_string(lanes)).c_str(), 1);
    perle_boards* set = nullptr;
    CHECK_EQ(perle_boards_open(("sim:" + std::string(path)).c_str(), &set), PERLE_OK);
    unsetenv("SOFTBOARD");
    BatchBench batch(set, 16);
    for (int i = 0; i < 16; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 16U);
    stats[lanes / 4] = batch.stats();
    perle_boards_close(set);
  }
  CHECK_EQ(stats[0].busy_cycles, stats[1].busy_cycles);  // software lanes do not share a multiplier
  CHECK(stats[0].cycles > stats[0].busy_cycles);
  CHECK(stats[1].cycles * 3 < stats[0].cycles);
}
