// SPDX-License-Identifier: Apache-2.0
//
// Boards that fail are reset, zeroized and tested, and return to service; or they are retired, and others
// work.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "batch_bench.hpp"

namespace {

// A board that others left as it is, and what of it is not to be freed.
struct Left {
  SoftBoard soft{SoftConfig{}};
  perle_boards* set = nullptr;
  perle_status open(const perle_backend& backend) {
    void* ctx = &soft;
    return perle_boards_attach(&backend, &ctx, 1, &set);
  }
  ~Left() { perle_boards_close(set); }
};

// 2^3 modulo an odd number.
perle_status cube(perle_boards* set, unsigned* out = nullptr) {
  const std::uint8_t m = 101, x = 2, e = 3;
  std::uint8_t result = 0;
  std::size_t length = 0;
  perle_mod* mod = nullptr;
  CHECK_EQ(perle_mod_new(set, &m, 1, &mod), PERLE_OK);
  const perle_status status =
      perle_modexp(set, mod, &x, 1, &e, 1, 0, PERLE_MODE_WINDOW, &result, 1, &length, nullptr);
  perle_mod_free(mod);
  CHECK_EQ(result, status == PERLE_OK ? 8 : 0);
  if (out != nullptr) *out = result;
  return status;
}

}  // namespace

TEST(a_board_that_failed_once_recovers) {
  const struct {
    Fault fault;
    perle_status status;
  } kinds[] = {{Fault::kDead, PERLE_ERR_BUS},
               {Fault::kHang, PERLE_ERR_TIMEOUT},
               {Fault::kStuck, PERLE_ERR_FAULT},
               {Fault::kFlag, PERLE_ERR_BOARD_FLAG}};
  for (const auto& kind : kinds)
    for (const perle_backend* backend : {&kSoftSimulated, &kSoftFree}) {
      const Bench bench({}, 1, *backend);
      CHECK_EQ(perle_boards_set_timeout(bench.set, 100, 0), PERLE_OK);
      CHECK_EQ(cube(bench.set), PERLE_OK);
      bench.soft[0]->inject(kind.fault, 1);
      CHECK_EQ(cube(bench.set), kind.status);
      CHECK_EQ(bench.stats().recoveries, 0U);
      for (int i = 0; i < 3; ++i) CHECK_EQ(cube(bench.set), PERLE_OK);
      const perle_board_stats stats = bench.stats();
      CHECK(stats.resets >= 1 && stats.recoveries == 1 && stats.retirements == 0);
      CHECK_EQ(stats.faults + stats.timeouts, 1U);
      // The self-test is not counted.
      CHECK_EQ(stats.operations, kind.fault == Fault::kStuck ? 5U : 4U);
    }
}

TEST(without_a_reset_that_helps_a_board_is_retired) {
  const Bench bench;
  bench.soft[0]->no_reset = true;
  bench.soft[0]->inject(Fault::kStuck, 1);
  for (int i = 0; i < 3; ++i) CHECK_EQ(cube(bench.set), PERLE_ERR_FAULT);
  CHECK(std::string(perle_last_error()).find("retired: its self-test") != std::string::npos);
  CHECK(bench.stats().retirements == 1 && bench.stats().recoveries == 0 && bench.stats().faults == 1);
  // No other is left, so every operation tries it.
  bench.soft[0]->no_reset = false;
  CHECK_EQ(cube(bench.set), PERLE_OK);
  CHECK_EQ(bench.stats().recoveries, 1U);
}

TEST(others_work_for_a_retired_board) {
  const KeyPtr key = key512().load();
  for (const Fault fault : {Fault::kDead, Fault::kHang, Fault::kHuge, Fault::kFlip, Fault::kNever}) {
    const Bench bench({.width = 256}, 2);
    bench.soft[0]->inject(fault);
    int failed = 0;
    for (int i = 0; i < 10; ++i)
      failed += rsa_private(bench, key, random_below(key512().n)).status == PERLE_OK ? 0 : 1;
    CHECK_EQ(failed, 1);
    CHECK(bench.stats(0).retirements == 1 && bench.stats(1).retirements == 0);
    CHECK_EQ(bench.stats(1).faults + bench.stats(1).timeouts, 0U);
    bench.soft[0]->inject(Fault::kNone);
  }
}

