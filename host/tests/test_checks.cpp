// SPDX-License-Identifier: Apache-2.0
//
// The default checks, and those of PERLE_CHECK_RANGE; whether a wrong result is due to the board or the key.
#include "api/api_boards.hpp"
#include "batch_bench.hpp"
#include "memory_board.hpp"

namespace {

struct Tally {
  int wrong = 0, refused = 0, right = 0;
};

// A product and a power after each of so many flips: of a result, or of what is loaded.
Tally campaign(perle_check check, bool resident) {
  const Bench bench({.width = 128});
  if (check != PERLE_CHECK_FULL) CHECK_EQ(perle_boards_set_check(bench.set, check), PERLE_OK);
  const Bn m = random_odd(128);
  const Mod mod(bench, m);
  const Arithmetic math;
  Tally tally;
  for (unsigned i = 0; i < 200; ++i) {
    const Bn x = random_below(m), y = random_below(m);
    CHECK_EQ(multiply(perle_mulmod, bench, mod, x, y).status, PERLE_OK);  // recovers, loads
    resident ? bench.soft[0]->flip_loaded(i, 7 * i % 120) : bench.soft[0]->inject(Fault::kFlip, 1);
    const Got got = i % 2 == 0 ? multiply(perle_mulmod, bench, mod, x, y) : modexp(bench, mod, x, y);
    const Bn expected = i % 2 == 0 ? math.mulmod(x, y, m) : math.modexp(x, y, m);
    ++(got.status != PERLE_OK ? tally.refused : got.value() == expected ? tally.right : tally.wrong);
    CHECK(got.status == PERLE_OK || got.data.empty());
  }
  return tally;
}

// A key with composite "primes": its numbers are consistent, its powers are wrong.
KeyPtr composite_key(Bn& n) {
  const Arithmetic math;
  const Bn e(65537);
  const auto composite = [&] {
    for (;;) {
      const Bn p = math.mul(random_odd(128), random_odd(128));
      Bn d;
      if (p.bits() == 256 && math.inverse(e, math.sub(p, Bn(1)), d)) return p;
    }
  };
  const Bn p = composite(), q = composite(), p1 = math.sub(p, Bn(1)), q1 = math.sub(q, Bn(1));
  Bn d, dp, dq, qinv;
  CHECK(math.inverse(e, math.mul(p1, q1), d) && math.inverse(e, p1, dp) && math.inverse(e, q1, dq));
  if (!math.inverse(q, p, qinv)) return composite_key(n);
  n = math.mul(p, q);
  const Data raw[] = {bytes(n), bytes(e), bytes(d), bytes(p), bytes(q), bytes(dp), bytes(dq), bytes(qinv)};
  const auto number = [&](int i) { return perle_number{raw[i].data(), raw[i].size()}; };
  const perle_key_numbers numbers = {sizeof(perle_key_numbers),
                                     number(0),
                                     number(1),
                                     number(2),
                                     number(3),
                                     number(4),
                                     number(5),
                                     number(6),
                                     number(7)};
  perle_key* key = nullptr;
  CHECK_EQ(perle_key_new(&numbers, &key), PERLE_OK);
  return KeyPtr(key);
}

std::uint64_t blamed(const Bench& bench, std::size_t i) {
  const perle_board_stats stats = bench.stats(i);
  return stats.faults + stats.timeouts + stats.resets + stats.retirements;
}

}  // namespace

TEST(no_flip_is_released_unless_asked_for) {
  for (const bool resident : {false, true}) {
    const Tally full = campaign(PERLE_CHECK_FULL, resident);
    CHECK_EQ(full.wrong, 0);
    CHECK(full.refused > 150);
  }
  // Faults that the range check does not find; constants are loaded for every operation then.
  CHECK(campaign(PERLE_CHECK_RANGE, false).wrong > 50);
  const Tally loaded = campaign(PERLE_CHECK_RANGE, true);
  CHECK(loaded.wrong == 0 && loaded.right == 200);
}

