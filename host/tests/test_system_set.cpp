// SPDX-License-Identifier: Apache-2.0
//
// RSA on systems: the processing around a driver, with drivers made for these tests.
#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>

#include "api/api_boards.hpp"
#include "api/api_system.hpp"
#include "fixture.hpp"
#include "memory_board.hpp"

namespace {

std::vector<Bn> seen;      // what the drivers below were given
std::atomic<int> running;  // drivers at work
int most_running = 0;

std::vector<Bn> power(perle::System& system, const perle::Key& key, std::span<const Bn> blocks) {
  most_running = std::max(most_running, ++running);
  const Arithmetic math;
  std::vector<Bn> out;
  for (const Bn& block : blocks) {
    seen.push_back(block);
    system.write(0, 0, 1);
    system.read(1, 0);
    std::this_thread::yield();
    out.push_back(math.modexp(block, math.mod(key.d(), key.n()), key.n()));
  }
  --running;
  return out;
}

std::vector<Bn> wrong(perle::System& system, const perle::Key& key, std::span<const Bn> blocks) {
  std::vector<Bn> out = power(system, key, blocks);
  out.front() = Arithmetic().add(out.front(), Bn(1));
  return out;
}

std::vector<Bn> too_large(perle::System& system, const perle::Key& key, std::span<const Bn> blocks) {
  std::vector<Bn> out = power(system, key, blocks);
  out.front() = Arithmetic().add(out.front(), key.n());
  return out;
}

std::vector<Bn> accessing(perle::System& system, const perle::Key& key, std::span<const Bn> blocks) {
  system.read(1, 0);
  system.write(0, 0, 1);
  const Arithmetic math;
  return {math.modexp(blocks.front(), math.mod(key.d(), key.n()), key.n())};
}

std::vector<Bn> nothing(perle::System&, const perle::Key&, std::span<const Bn>) { return {}; }

std::vector<Bn> dead(perle::System&, const perle::Key&, std::span<const Bn>) {
  throw perle::Error(PERLE_ERR_BUS, "gone");
}

std::vector<Bn> narrow(perle::System&, const perle::Key&, std::span<const Bn>) {
  throw perle::Error(PERLE_ERR_WIDTH, "too wide");
}

using Run = decltype(perle::Driver::run);

struct Rig {
  std::vector<Memory> memories = std::vector<Memory>(2, Memory{10});
  perle_boards set;

  explicit Rig(Run run) : set(made(run)) {
    seen.clear();
    most_running = 0;
  }
  std::unique_ptr<perle::SystemSet> made(Run run) {
    perle::System system(members(memories, 75'000), {700'000, 700'000, 1'000});
    return std::make_unique<perle::SystemSet>(std::move(system), perle::Driver{"test", "some,other:p", run});
  }
  Got rsa(const KeyPtr& key, const Bn& c, unsigned flags = 0) {
    const Data in = bytes(c);
    Got got{PERLE_OK, Data(512, 0xAA), {}};
    std::size_t length = 0;
    got.status = perle_rsa_private(&set, key.get(), flags, in.data(), in.size(), got.data.data(),
                                   got.data.size(), &length, &got.cost);
    if (got.status == PERLE_OK) got.data.resize(length);
    return got;
  }
  perle_board_stats stats(std::size_t index) {
    perle_board_stats out{};
    CHECK_EQ(perle_boards_stats(&set, index, &out), PERLE_OK);
    return out;
  }
};

// The registers of perle/pam/mod_product that its host writes and reads, full of a secret.
struct Product {
  static constexpr std::size_t kWords = 8;
  static constexpr std::uint32_t kSecret = 0x5EC2E7;
  std::uint32_t p = kSecret;
  std::array<std::uint32_t, kWords> a{}, s{}, b1{}, b3{};

