// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

namespace {

const SoftConfig kConfigs[] = {
    {.width = 64}, {.width = 512}, {.width = 512, .word_bits = 32}, {.width = 1024, .radix_bits = 18}};

}  // namespace

// Must be the first test, so that its modulus is the first of the program: its id must not be taken for that
// of the modulus of the board's self-test.
TEST(a_board_that_recovered_has_no_modulus) {
  const Bench bench({.width = 64});
  const Mod mod(bench, Bn(101));
  for (int i = 0; i < 2; ++i) {
    CHECK(modexp(bench, mod, Bn(2), Bn(8)).value() == Bn(256 % 101));
    bench.soft[0]->inject(Fault::kHang, 1);
    CHECK_EQ(modexp(bench, mod, Bn(2), Bn(8)).status, PERLE_ERR_TIMEOUT);
  }
}

TEST(mulmod_right) {
  const Arithmetic math;
  for (const SoftConfig& config : kConfigs) {
    const Bench bench(config);
    for (int i = 0; i < 10; ++i) {
      const Bn m = random_odd(config.width - static_cast<unsigned>(i)), x = random_below(m),
               y = random_below(m);
      const Mod mod(bench, m);
      const Got got = multiply(perle_mulmod, bench, mod, x, y);
      CHECK_EQ(got.status, PERLE_OK);
      CHECK(got.value() == math.mulmod(x, y, m));
      CHECK_EQ(got.data.size(), m.bytes());
      CHECK(got.cost.cycles > 0 && got.cost.cycles == got.cost.elapsed);
    }
  }
}

TEST(montmul_right_and_feeds_back) {
  const Arithmetic math;
  for (const SoftConfig& config : kConfigs) {
    const Bench bench(config);
    const Bn m = random_odd(config.width), x = random_below(m), y = random_below(m);
    const Mod mod(bench, m);
    const Bn r = math.modexp(Bn(2), Bn(config.operand_bits()), m);
    const Got first = multiply(perle_montmul, bench, mod, x, y);
    CHECK_EQ(first.status, PERLE_OK);
    CHECK_EQ(first.data.size(), std::size_t{(config.operand_bits() + 7) / 8});
    CHECK(math.mulmod(first.value(), r, m) == math.mulmod(x, y, m));
    // A redundant result is a legal operand.
    CHECK(!(first.value() < m));
    const Got second = multiply(perle_montmul, bench, mod, first.value(), first.value());
    CHECK_EQ(second.status, PERLE_OK);
    CHECK(math.mulmod(second.value(), r, m) == math.mulmod(first.value(), first.value(), m));
  }
}

TEST(modexp_right_in_all_modes) {
  const Arithmetic math;
  for (const SoftConfig& config : kConfigs) {
    const Bench bench(config);
    CHECK_EQ(perle_boards_set_check(bench.set, PERLE_CHECK_FULL), PERLE_OK);
    for (const perle_mode mode : {PERLE_MODE_WINDOW, PERLE_MODE_BINARY, PERLE_MODE_PAPER})
      for (const unsigned bits : {0U, 1U, 17U, 64U}) {
        const Bn m = random_odd(config.width), x = random_below(m), e = bits == 0 ? Bn(0) : random_odd(bits);
        const Mod mod(bench, m);
        const Got got = modexp(bench, mod, x, e, mode);
        CHECK_EQ(got.status, PERLE_OK);
        CHECK(got.value() == math.modexp(x, e, m));
      }
  }
}

TEST(exponent_width_is_what_time_depends_on) {
  const Bench bench;
  const Bn m = random_odd(512), x = random_below(m);
  const Mod mod(bench, m);
  const Got narrow = modexp(bench, mod, x, Bn(3)),
            wide = modexp(bench, mod, x, Bn(3), PERLE_MODE_WINDOW, 512);
  CHECK_EQ(narrow.status, PERLE_OK);
  CHECK_EQ(wide.status, PERLE_OK);
  CHECK(narrow.value() == wide.value());
  CHECK(narrow.cost.cycles < wide.cost.cycles);
  CHECK_EQ(wide.cost.cycles, modexp(bench, mod, x, random_odd(512)).cost.cycles);
}

TEST(statistics_count) {
  const Bench bench;
  const perle_board_stats start = bench.stats();
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  const Got one = multiply(perle_mulmod, bench, mod, random_below(m), random_below(m));
  const perle_board_stats first = bench.stats();
  const std::uint64_t words = 9;  // 544 bits
  // R2, M, two constants, X, Y; COMMAND and CONTROL.
  CHECK_EQ(first.bus_writes - start.bus_writes, 6 * words + 2);
  CHECK_EQ(first.bytes_written - start.bytes_written, 8 * (6 * words + 2));
  // STATUS, the result, CYCLES.
  CHECK_EQ(first.bus_reads - start.bus_reads, 1 + words + 2);
  CHECK_EQ(first.bytes_read - start.bytes_read, 8 * (1 + words + 2));
  CHECK_EQ(first.operations, std::uint64_t{1});
  CHECK_EQ(first.cycles, one.cost.cycles);
  CHECK_EQ(first.modulus_loads, std::uint64_t{1});
  // The modulus stays.
  CHECK_EQ(multiply(perle_mulmod, bench, mod, random_below(m), random_below(m)).status, PERLE_OK);
  CHECK_EQ(bench.stats().bus_writes - first.bus_writes, 2 * words + 2);
  CHECK_EQ(bench.stats().modulus_loads, std::uint64_t{1});
  CHECK_EQ(perle_boards_zeroize(bench.set), PERLE_OK);
  CHECK(!bench.soft[0]->holds(m.get()));
  CHECK_EQ(multiply(perle_mulmod, bench, mod, random_below(m), random_below(m)).status, PERLE_OK);
  CHECK_EQ(bench.stats().modulus_loads, std::uint64_t{2});
  CHECK_EQ(perle_boards_stats_reset(bench.set), PERLE_OK);
  CHECK_EQ(bench.stats().bus_writes + bench.stats().cycles, std::uint64_t{0});
}

TEST(single_steps) {
  const Bench bench;
  std::uint64_t data = 0, passed = 0;
  CHECK_EQ(perle_board_read(bench.set, 0, 0, &data), PERLE_OK);
  CHECK_EQ(data, std::uint64_t{0x5045524C});
  CHECK_EQ(perle_board_write(bench.set, 0, 0, 1), PERLE_ERR_BUS);
  CHECK_EQ(perle_board_advance(bench.set, 0, 10, 0, &passed), PERLE_OK);
  CHECK_EQ(passed, std::uint64_t{10});
  CHECK_EQ(perle_board_read(bench.set, 1, 0, &data), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_board_trace(bench.set, 0, "x.vcd"), PERLE_ERR_UNSUPPORTED);
  std::size_t length = 0;
  CHECK_EQ(perle_board_snapshot(bench.set, 0, nullptr, 0, &length), PERLE_ERR_UNSUPPORTED);
  // After a write by the user the modulus is loaded again.
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(3), Bn(4)).status, PERLE_OK);
  CHECK_EQ(perle_board_write(bench.set, 0, 0x2000, 6), PERLE_OK);
  const Got got = multiply(perle_mulmod, bench, mod, Bn(3), Bn(4));
  CHECK_EQ(got.status, PERLE_OK);
  CHECK(got.value() == Bn(12));
}