TEST(a_key_that_is_wrong_is_no_boards_fault) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
    const Bench bench({.width = 256}, count);
    Bn n;
    for (int i = 0; i < 3; ++i) {
      const KeyPtr bad = composite_key(n);
      CHECK_EQ(rsa_private(bench, bad, random_below(n), i == 0 ? 0 : PERLE_RSA_NO_BLINDING).status,
               PERLE_ERR_KEY_WRONG);
      CHECK(std::string(perle_last_error()).find("the key is refused") != std::string::npos);
      // The key is refused at once, without using a board.
      const std::uint64_t operations = bench.stats().operations;
      CHECK_EQ(rsa_private(bench, bad, Bn(1)).status, PERLE_ERR_KEY_WRONG);
      CHECK_EQ(bench.stats().operations, operations);
    }
    std::uint64_t key_errors = 0;
    for (std::size_t i = 0; i < count; ++i) {
      CHECK_EQ(blamed(bench, i), 0U);
      key_errors += bench.stats(i).key_errors;
    }
    CHECK_EQ(key_errors, 6U);
    // A wrong board is distinguished from a wrong key.
    const KeyPtr good = key512().load();
    bench.soft[0]->inject(Fault::kGarbage, 1);
    CHECK_EQ(rsa_private(bench, good, Bn(5)).status, PERLE_ERR_FAULT);
    CHECK_EQ(rsa_private(bench, good, Bn(5)).status, PERLE_OK);
    CHECK(bench.stats(0).faults == 1 && bench.stats(0).key_errors + bench.stats(count - 1).key_errors >= 6);
  }
}

TEST(batches_tell_keys_from_boards) {
  const Bench bench({.width = 256}, 2);
  Bn n;
  const KeyPtr bad = composite_key(n), good = key512().load();
  BatchBench batch(bench.set, 16);
  RsaKey fake(512);
  fake.n = n;
  for (int i = 0; i < 3; ++i) {
    batch.submit(bad, fake);
    batch.submit(good, key512());
  }
  CHECK_EQ(batch.run(), 3U);
  for (const perle_batch_done& one : batch.done)
    if (one.status != PERLE_OK) {
      CHECK_EQ(static_cast<perle_status>(one.status), PERLE_ERR_KEY_WRONG);
      CHECK_EQ(one.repeats, 0U);
    }
  CHECK(batch.stats().failed == 3 && batch.stats().refused == 3 && batch.stats().repeated == 0);
  CHECK(blamed(bench, 0) + blamed(bench, 1) == 0);
  CHECK(bench.stats(0).key_errors + bench.stats(1).key_errors > 0);
  batch.submit(bad, fake, 0, PERLE_ERR_KEY_WRONG);
}

TEST(systems_tell_keys_from_boards) {
  std::vector<Memory> memories(2, Memory{10});
  const auto run = [](perle::System& system, const perle::Key& key, std::span<const Bn> blocks) {
    system.write(0, 0, 1);
    return std::vector<Bn>{Arithmetic().modexp(blocks.front(), key.d(), key.n())};
  };
  perle::System system(members(memories, 75'000), {700'000, 700'000, 1'000});
  perle_boards set(
      std::make_unique<perle::SystemSet>(std::move(system), perle::Driver{"test", "some,other:p", run}));
  Bn n;
  const KeyPtr bad = composite_key(n);
  const std::uint8_t in = 3;
  Data out(64);
  std::size_t length = 0;
  CHECK_EQ(perle_rsa_private(&set, bad.get(), 0, &in, 1, out.data(), 64, &length, nullptr),
           PERLE_ERR_KEY_WRONG);
  perle_board_stats stats{};
  CHECK_EQ(perle_boards_stats(&set, 0, &stats), PERLE_OK);
  CHECK(stats.faults == 0 && stats.key_errors == 1);
}