  Product() {
    for (auto* each : {&a, &s, &b1, &b3}) each->fill(kSecret);
  }
  static std::uint32_t shift(std::array<std::uint32_t, kWords>& words, std::uint32_t in) {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    return std::exchange(words.back(), in);
  }
  bool holds_secret() const {
    std::size_t found = p == kSecret ? 1 : 0;
    for (const auto* each : {&a, &s, &b1, &b3})
      found += static_cast<std::size_t>(std::count(each->begin(), each->end(), kSecret));
    return found != 0;
  }
};

constexpr perle_backend kProduct = {
    sizeof(perle_backend),
    [](void* ctx, std::uint32_t, std::uint64_t* data) {
      auto& on = *static_cast<Product*>(ctx);
      *data = std::exchange(on.p, Product::shift(on.s, 0));
      on.a.fill(1);
      return 0;
    },
    [](void* ctx, std::uint32_t, std::uint64_t data) {
      auto& on = *static_cast<Product*>(ctx);
      Product::shift(on.b3, Product::shift(on.b1, static_cast<std::uint32_t>(data)));
      on.s = on.a;
      return 0;
    },
    [](void*, std::uint64_t cycles, int, std::uint64_t* passed) {
      *passed += cycles;
      return 0;
    },
    nullptr,
    [](void*, const char*) { return static_cast<long>(32 * Product::kWords); },
    nullptr,
    nullptr,
    nullptr,
    [](void*) { return std::uint64_t{1}; }};

bool all_zero(const Data& data) {
  return std::all_of(data.begin(), data.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

TEST(private_powers_on_a_system) {
  const KeyPtr key = key512().load();
  Rig rig(power);
  for (const unsigned flags : {0U, PERLE_RSA_NO_BLINDING})
    for (const Bn& c : {Bn(0), Bn(1), random_below(key512().n)}) {
      const Got got = rig.rsa(key, c, flags);
      CHECK_EQ(got.status, PERLE_OK);
      CHECK(got.value() == Arithmetic().modexp(c, key512().d, key512().n));
      CHECK_EQ(got.data.size(), 64U);
      // A write and a read of idle boards.
      CHECK_EQ(got.cost.time_ps, 1'400'000U);
      CHECK_EQ(got.cost.cycles + got.cost.elapsed, 0U);
    }
  CHECK_EQ(rig.stats(0).operations, 6U);
  CHECK_EQ(rig.stats(0).bus_writes, 6U);
  CHECK_EQ(rig.stats(0).bytes_written, 24U);
  CHECK_EQ(rig.stats(0).bus_reads, 0U);
  CHECK_EQ(rig.stats(1).bus_reads, 6U);
  CHECK_EQ(rig.stats(1).faults, 0U);
  CHECK_EQ(perle_boards_stats_reset(&rig.set), PERLE_OK);
  CHECK_EQ(rig.stats(0).operations + rig.stats(0).bus_writes + rig.stats(1).bytes_read, 0U);
}

TEST(a_system_is_blinded) {
  const KeyPtr key = key512().load();
  Rig rig(power);
  const Bn c(12345);
  CHECK_EQ(rig.rsa(key, c, PERLE_RSA_NO_BLINDING).status, PERLE_OK);
  CHECK_EQ(rig.rsa(key, c).status, PERLE_OK);
  CHECK_EQ(rig.rsa(key, c).status, PERLE_OK);
  CHECK_EQ(seen.size(), 3U);
  CHECK(seen[0] == c && !(seen[1] == c) && !(seen[2] == c) && !(seen[1] == seen[2]));
}

TEST(nothing_wrong_leaves_a_system) {
  const KeyPtr key = key512().load();
  for (const Run run : {&wrong, &nothing, &dead, &too_large}) {
    Rig rig(run);
    const Got got = rig.rsa(key, Bn(5));
    CHECK_EQ(got.status, run == &dead ? PERLE_ERR_BUS : PERLE_ERR_FAULT);
    CHECK(all_zero(got.data));
    CHECK_EQ(got.cost.time_ps, 0U);
    CHECK_EQ(rig.stats(0).faults, 1U);
    CHECK_EQ(rig.stats(1).faults, 1U);
  }
}

TEST(a_system_is_reset_after_a_failure) {
  const KeyPtr key = key512().load();
  Rig rig(accessing);
  CHECK_EQ(rig.rsa(key, Bn(5)).status, PERLE_OK);
  rig.memories[1].dead = true;
  CHECK_EQ(rig.rsa(key, Bn(5)).status, PERLE_ERR_BUS);
  const Got again = rig.rsa(key, Bn(5));
  CHECK(again.status == PERLE_OK && again.cost.time_ps == 1'400'000U);
  CHECK(rig.stats(0).resets == 1 && rig.stats(1).resets == 1);
}

TEST(nothing_secret_stays_in_a_product_unit) {
  Product unit;
  CHECK(unit.holds_secret());
  std::vector<perle::System::Member> one;
  one.push_back({std::make_unique<perle::Backend>(kProduct, &unit), 75'000});
  perle_boards set(std::make_unique<perle::SystemSet>(
      perle::System(std::move(one), {700'000, 700'000, 1'000}), perle::Driver{"test", "mod_product", power}));
  CHECK_EQ(perle_boards_zeroize(&set), PERLE_OK);
  CHECK(!unit.holds_secret());
}

TEST(keys_that_a_system_refuses_are_no_faults) {
  Rig rig(narrow);
  CHECK_EQ(rig.rsa(key512().load(), Bn(5)).status, PERLE_ERR_WIDTH);
  CHECK_EQ(rig.rsa(key512().load_plain(), Bn(5)).status, PERLE_ERR_WIDTH);
  CHECK_EQ(rig.rsa(key512().load_public(), Bn(5)).status, PERLE_ERR_KEY_PUBLIC);
  CHECK_EQ(rig.rsa(key512().load(), key512().n).status, PERLE_ERR_OPERAND_RANGE);
  CHECK_EQ(rig.stats(0).faults, 0U);
}

TEST(a_system_works_for_one_caller_at_a_time) {
  const KeyPtr key = key512().load();
  Rig rig(power);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (unsigned j = 2; j < 10; ++j) {
        const Bn c(100 * i + j);
        const Got got = rig.rsa(key, c);
        if (got.status == PERLE_OK && got.cost.time_ps == 1'400'000U &&
            got.value() == Arithmetic().modexp(c, key512().d, key512().n))
          ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(right.load(), 32);
  CHECK_EQ(most_running, 1);
  CHECK_EQ(rig.stats(1).operations, 32U);
}

TEST(what_a_system_cannot_do) {
  const KeyPtr key = key512().load();
  Rig rig(power);
  perle_boards* set = &rig.set;
  Data data(64);
  std::size_t length = 0;
  std::uint64_t word = 0;
  perle_mod* mod = nullptr;
  const std::uint8_t three = 3;
  CHECK_EQ(perle_mod_new(set, &three, 1, &mod), PERLE_ERR_UNSUPPORTED);
  CHECK(std::string(perle_last_error()).find("system of active memories") != std::string::npos);
  CHECK_EQ(perle_rsa_public(set, key.get(), &three, 1, data.data(), 64, &length, nullptr),
           PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_board_read(set, 0, 0, &word), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_board_write(set, 0, 0, 0), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_board_advance(set, 0, 1, 0, &word), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_board_trace(set, 0, nullptr), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_boards_set_timeout(set, 1, 0), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_boards_set_timeout(set, 0, 1), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_board_snapshot(set, 0, nullptr, 0, &length), PERLE_ERR_UNSUPPORTED);
  CHECK_EQ(perle_boards_set_timeout(set, 0, 0), PERLE_OK);
  CHECK_EQ(perle_boards_set_check(set, PERLE_CHECK_FULL), PERLE_OK);
  CHECK_EQ(perle_boards_zeroize(set), PERLE_OK);
  perle_board_info info;
  CHECK_EQ(perle_boards_info(set, &info), PERLE_OK);
  CHECK(std::string(info.family) == "some" && info.count == 2 && info.simulated == 1 && info.width == 0);
  perle_board_stats stats;
  CHECK_EQ(perle_boards_stats(set, 2, &stats), PERLE_ERR_ARGUMENT);
}

TEST(a_system_is_taken_over_only_when_it_fits) {
  std::vector<Memory> memories(1, Memory{10});
  auto* system = new perle_system{perle::System(members(memories, 75'000), {1, 1, 1})};
  perle_boards* set = nullptr;
  CHECK_EQ(perle_boards_on_system(nullptr, "bus_bignum", &set), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_boards_on_system(system, "none", &set), PERLE_ERR_SPEC);
  CHECK_EQ(perle_boards_on_system(system, "bus_chained", &set), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_system_write(system, 0, 0, 1), PERLE_OK);  // it is still the caller's
  CHECK_EQ(perle_boards_on_system(system, "bus_bignum", &set), PERLE_OK);
  // It is no bus multiplier: the driver finds out.
  const KeyPtr key = key512().load();
  const std::uint8_t three = 3;
  Data out(64);
  std::size_t length = 0;
  CHECK_EQ(perle_rsa_private(set, key.get(), 0, &three, 1, out.data(), 64, &length, nullptr),
           PERLE_ERR_ARGUMENT);
  perle_boards_close(set);
}
