// SPDX-License-Identifier: Apache-2.0
#include "perle_fw_limbs.h"

void perle_fw_clear(uint32_t* z, size_t count) {
  // Volatile, so that the compiler does not remove the write.
  volatile uint32_t* each = z;
  while (count--) *each++ = 0;
}

void perle_fw_from_bytes(uint32_t* z, size_t count, const uint8_t* in, size_t len) {
  perle_fw_clear(z, count);
  for (size_t i = 0; i < len && i / 4 < count; ++i) z[i / 4] |= (uint32_t)in[len - 1 - i] << 8 * (i % 4);
}

void perle_fw_to_bytes(uint8_t* out, size_t len, const uint32_t* x) {
  for (size_t i = 0; i < len; ++i) out[len - 1 - i] = (uint8_t)(x[i / 4] >> 8 * (i % 4));
}

uint32_t perle_fw_below(const uint32_t* x, const uint32_t* y, size_t count) {
  uint32_t borrow = 0;
  for (size_t i = 0; i < count; ++i) borrow = (uint32_t)(((uint64_t)x[i] - y[i] - borrow) >> 63);
  return 0 - borrow;
}

uint32_t perle_fw_is_zero(const uint32_t* x, size_t count) {
  uint32_t any = 0;
  for (size_t i = 0; i < count; ++i) any |= x[i];
  return 0 - (1 ^ ((any | (0 - any)) >> 31));
}

uint32_t perle_fw_subtract(uint32_t* x, const uint32_t* y, uint32_t mask, size_t count) {
  uint32_t borrow = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t difference = (uint64_t)x[i] - (y[i] & mask) - borrow;
    x[i] = (uint32_t)difference;
    borrow = (uint32_t)(difference >> 63);
  }
  return borrow;
}

uint32_t perle_fw_add(uint32_t* x, const uint32_t* y, uint32_t mask, size_t count) {
  uint32_t carry = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t sum = (uint64_t)x[i] + (y[i] & mask) + carry;
    x[i] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
  return carry;
}

void perle_fw_double(uint32_t* x, uint32_t bit, const uint32_t* m, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t next = x[i] >> 31;
    x[i] = x[i] << 1 | bit;
    bit = next;
  }
  // If there was a carry, or x is not below m: subtract m once.
  perle_fw_subtract(x, m, (0 - bit) | ~perle_fw_below(x, m, count), count);
}

void perle_fw_multiply(uint32_t* z, const uint32_t* x, size_t count, const uint32_t* y, size_t more) {
  for (size_t j = 0; j < more; ++j) {
    uint32_t carry = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t sum = (uint64_t)x[i] * y[j] + z[i + j] + carry;
      z[i + j] = (uint32_t)sum;
      carry = (uint32_t)(sum >> 32);
    }
    for (size_t i = count + j; i < count + more; ++i) {
      const uint64_t sum = (uint64_t)z[i] + carry;
      z[i] = (uint32_t)sum;
      carry = (uint32_t)(sum >> 32);
    }
  }
}

void perle_fw_shift(uint32_t* x, size_t count, uint32_t bits) {
  const size_t limbs = bits / 32;
  const uint32_t rest = bits % 32;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t low = i + limbs < count ? x[i + limbs] : 0;
    const uint32_t high = i + limbs + 1 < count ? x[i + limbs + 1] : 0;
    x[i] = rest == 0 ? low : low >> rest | high << (32 - rest);
  }
}

// −m^-1 mod 2^32. Newton: an odd number is its own inverse modulo 8; every step doubles the correct bits.
static uint32_t inverse_of(uint32_t m) {
  uint32_t inverse = m;
  for (int good = 3; good < 32; good *= 2) inverse *= 2 - m * inverse;
  return 0 - inverse;
}

void perle_fw_negative_inverse(uint32_t* z, const uint32_t* m, size_t count, uint32_t bits) {
  const uint32_t inverse = inverse_of(m[0]);
  perle_fw_number t;  // (1 + z·m) / 2^(32·i) after i limbs of z, modulo 2^(32·count)
  perle_fw_clear(t, count);
  t[0] = 1;
  for (size_t i = 0; i < count; ++i) {
    z[i] = t[0] * inverse;
    uint32_t carry = 0;
    for (size_t j = 0; j < count; ++j) {
      const uint64_t sum = (uint64_t)z[i] * m[j] + t[j] + carry;
      carry = (uint32_t)(sum >> 32);
      if (j > 0) t[j - 1] = (uint32_t)sum;
    }
    t[count - 1] = 0;  // the next limb is above 2^(32·count)
  }
  for (size_t i = 0; i < count; ++i)
    if (32 * i + 32 > bits) z[i] &= 32 * i < bits ? ((uint32_t)1 << (bits - 32 * i)) - 1 : 0;
  perle_fw_clear(t, count);
}

void perle_fw_montgomery(uint32_t* z, const uint32_t* x, const uint32_t* y, const uint32_t* m, size_t count) {
  const uint32_t inverse = inverse_of(m[0]);
  uint32_t top = 0;
  perle_fw_clear(z, count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t q = (uint32_t)(((uint64_t)x[i] * y[0] + z[0]) & 0xFFFFFFFF) * inverse;
    uint64_t product = 0, reduction = 0;  // carries of both rows
    for (size_t j = 0; j < count; ++j) {
      product += (uint64_t)x[i] * y[j] + z[j];
      reduction += (uint64_t)q * m[j] + (uint32_t)product;
      if (j > 0) z[j - 1] = (uint32_t)reduction;
      product >>= 32;
      reduction >>= 32;
    }
    const uint64_t sum = product + reduction + top;
    z[count - 1] = (uint32_t)sum;
    top = (uint32_t)(sum >> 32);
  }
  perle_fw_subtract(z, m, (0 - top) | ~perle_fw_below(z, m, count), count);
}

uint32_t perle_fw_bits(const uint32_t* x, size_t count) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 32 * count; ++i) {
    const uint32_t one = 0 - (x[i / 32] >> i % 32 & 1);
    bits = (bits & ~one) | ((i + 1) & one);
  }
  return bits;
}
