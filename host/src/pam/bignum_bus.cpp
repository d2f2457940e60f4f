// SPDX-License-Identifier: Apache-2.0
//
// Rows on a bus multiplier, each overlapped with the next as in figure 2 of shand1990: while A of a row is
// written, the upper words of the previous row are read. A row of 16 × n words takes 2·16 + 3·n accesses, and
// 16 more for its upper words.
//
//   rows of accesses   WriteA   WriteB   WriteS      ReadP
//   16                 A_i               S_i         the upper words of the row before
//   n                           B_j      S_(16+j)    … P_0, P_1, …, as far as they are wanted
//
// A word that leaves the multiplier in step k is read in step k + 1. A row that needs it earlier is preceded
// by idle steps with S = 0, with the first word of its A already in the buffer. They also separate a carry
// from the next S. The code is straight-line for 16 steps, in a loop: HostCost::kLoop per 16 steps.
#include <algorithm>
#include <deque>

#include "pam/bignum_rows.hpp"
#include "pam/bus_mul_board.hpp"

namespace perle {
namespace {

constexpr std::size_t kUnrolled = 16;

class BusRows : public Rows {
 public:
  BusRows(System& system, BusShape shape) : system_(system), shape_(shape), board_(system, 0) {
    board_.clear(shape.words);
  }

  std::size_t block() const override { return shape_.words; }

  void row(const Row& row) override {
    if (abandoned_) board_.clear(shape_.words);
    abandoned_ = false;
    if (waits_for_first(row)) finish();
    const std::size_t words = shape_.length(row.a.size()), n = std::min(row.b.size(), row.to);
    const std::size_t idle = std::max(delay(row, words), leaving_.size() - std::min(leaving_.size(), words));
    const auto s_at = [&](std::size_t i) { return i < row.s ? row.sum[i] : 0; };
    system_.compute(HostCost::kLoop * (1 + (words + n + kUnrolled - 1) / kUnrolled));
    for (std::size_t i = 0; i < words; ++i) {
      board_.write_a(i < row.a.size() ? row.a[i] : 0);
      for (std::size_t k = 0; i == 0 && k < idle; ++k) step(0, next());
      step(s_at(i), next());
    }
    for (std::size_t j = 0; j < n; ++j) {
      board_.write_b(row.b[j]);
      step(s_at(words + j), destination(row, j));
    }
    const std::size_t end = n + words + (row.carry && row.a.size() == words ? 1 : 0);
    for (std::size_t i = n; i < end; ++i) leaving_.push_back(destination(row, i));
    while (!leaving_.empty() && leaving_.back().to == nullptr) leaving_.pop_back();
  }

  void finish() override {
    if (leaving_.empty() && ready_.to == nullptr) return;
    board_.write_b(0);
    while (!leaving_.empty() || ready_.to != nullptr) step(0, next());
  }

  void abandon() noexcept override {
    leaving_.clear();
    ready_ = {};
    abandoned_ = true;
  }

 private:
  // Destination of a word of P that is not in memory yet.
  struct Destination {
    std::uint32_t* to = nullptr;  // null: dropped
    bool carry = false;           // added to *to instead of stored
  };

  static Destination destination(const Row& row, std::size_t i) {
    if (row.carry && i == row.a.size() + row.b.size()) return {row.sum + i, true};
    return {i >= row.from && i < row.to && i < row.a.size() + row.b.size() ? row.sum + i : nullptr, false};
  }

  Destination next() {
    if (leaving_.empty()) return {};
    const Destination first = leaving_.front();
    leaving_.pop_front();
    return first;
  }

  // `leaves` is the destination of the word that leaves in this step; the previous word can be read after it.
  void step(std::uint32_t s, Destination leaves) {
    board_.write_s(s);
    if (ready_.to != nullptr) take(ready_, board_.read_p());
    ready_ = leaves;
  }

  void take(Destination where, std::uint32_t word) {
    if (!where.carry) {
      *where.to = word;
      return;
    }
    system_.compute(HostCost::kWordAdd);
    for (std::uint32_t* at = where.to; word != 0; ++at) {
      *at += word;
      word = *at < word ? 1 : 0;
    }
  }

  bool waits_for_first(const Row& row) const {
    const auto is = [&](const Destination& each) { return each.to == row.a.data(); };
    return is(ready_) || std::any_of(leaving_.begin(), leaving_.end(), is);
  }

  // Idle steps, so that no word is needed before it has been read.
  std::size_t delay(const Row& row, std::size_t words) const {
    std::size_t idle = 0;
    const auto need = [&](const std::uint32_t* word, std::size_t known_at) {
      const auto used_at = [&](const std::uint32_t* begin, std::size_t size, std::size_t first) {
        const auto at = reinterpret_cast<std::uintptr_t>(word),
                   from = reinterpret_cast<std::uintptr_t>(begin);
        if (word == nullptr || at < from || at - from >= size * sizeof *word) return;
        const std::size_t step = first + (at - from) / sizeof *word;
        if (known_at > step) idle = std::max(idle, known_at - step);
      };
      used_at(row.a.data(), row.a.size(), 0);
      used_at(row.sum, row.s, 0);
      used_at(row.b.data(), row.b.size(), words);
    };
    need(ready_.to, 1);
    for (std::size_t i = 0; i < leaving_.size(); ++i) need(leaving_[i].to, i + 2);
    return idle;
  }

  System& system_;
  BusShape shape_;
  BusBoard board_;
  Destination ready_;                // of the word that the next ReadP returns
  std::deque<Destination> leaving_;  // of the words still in the row of full adders
  bool abandoned_ = false;           // the words in the board belong to no row
};

}  // namespace

std::unique_ptr<Rows> bus_rows(System& system) {
  const long words = board_parameter(system, "Words"), variable = board_parameter(system, "Variable");
  if (words <= 0 || variable < 0 || board_parameter(system, "WordBits") != kDigitBits) return nullptr;
  return std::make_unique<BusRows>(system, BusShape{static_cast<std::size_t>(words), variable != 0});
}

}  // namespace perle
