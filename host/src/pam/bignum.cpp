// SPDX-License-Identifier: Apache-2.0
#include "pam/bignum.hpp"

#include <algorithm>

namespace perle {
namespace {

// Words of A and B of the products with which the board is measured.
constexpr std::size_t kShort = 2, kFew = 1, kMany = 4;

}  // namespace

long board_parameter(System& system, const char* name) {
  const Backend& board = system.present(0);
  return board.ops().param == nullptr ? -1 : board.ops().param(board.ctx(), name);
}

std::unique_ptr<Rows> rows_of(System& system) {
  for (const auto make : {bus_rows, register_rows})
    if (auto rows = make(system)) return rows;
  throw Error(PERLE_ERR_FAMILY,
              "board 0 is no multiplier of long integers: bus_mul, or reg_mul of 32 registers");
}

Bignum::Bignum(System* system, const perle_timing& timing)
    : system_(system), timing_(system == nullptr ? timing : system->timing()) {
  check_argument(timing_.instruction_ps > 0, "a host without time for an instruction");
  if (system == nullptr) return;
  rows_ = rows_of(*system);
  short_ = line(std::min(kShort, rows_->block()));
  long_ = line(rows_->block());
  reset_cost();
}

// Measures two products in modelled time. The operands are all ones, so that the results also test the board.
Bignum::Line Bignum::line(std::size_t words) {
  const Digits a(words, ~0U);
  const auto took = [&](std::size_t n) {
    const std::uint64_t begun = system_->time().now_ps;
    Digits sum(words + n);
    rows_of_product(a, Digits(n, ~0U), sum);
    return static_cast<double>(system_->time().now_ps - begun) / static_cast<double>(timing_.instruction_ps);
  };
  const std::size_t few = kFew * rows_->block(), many = kMany * rows_->block();
  const double least = took(few), most = took(many);
  Line found;
  found.word = (most - least) / static_cast<double>(many - few);
  found.fixed = std::max(0.0, least - found.word * static_cast<double>(few));
  return found;
}

// Splits A into rows.
double Bignum::estimate_rows(std::size_t a, std::size_t b) const {
  const std::size_t block = rows_->block(), rest = a % block;
  const auto one = [&](const Line& of) { return of.fixed + of.word * static_cast<double>(b); };
  const double sum = static_cast<double>(a / block) * one(long_);
  if (rest == 0) return sum;
  if (block <= kShort || rest <= kShort) return sum + one(short_);
  const double part = static_cast<double>(rest - kShort) / static_cast<double>(block - kShort);
  return sum + (1 - part) * one(short_) + part * one(long_);
}

std::uint64_t Bignum::estimate(std::size_t a, std::size_t b) const {
  return static_cast<std::uint64_t>(std::min(estimate_rows(a, b), estimate_rows(b, a)));
}

std::uint64_t Bignum::cheaper(std::size_t a, std::size_t b) const {
  return std::min(estimate(a, b), software::product(a, b));
}

void Bignum::both(std::uint64_t instructions) {
  software(instructions);
  host(instructions);
}

void Bignum::host(std::uint64_t instructions) {
  if (system_ != nullptr)
    system_->compute(instructions);
  else
    instructions_ += instructions;
}

void Bignum::count_product(std::size_t word_products) {
  ++products_;
  word_products_ += word_products;
}

void Bignum::check(bool right) {
  if (!right) throw Error(PERLE_ERR_FAULT, "the board's result is wrong; it was not released");
}

void Bignum::rows_of_product(DigitView a, DigitView b, Digits& sum) {
  const std::size_t block = rows_->block();
  for (std::size_t at = 0; at < a.size(); at += block) {
    const DigitView part = a.subspan(at, std::min(block, a.size() - at));
    rows_->row({part, b, sum.data() + at, at == 0 ? 0 : b.size(), 0, part.size() + b.size()});
  }
  rows_->finish();
  count_product(a.size() * b.size());
  check(Residue(a) * Residue(b) == Residue(sum));
}

Digits Bignum::product(DigitView a, DigitView b) {
  a = trimmed(a);
  b = trimmed(b);
  if (a.empty() || b.empty()) return {};
  const std::uint64_t by_host = software::product(a.size(), b.size());
  if (rows_ == nullptr || by_host <= estimate(a.size(), b.size())) {
    host(by_host);
    host_word_products_ += a.size() * b.size();
    return bn_product(a, b);
  }
  Digits sum(a.size() + b.size());
  if (estimate_rows(b.size(), a.size()) < estimate_rows(a.size(), b.size())) std::swap(a, b);
  rows_of_product(a, b, sum);
  sum.resize(trimmed(sum).size());
  return sum;
}

Digits Bignum::square(DigitView a) {
  a = trimmed(a);
  const std::size_t n = a.size();
  const bool on_board = rows_ != nullptr && estimate(n, n) < software::square(n);
  if (!on_board) {
    host(software::square(n));
    host_word_products_ += n * (n + 1) / 2;
    return bn_product(a, a);
  }
  const std::size_t block = rows_->block();
  if (n <= block) return product(a, a);
  Digits twice = shifted_up(a, 1, n + 1);
  twice.resize(trimmed(twice).size());
  host(twice.size() * HostCost::kWordAdd);
  Digits sum(2 * n + 1);
  std::size_t counted = 0, there = 0;
  for (std::size_t at = 0; at < n; at += block) {
    const DigitView part = a.subspan(at, std::min(block, n - at));
    Digits above(part.begin(), part.end());
    above.insert(above.end(), twice.begin() + static_cast<std::ptrdiff_t>(at + part.size()), twice.end());
    // Remove the bit that the doubling shifted in from this block.
    if (above.size() > part.size()) above[part.size()] &= ~1U;
    if (at + part.size() == n) above.resize(part.size());
    const std::size_t first = 2 * at, size = part.size() + above.size();
    rows_->row({part, above, sum.data() + first, there - std::min(there, first), 0, size});
    there = std::max(there, first + size);
    counted += part.size() * above.size();
  }
  rows_->finish();
  count_product(counted);
  check(Residue(a) * Residue(a) == Residue(sum));
  sum.resize(trimmed(sum).size());
  return sum;
}

Digits Bignum::mul(DigitView a, DigitView b) {
  a = trimmed(a);
  b = trimmed(b);
  if (std::equal(a.begin(), a.end(), b.begin(), b.end())) {
    software(software::square(a.size()));
    return square(a);
  }
  software(software::product(a.size(), b.size()));
  return product(a, b);
}

perle_system_time Bignum::time() const {
  if (system_ != nullptr) return system_->time();
  perle_system_time alone{};
  alone.now_ps = alone.host_ps = instructions_ * timing_.instruction_ps;
  return alone;
}

perle_bignum_cost Bignum::cost() const {
  const perle_system_time at = time();
  return {at.now_ps - begun_.now_ps,
          at.bus_ps - begun_.bus_ps,
          at.waited_ps - begun_.waited_ps,
          at.host_ps - begun_.host_ps,
          software_ * timing_.instruction_ps,
          products_,
          word_products_,
          host_word_products_};
}

void Bignum::reset_cost() {
  begun_ = time();
  software_ = products_ = word_products_ = host_word_products_ = 0;
}

}  // namespace perle
