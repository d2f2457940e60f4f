// SPDX-License-Identifier: Apache-2.0
//
// Constants of the other families, each checked by its defining property.
#include <algorithm>
#include <array>

#include "board/modulus.hpp"
#include "fixture.hpp"

namespace {

using perle::Modulus;
using perle::Shape;

constexpr std::uint32_t kIterative = 2, kBitSystolic = 3, kScalable = 4, kKaratsuba = 5;
constexpr unsigned kRadix2 = 0, kRadix4 = 1, kBooth = 2;

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

Bn power_of_two(unsigned exponent) {
  Bn out;
  BN_set_bit(out.get(), static_cast<int>(exponent));
  return out;
}

Bn times(std::uint64_t factor, const Bn& m) { return Arithmetic().mul(Bn(factor), m); }

bool divides(const Bn& divisor, const Bn& number) { return Arithmetic().mod(number, divisor).is_zero(); }

Bn line(const Shape& shape, const perle::Words& words) {
  CHECK_EQ(words.size(), shape.line_words());
  return Bn::from_words(words, shape.word_bits);
}

// A modulus of exactly `bits` bits and a residue modulo 4, on which its multiple Mt depends.
Bn modulus(unsigned bits, unsigned residue) {
  Bn m = random_odd(bits);
  (residue == 3 ? BN_set_bit : BN_clear_bit)(m.get(), 1);
  return m;
}

// Properties of all families: M itself, R^2 mod M, and a range that is closed under products, because R is at
// least `margin` times the bound. A product is below (x·y + R·Mt)/R; with x, y < bound = 2·Mt and R >= 4·Mt
// that is 2·Mt again: a margin of 2. Booth's quotient may be negative: R·M is added, and x·y + 2/3·R·M must
// be at most R·M: a margin of 6. With a final subtraction R > M suffices.
void check_common(const Modulus& mod, const Bn& m, std::size_t count, std::uint64_t margin) {
  const Shape& shape = mod.shape();
  CHECK_EQ(mod.constants().size(), count);
  CHECK(line(shape, mod.constants()[0]) == m);
  Bn r2;
  BN_mod_exp(r2.get(), Bn(2).get(), Bn(2 * mod.r_exp()).get(), m.get(), Arithmetic().ctx());
  CHECK(line(shape, mod.r2()) == r2);
  CHECK(mod.bound().bits() <= shape.operand_bits);
  CHECK(!(power_of_two(mod.r_exp()) < times(margin, mod.bound())));
}

// Width + 2 steps of one bit; the only constant is M.
void check_bitwise(std::uint32_t family, unsigned width, unsigned word, const Bn& m) {
  const Modulus mod({family, width, width + 1, word, 4, 1, 0}, m, "m");
  check_common(mod, m, 1, 2);
  CHECK(mod.bound() == times(2, m));
  CHECK_EQ(mod.r_exp(), width + 2);
}

void check_karatsuba(bool step4, unsigned width, unsigned word, const Bn& m) {
  const Shape bare{kKaratsuba, width, step4 ? width : width + 2, word, 4, 2, 0};
  Shape shape = bare;
  shape.parameter = perle::family_of(kKaratsuba).read_parameter(bare, [](const char*) { return -1L; });
  const Modulus mod(shape, m, "m");
  check_common(mod, m, 2, step4 ? 1 : 2);
  CHECK(mod.bound() == (step4 ? m : times(2, m)));
  CHECK_EQ(mod.r_exp(), shape.operand_bits);
  const Bn r = power_of_two(mod.r_exp()), mprime = line(shape, mod.constants()[1]);
  CHECK(mprime < r);
  CHECK(divides(r, Arithmetic().add(Arithmetic().mul(mprime, m), Bn(1))));  // mprime·M ≡ −1 (mod R)
}

struct Chain {
  unsigned kind, word_width, elements;
  unsigned v() const { return kind == kRadix2 ? 1 : 2; }
  unsigned extended(unsigned n) const { return n + 2 * v() + 2; }
  long tell(const std::string& name) const {
    if (name == "Kind") return kind;
    if (name == "WordWidth") return word_width;
    return name == "Elements" ? static_cast<long>(elements) : -1;
  }
  Shape bare(unsigned width, unsigned word) const {
    return {kScalable, width, ceil_div(extended(width), word_width) * word_width, word, 4, 3, 0};
  }
  Shape shape(unsigned width, unsigned word) const {
    Shape out = bare(width, word);
    out.parameter =
        perle::family_of(kScalable).read_parameter(out, [this](const char* name) { return tell(name); });
    return out;
  }
};

constexpr std::array<Chain, 6> kChains = {{{kRadix2, 16, 16},
                                           {kRadix2, 32, 64},
                                           {kRadix4, 16, 8},
                                           {kRadix4, 8, 3},
                                           {kBooth, 16, 8},
                                           {kBooth, 8, 5}}};

// |Mt| from the constant: mhat·2^v − 1, where a line with its top bit set is a negative mhat.
Bn multiple(const Chain& chain, const Shape& shape, const Bn& mhat, bool& negative) {
  const Arithmetic math;
  const Bn beta = power_of_two(chain.v());
  negative = mhat.bits() == shape.operand_bits;
  if (negative) return math.add(math.mul(beta, math.sub(power_of_two(shape.operand_bits), mhat)), Bn(1));
  return math.sub(math.mul(beta, mhat), Bn(1));
}

void check_chain(const Chain& chain, unsigned width, unsigned word, const Bn& m) {
  const Shape shape = chain.shape(width, word);
  const Modulus mod(shape, m, "m");
  check_common(mod, m, 3, chain.kind == kBooth ? 6 : 2);

  // Mt ≡ −1 (mod 2^v) by the shape of mhat; the residue of M tells which multiple of M it has to be.
  bool negative = false;
  const Bn mt = multiple(chain, shape, line(shape, mod.constants()[1]), negative);
  const bool minus_one = chain.kind == kRadix2 || BN_is_bit_set(m.get(), 1) == 1;
  CHECK(mt == (chain.kind == kRadix4 && !minus_one ? times(3, m) : m));
  CHECK_EQ(negative, chain.kind == kBooth && !minus_one);
  CHECK(mod.bound() == times(2, mt));

  // The operation's own n, and with it R: as many digits, less one, as whole passes over n2 bits take.
  const unsigned n = m.bits(), pass = chain.v() * chain.elements, taken = mod.r_exp() + chain.v();
  CHECK(line(shape, mod.constants()[2]) == Bn(n));
  CHECK_EQ(taken % pass, 0U);
  CHECK(taken >= chain.extended(n));
  CHECK(taken < chain.extended(n) + pass);
}

// Edge cases: short moduli, whole words, all ones, powers of two plus 1.
template <typename Check>
void over_moduli(unsigned width, Check check) {
  for (const unsigned residue : {1U, 3U}) {
    for (const unsigned bits : {width, width - 1, width / 2, width / 3}) check(modulus(bits, residue));
    for (unsigned bits = 3; bits <= std::min(width, 200U); bits += 7) check(modulus(bits, residue));
  }
  const Arithmetic math;
  for (const unsigned bits : {2U, 3U, 63U, 64U, 65U, width - 1, width}) {
    if (bits > width) continue;
    check(math.sub(power_of_two(bits), Bn(1)));
    if (bits > 2) check(math.add(power_of_two(bits - 1), Bn(1)));
  }
}

perle_status refusal(const Shape& shape, const perle::ParameterSource& source) {
  try {
    perle::family_of(shape.family_id).read_parameter(shape, source);
    return PERLE_OK;
  } catch (const perle::Error& error) {
    return error.status();
  }
}

perle_status refusal(const Shape& shape) {
  return refusal(shape, [](const char*) { return -1L; });
}

}  // namespace

