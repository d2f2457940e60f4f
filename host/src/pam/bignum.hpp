// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on long integers, with a board that multiplies or by software alone; results are the same, and
// both times are accounted.
//
//   mul      rows of the schoolbook product (bignum_rows.hpp); in a square, products of different blocks are
//            computed once and doubled: A_i·(A_i + 2·(all blocks above A_i))
//   divide   digits of the quotient of nearly a row's length, each a product of the remainder's top by a
//            reciprocal, and a row that subtracts digit·divisor (bignum_divisor.hpp)
//   powmod   odd m: Montgomery reduction in digits of a row's length (bignum_power.hpp); even m: divisions
//
// The host computes a product itself if that takes less modelled time; the board's time for products is
// measured when a Bignum is opened. Every result of a board is checked modulo 2^61 − 1: a·b = p; a = q·b + r
// and r < b; t + q·m = r·β. The check is not part of the modelled program and takes no modelled time.
#pragma once

#include "pam/bignum_cost.hpp"
#include "pam/bignum_rows.hpp"

namespace perle {

class Bignum {
 public:
  // Without a system the host computes everything. Throws PERLE_ERR_FAMILY.
  Bignum(System* system, const perle_timing& timing);

  Digits mul(DigitView a, DigitView b);
  Division divide(DigitView a, DigitView b);
  Digits mulmod(DigitView a, DigitView b, DigitView m);
  Digits powmod(DigitView x, DigitView e, DigitView m);
  // Other work of the host, in words added, moved or shifted; it is the same without a board.
  void words(std::uint64_t count) { both(count * HostCost::kWordAdd); }

  perle_bignum_cost cost() const;
  void reset_cost();

  // Accounting, in instructions: `both` is work of the host with and without a board, `host` only with a
  // board, `software` only without one.
  void both(std::uint64_t instructions);
  void host(std::uint64_t instructions);
  void software(std::uint64_t instructions) { software_ += instructions; }
  // Products by the board or the host; the caller accounts for `software`.
  Digits product(DigitView a, DigitView b);
  Digits square(DigitView a);
  // Estimated time of a product on the board, in instructions of the host; and of the cheaper way.
  std::uint64_t estimate(std::size_t a, std::size_t b) const;
  std::uint64_t cheaper(std::size_t a, std::size_t b) const;
  // Null if there is no board.
  Rows* rows() { return rows_.get(); }
  // To be called after any error: the buffers of pending rows no longer exist.
  void abandon() noexcept {
    if (rows_ != nullptr) rows_->abandon();
  }
  std::size_t block() const { return rows_->block(); }
  void count_product(std::size_t word_products);
  Division quotient(DigitView a, DigitView b);
  void count_host(std::size_t word_products) { host_word_products_ += word_products; }
  static void check(bool right);

 private:
  // Time on the board for A of a given number of words, in instructions: fixed, and per word of B.
  struct Line {
    double fixed = 0, word = 0;
  };
  Line line(std::size_t words);
  double estimate_rows(std::size_t a, std::size_t b) const;
  perle_system_time time() const;
  void rows_of_product(DigitView a, DigitView b, Digits& sum);
  Digits odd_power(DigitView x, DigitView e, DigitView m);
  Digits even_power(DigitView x, DigitView e, DigitView m);

  System* system_;
  perle_timing timing_;
  std::unique_ptr<Rows> rows_;
  Line short_, long_;
  std::uint64_t instructions_ = 0;  // without a system
  std::uint64_t software_ = 0;
  perle_system_time begun_{};
  std::uint64_t products_ = 0, word_products_ = 0, host_word_products_ = 0;
};

}  // namespace perle
