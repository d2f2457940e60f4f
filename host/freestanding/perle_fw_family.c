// SPDX-License-Identifier: Apache-2.0
//
// The constants of a modulus for every family: those after M, and R = 2^r_exp. Formulas and sources are in
// perle/cores/FAMILY/README.md; host/src/family has the same for libperle.
#include "perle_fw_family.h"

enum {
  kOrup = 1,
  kIterative = 2,
  kBitSystolic = 3,
  kScalable = 4,
  kKaratsuba = 5,
  kStream = 9,
  kLowlat = 10,
  kTile = 11,
  kCarrySave = 12
};
enum { kRadix2 = 0, kRadix4 = 1, kBooth = 2 };

#define CONSTANT_LIMBS 7  // of a base 2^(RadixBits·(QuotientDelay + 1)), at most 36·6 bits

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// Bits of a digit; for tile of a block of three digits.
static uint32_t digit_bits(const perle_fw* board) {
  return (board->family == kTile ? 3U : 1U) * board->params.radix_bits;
}

// Bits of the base of the quotient-simplified form.
static uint32_t base_bits(const perle_fw* board) {
  return digit_bits(board) * (board->params.quotient_delay + 1U);
}

static int quotient_simplified_fits(const perle_fw* board) {
  const uint32_t k = digit_bits(board), fold = board->params.fold ? board->params.fold : 1;
  if (k < 2 || board->params.radix_bits > 36 || board->params.quotient_delay > 5 || fold > 64) return 0;
  uint32_t digits = ceil_div(board->width + base_bits(board) + 2, k);
  if ((board->family == kStream || board->family == kTile) && digits < 3) digits = 3;
  return ceil_div(digits, fold) * fold * k == board->operand_bits;
}

static uint32_t scalable_step(const perle_fw* board) { return board->params.kind == kRadix2 ? 1 : 2; }

static int scalable_fits(const perle_fw* board) {
  const uint32_t word = board->params.word_width, v = scalable_step(board);
  if (board->params.kind > kBooth || word < 4 || word > 64 || !board->params.elements) return 0;
  return ceil_div(board->width + 2 * v + 2, word) * word == board->operand_bits;
}

int perle_fw_family_fits(const perle_fw* board) {
  const uint32_t more = board->operand_bits - board->width;
  switch (board->family) {
    case kOrup:
    case kLowlat:
    case kStream:
    case kTile:
      return board->const_count == 3 && quotient_simplified_fits(board);
    case kCarrySave:
      return board->const_count == 2 && quotient_simplified_fits(board);
    case kScalable:
      return board->const_count == 3 && scalable_fits(board);
    case kIterative:
    case kBitSystolic:
      return board->const_count == 1 && more == 1;
    case kKaratsuba:
      return board->const_count == 2 && (more == 0 || more == 2);
    default:
      return 0;
  }
}

uint32_t perle_fw_constant_bits(const perle_fw* board) {
  const int negative = board->family == kScalable && board->params.kind == kBooth;
  return negative || board->family == kKaratsuba ? board->operand_bits : 0;
}

// mprime = −M^-1 mod 2^b, mhat = (mprime·M + 1) / 2^b.
static void quotient_simplified(const perle_fw* board, const uint32_t* m, perle_fw_number* constants) {
  perle_fw_number product;
  uint32_t* mprime = constants[1];
  perle_fw_clear(mprime, PERLE_FW_LIMBS);
  perle_fw_negative_inverse(mprime, m, CONSTANT_LIMBS, base_bits(board));
  perle_fw_clear(product, PERLE_FW_LIMBS);
  perle_fw_multiply(product, m, PERLE_FW_LIMBS - CONSTANT_LIMBS, mprime, CONSTANT_LIMBS);
  static const uint32_t kOne[PERLE_FW_LIMBS] = {1};
  perle_fw_add(product, kOne, ~(uint32_t)0, PERLE_FW_LIMBS);
  perle_fw_shift(product, PERLE_FW_LIMBS, base_bits(board));
  for (size_t i = 0; i < PERLE_FW_LIMBS; ++i) constants[0][i] = product[i];
  perle_fw_clear(product, PERLE_FW_LIMBS);
}

// mhat = (Mt + 1) / 2^v with Mt ≡ −1 (mod 2^v): M, M or 3M, M or −M; modulo 2^OperandBits.
static uint32_t scalable(const perle_fw* board, const uint32_t* m, perle_fw_number* constants) {
  const uint32_t v = scalable_step(board), n = perle_fw_bits(m, PERLE_FW_LIMBS);
  uint32_t* mhat = constants[0];
  for (size_t i = 0; i < PERLE_FW_LIMBS; ++i) mhat[i] = m[i];
  uint32_t complement = 0;  // of ⌊M/4⌋, where Mt = −M
  if (board->params.kind == kRadix4) {
    const uint32_t triple = (m[0] >> 1 & 1) - 1;  // M ≡ 1 (mod 4)
    perle_fw_add(mhat, m, triple, PERLE_FW_LIMBS);
    perle_fw_add(mhat, m, triple, PERLE_FW_LIMBS);
  } else if (board->params.kind == kBooth) {
    complement = (m[0] >> 1 & 1) - 1;
  }
  // Mt is −1 in its last v bits, so that (Mt + 1)/2^v = ⌊Mt/2^v⌋ + 1; and ⌊−M/4⌋ + 1 = −⌊M/4⌋ for M ≡ 1.
  perle_fw_shift(mhat, PERLE_FW_LIMBS, v);
  uint32_t carry = 1;
  for (size_t i = 0; i < PERLE_FW_LIMBS; ++i) {
    const uint64_t sum = (uint64_t)(mhat[i] ^ complement) + carry;
    mhat[i] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
  perle_fw_clear(constants[1], PERLE_FW_LIMBS);
  constants[1][0] = n;
  const uint32_t passes = ceil_div(ceil_div(n + 2 * v + 2, v), board->params.elements);
  return v * (board->params.elements * passes - 1);
}

uint32_t perle_fw_derive(const perle_fw* board, const uint32_t* m, perle_fw_number* constants) {
  switch (board->family) {
    case kScalable:
      return scalable(board, m, constants);
    case kIterative:
    case kBitSystolic:
      return board->width + 2;
    case kKaratsuba: {
      const uint32_t limbs = ceil_div(board->operand_bits, 32);
      perle_fw_clear(constants[0], PERLE_FW_LIMBS);
      perle_fw_negative_inverse(constants[0], m, limbs, board->operand_bits);
      return board->operand_bits;
    }
    default:
      quotient_simplified(board, m, constants);
      return board->operand_bits;
  }
}
