// SPDX-License-Identifier: Apache-2.0
//
// Constants of the families tile and carry_save, checked by their defining properties; and the cycle limits
// of a product, which must be neither too short nor much too long.
#include <algorithm>

#include "board/modulus.hpp"
#include "fixture.hpp"

namespace {

using perle::Modulus;
using perle::Shape;

constexpr std::uint32_t kStream = 9, kLowlat = 10, kTile = 11, kCarrySave = 12;
constexpr unsigned kBlock = 54;
constexpr unsigned kWidths[] = {8, 64, 100, 256, 512, 1024, 2048};

unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

unsigned blocks_of(unsigned width) { return std::max(3U, ceil_div(width + kBlock + 2, kBlock)); }

Shape tile_of(unsigned width) { return {kTile, width, blocks_of(width) * kBlock, 64, 4, 3, 0}; }

unsigned digits_of(unsigned width, unsigned k, unsigned d) { return ceil_div(width + k * (d + 1) + 2, k); }

struct Told {
  long radix = -1, delay = -1, fold = -1;
  long operator()(const std::string& name) const {
    return name == "RadixBits" ? radix : name == "QuotientDelay" ? delay : name == "Fold" ? fold : -1L;
  }
};

// The family's parameter; ~0 if the board is refused.
std::uint32_t parameter(const Shape& shape, const Told& told) {
  try {
    return perle::family_of(shape.family_id).read_parameter(shape, told);
  } catch (const perle::Error& error) {
    CHECK_EQ(error.status(), PERLE_ERR_BOARD_ID);
    return ~0U;
  }
}

Shape built(std::uint32_t family, unsigned width, unsigned k, unsigned d, unsigned count) {
  Shape shape{family, width, digits_of(width, k, d) * k, 64, 4, count, 0};
  shape.parameter = parameter(shape, {static_cast<long>(k), static_cast<long>(d), -1});
  return shape;
}

Bn power_of_two(unsigned exponent) {
  Bn out;
  BN_set_bit(out.get(), static_cast<int>(exponent));
  return out;
}

// Mt = mhat·β − 1 is a multiple of M below M·β; operands and products are below 2·Mt, and R is at least 4·Mt.
void check_constants(const Shape& shape, unsigned base_bits, const Bn& m) {
  const Arithmetic math;
  const Modulus mod(shape, m, "m");
  CHECK_EQ(mod.constants().size(), perle::family_of(shape.family_id).const_count);
  const Bn beta = power_of_two(base_bits), r = power_of_two(mod.r_exp());
  if (!CHECK_EQ(mod.constants().size(), shape.const_count)) return;
  CHECK(Bn::from_words(mod.constants()[0], shape.word_bits) == m);
  const Bn mhat = Bn::from_words(mod.constants()[1], shape.word_bits);
  const Bn mt = math.sub(math.mul(mhat, beta), Bn(1));
  CHECK(math.mod(mt, m).is_zero() && mt < math.mul(m, beta));
  CHECK(mod.bound() == math.add(mt, mt));
  CHECK_EQ(mod.r_exp(), shape.operand_bits);
  CHECK(!(r < math.mul(Bn(4), mt)));
  CHECK(Bn::from_words(mod.r2(), shape.word_bits) == math.mulmod(r, r, m));
  if (shape.const_count < 3) return;
  const Bn mprime = Bn::from_words(mod.constants()[2], shape.word_bits);
  CHECK(mprime < beta && math.mul(mprime, m) == mt);
}

}  // namespace

TEST(constants_of_tiles) {
  for (const unsigned width : kWidths) {
    CHECK_EQ(parameter(tile_of(width), {}), 0U);
    check_constants(tile_of(width), kBlock, random_odd(width));
    check_constants(tile_of(width), kBlock, Bn(3));
  }
}

TEST(parameters_of_tiles) {
  for (const unsigned width : kWidths) {
    const Shape own = tile_of(width);
    CHECK_EQ(parameter(own, {18}), 0U);
    for (const long other : {0L, 17L, 19L, 54L}) CHECK_EQ(parameter(own, {other}), ~0U);
    for (const int more : {-54, -1, 1, 54}) {
      Shape wrong = own;
      wrong.operand_bits += static_cast<std::uint32_t>(more);
      CHECK_EQ(parameter(wrong, {}), ~0U);
    }
  }
}

TEST(constants_of_saved_carries) {
  for (const unsigned width : kWidths)
    for (const unsigned k : {2U, 4U, 8U, 16U})
      for (const unsigned d : {1U, 2U}) {
        const Shape shape = built(kCarrySave, width, k, d, 2);
        CHECK_EQ(shape.parameter, k | d << 8);
        check_constants(shape, k * (d + 1), random_odd(width));
        check_constants(shape, k * (d + 1), Bn(3));
      }
}

TEST(parameters_of_saved_carries) {
  const Shape own = built(kCarrySave, 512, 8, 1, 2);
  CHECK_EQ(parameter(own, {8, 1}), 8U | 1U << 8);
  CHECK_EQ(parameter(own, {8, -1}), 8U | 1U << 8);  // with another delay it would be longer
  CHECK_EQ(parameter(own, {8, 2}), ~0U);
  CHECK_EQ(parameter(own, {-1, -1}), 8U | 1U << 8);
  CHECK_EQ(parameter(built(kCarrySave, 512, 6, 1, 2), {-1, -1}), ~0U);  // another pair has this width too
  for (const long radix : {0L, 1L, 3L, 7L, 9L, 18L}) CHECK_EQ(parameter(own, {radix, 1}), ~0U);
  for (const long delay : {0L, 3L}) CHECK_EQ(parameter(own, {8, delay}), ~0U);
}

// By the models a product or a reduction takes so many cycles at most; twice to four times that is allowed.
TEST(limits_are_near_what_a_product_takes) {
  const auto near = [](const Shape& shape, std::uint64_t takes) {
    const std::uint64_t limit = perle::family_of(shape.family_id).product_cycles_limit(shape);
    CHECK(limit >= takes && limit <= 4 * takes + 256);
  };
  for (const unsigned width : {64U, 256U, 1024U, 2048U}) {
    for (const unsigned d : {3U, 5U})
      near(built(kLowlat, width, 18, d, 3), 7 * (digits_of(width, 18, d) + d) + 14);
    for (const unsigned d : {1U, 2U})
      near(built(kCarrySave, width, 8, d, 2), (digits_of(width, 8, d) + 1) * (8 + d + 3));
    const unsigned blocks = blocks_of(width);
    near(tile_of(width), 4 * (blocks * blocks + blocks + 5) + 384 * blocks);
    Shape line{kStream, width, std::max(3U, ceil_div(width + 20, 18)) * 18, 64, 4, 3, 0};
    line.parameter = parameter(line, {18, -1, -1});
    near(line, 8 * line.operand_bits / 18 + 20);
  }
}
