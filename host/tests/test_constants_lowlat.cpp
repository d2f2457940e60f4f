// SPDX-License-Identifier: Apache-2.0
//
// Constants of family lowlat, each checked by its defining property, and which boards it accepts.
#include "board/modulus.hpp"
#include "fixture.hpp"

namespace {

using perle::Shape;

constexpr std::uint32_t kLowlat = 10;

unsigned digits(unsigned width, unsigned radix, unsigned delay) {
  return (width + radix * (delay + 1) + 2 + radix - 1) / radix;
}

Shape bare(unsigned width, unsigned radix, unsigned delay, unsigned word = 64) {
  return {kLowlat, width, digits(width, radix, delay) * radix, word, 4, 3, 0};
}

std::uint32_t told(const Shape& shape, long radix, long delay) {
  return perle::family_of(kLowlat).read_parameter(shape, [&](const std::string& name) {
    return name == "RadixBits" ? radix : name == "QuotientDelay" ? delay : -1L;
  });
}

std::string refusal(const Shape& shape, long radix, long delay) {
  try {
    told(shape, radix, delay);
    return "";
  } catch (const perle::Error& error) {
    CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
    return error.what();
  }
}

Shape row_of(unsigned width, unsigned radix, unsigned delay, unsigned word) {
  Shape shape = bare(width, radix, delay, word);
  shape.parameter = told(shape, long{radix}, long{delay});
  return shape;
}

void check(const Shape& shape, unsigned base_bits, const Bn& m) {
  const Arithmetic math;
  const perle::Modulus mod(shape, m, "m");
  const auto line = [&](std::size_t which) {
    CHECK_EQ(mod.constants()[which].size(), shape.line_words());
    return Bn::from_words(mod.constants()[which], shape.word_bits);
  };
  CHECK_EQ(mod.constants().size(), std::size_t{3});
  CHECK(line(0) == m);
  // mhat·β^(d+1) − 1 is a multiple of M, mprime times, and mprime has d + 1 digits
  const Bn mhat = line(1), mprime = line(2), mt = math.mul(mprime, m);
  Bn base;
  BN_lshift(base.get(), Bn(1).get(), static_cast<int>(base_bits));
  CHECK(mprime.bits() <= base_bits);
  CHECK(math.sub(math.mul(mhat, base), Bn(1)) == mt);
  CHECK(mod.bound() == math.add(mt, mt));
  CHECK_EQ(mod.r_exp(), shape.operand_bits);
  // R >= 4·Mt: products do not leave their range
  CHECK(mod.bound().bits() + 1 <= shape.operand_bits);
  Bn r2;
  BN_mod_exp(r2.get(), Bn(2).get(), Bn(2 * mod.r_exp()).get(), m.get(), math.ctx());
  CHECK(Bn::from_words(mod.r2(), shape.word_bits) == r2);
}

}  // namespace

TEST(constants_lowlat) {
  for (const unsigned width : {64U, 100U, 512U, 1024U})
    for (const unsigned radix : {8U, 17U, 18U, 36U})
      for (const unsigned delay : {3U, 4U, 5U})
        for (const unsigned word : {32U, 64U})
          for (const unsigned bits : {width, width / 2, 5U})
            check(row_of(width, radix, delay, word), radix * (delay + 1), random_odd(bits));
  for (const std::uint64_t m : {std::uint64_t{3}, std::uint64_t{0x3FFFF}, std::uint64_t{0x40001},
                                ~std::uint64_t{0}, (std::uint64_t{1} << 63) + 1})
    check(row_of(64, 18, 5, 64), 108, Bn(m));
}

TEST(constants_lowlat_all_small_moduli) {
  for (std::uint64_t m = 3; m < 256; m += 2)
    for (const unsigned delay : {3U, 4U, 5U}) {
      check(row_of(8, 3, delay, 64), 3 * (delay + 1), Bn(m));
      check(row_of(8, 18, delay, 64), 18 * (delay + 1), Bn(m));
      check(row_of(8, 36, delay, 64), 36 * (delay + 1), Bn(m));
    }
}

TEST(parameters_of_a_row) {
  const Shape own = bare(512, 18, 4);
  CHECK_EQ(told(own, 18, 4), 18U | 4U << 8);
  CHECK_EQ(told(own, 18, -1), 18U | 4U << 8);  // no other delay has this width
  CHECK(refusal(own, 18, 3).find("RadixBits = 18, QuotientDelay = 3") != std::string::npos);
  CHECK(refusal(own, 2, -1).find("RadixBits = 2 does not") != std::string::npos);
  CHECK(refusal(own, -1, 2).find("QuotientDelay = 2") != std::string::npos);
  CHECK(refusal(own, 36, 4).find("RadixBits = 36, QuotientDelay = 4") != std::string::npos);
  CHECK(refusal(own, -1, -1).find("does not tell") != std::string::npos);
  Shape other = own;
  other.operand_bits += 1;
  CHECK(refusal(other, -1, -1).find("family lowlat") != std::string::npos);
}

TEST(no_product_of_a_row_takes_longer_than_its_limit) {
  for (const unsigned width : {64U, 256U, 1024U, 2048U})
    for (const unsigned radix : {18U, 36U})
      for (const unsigned delay : {3U, 4U, 5U}) {
        const unsigned n = digits(width, radix, delay);
        CHECK(perle::family_of(kLowlat).product_cycles_limit(row_of(width, radix, delay, 64)) >=
              (n + delay) * (radix > 18 ? 9 : 7) + 15);
      }
}
