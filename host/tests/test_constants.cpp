// SPDX-License-Identifier: Apache-2.0
//
// Constants of a modulus against their definitions, computed here by other means (BN_mod_inverse,
// BN_mod_exp).
#include "fixture.hpp"
#include "modulus.hpp"

namespace {

perle::Shape shape_of(const SoftConfig& config) {
  return {1, config.width, config.operand_bits(), config.word_bits, 4, 3, config.radix_bits};
}

void check_constants(const perle::Shape& shape, const Bn& m) {
  const Arithmetic math;
  const perle::Modulus mod(shape, m, "m");
  const Bn beta(std::uint64_t{1} << shape.parameter);

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
  // The closure bound: operands fit the line with two bits to spare.
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

TEST(radix_of_a_board) {
  SoftConfig config{.width = 1024, .tell_radix = false};
  CHECK_EQ(Bench(config).status, PERLE_OK);
  config.width = 512;  // 16 and 17 give the same widths: the board has to tell
  CHECK_EQ(Bench(config).status, PERLE_ERR_BOARD_ID);
  config.tell_radix = true;
  CHECK_EQ(Bench(config).status, PERLE_OK);
}
