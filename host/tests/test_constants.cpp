// SPDX-License-Identifier: Apache-2.0
//
// Constants of a modulus against their definitions, computed here by other means (BN_mod_inverse,
// BN_mod_exp).
#include "board/modulus.hpp"
#include "fixture.hpp"

namespace {

perle::Shape shape_of(const SoftConfig& config) {
  return {1, config.width, config.operand_bits(), config.word_bits, 4, 3, config.radix_bits};
}

// A board with a quotient delay of `delay` digits.
perle::Shape delayed(unsigned width, unsigned radix, unsigned delay) {
  const unsigned digits = (width + radix * (delay + 1) + 2 + radix - 1) / radix;
  perle::Shape shape{1, width, radix * digits, 64, 4, 3, 0};
  shape.parameter = perle::family_of(1).read_parameter(shape, [&](const std::string& name) {
    return name == "RadixBits" ? long{radix} : name == "QuotientDelay" ? long{delay} : -1L;
  });
  return shape;
}

void check_constants(const perle::Shape& shape, const Bn& m, unsigned beta_bits = 0) {
  const Arithmetic math;
  const perle::Modulus mod(shape, m, "m");
  const Bn beta(std::uint64_t{1} << (beta_bits != 0 ? beta_bits : shape.parameter));

  Bn inverse;
  CHECK(math.inverse(math.mod(m, beta), beta, inverse));
  const Bn mprime = math.sub(beta, inverse);
  const Bn mt = math.mul(mprime, m);
  Bn mhat, rest;
  BN_div(mhat.get(), rest.get(), math.add(mt, Bn(1)).get(), beta.get(), math.ctx());
  CHECK(rest.is_zero());
  Bn r2;
  BN_mod_exp(r2.get(), Bn(2).get(), Bn(2 * shape.operand_bits).get(), m.get(), math.ctx());

  const auto line = [&](const perle::Words& words) { return Bn::from_words(words, shape.word_bits); };
  CHECK_EQ(mod.constants().size(), std::size_t{3});
  CHECK(line(mod.constants()[0]) == m);
  CHECK(line(mod.constants()[1]) == mhat);
  CHECK(line(mod.constants()[2]) == mprime);
  CHECK(line(mod.r2()) == r2);
  CHECK(mod.bound() == math.add(mt, mt));
  // The closure bound: operands fit into OperandBits with two bits to spare.
  CHECK(mod.bound().bits() + 1 <= shape.operand_bits);
  for (const auto& words : mod.constants()) CHECK_EQ(words.size(), shape.line_words());
}

}  // namespace

TEST(constants_random_moduli) {
  for (const unsigned width : {64U, 100U, 512U, 1024U})
    for (const unsigned radix : {8U, 16U, 17U, 18U})
      for (const unsigned word : {32U, 64U})
        for (int i = 0; i < 5; ++i)
          check_constants(shape_of({.width = width, .word_bits = word, .radix_bits = radix}),
                          random_odd(1 + width - static_cast<unsigned>(i) * width / 6 - 1));
}

TEST(constants_extreme_moduli) {
  const perle::Shape shape = shape_of({.width = 64});
  for (const std::uint64_t m : {std::uint64_t{3}, std::uint64_t{5}, std::uint64_t{0x1FFFF},
                                std::uint64_t{0x20001}, ~std::uint64_t{0}, (std::uint64_t{1} << 63) + 1})
    check_constants(shape, Bn(m));
}

TEST(constants_all_small_moduli) {
  const perle::Shape shape = shape_of({.width = 8, .radix_bits = 3});
  for (std::uint64_t m = 3; m < 256; m += 2) check_constants(shape, Bn(m));
}

TEST(constants_of_late_quotient_digits) {
  for (const unsigned delay : {0U, 1U, 2U})
    for (const unsigned radix : {8U, 16U, 17U, 18U})
      for (const unsigned width : {64U, 512U, 1024U}) {
        const perle::Shape shape = delayed(width, radix, delay);
        for (const unsigned bits : {width, width - 1, width / 2, 5U})
          check_constants(shape, random_odd(bits), radix * (delay + 1));
      }
  for (std::uint64_t m = 3; m < 256; m += 2) check_constants(delayed(8, 3, 2), Bn(m), 9);
}

TEST(delay_of_a_board) {
  const perle::Shape shape = delayed(512, 17, 1);
  const auto refused = [&](long radix, long delay) {
    try {
      perle::family_of(1).read_parameter(shape, [&](const std::string& name) {
        return name == "RadixBits" ? radix : name == "QuotientDelay" ? delay : -1L;
      });
      return std::string();
    } catch (const perle::Error& error) {
      CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
      return std::string(error.what());
    }
  };
  CHECK_EQ(refused(17, 1), "");
  CHECK(refused(17, 0).find("QuotientDelay = 0") != std::string::npos);
  CHECK(refused(17, 3).find("QuotientDelay = 3") != std::string::npos);
  CHECK(refused(-1, 3).find("QuotientDelay = 3") != std::string::npos);
  CHECK(refused(19, 1).find("RadixBits = 19") != std::string::npos);
  CHECK(!refused(17, -1).empty());  // untold: none, and that does not go with the widths
}

TEST(late_quotient_digits_take_longer) {
  const auto limit = [](unsigned delay) {
    return perle::family_of(1).product_cycles_limit(delayed(1024, 17, delay));
  };
  CHECK(limit(0) >= 6 * 62 + 9 + 16);
  CHECK(limit(1) >= 10 * 63 + 11 + 16);
  CHECK(limit(2) >= 14 * 64 + 14 + 16);
}

TEST(radix_of_a_board) {
  SoftConfig config{.width = 1024, .tell_radix = false};
  CHECK_EQ(Bench(config).status, PERLE_OK);
  // The smallest and the largest radix, at widths that leave no other.
  CHECK_EQ(Bench({.width = 64, .radix_bits = 3, .tell_radix = false}).status, PERLE_OK);
  CHECK_EQ(Bench({.width = 72, .radix_bits = 18, .tell_radix = false}).status, PERLE_OK);
  config.width = 512;  // 16 and 17 give the same widths: the board has to tell
  CHECK_EQ(Bench(config).status, PERLE_ERR_BOARD_ID);
  config.tell_radix = true;
  CHECK_EQ(Bench(config).status, PERLE_OK);
}

TEST(widths_that_no_radix_has) {
  const auto parameter = [](unsigned operand_bits, long radix, long delay) {
    try {
      const perle::Shape shape{1, 64, operand_bits, 64, 4, 3, 0};
      return perle::family_of(1).read_parameter(shape, [&](const std::string& name) {
        return name == "RadixBits" ? radix : name == "QuotientDelay" ? delay : -1L;
      });
    } catch (const perle::Error& error) {
      CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
      return ~0U;
    }
  };
  CHECK_EQ(parameter(69, -1, -1), 3U);
  CHECK_EQ(parameter(69, 3, -1), 3U);
  CHECK_EQ(parameter(69, 0, -1), ~0U);
  CHECK_EQ(parameter(69, 0, 0), ~0U);
  CHECK_EQ(parameter(64, -1, -1), ~0U);
  CHECK_EQ(parameter(1000, -1, -1), ~0U);
}
