// SPDX-License-Identifier: Apache-2.0
//
// Batches on failing boards: nothing is lost, nothing wrong is released.
#include <unistd.h>

#include <utility>

#include "batch_bench.hpp"

TEST(a_dead_board_loses_nothing) {
  for (const Fault fault : {Fault::kHang, Fault::kSlvErr, Fault::kDead, Fault::kFlag, Fault::kHuge,
                            Fault::kNever, Fault::kGarbage, Fault::kFlip}) {
    const Bench bench({.width = 256}, 3);
    const KeyPtr key = key512().load();
    BatchBench batch(bench.set, 32);
    bench.soft[1]->inject(fault);
    for (int i = 0; i < 24; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 24U);
    const perle_batch_stats stats = batch.stats();
    CHECK(stats.repeated > 0 && stats.repeated <= 12);  // it rests after two failures
    CHECK(bench.stats(1).faults + bench.stats(1).timeouts > 0);
    CHECK(bench.stats(0).faults + bench.stats(2).faults == 0);
    std::uint64_t repeats = 0;
    for (const perle_batch_done& one : batch.done) repeats += one.repeats;
    CHECK_EQ(repeats, stats.repeated);
    bench.soft[1]->inject(Fault::kNone);
  }
}

TEST(boards_that_run_by_themselves_and_fail) {
  for (const Fault fault : {Fault::kHang, Fault::kDead, Fault::kGarbage}) {
    // Its clock is that of accesses: a power of a few looks.
    const Bench bench({.width = 256, .cycles_per_bit = 0}, 2, kSoftFree);
    CHECK_EQ(perle_boards_set_timeout(bench.set, 200, 0), PERLE_OK);
    const KeyPtr key = key512().load();
    BatchBench batch(bench.set, 8);
    bench.soft[0]->inject(fault);
    for (int i = 0; i < 6; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 6U);
    bench.soft[0]->inject(Fault::kNone);
  }
}

TEST(when_all_boards_are_dead_every_operation_ends_with_an_error) {
  const struct {
    Fault fault;
    perle_status status;
  } kinds[] = {{Fault::kHang, PERLE_ERR_TIMEOUT},
               {Fault::kDead, PERLE_ERR_BUS},
               {Fault::kFlag, PERLE_ERR_BOARD_FLAG},
               {Fault::kHuge, PERLE_ERR_FAULT},
               {Fault::kGarbage, PERLE_ERR_FAULT}};
  for (const auto& kind : kinds) {
    const Bench bench({.width = 256}, 3);
    const KeyPtr key = key512().load();
    BatchBench batch(bench.set, 8);
    for (auto& soft : bench.soft) soft->inject(kind.fault);
    for (int i = 0; i < 8; ++i) batch.submit(key, key512());
    CHECK_EQ(batch.run(), 0U);
    CHECK_EQ(batch.stats().failed, 8U);
    for (const perle_batch_done& one : batch.done)
      CHECK_EQ(static_cast<perle_status>(one.status), kind.status);
    for (auto& soft : bench.soft) soft->inject(Fault::kNone);
    batch.submit(key, key512());
    CHECK_EQ(batch.run(), 1U);
  }
}

TEST(one_board_alone_reports_its_wrong_result) {
  const Bench bench({.width = 256});
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 8);
  bench.soft[0]->inject(Fault::kGarbage, 1);
  for (int i = 0; i < 3; ++i) batch.submit(key, key512());
  CHECK_EQ(batch.run(), 2U);
  CHECK_EQ(static_cast<perle_status>(batch.done[0].status), PERLE_ERR_FAULT);
  CHECK_EQ(batch.done[0].repeats, 0U);
  CHECK_EQ(bench.stats().faults, 1U);
}

// The constants stored on the board may be wrong.
TEST(a_board_that_was_wrong_is_loaded_anew) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 16);
  bench.soft[0]->inject(Fault::kGarbage, 1);
  batch.submit(key, key512());
  CHECK_EQ(batch.run(), 1U);
  CHECK_EQ(batch.stats().repeated, 2U);  // blinded anew, so both halves
  CHECK_EQ(bench.stats(0).faults, 1U);
  CHECK_EQ(bench.stats(1).faults, 0U);
  CHECK_EQ(bench.stats(0).operations, 1U);
  CHECK_EQ(bench.stats(0).modulus_loads, 1U);
  // The same prime goes to the same board.
  batch.submit(key, key512());
  CHECK_EQ(batch.run(), 2U);
  CHECK_EQ(bench.stats(0).operations, 2U);
  CHECK_EQ(bench.stats(0).modulus_loads, 2U);
}

