// SPDX-License-Identifier: Apache-2.0
//
// A failing board is reported in time, and never by a wrong result.
#include <algorithm>
#include <chrono>

#include "fixture.hpp"

namespace {

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST(hang_of_a_simulated_board) {
  const Bench bench;
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  bench.soft[0]->inject(Fault::kHang, 1);
  const std::uint64_t before = bench.soft[0]->cycles();
  CHECK_EQ(modexp(bench, mod, Bn(2), random_odd(512)).status, PERLE_ERR_TIMEOUT);
  // A limit that is some times the right time (2·34 cycles per product), not for ever.
  const std::uint64_t took = bench.soft[0]->cycles() - before;
  CHECK(took > 512 * 5 / 4 * 74 && took < 10 * 512 * 5 / 4 * 140);
  CHECK_EQ(bench.stats().timeouts, std::uint64_t{1});
  // It was reset: the next operation works.
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(5)).status, PERLE_OK);
}

TEST(hang_limit_is_settable) {
  const Bench bench;
  const Mod mod(bench, random_odd(512));
  CHECK_EQ(perle_boards_set_timeout(bench.set, 0, 5000), PERLE_OK);
  bench.soft[0]->inject(Fault::kHang, 1);
  const std::uint64_t before = bench.soft[0]->cycles();
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_TIMEOUT);
  const std::uint64_t took = bench.soft[0]->cycles() - before;
  CHECK(took >= 5000 && took < 5500);
  // Wall-clock time stops a simulated board too.
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
  CHECK_EQ(perle_boards_set_timeout(bench.set, 50, std::uint64_t{1} << 62), PERLE_OK);
  bench.soft[0]->inject(Fault::kHang, 1);
  const double time =
      seconds_of([&] { CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_TIMEOUT); });
  CHECK(time >= 0.05 && time < 5);
}

// An operation has exactly the cycles of its limit, however few cycles a simulator advances at a time.
TEST(hang_limit_of_a_simulator_that_goes_cycle_by_cycle) {
  perle_backend slow = kSoftSimulated;
  slow.advance = [](void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
    return kSoftSimulated.advance(ctx, std::min<std::uint64_t>(cycles, 1), until_irq, passed);
  };
  const Bench bench({.width = 64, .cycles_per_bit = 100}, 1, slow);
  const Bn m = random_odd(64);
  const Mod mod(bench, m);
  const Got right = modexp(bench, mod, Bn(2), Bn(5));
  CHECK_EQ(right.status, PERLE_OK);
  // The board's clock also runs while it is accessed: a look at it takes four cycles, of which one counts.
  const std::uint64_t looks = right.cost.cycles / 4;
  CHECK(looks > 100);
  const auto within = [&](std::uint64_t cycles) {
    CHECK_EQ(perle_boards_set_timeout(bench.set, 0, cycles), PERLE_OK);
    return modexp(bench, mod, Bn(2), Bn(5)).status;
  };
  CHECK_EQ(within(looks + looks / 4), PERLE_OK);
  CHECK_EQ(within(looks - looks / 4), PERLE_ERR_TIMEOUT);
  CHECK_EQ(within(looks + looks / 4), PERLE_OK);
}