// Its self-test is right, its results are not: the fault comes with every third operation.
TEST(a_board_that_relapses_is_retired) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 256}, 2);
  int failed = 0;
  for (int i = 0; i < 20; ++i) {
    const perle_board_stats before = bench.stats(0);
    // Not while it recovers: the fault is there only for what comes after the first operation of the set.
    CHECK_EQ(rsa_private(bench, key, Bn(5)).status, PERLE_OK);
    if (bench.stats(0).retirements == 0) bench.soft[0]->inject(Fault::kGarbage, 1);
    failed += rsa_private(bench, key, Bn(5)).status == PERLE_OK ? 0 : 1;
    bench.soft[0]->inject(Fault::kNone);
    CHECK(before.retirements <= 1);
  }
  CHECK(failed >= 3 && failed <= 8);
  CHECK_EQ(bench.stats(0).retirements, 1U);
  CHECK_EQ(bench.stats(1).faults, 0U);
}

// Each time that a retired board fails again it is left alone for twice as long: one second, then two.
TEST(a_retired_board_is_left_alone) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 256}, 2);
  bench.soft[0]->inject(Fault::kFlip);
  const auto resets = [&] {
    for (int i = 0; i < 6; ++i) rsa_private(bench, key, Bn(5));
    return bench.stats(0).resets;
  };
  const std::uint64_t retired = resets();
  CHECK_EQ(bench.stats(0).retirements, 1U);
  CHECK_EQ(resets(), retired);
  using Clock = std::chrono::steady_clock;
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  std::uint64_t tried = retired;
  // It has its turn when both halves of an operation are under way at once: on a busy machine that is seldom.
  const auto patience = Clock::now() + std::chrono::seconds(30);
  for (; tried == retired && Clock::now() < patience; tried = resets()) pause();
  CHECK_EQ(tried, retired + 1);
  const auto end = Clock::now() + std::chrono::milliseconds(500);
  for (; Clock::now() < end; pause()) CHECK_EQ(resets(), tried);
}