TEST(constants_bit_by_bit) {
  for (const std::uint32_t family : {kIterative, kBitSystolic})
    for (const unsigned width : {64U, 100U, 256U, 1024U})
      for (const unsigned word : {32U, 64U})
        over_moduli(width, [&](const Bn& m) { check_bitwise(family, width, word, m); });
}

TEST(constants_karatsuba) {
  for (const bool step4 : {false, true})
    for (const unsigned width : {62U, 64U, 100U, 256U, 1024U})
      for (const unsigned word : {32U, 64U})
        over_moduli(width, [&](const Bn& m) { check_karatsuba(step4, width, word, m); });
}

TEST(constants_scalable) {
  for (const Chain& chain : kChains)
    for (const unsigned width : {64U, 100U, 256U, 1024U})
      for (const unsigned word : {32U, 64U})
        over_moduli(width, [&](const Bn& m) { check_chain(chain, width, word, m); });
}

TEST(constants_all_small_moduli_of_every_family) {
  for (std::uint64_t value = 3; value < 256; value += 2) {
    const Bn m(value);
    for (const std::uint32_t family : {kIterative, kBitSystolic}) check_bitwise(family, 8, 64, m);
    for (const bool step4 : {false, true}) check_karatsuba(step4, 8, 64, m);
    for (const Chain& chain : kChains) check_chain(chain, 8, 64, m);
  }
}

