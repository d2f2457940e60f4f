// SPDX-License-Identifier: Apache-2.0
//
// Rows on a register multiplier. A has up to five registers and stays loaded; B is processed in tiles of
// five; the product uses fifteen in rotation: five of the previous tile are read while ten are computed. Each
// tile is five chains
//
//   Charge(a_i, p_(5t+i), -)  Mult(b_0, p_(5t+i+1), p_(5t+i)) … Mult(b_4, -, p_(5t+i+4))
//
// the last Mult of which adds nothing: then no chain overflows 257 bits, whatever the operands are
// (perle/pam/reg_mul). Therefore S is not loaded into the board: the host adds it to the words that it reads,
// HostCost::kWordAdd each, while the board multiplies. Moving the registers of B is likewise spread between
// the instructions of a tile. HostCost::kLoop per register moved and per chain.
#include <algorithm>

#include "pam/bignum_rows.hpp"
#include "pam/reg_mul_board.hpp"

namespace perle {
namespace {

constexpr int kNone = RegisterBoard::kNone;
constexpr std::size_t kTile = 5;
constexpr std::size_t kSets = 3;  // of product registers
constexpr int kA = 0, kB = kTile, kP = 3 * kTile;
constexpr long kRegisters = 32;

class RegisterRows : public Rows {
 public:
  RegisterRows(System& system, std::size_t words) : system_(system), words_(words), board_(0, words) {}

  std::size_t block() const override { return kTile * words_; }

  void row(const Row& row) override {
    const std::size_t n = std::min(row.b.size(), row.to);
    Pass pass(row, registers(row.a.size()), registers(n));
    for (std::size_t i = 0; i < row.from && i < row.s; ++i) pass.carry |= row.sum[i] != 0 ? 1 : 0;
    for (std::size_t i = 0; i < pass.a; ++i) write(kA + static_cast<int>(i), row.a, i);
    for (std::size_t j = 0; j < std::min(kTile, pass.b); ++j) write_b(pass, j);
    for (std::size_t first = 0; first < pass.b; first += kTile) tile(pass, first);
    instruct(board_.charge(kNone, kNone, pass.closes));
    while (pass.read < registers(std::min(row.to, row.a.size() + n))) read(pass);
    for (std::uint32_t* at = row.sum + row.to; row.carry && pass.carry != 0; ++at) {
      *at += pass.carry;
      pass.carry = *at == 0 ? 1 : 0;
      system_.compute(HostCost::kWordAdd);
    }
  }

  void finish() override {}

 private:
  // A row in progress. Registers of the product are numbered from its lowest word.
  struct Pass {
    Pass(const Row& of, std::size_t a_registers, std::size_t b_registers)
        : row(of), a(a_registers), b(b_registers) {}
    const Row& row;
    std::size_t a, b;
    std::size_t read = 0;  // number of registers of the product already in memory
    std::size_t live = 0;  // first register without a value yet
    int closes = kNone;    // register that ACC is stored in
    std::uint32_t carry = 0;
  };

  std::size_t registers(std::size_t words) const { return (words + words_ - 1) / words_; }
  static int product(std::size_t at) { return kP + static_cast<int>(at % (kSets * kTile)); }
  static int summand(const Pass& pass, std::size_t at) { return at < pass.live ? product(at) : kNone; }

  void tile(Pass& pass, std::size_t first) {
    const std::size_t in_tile = std::min(kTile, pass.b - first);
    // The highest register of the previous tile must be below the last Mult.
    const std::size_t mults = first == 0 ? in_tile : std::max(in_tile, pass.a);
    const std::size_t next = first + kTile, ahead = next < pass.b ? std::min(kTile, pass.b - next) : 0;
    const std::size_t final = first < pass.read ? 0 : first - pass.read;
    const std::size_t moves = ahead + final, chains = pass.a;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < chains; ++i) {
      system_.compute(HostCost::kLoop);
      instruct(board_.charge(kA + static_cast<int>(i), summand(pass, first + i), pass.closes));
      for (std::size_t j = 0; j < mults; ++j) {
        const std::size_t at = first + i + j;
        const int digit = j < in_tile ? kB + static_cast<int>((first + j) % (2 * kTile)) : kNone;
        instruct(board_.mult(digit, j + 1 < mults ? summand(pass, at + 1) : kNone, product(at)));
        const std::size_t due = moves * (i * mults + j + 1) / (chains * mults);
        for (; moved < due; ++moved) moved < final ? read(pass) : write_b(pass, next + moved - final);
      }
      pass.closes = product(first + i + mults);
      pass.live = std::max(pass.live, first + i + mults + 1);
    }
  }

  void instruct(std::uint32_t addr) { system_.write(0, addr, 0); }

  void write_b(const Pass& pass, std::size_t j) {
    write(kB + static_cast<int>(j % (2 * kTile)), pass.row.b, j);
  }

  void write(int n, DigitView number, std::size_t at) {
    system_.compute(HostCost::kLoop);
    for (std::size_t d = 0; d < words_; ++d) {
      const std::size_t i = at * words_ + d;
      system_.write(0, board_.address(n, d), i < number.size() ? number[i] : 0);
    }
  }

  // Reads the next register of the product to memory and adds S.
  void read(Pass& pass) {
    const Row& row = pass.row;
    const std::size_t begin = pass.read * words_, from = std::max(begin, row.from);
    const std::size_t to = std::min({begin + words_, row.to, row.a.size() + row.b.size()});
    if (from < to) system_.compute(HostCost::kLoop);
    for (std::size_t i = from; i < to; ++i) {
      const bool adds = i < row.s || pass.carry != 0;
      const std::uint64_t word = system_.read(0, board_.address(product(pass.read), i - begin));
      const std::uint64_t sum = word + (i < row.s ? row.sum[i] : 0) + pass.carry;
      if (adds) system_.compute(HostCost::kWordAdd);
      row.sum[i] = static_cast<std::uint32_t>(sum);
      pass.carry = static_cast<std::uint32_t>(sum >> kDigitBits);
    }
    ++pass.read;
  }

  System& system_;
  std::size_t words_;
  RegisterBoard board_;
};

}  // namespace

std::unique_ptr<Rows> register_rows(System& system) {
  const long width = board_parameter(system, "Width");
  if (board_parameter(system, "BitsPerCycle") <= 0 || board_parameter(system, "Registers") != kRegisters ||
      board_parameter(system, "WordBits") != kDigitBits || width < static_cast<long>(kDigitBits))
    return nullptr;
  return std::make_unique<RegisterRows>(system, static_cast<std::size_t>(width) / kDigitBits);
}

}  // namespace perle