// A caller that waits for a board gets the retired one when it is due, although no other is released.
TEST(a_retired_board_comes_back_to_waiting_callers) {
  const Bench bench({}, 2, kSoftFree);
  CHECK_EQ(perle_boards_set_timeout(bench.set, 4000, 0), PERLE_OK);
  bench.soft[0]->inject(Fault::kStuck);
  for (int i = 0; i < 4; ++i) (void)cube(bench.set);
  CHECK_EQ(bench.stats(0).retirements, 1U);
  bench.soft[0]->inject(Fault::kNone);
  bench.soft[1]->inject(Fault::kSlow, 1);
  std::thread slow([&] { CHECK_EQ(cube(bench.set), PERLE_ERR_TIMEOUT); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK_EQ(cube(bench.set), PERLE_OK);
  CHECK_EQ(bench.stats(1).timeouts, 0U);  // it is still under way
  slow.join();
}

// Before its self-test and after it, but not once more for an operation that was never loaded.
TEST(a_board_that_stays_dead_is_reset_twice_an_operation) {
  const Bench bench;
  bench.soft[0]->inject(Fault::kHang);
  CHECK_EQ(cube(bench.set), PERLE_ERR_TIMEOUT);
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = bench.stats().resets;
    CHECK_EQ(cube(bench.set), PERLE_ERR_TIMEOUT);
    CHECK_EQ(bench.stats().resets, before + 2);
  }
}

TEST(secrets_are_gone_before_a_board_is_used_again) {
  const KeyPtr key = key512().load();
  for (const Fault fault : {Fault::kDead, Fault::kGarbage, Fault::kHang}) {
    const Bench bench({.width = 256});
    bench.soft[0]->inject(fault, 1);
    CHECK(rsa_private(bench, key, Bn(7)).status != PERLE_OK);
    CHECK_EQ(cube(bench.set), PERLE_OK);
    CHECK(!bench.soft[0]->holds(key512().p.get()) && !bench.soft[0]->holds(key512().q.get()));
  }
}

// Also where nothing resets the board: its registers are overwritten when it has failed.
TEST(secrets_are_gone_as_soon_as_an_operation_fails) {
  const KeyPtr key = key512().load();
  perle_backend backend = kSoftSimulated;
  backend.reset = nullptr;
  const Bench bench({.width = 256}, 1, backend);
  bench.soft[0]->inject(Fault::kFlag, 1);
  CHECK_EQ(rsa_private(bench, key, Bn(7)).status, PERLE_ERR_BOARD_FLAG);
  CHECK(bench.soft[0]->zeroized());
}

TEST(a_board_that_somebody_left_is_opened) {
  for (const perle_backend* backend : {&kSoftSimulated, &kSoftFree})
    for (const Fault fault : {Fault::kHang, Fault::kDead, Fault::kStuck, Fault::kNone}) {
      Left left;
      left.soft.inject(fault, 1);
      left.soft.write(0x2000, 99);                        // M
      left.soft.write(0x28, 2 | std::uint64_t{5} << 16);  // a power
      left.soft.write(0x30, 1);
      CHECK_EQ(left.open(*backend), PERLE_OK);
      CHECK_EQ(cube(left.set), PERLE_OK);
    }
  Left lost;
  lost.soft.inject(Fault::kHang);
  lost.soft.write(0x30, 1);
  lost.soft.no_reset = true;
  const std::uint64_t before = lost.soft.cycles();
  CHECK_EQ(lost.open(kSoftSimulated), PERLE_ERR_TIMEOUT);
  CHECK(lost.soft.cycles() - before < 1 << 24);  // in a simulator these are some seconds
}

TEST(batches_get_a_board_back) {
  for (const Fault fault : {Fault::kDead, Fault::kStuck}) {
    const Bench bench({.width = 256}, 2);
    const KeyPtr key = key512().load();
    BatchBench batch(bench.set, 64);
    bench.soft[0]->inject(fault, 1);
    for (int i = 0; i < 40; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 40U);
    // Its next half is under way when the first one is found to be wrong.
    CHECK(bench.stats(0).recoveries >= 1 && bench.stats(0).recoveries <= 2);
    CHECK(bench.stats(0).retirements == 0 && bench.stats(0).operations > 20);
    CHECK(batch.stats().repeated >= 1 && batch.stats().repeated <= 4);
  }
}

// Lanes share one reset: all of them finish, and are recovered together.
TEST(lanes_recover_together) {
  const char* path = std::getenv("SOFTBOARD_SO");
  if (!CHECK(path != nullptr)) return;
  for (const char* fault : {"dead", "stuck", "hang"}) {
    setenv("SOFTBOARD", ("width=256,lanes=4,times=1,fault=" + std::string(fault)).c_str(), 1);
    perle_boards* set = nullptr;
    CHECK_EQ(perle_boards_open(("sim:" + std::string(path)).c_str(), &set), PERLE_OK);
    unsetenv("SOFTBOARD");
    const KeyPtr key = key512().load();
    for (int round = 0; round < 8; ++round) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; ++i) threads.emplace_back([&] { (void)cube(set); });
      for (std::thread& thread : threads) thread.join();
    }
    for (int i = 0; i < 8; ++i) CHECK_EQ(cube(set), PERLE_OK);
    std::uint64_t recoveries = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      perle_board_stats stats{};
      CHECK_EQ(perle_boards_stats(set, i, &stats), PERLE_OK);
      CHECK(stats.resets >= 1 && stats.retirements == 0);
      recoveries += stats.recoveries;
    }
    CHECK(recoveries >= 1);
    BatchBench batch(set, 0);
    for (int i = 0; i < 8; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 8U);
    batch.close();
    perle_boards_close(set);
  }
}