TEST(too_wide_for_every_family) {
  const Bn m = random_odd(65);
  for (const Shape& shape : {Shape{kIterative, 64, 65, 64, 4, 1, 0}, Shape{kBitSystolic, 64, 65, 64, 4, 1, 0},
                             kChains[0].shape(64, 64), Shape{kKaratsuba, 64, 66, 64, 4, 2, 0}}) {
    perle_status status = PERLE_OK;
    try {
      const Modulus mod(shape, m, "m");
    } catch (const perle::Error& error) {
      status = error.status();
    }
    CHECK_EQ(status, PERLE_ERR_WIDTH);
  }
}

TEST(widths_of_another_family) {
  for (const std::uint32_t family : {kIterative, kBitSystolic})
    for (const unsigned operand_bits : {64U, 65U, 66U})
      CHECK_EQ(refusal({family, 64, operand_bits, 64, 4, 1, 0}),
               operand_bits == 65 ? PERLE_OK : PERLE_ERR_BOARD_ID);
  for (const unsigned operand_bits : {63U, 64U, 65U, 66U, 67U})
    CHECK_EQ(refusal({kKaratsuba, 64, operand_bits, 64, 4, 2, 0}),
             operand_bits % 2 == 0 ? PERLE_OK : PERLE_ERR_BOARD_ID);
}

TEST(a_chain_has_to_be_told) {
  const Chain own = kChains[2];
  for (const std::string silent : {"Kind", "WordWidth", "Elements"})
    CHECK_EQ(
        refusal(own.bare(256, 64), [&](const char* name) { return silent == name ? -1L : own.tell(name); }),
        PERLE_ERR_BOARD_ID);
  // 250 + 6 bits are whole words of any width: what is refused there is not refused for the board's widths.
  const auto told = [&](const Chain& other, unsigned width = 250) {
    return refusal(own.bare(width, 64), [&](const char* name) { return other.tell(name); });
  };
  for (const Chain& other : {own, Chain{kBooth, 4, 1}, Chain{kBooth, 64, 256}})
    CHECK_EQ(told(other), PERLE_OK);
  for (const Chain& other : {Chain{3, 16, 8}, Chain{kRadix4, 128, 8}, Chain{kRadix4, 2, 8},
                             Chain{kRadix4, 16, 0}, Chain{kRadix4, 16, 257}})
    CHECK_EQ(told(other), PERLE_ERR_BOARD_ID);
  const Chain wide{kRadix4, 65, 8};  // whole words of 65 bits, which no chain has
  CHECK_EQ(refusal(wide.bare(254, 64), [&](const char* name) { return wide.tell(name); }),
           PERLE_ERR_BOARD_ID);
  CHECK_EQ(told({kRadix2, 16, 8}, 251), PERLE_ERR_BOARD_ID);
  CHECK_EQ(told({kRadix4, 32, 8}, 256), PERLE_ERR_BOARD_ID);
}

// What the models state for the slowest operation: two cycles more a bit with wait states, a reduction.
TEST(no_operation_takes_longer_than_its_limit) {
  const auto limit = [](const Shape& shape) {
    return perle::family_of(shape.family_id).product_cycles_limit(shape);
  };
  CHECK(limit({kIterative, 256, 257, 64, 4, 1, 0}) >= 775);
  CHECK(limit({kBitSystolic, 256, 257, 64, 4, 1, 0}) >= 774);
  CHECK(limit({kKaratsuba, 512, 514, 64, 4, 2, 0}) >= 250);
  CHECK(limit({kKaratsuba, 512, 512, 64, 4, 2, 1}) >= 251);
  // Here the board tells enough for the limit to be exact.
  CHECK_EQ(limit(Chain{kRadix2, 16, 8}.shape(256, 64)), std::uint64_t{659});
  CHECK_EQ(limit(Chain{kRadix2, 16, 32}.shape(256, 64)), std::uint64_t{380});
  CHECK_EQ(limit(Chain{kRadix4, 16, 8}.shape(256, 64)), std::uint64_t{371});
  CHECK_EQ(limit(Chain{kBooth, 16, 16}.shape(256, 64)), std::uint64_t{236});
}
