// SPDX-License-Identifier: Apache-2.0
#include "pam/bignum_divisor.hpp"

#include <algorithm>
#include <bit>

namespace perle {
namespace {

constexpr std::size_t kByHost = 2;    // up to here the host computes the reciprocal itself
constexpr int kMostCorrections = 16;  // more corrections indicate a faulty board
constexpr std::uint32_t kNeglected = 4;

Digits power_of_word(std::size_t exponent) {
  Digits power(exponent + 1);
  power[exponent] = 1;
  return power;
}

DigitView without_low(DigitView a, std::size_t words) { return a.subspan(std::min(words, a.size())); }

}  // namespace

Divisor::Plan Divisor::plan(std::size_t block, std::size_t quotient) {
  const std::size_t most = std::max<std::size_t>(1, block - 1);
  const std::size_t digits = std::max<std::size_t>(1, (quotient + most - 1) / most);
  return {digits, std::max<std::size_t>(1, (quotient + digits - 1) / digits)};
}

Divisor::Divisor(Bignum& on, DigitView b, std::size_t dividend)
    : on_(on),
      b_(digits_of(b)),
      shift_(static_cast<unsigned>(std::countl_zero(b_.back()))),
      plan_(plan(on.rows()->block(), dividend >= b_.size() ? dividend - b_.size() + 1 : 1)),
      d_(shifted_up(b_, shift_, b_.size())) {
  const std::size_t n = d_.size(), h = plan_.words + 1;
  complement_ = power_of_word(n + 1);
  sub_from(complement_, d_);
  complement_.resize(n + 1);
  Digits top(h);
  std::copy_n(d_.rbegin(), std::min(h, n), top.rbegin());
  reciprocal_ = reciprocal(top);
  if (n > h) sub_from(reciprocal_, Digits{kNeglected});
  on_.host((2 * n + h) * HostCost::kWordAdd);
}

// ⌊β^2h/d⌋ for d of h words whose highest bit is one: at most 2·β^h.
Digits Divisor::reciprocal(DigitView d) {
  const std::size_t h = d.size();
  const Digits radix = power_of_word(2 * h);
  if (h <= kByHost) {
    on_.host(software::division(radix.size(), h));
    Digits out = bn_divide(radix, d).quotient;
    out.resize(h + 1);
    return out;
  }
  const std::size_t m = h / 2 + 1;
  const Digits x = reciprocal(without_low(d, h - m));
  Digits out(h - m);
  out.insert(out.end(), x.begin(), x.end());
  out.resize(h + 2);
  // x·β^(h−m)·(1 + e/β^(h+m)), where e = β^(h+m) − d·x, of either sign.
  Digits near = on_.product(d, x), e = power_of_word(h + m);
  const bool more = below(near, e);
  near.resize(std::max(near.size(), e.size()));
  e.resize(near.size());
  sub_from(more ? e : near, more ? near : e);
  const Digits scaled = on_.product(x, without_low(more ? e : near, m - 1));
  const DigitView change = without_low(scaled, m + 1);
  more ? add_to(out, change) : sub_from(out, change);
  // correct it to the exact value
  Digits product = on_.product(d, out), rest = radix;
  product.resize(2 * h + 2);
  rest.resize(2 * h + 2);
  const Digits one = {1};
  int corrections = 0;
  for (; below(rest, product); sub_from(product, d), sub_from(out, one))
    Bignum::check(++corrections < kMostCorrections);
  sub_from(rest, product);
  for (; !below(rest, d); sub_from(rest, d), add_to(out, one))
    Bignum::check(++corrections < kMostCorrections);
  on_.host((6 + static_cast<std::uint64_t>(corrections)) * h * HostCost::kWordAdd);
  out.resize(h + 1);
  return out;
}

Digits Divisor::digit(DigitView top) {
  const Digits scaled = on_.product(top, reciprocal_);
  Digits q = digits_of(without_low(scaled, plan_.words + 2));
  Bignum::check(q.size() <= plan_.words);
  q.resize(plan_.words);
  return q;
}

// u ← u − q·d in the lowest words of u; q is incremented if it was too small by one.
void Divisor::subtract(Digits& q, std::span<std::uint32_t> u) {
  const std::size_t n = d_.size();
  const DigitView some = trimmed(q);
  if (!some.empty()) {
    on_.rows()->row({some, complement_, u.data(), n + 1, 0, n + 1});
    on_.rows()->finish();
    on_.count_product(some.size() * n);
  }
  on_.host(2 * HostCost::kWordAdd);
  const auto rest = u.first(n + 1);
  for (int corrections = 0; !below(rest, d_); ++corrections) {
    Bignum::check(corrections < kMostCorrections);
    sub_from(rest, d_);
    add_to(q, Digits{1});
    on_.host(n * HostCost::kWordAdd);
  }
}

Division Divisor::divide(DigitView a) {
  const std::size_t n = d_.size(), k = plan_.words;
  Digits u = shifted_up(a, shift_, n + plan_.digits * k + 1);
  Digits quotient(plan_.digits * k);
  on_.host((a.size() + n) * HostCost::kWordAdd);
  for (std::size_t i = plan_.digits * k; i > 0;) {
    i -= k;
    const std::span<std::uint32_t> part = std::span(u).subspan(i, n + k + 1);
    Digits q = digit(part.subspan(n - 1, k + 1));
    subtract(q, part);
    std::copy(q.begin(), q.end(), quotient.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Digits remainder = shifted_down(DigitView(u).first(n), shift_);
  Bignum::check(below(remainder, b_) && Residue(a) == Residue(quotient) * Residue(b_) + Residue(remainder));
  quotient.resize(trimmed(quotient).size());
  return {std::move(quotient), std::move(remainder)};
}

std::uint64_t Divisor::estimate(const Bignum& on, std::size_t a, std::size_t b) {
  const auto [digits, k] = plan(on.block(), a - b + 1);
  const std::uint64_t halves = on.cheaper(k + 1, k + 1);
  return digits * (on.estimate(k, b + 1) + on.cheaper(k + 1, k + 2)) + 3 * halves + software::division(5, 2) +
         (a + 4 * b) * HostCost::kWordAdd;
}

}  // namespace perle
