// SPDX-License-Identifier: Apache-2.0
#include "pam/bignum_digits.hpp"

#include <algorithm>
#include <bit>

namespace perle {
namespace {

constexpr unsigned kBits = 32;
constexpr unsigned kPrimeBits = 61;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << kPrimeBits) - 1;

Bn bn_of(DigitView a) {
  Bytes raw(4 * a.size());
  for (std::size_t i = 0; i < raw.size(); ++i)
    raw[raw.size() - 1 - i] = static_cast<std::uint8_t>(a[i / 4] >> (8 * (i % 4)));
  return Bn(ByteView(raw));
}

Digits from_bn(const Bn& a) { return digits_of(ByteView(a.to_bytes(a.bytes()))); }

std::uint64_t reduced(unsigned __int128 x) {
  // twice: the first sum may exceed 61 bits
  for (int i = 0; i < 2; ++i) x = (x & kPrime) + (x >> kPrimeBits);
  const auto low = static_cast<std::uint64_t>(x);
  return low >= kPrime ? low - kPrime : low;
}

}  // namespace

DigitView trimmed(DigitView a) {
  std::size_t size = a.size();
  while (size > 0 && a[size - 1] == 0) --size;
  return a.first(size);
}

Digits digits_of(DigitView a) {
  const DigitView some = trimmed(a);
  return Digits(some.begin(), some.end());
}

Digits digits_of(ByteView big_endian) {
  Digits out((big_endian.size() + 3) / 4);
  for (std::size_t i = 0; i < big_endian.size(); ++i)
    out[i / 4] |= static_cast<std::uint32_t>(big_endian[big_endian.size() - 1 - i]) << (8 * (i % 4));
  out.resize(trimmed(out).size());
  return out;
}

Bytes bytes_of(DigitView a, std::size_t size) {
  Bytes out(size);
  for (std::size_t i = 0; i < size && i / 4 < a.size(); ++i)
    out[size - 1 - i] = static_cast<std::uint8_t>(a[i / 4] >> (8 * (i % 4)));
  return out;
}

bool below(DigitView a, DigitView b) {
  const DigitView x = trimmed(a), y = trimmed(b);
  if (x.size() != y.size()) return x.size() < y.size();
  return std::lexicographical_compare(x.rbegin(), x.rend(), y.rbegin(), y.rend());
}

std::size_t bits_of(DigitView a) {
  const DigitView x = trimmed(a);
  return x.empty() ? 0 : kBits * x.size() - static_cast<std::size_t>(std::countl_zero(x.back()));
}

Digits shifted_up(DigitView a, unsigned bits, std::size_t words) {
  Digits out(words);
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t low = i > 0 && i - 1 < a.size() ? a[i - 1] : 0, high = i < a.size() ? a[i] : 0;
    out[i] = static_cast<std::uint32_t>(((high << kBits | low) << bits) >> kBits);
  }
  return out;
}

Digits shifted_down(DigitView a, unsigned bits) {
  Digits out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t low = a[i], high = i + 1 < a.size() ? a[i + 1] : 0;
    out[i] = static_cast<std::uint32_t>((high << kBits | low) >> bits);
  }
  out.resize(trimmed(out).size());
  return out;
}

std::uint32_t add_to(std::span<std::uint32_t> a, DigitView b) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || carry != 0); ++i) {
    carry += static_cast<std::uint64_t>(a[i]) + (i < b.size() ? b[i] : 0);
    a[i] = static_cast<std::uint32_t>(carry);
    carry >>= kBits;
  }
  return static_cast<std::uint32_t>(carry);
}

std::uint32_t sub_from(std::span<std::uint32_t> a, DigitView b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || borrow != 0); ++i) {
    const std::uint64_t all = static_cast<std::uint64_t>(a[i]) - (i < b.size() ? b[i] : 0) - borrow;
    a[i] = static_cast<std::uint32_t>(all);
    borrow = all >> (2 * kBits - 1);
  }
  return static_cast<std::uint32_t>(borrow);
}

Digits bn_product(DigitView a, DigitView b) { return from_bn(Arithmetic().mul(bn_of(a), bn_of(b))); }

Division bn_divide(DigitView a, DigitView b) {
  const Arithmetic math;
  const Bn quotient, remainder;
  check_crypto(BN_div(quotient.get(), remainder.get(), bn_of(a).get(), bn_of(b).get(), math.ctx()) == 1,
               "division");
  return {from_bn(quotient), from_bn(remainder)};
}

Digits bn_power(DigitView x, DigitView e, DigitView m) {
  const Arithmetic math;
  const Bn out;
  check_crypto(BN_mod_exp(out.get(), bn_of(x).get(), bn_of(e).get(), bn_of(m).get(), math.ctx()) == 1,
               "power");
  return from_bn(out);
}

Residue::Residue(DigitView a) : value_(0) {
  for (std::size_t i = a.size(); i-- > 0;)
    value_ = reduced(static_cast<unsigned __int128>(value_) << kBits | a[i]);
}

Residue Residue::power_of_two(std::size_t exponent) {
  return Residue(std::uint64_t{1} << exponent % kPrimeBits);
}

Residue operator*(Residue x, Residue y) {
  return Residue(reduced(static_cast<unsigned __int128>(x.value_) * y.value_));
}

Residue operator+(Residue x, Residue y) {
  return Residue(reduced(static_cast<unsigned __int128>(x.value_) + y.value_));
}

}  // namespace perle