// A board that is neither busy nor done has lost its start: this fails at once, not after the timeout.
TEST(a_lost_start_is_noticed) {
  static bool lost;
  lost = false;
  perle_backend lossy = kSoftFree;
  lossy.write = [](void* ctx, std::uint32_t addr, std::uint64_t data) {
    return lost && addr == 0x30 ? 0 : kSoftFree.write(ctx, addr, data);
  };
  const Bench bench({.width = 64}, 1, lossy);
  const Mod mod(bench, Bn(101));
  CHECK_EQ(perle_boards_set_timeout(bench.set, 5'000, 0), PERLE_OK);
  lost = true;
  const double time = seconds_of([&] { CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_BUS); });
  CHECK(time < 2.5);
  lost = false;
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
}

// The board counts cycles in 64 bits, and so does the library.
TEST(hours_of_a_board_are_counted) {
  std::uint64_t took[2];
  for (const unsigned shift : {0U, 30U}) {
    const Bench bench({.width = 64, .cycles_per_bit = std::uint64_t{1'000} << shift});
    const Mod mod(bench, Bn(101));
    CHECK_EQ(perle_boards_set_timeout(bench.set, 0, std::uint64_t{1} << 62), PERLE_OK);
    const Got got = modexp(bench, mod, Bn(7), Bn(5));
    CHECK_EQ(got.status, PERLE_OK);
    took[shift / 30] = got.cost.cycles;
  }
  // Beside the steps of the exponent there are some cycles that do not get longer.
  CHECK(took[1] >> 30 <= took[0] && took[1] >> 30 > took[0] / 100 * 99);
}

TEST(hang_of_a_board_that_runs_by_itself) {
  const Bench bench({}, 1, kSoftFree);
  const Mod mod(bench, random_odd(512));
  CHECK_EQ(perle_boards_set_timeout(bench.set, 100, 0), PERLE_OK);
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
  bench.soft[0]->inject(Fault::kHang, 1);
  const double time =
      seconds_of([&] { CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_TIMEOUT); });
  CHECK(time >= 0.1 && time < 5);
}

TEST(hang_without_reset_stays_refused) {
  const Bench bench({}, 1, kSoftFree);
  const Mod mod(bench, random_odd(512));
  CHECK_EQ(perle_boards_set_timeout(bench.set, 20, 0), PERLE_OK);
  bench.soft[0]->no_reset = true;
  bench.soft[0]->inject(Fault::kHang, 1);
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_TIMEOUT);
}

TEST(slow_is_right_within_the_limit_and_refused_beyond) {
  const Bench slow({.cycles_per_bit = 200});
  const Bn m = random_odd(512);
  const Mod mod(slow, m);
  const Got got = modexp(slow, mod, Bn(2), Bn(5));
  CHECK_EQ(got.status, PERLE_OK);
  CHECK(got.value() == Bn(32));
  slow.soft[0]->inject(Fault::kSlow, 1);
  CHECK_EQ(modexp(slow, mod, Bn(2), Bn(5)).status, PERLE_ERR_TIMEOUT);
}

TEST(accesses_that_fail) {
  for (const Fault fault : {Fault::kSlvErr, Fault::kDead, Fault::kNever})
    for (const auto* backend : {&kSoftSimulated, &kSoftFree}) {
      if (fault == Fault::kNever && backend == &kSoftFree) continue;
      const Bench bench({}, 1, *backend);
      const Mod mod(bench, random_odd(512));
      bench.soft[0]->inject(fault);
      const Got got = modexp(bench, mod, Bn(2), Bn(3));
      CHECK_EQ(got.status, PERLE_ERR_BUS);
      CHECK(got.data.empty());
      CHECK(bench.stats().faults > 0);
      bench.soft[0]->inject(Fault::kNone);
    }
}

TEST(accesses_that_fail_are_named) {
  const struct {
    int status;
    const char* text;
  } all[] = {{1, " refused"}, {2, " not answered"}};
  static int failing;
  perle_backend backend = kSoftSimulated;
  for (const bool reads : {false, true})
    for (const auto& each : all) {
      failing = 0;
      backend.read =
          reads ? [](void* ctx, std::uint32_t addr,
                     std::uint64_t*
                         data) { return failing != 0 ? failing : kSoftSimulated.read(ctx, addr, data); }
                : kSoftSimulated.read;
      backend.write = reads ? kSoftSimulated.write : [](void* ctx, std::uint32_t addr, std::uint64_t data) {
        return failing != 0 ? failing : kSoftSimulated.write(ctx, addr, data);
      };
      const Bench bench({.width = 64}, 1, backend);
      const Mod mod(bench, random_odd(64));
      failing = each.status;
      CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_BUS);
      const std::string text = perle_last_error();
      CHECK(text.find(reads ? "read of 0x" : "write of 0x") != std::string::npos);
      CHECK(text.find(each.text) != std::string::npos);
    }
}

// An interrupt of an operation that has not ended is ignored from then on, so that the rest is waited for at
// once.
TEST(interrupts_too_early_are_ignored) {
  static int early, waits;
  perle_backend backend = kSoftSimulated;
  backend.advance = [](void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
    ++waits;
    const bool interrupts = until_irq != 0 && early > 0;
    if (interrupts) --early;
    return kSoftSimulated.advance(ctx, interrupts ? 1 : cycles, until_irq, passed);
  };
  early = 0;
  const Bench bench({.width = 64}, 1, backend);
  const Mod mod(bench, random_odd(64));
  early = 10;
  waits = 0;
  CHECK_EQ(modexp(bench, mod, Bn(2), random_odd(60)).status, PERLE_OK);
  CHECK_EQ(waits, 2);
}

TEST(board_flags_what_is_right) {
  const Bench bench;
  const Mod mod(bench, random_odd(512));
  bench.soft[0]->inject(Fault::kFlag, 1);
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_BOARD_FLAG);
  CHECK(std::string(perle_last_error()).find("operand_range") != std::string::npos);
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
}