// The second wrong result of an operation is its last.
TEST(a_result_that_is_wrong_twice_is_reported) {
  const Bench bench({.width = 256}, 6);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 4);
  for (std::size_t i = 0; i < 4; ++i) bench.soft[i]->inject(Fault::kFlip);
  batch.submit(key, key512());
  CHECK_EQ(batch.run(), 0U);
  CHECK_EQ(static_cast<perle_status>(batch.done[0].status), PERLE_ERR_FAULT);
  CHECK_EQ(batch.done[0].repeats, 2U);
  CHECK(bench.stats(4).operations == 0 && bench.stats(5).operations == 0);
}

TEST(a_board_that_recovers_is_used_again) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 128);
  bench.soft[0]->inject(Fault::kHang, 1);
  for (int i = 0; i < 120; ++i) batch.submit(key, key512());
  CHECK_EQ(batch.run(), 120U);
  CHECK(bench.stats(0).timeouts == 1 && bench.stats(0).recoveries == 1);
  CHECK_EQ(batch.stats().repeated, 1U);
  CHECK(bench.stats(0).operations > 60 && bench.stats(0).operations < 140);
}

// After two failures in a row a board is not used for a while, even after many successes before.
TEST(a_board_that_fails_late_rests_too) {
  const Bench bench({.width = 256}, 2);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 128);
  for (int i = 0; i < 40; ++i) batch.submit(key, key512());
  CHECK_EQ(batch.run(), 40U);
  bench.soft[0]->inject(Fault::kHang);
  for (int i = 0; i < 40; ++i) batch.submit(key, key512());
  CHECK_EQ(batch.run(), 80U);
  CHECK(batch.stats().repeated > 1 && batch.stats().repeated <= 6);
}

TEST(limits_of_time_do_not_run_while_nobody_polls) {
  const Bench bench({.width = 256, .cycles_per_bit = 100}, 2);  // many looks
  CHECK_EQ(perle_boards_set_timeout(bench.set, 100, 0), PERLE_OK);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 8);
  for (int i = 0; i < 4; ++i) batch.submit(key, key512());
  batch.poll(8, 0);
  usleep(200'000);
  CHECK_EQ(batch.run(), 4U);
  CHECK_EQ(batch.stats().repeated, 0U);
}

// A limit in cycles is checked after every slice, not one slice later.
TEST(a_batch_keeps_a_limit_of_whole_slices) {
  perle_backend backend = kSoftSimulated;
  backend.cycles = nullptr;  // the board does not tell how late it is: what it was advanced by counts
  const Bench bench({.width = 256}, 1, backend);
  const KeyPtr key = key512().load();
  BatchBench batch(bench.set, 1);
  constexpr std::uint64_t kSlice = 4096;
  CHECK_EQ(perle_boards_set_timeout(bench.set, 0, 2 * kSlice), PERLE_OK);
  bench.soft[0]->inject(Fault::kHang, 1);
  batch.submit(key, key512());
  const std::uint64_t before = bench.soft[0]->cycles();
  batch.run();
  CHECK_EQ(batch.done[0].status, PERLE_ERR_TIMEOUT);
  CHECK(bench.soft[0]->cycles() - before < 5 * kSlice / 2);
}

// The zeroization at the end of a reset takes a while; the next caller's operation has to come after it.
TEST(a_board_is_idle_after_its_batch_was_closed) {
  const Bench bench({.width = 256}, 1, kSoftFree);
  const KeyPtr key = key512().load();
  bench.soft[0]->reset_cycles = 1000;
  BatchBench batch(bench.set, 4);
  batch.submit(key, key512());
  CHECK_EQ(batch.poll(1, 0), 0U);  // a half is under way
  batch.close();
  CHECK_EQ(rsa_private(bench, key, Bn(5)).status, PERLE_OK);
  CHECK_EQ(bench.stats().faults, 0U);
}

// A backend in C++ may throw what it likes.
TEST(an_operation_survives_what_a_backend_throws) {
  static bool thrown = false;
  perle_backend backend = kSoftSimulated;
  backend.advance = [](void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
    if (!std::exchange(thrown, true)) throw 7;
    return kSoftSimulated.advance(ctx, cycles, until_irq, passed);
  };
  const Bench bench({.width = 256}, 1, backend);
  const KeyPtr key = key512().load();
  thrown = false;
  BatchBench batch(bench.set, 4);
  batch.submit(key, key512());
  if (CHECK_EQ(batch.poll(1, 2000), 1U))
    CHECK_EQ(static_cast<perle_status>(batch.done[0].status), PERLE_ERR_CRYPTO);
  CHECK_EQ(batch.stats().failed, 1U);
}
