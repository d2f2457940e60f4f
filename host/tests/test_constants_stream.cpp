// SPDX-License-Identifier: Apache-2.0
//
// Constants of family stream, each checked by its defining property, and which boards it accepts.
#include <algorithm>

#include "board/modulus.hpp"
#include "fixture.hpp"

namespace {

using perle::Shape;

constexpr std::uint32_t kStream = 9;

unsigned digits(unsigned width, unsigned radix) { return std::max(3U, (width + 2 * radix + 1) / radix); }

Shape bare(unsigned width, unsigned radix, unsigned word) {
  return {kStream, width, digits(width, radix) * radix, word, 4, 3, 0};
}

std::string refusal(const Shape& shape, long radix) {
  try {
    perle::family_of(kStream).read_parameter(
        shape, [&](const std::string& name) { return name == "RadixBits" ? radix : -1L; });
    return "";
  } catch (const perle::Error& error) {
    CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
    return error.what();
  }
}

Shape line_of(unsigned width, unsigned radix, unsigned word) {
  Shape shape = bare(width, radix, word);
  shape.parameter = perle::family_of(kStream).read_parameter(
      shape, [&](const std::string& name) { return name == "RadixBits" ? long{radix} : -1L; });
  return shape;
}

void check(const Shape& shape, unsigned radix, const Bn& m) {
  const Arithmetic math;
  const perle::Modulus mod(shape, m, "m");
  const auto line = [&](std::size_t which) {
    CHECK_EQ(mod.constants()[which].size(), shape.line_words());
    return Bn::from_words(mod.constants()[which], shape.word_bits);
  };
  CHECK_EQ(mod.constants().size(), std::size_t{3});
  CHECK(line(0) == m);
  // mhat·2^k − 1 is a multiple of M, mprime times, and mprime is a digit
  const Bn mhat = line(1), mprime = line(2), mt = math.mul(mprime, m);
  CHECK(mprime.bits() <= radix);
  CHECK(math.sub(math.mul(mhat, Bn(std::uint64_t{1} << radix)), Bn(1)) == mt);
  CHECK(mod.bound() == math.add(mt, mt));
  CHECK_EQ(mod.r_exp(), shape.operand_bits);
  // R >= 4·Mt: products do not leave their range
  CHECK(mod.bound().bits() + 1 <= shape.operand_bits);
  Bn r2;
  BN_mod_exp(r2.get(), Bn(2).get(), Bn(2 * mod.r_exp()).get(), m.get(), math.ctx());
  CHECK(Bn::from_words(mod.r2(), shape.word_bits) == r2);
}

}  // namespace

TEST(constants_stream) {
  for (const unsigned width : {64U, 100U, 512U, 1024U, 2048U})
    for (const unsigned radix : {8U, 17U, 18U})
      for (const unsigned word : {32U, 64U})
        for (const unsigned bits : {width, width - 1, width / 2, 5U})
          check(line_of(width, radix, word), radix, random_odd(bits));
  for (const std::uint64_t m : {std::uint64_t{3}, std::uint64_t{0x3FFFF}, std::uint64_t{0x40001},
                                ~std::uint64_t{0}, (std::uint64_t{1} << 63) + 1})
    check(line_of(64, 18, 64), 18, Bn(m));
}

TEST(constants_stream_all_small_moduli) {
  for (std::uint64_t m = 3; m < 256; m += 2) {
    check(line_of(8, 3, 64), 3, Bn(m));
    check(line_of(8, 18, 64), 18, Bn(m));  // three digits, though two would do
  }
}

TEST(radix_of_a_line) {
  const Shape own = bare(1024, 18, 64);
  CHECK_EQ(refusal(own, 18), "");
  CHECK(refusal(own, 17).find("RadixBits = 17") != std::string::npos);
  CHECK(refusal(own, 2).find("RadixBits = 2") != std::string::npos);
  CHECK(refusal(own, 36).find("RadixBits = 36") != std::string::npos);
  Shape other = own;
  other.operand_bits += 2;
  CHECK(!refusal(other, 18).empty());
  CHECK(refusal(other, -1).find("family stream") != std::string::npos);
  CHECK_EQ(refusal(bare(1024, 17, 64), -1), "");  // no other radix has this width
  CHECK(refusal(bare(512, 16, 64), -1).find("does not tell") != std::string::npos);
}

TEST(passes_of_a_line) {
  const auto told = [](const Shape& shape, long radix, long passes) {
    try {
      return perle::family_of(kStream).read_parameter(shape, [&](const std::string& name) {
        return name == "RadixBits" ? radix : name == "Fold" ? passes : -1L;
      });
    } catch (const perle::Error& error) {
      CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
      return 0U;
    }
  };
  for (const unsigned fold : {1U, 2U, 3U, 4U, 6U, 64U})
    for (const unsigned width : {64U, 128U, 1024U, 2048U}) {
      const unsigned whole = (digits(width, 18) + fold - 1) / fold * fold;
      Shape shape{kStream, width, whole * 18, 64, 4, 3, 0};
      shape.parameter = told(shape, 18, fold);
      CHECK(shape.parameter != 0);
      check(shape, 18, random_odd(width));
      shape.operand_bits += 18;
      CHECK_EQ(told(shape, 18, fold), 0U);
    }
  const Shape four{kStream, 1024, 60 * 18, 64, 4, 3, 0};
  CHECK(told(four, 18, 4) != 0);
  CHECK_EQ(told(four, -1, 4), 0U);  // 72 digits of 15 bits are as long
  for (const long passes : {-1L, 0L, 1L, 65L}) CHECK_EQ(told(four, 18, passes), 0U);
}

TEST(no_product_of_a_line_takes_longer_than_its_limit) {
  for (const unsigned width : {64U, 256U, 1024U, 2048U})
    CHECK(perle::family_of(kStream).product_cycles_limit(line_of(width, 18, 64)) >=
          8 * digits(width, 18) + 20);
  // A line with several passes has fewer elements: a product takes no longer than as many of the whole line.
  for (const std::uint32_t fold : {2U, 4U, 6U}) {
    const auto limit = [&](std::uint32_t passes) {
      Shape shape{kStream, 1024, (digits(1024, 18) + passes - 1) / passes * passes * 18, 64, 4, 3, 0};
      shape.parameter = perle::family_of(kStream).read_parameter(shape, [&](const std::string& name) {
        return name == "RadixBits" ? 18L : name == "Fold" ? static_cast<long>(passes) : -1L;
      });
      return perle::family_of(kStream).product_cycles_limit(shape);
    };
    CHECK(limit(fold) <= fold * limit(1));
  }
}