TEST(results_out_of_range_refused) {
  const Bench bench;
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  CHECK_EQ(perle_boards_set_check(bench.set, PERLE_CHECK_RANGE), PERLE_OK);
  const auto spoilt = [&] { bench.soft[0]->inject(Fault::kHuge, 1); };
  spoilt();
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_FAULT);
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_OK);  // recovers
  spoilt();
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3), PERLE_MODE_PAPER).status, PERLE_ERR_FAULT);
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
  spoilt();
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_FAULT);
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
  spoilt();
  CHECK_EQ(multiply(perle_montmul, bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_FAULT);
  CHECK_EQ(bench.stats().faults, std::uint64_t{4});
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
}

TEST(every_wrong_result_is_refused) {
  const Bench bench;
  const Mod mod(bench, random_odd(512));
  for (const Multiply function : {perle_mulmod, perle_montmul}) {
    CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_OK);  // recovers
    bench.soft[0]->inject(Fault::kGarbage, 1);
    CHECK_EQ(multiply(function, bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_FAULT);
  }
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(2), Bn(3)).status, PERLE_OK);
  bench.soft[0]->inject(Fault::kGarbage, 1);
  CHECK_EQ(modexp(bench, mod, Bn(2), Bn(3)).status, PERLE_ERR_FAULT);
}

TEST(private_operation_never_releases_a_wrong_result) {
  const KeyPtr key = key512().load();
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
    const Bench bench({.width = 256}, count);
    int faults = 0;
    for (int i = 0; i < 60; ++i) {
      // What lasts would retire one of two boards.
      const Fault last = count == 1 ? Fault::kLost : Fault::kGarbage;
      const Fault fault = i % 3 == 0 ? Fault::kGarbage : i % 3 == 1 ? Fault::kFlip : last;
      SoftBoard& board = *bench.soft[static_cast<std::size_t>(i) % count];
      if (fault == Fault::kLost)
        CHECK_EQ(perle_boards_zeroize(bench.set), PERLE_OK);  // the primes are loaded anew
      board.inject(fault, fault == Fault::kLost ? -1 : 1);
      const Bn c = random_below(key512().n);
      const Got got = rsa_private(bench, key, c);
      board.inject(Fault::kNone);
      CHECK(got.status != PERLE_OK && got.data.empty());
      faults += got.status == PERLE_ERR_FAULT ? 1 : 0;
      const Got again = rsa_private(bench, key, c);
      CHECK_EQ(again.status, PERLE_OK);
      CHECK(Arithmetic().modexp(again.value(), key512().e, key512().n) == c);
    }
    CHECK(faults >= 20);
  }
}

TEST(the_faulty_board_is_blamed) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 256}, 2);
  bench.soft[1]->inject(Fault::kFlip);
  int refused = 0;
  for (int i = 0; i < 10; ++i)
    refused += rsa_private(bench, key, random_below(key512().n)).status == PERLE_OK ? 0 : 1;
  CHECK(refused > 0);
  CHECK_EQ(bench.stats(0).faults, std::uint64_t{0});
  CHECK_EQ(bench.stats(1).faults, static_cast<std::uint64_t>(refused));
}

TEST(public_operation_is_checked) {
  const KeyPtr key = key512().load_public();
  const Bench bench;
  const Data in = bytes(random_below(key512().n));
  Data out(64);
  std::size_t length = 0;
  const auto call = [&] {
    return perle_rsa_public(bench.set, key.get(), in.data(), in.size(), out.data(), out.size(), &length,
                            nullptr);
  };
  CHECK_EQ(call(), PERLE_OK);
  bench.soft[0]->inject(Fault::kGarbage, 1);
  CHECK_EQ(call(), PERLE_ERR_FAULT);
  CHECK(out == Data(64));
}
