// SPDX-License-Identifier: Apache-2.0
#include "pam/bignum_power.hpp"

#include <algorithm>

#include "pam/bignum_divisor.hpp"

namespace perle {
namespace {

constexpr std::size_t kBits = 32;
constexpr std::size_t kBinaryBits = 128;  // up to this length exponents are processed bit by bit
constexpr unsigned kWindow = 4;

// −1/m mod β^words by Newton's iteration, from one word on.
Digits minus_inverse(Bignum& on, DigitView m, std::size_t words) {
  std::uint32_t word = m[0];  // correct in three bits
  constexpr int kSteps = 4;
  for (int i = 0; i < kSteps; ++i) word *= 2 - m[0] * word;
  on.host(2 * kSteps * HostCost::kWordMultiply);
  Digits x = {word};
  while (x.size() < words) {
    const std::size_t size = std::min(2 * x.size(), words);
    // x·(2 − m·x) = x − x·(m·x − 1)
    Digits error = on.product(m.first(std::min(size, m.size())), x);
    error.resize(size);
    sub_from(error, Digits{1});
    Digits change = on.product(x, error);
    change.resize(size);
    x.resize(size);
    sub_from(x, change);
    on.host(size * HostCost::kWordAdd);
  }
  Digits minus(words);
  sub_from(minus, x);
  on.host(words * HostCost::kWordAdd);
  return minus;
}

}  // namespace

PowerPlan::PowerPlan(DigitView e) : window(1), table(1), squarings(0), products(0) {
  const std::size_t bits = bits_of(e);
  if (bits > kBinaryBits) window = kWindow;
  for (std::size_t at = (bits + window - 1) / window; at-- > 0;) {
    unsigned digit = 0;
    for (unsigned bit = window; bit-- > 0;) {
      const std::size_t i = at * window + bit;
      digit = 2 * digit + (i / kBits < e.size() ? e[i / kBits] >> i % kBits & 1U : 0);
    }
    digits.push_back(digit);
    table = std::max(table, digit);
  }
  for (std::size_t i = 1; i < digits.size(); ++i) products += digits[i] != 0 ? 1 : 0;
  squarings = window * (digits.size() - 1);
  products += table - 1;
}

Montgomery::Montgomery(Bignum& on, DigitView m)
    : on_(on), n_((bits_of(m) + 2 + kBits - 1) / kBits), m_(digits_of(m)) {
  m_.resize(n_);
  minus_inverse_ = minus_inverse(on, m_, std::min(n_, on.block()));
}

Digits Montgomery::enter(DigitView x) {
  Digits high(n_);
  high.insert(high.end(), x.begin(), x.end());
  return on_.quotient(high, m_).remainder;
}

Digits Montgomery::leave(Digits x) {
  Digits out = reduce(std::move(x));
  on_.host(2 * n_ * HostCost::kWordAdd);
  if (!below(out, m_)) sub_from(out, m_);
  return digits_of(DigitView(out));
}

Digits Montgomery::reduce(Digits t) {
  const Residue before{t};
  t.resize(2 * n_ + 1);
  Digits q(n_);
  Rows& rows = *on_.rows();
  std::size_t counted = 0;
  for (std::size_t at = 0; at < n_;) {
    const std::size_t words = std::min(rows.block(), n_ - at);
    const DigitView inverse = DigitView(minus_inverse_).first(words), low = DigitView(t).subspan(at, words);
    const DigitView digit = DigitView(q).subspan(at, words);
    rows.row({inverse, low, q.data() + at, 0, 0, words});
    const bool last = at + words == n_;
    rows.row({digit, m_, t.data() + at, words + n_, words, words + n_, !last});
    counted += words * (words + 1) / 2 + words * n_;
    at += words;
  }
  rows.finish();
  on_.count_product(counted);
  Digits out(t.begin() + static_cast<std::ptrdiff_t>(n_), t.begin() + static_cast<std::ptrdiff_t>(2 * n_));
  Bignum::check(before + Residue(q) * Residue(m_) == Residue(out) * Residue::power_of_two(kBits * n_));
  return out;
}

std::uint64_t Montgomery::estimate(const Bignum& on, std::size_t words) {
  const std::size_t block = std::min(words, on.block()), rows = (words + on.block() - 1) / on.block();
  return on.estimate(words, words) + rows * on.estimate(block, block);
}

Digits Bignum::odd_power(DigitView x, DigitView e, DigitView m) {
  const PowerPlan plan(e);
  const std::size_t n = m.size();
  const std::uint64_t by_host = plan.squarings * (software::square(n) + software::reduction(n)) +
                                plan.products * (software::product(n, n) + software::reduction(n)) +
                                software::division(2 * n, n) + software::reduction(n);
  software(by_host);
  const bool pays = rows_ != nullptr && Montgomery::estimate(*this, n) < software::reduction(n);
  if (!pays) {
    host(by_host);
    count_host(plan.squarings * n * (n + 1) / 2 + plan.products * n * n +
               (plan.squarings + plan.products + 2) * n * (n + 1));
    return bn_power(x, e, m);
  }
  Montgomery domain(*this, m);
  const Digits entered = domain.enter(x);
  return domain.leave(power(
      plan, entered, [&](const Digits& a) { return domain.square(a); },
      [&](const Digits& a, const Digits& b) { return domain.multiply(a, b); }));
}

Digits Bignum::even_power(DigitView x, DigitView e, DigitView m) {
  const PowerPlan plan(e);
  const std::size_t n = m.size();
  const bool pays =
      rows_ != nullptr && n > 1 && Divisor::estimate(*this, 2 * n, n) < software::division(2 * n, n);
  std::unique_ptr<Divisor> divisor = pays ? std::make_unique<Divisor>(*this, m, 2 * n) : nullptr;
  const auto reduced = [&](const Digits& t) {
    software(software::division(t.size(), n));
    return divisor != nullptr ? divisor->divide(t).remainder : quotient(t, m).remainder;
  };
  return power(
      plan, digits_of(x),
      [&](const Digits& a) {
        software(software::square(a.size()));
        return reduced(square(a));
      },
      [&](const Digits& a, const Digits& b) {
        software(software::product(a.size(), b.size()));
        return reduced(product(a, b));
      });
}

Digits Bignum::powmod(DigitView x, DigitView e, DigitView m) {
  m = trimmed(m);
  e = trimmed(e);
  if (m.empty()) throw Error(PERLE_ERR_MODULUS_ZERO, "a power modulo zero");
  if (m.size() == 1 && m[0] == 1) return {};
  if (e.empty()) return {1};
  Digits base = digits_of(x);
  if (!below(base, m)) base = divide(base, m).remainder;
  return (m[0] & 1U) != 0 ? odd_power(base, e, m) : even_power(base, e, m);
}

Division Bignum::quotient(DigitView a, DigitView b) {
  a = trimmed(a);
  b = trimmed(b);
  const std::uint64_t by_host = software::division(a.size(), b.size());
  const bool on_board = rows_ != nullptr && b.size() > 1 && a.size() >= b.size() &&
                        Divisor::estimate(*this, a.size(), b.size()) < by_host;
  if (on_board) return Divisor(*this, b, a.size()).divide(a);
  host(by_host);
  if (a.size() >= b.size()) count_host((a.size() - b.size() + 1) * b.size());
  return bn_divide(a, b);
}

Division Bignum::divide(DigitView a, DigitView b) {
  a = trimmed(a);
  b = trimmed(b);
  if (b.empty()) throw Error(PERLE_ERR_MODULUS_ZERO, "a division by zero");
  software(software::division(a.size(), b.size()));
  return quotient(a, b);
}

Digits Bignum::mulmod(DigitView a, DigitView b, DigitView m) {
  if (trimmed(m).empty()) throw Error(PERLE_ERR_MODULUS_ZERO, "a product modulo zero");
  return divide(mul(a, b), m).remainder;
}

}  // namespace perle
