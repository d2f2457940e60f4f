// SPDX-License-Identifier: Apache-2.0
//
// Long integers on a model of a bus multiplier with fault injection, and on the host alone.
#include <random>

#include "fixture.hpp"
#include "pam/bignum.hpp"
#include "soft_bus.hpp"

namespace {

using perle::Bignum;
using perle::Digits;

constexpr perle_timing kTiming = {700'000, 700'000, 333'333};

struct Rig {
  SoftBus board;
  perle::System system;
  Bignum on;
  Rig() : system(members(board), kTiming), on(&system, kTiming) {}
};

// Words of zeros, ones, single bits and anything.
Digits random_digits(std::mt19937& rng, std::size_t words) {
  Digits out(words);
  const unsigned kind = rng() % 4;
  for (std::uint32_t& word : out)
    word = kind == 0   ? ~0U
           : kind == 1 ? 1U << rng() % 32
           : kind == 2 ? (rng() % 2 ? ~0U : 0U)
                       : static_cast<std::uint32_t>(rng());
  return perle::digits_of(perle::DigitView(out));
}

template <typename Call>
perle_status status_of(Call call) {
  try {
    call();
    return PERLE_OK;
  } catch (const perle::Error& error) {
    return error.status();
  }
}

}  // namespace

TEST(long_products_and_quotients_on_a_board) {
  Rig rig;
  std::mt19937 rng(1990);
  for (int i = 0; i < 4000; ++i) {
    const Digits a = random_digits(rng, rng() % 40), b = random_digits(rng, rng() % 24);
    CHECK(rig.on.mul(a, b) == perle::bn_product(a, b));
    CHECK(rig.on.mul(b, b) == perle::bn_product(b, b));
    if (b.empty()) continue;
    const perle::Division got = rig.on.divide(a, b), right = perle::bn_divide(a, b);
    CHECK(got.quotient == right.quotient);
    CHECK(got.remainder == right.remainder);
  }
  CHECK(rig.on.cost().word_products > 10 * rig.on.cost().host_word_products);
}

TEST(powers_modulo_odd_and_even_numbers_on_a_board) {
  Rig rig;
  std::mt19937 rng(512);
  for (int i = 0; i < 300; ++i) {
    const Digits x = random_digits(rng, rng() % 24), e = random_digits(rng, rng() % 3);
    Digits m = random_digits(rng, 1 + rng() % 20);
    if (m.empty()) continue;
    CHECK(rig.on.powmod(x, e, m) == perle::bn_power(x, e, m));
    m[0] |= 1;
    CHECK(rig.on.powmod(x, e, m) == perle::bn_power(x, e, m));
  }
}

TEST(a_wrong_word_of_the_board_is_not_released) {
  const Digits a(60, 0x87654321U), b(9, 0x12345678U), m(9, 0xfffffff1U), e(2, 0x13579bdfU);
  using Call = void (*)(Bignum&, const Digits&, const Digits&, const Digits&, const Digits&);
  const Call calls[] = {
      [](Bignum& on, const Digits& x, const Digits& y, const Digits&, const Digits&) { on.mul(x, y); },
      [](Bignum& on, const Digits& x, const Digits&, const Digits&, const Digits&) { on.mul(x, x); },
      [](Bignum& on, const Digits& x, const Digits& y, const Digits&, const Digits&) { on.divide(x, y); },
      [](Bignum& on, const Digits& x, const Digits&, const Digits& n, const Digits& d) {
        on.powmod(x, d, n);
      },
  };
  for (const Call call : calls) {
    Rig whole;
    const std::uint64_t before = whole.board.reads;
    call(whole.on, a, b, m, e);
    const std::uint64_t reads = whole.board.reads - before;
    CHECK(reads > 10);
    // One word of all that are read, anywhere.
    int found = 0, tried = 0;
    for (std::uint64_t at = 0; at < reads; at += 1 + reads / 64, ++tried) {
      Rig rig;
      rig.board.broken = rig.board.reads + at;
      rig.board.until = rig.board.broken + 1;
      const perle_status status = status_of([&] { call(rig.on, a, b, m, e); });
      CHECK(status == PERLE_OK || status == PERLE_ERR_FAULT);
      found += status == PERLE_ERR_FAULT ? 1 : 0;
    }
    CHECK(found == tried);
    Rig rig;
    rig.board.broken = rig.board.reads;
    CHECK_EQ(status_of([&] { call(rig.on, a, b, m, e); }), PERLE_ERR_FAULT);
  }
}

TEST(without_a_board_the_accounts_are_those_of_software) {
  Bignum alone(nullptr, kTiming);
  const Digits a(13, 0x87654321U), b(9, 0x12345678U), m(9, 0xfffffff1U), e(2, 0x13579bdfU);
  CHECK(alone.mul(a, b) == perle::bn_product(a, b));
  CHECK_EQ(alone.cost().now_ps, (13U * 9U * 10U + 9U * 6U) * kTiming.instruction_ps);
  CHECK(alone.powmod(a, e, m) == perle::bn_power(a, e, m));
  alone.mulmod(a, b, m);
  alone.divide(a, b);
  CHECK_EQ(alone.cost().now_ps, alone.cost().software_ps);
  CHECK_EQ(alone.cost().word_products, 0U);
}

// With hosts of many speeds, a power that the board takes part in takes hardly longer than on the host alone:
// from two rows of the board on. In a shorter one, entering and leaving Montgomery's domain take some of it.
TEST(powers_use_the_board_where_it_pays) {
  std::mt19937 rng(2048);
  for (std::uint64_t instruction_ps = 10'000; instruction_ps < 400'000;
       instruction_ps += instruction_ps / 4) {
    const perle_timing timing = {700'000, 700'000, instruction_ps};
    SoftBus board;
    perle::System system(members(board), timing);
    Bignum on(&system, timing);
    for (std::size_t words = kBusWords + 1; words < 24; ++words) {
      Digits m(words, 0x87654321U);
      const Digits x(words, 0x7654321U + static_cast<std::uint32_t>(rng())), e(1, 0xF0F1U);
      on.reset_cost();
      CHECK(on.powmod(x, e, m) == perle::bn_power(x, e, m));
      CHECK(on.cost().now_ps <= on.cost().software_ps * 105 / 100);
    }
  }
}

TEST(what_makes_no_sense_is_refused) {
  Bignum alone(nullptr, kTiming);
  CHECK_EQ(status_of([&] { alone.divide(Digits{1}, {}); }), PERLE_ERR_MODULUS_ZERO);
  CHECK_EQ(status_of([&] { alone.mulmod(Digits{1}, Digits{1}, Digits{0}); }), PERLE_ERR_MODULUS_ZERO);
  CHECK_EQ(status_of([&] { alone.powmod(Digits{1}, Digits{1}, {}); }), PERLE_ERR_MODULUS_ZERO);
  CHECK_EQ(status_of([&] { Bignum(nullptr, {1, 1, 0}); }), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_bignum_open(nullptr, nullptr, nullptr), PERLE_ERR_ARGUMENT);
  perle_bignum* big = nullptr;
  CHECK_EQ(perle_bignum_open(nullptr, &kTiming, &big), PERLE_OK);
  std::uint8_t out[2] = {9, 9};
  const std::uint8_t seven[] = {7};
  std::size_t length = 0;
  CHECK_EQ(perle_bignum_mul(big, seven, 1, seven, 1, out, 1, &length), PERLE_ERR_BUFFER);
  CHECK_EQ(out[0], 0);
  CHECK_EQ(perle_bignum_mul(big, seven, 1, seven, 1, nullptr, 0, &length), PERLE_OK);
  CHECK_EQ(length, 2U);
  CHECK_EQ(perle_bignum_mul(big, seven, 1, seven, 1, out, 2, &length), PERLE_OK);
  CHECK_EQ(out[1], 49);
  perle_bignum_close(big);
  perle_bignum_close(nullptr);
}

TEST(boards_of_no_length_are_refused) {
  using Tell = long (*)(void*, const char*);
  for (const Tell tell : {Tell([](void*, const char* name) -> long {
                            return std::string(name) == "WordBits" ? 32 : 0;  // a bus multiplier of no words
                          }),
                          Tell([](void*, const char* name) -> long {
                            const std::string wanted = name;  // a register board of no bits per cycle
                            return wanted == "BitsPerCycle" ? 0
                                   : wanted == "Registers"  ? 32
                                   : wanted == "WordBits"   ? 32
                                   : wanted == "Width"      ? 256
                                                            : -1;
                          })}) {
    perle_backend backend = kSoftBus;
    backend.param = tell;
    SoftBus board;
    std::vector<perle::System::Member> one;
    one.push_back({std::make_unique<perle::Backend>(backend, &board), 20'000});
    perle::System system(std::move(one), kTiming);
    CHECK_EQ(status_of([&] { const Bignum on(&system, kTiming); }), PERLE_ERR_FAMILY);
  }
}

TEST(after_an_access_that_fails_the_next_product_is_right) {
  std::mt19937 rng(7);
  for (std::uint64_t at = 40; at < 400; at += 3) {
    Rig rig;
    const Digits a = random_digits(rng, 30), b = random_digits(rng, 30);
    rig.board.refused = rig.board.writes + at;
    if (status_of([&] { rig.on.mul(a, b); }) == PERLE_OK) continue;  // shorter than that
    rig.on.abandon();                                                // as the C interface does
    for (int i = 0; i < 3; ++i) {
      const Digits c = random_digits(rng, 30), d = random_digits(rng, 30);
      CHECK(rig.on.mul(c, d) == perle::bn_product(c, d));
    }
  }
}
