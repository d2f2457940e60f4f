// SPDX-License-Identifier: Apache-2.0
#include "pam/system_set.hpp"

#include "pam/bus_mul_board.hpp"
#include "pam/reg_mul_board.hpp"

namespace perle {
namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr std::size_t kWordBits = 32;

std::size_t param(System& system, std::size_t board, const char* name) {
  const Backend& on = system.present(board);
  const long found = on.ops().param == nullptr ? -1 : on.ops().param(on.ctx(), name);
  return found < 0 ? 0 : static_cast<std::size_t>(found);
}

// Clears A and the row of full adders; B has no memory.
void zeroize_bus_mul(System& system, std::size_t board) {
  const std::size_t words = param(system, board, "Words");
  BusBoard on(system, board);
  on.clear(words);
  on.multiply(Words(words), Words(1), {}, {0, 0}, false);
}

// Clears all registers, then A and ACC by a product of zeros.
void zeroize_reg_mul(System& system, std::size_t board) {
  const std::size_t words = param(system, board, "Width") / kWordBits;
  const auto registers = static_cast<int>(param(system, board, "Registers"));
  const RegisterBoard on(board, words);
  for (int n = 0; n < registers; ++n) on.load(system, n, Words(words));
  constexpr int kNone = RegisterBoard::kNone;
  system.write(board, RegisterBoard::charge(0, 0, kNone), 0);
  system.write(board, RegisterBoard::mult(0, kNone, kNone), 0);
}

// Clears B3 and B1. A read sets A to a constant, a write copies it to S, and the next reads load P from S.
void zeroize_mod_product(System& system, std::size_t board) {
  const std::size_t words = 2 * (param(system, board, "Width") / kWordBits + 2);
  system.read(board, 0);
  for (std::size_t i = 0; i < words; ++i) system.write(board, 0, 0);
  system.read(board, 0);
  system.read(board, 0);
}

void zeroize_board(System& system, std::size_t board, const std::string& family) {
  if (family == "bus_mul") zeroize_bus_mul(system, board);
  if (family == "reg_mul") zeroize_reg_mul(system, board);
  if (family == "mod_product") zeroize_mod_product(system, board);
}

// "mod_product:p" is a board of the family mod_product.
std::string family_of(const std::string& board) { return board.substr(0, board.find(':')); }

}  // namespace

SystemSet::SystemSet(System system, const Driver& driver)
    : system_(std::move(system)), driver_(driver), stats_(system_.count()), from_(system_.count()) {
  check_boards(system_, driver_);
}

SystemSet::~SystemSet() {
  try {
    zeroize_all();
  } catch (...) {
    // A board that does not answer cannot be zeroized, and a destructor cannot report it.
  }
}

PrivatePower SystemSet::form(const Key& key, const Bn& base, bool blind_exponent) {
  if (blind_exponent)
    throw Error(PERLE_ERR_UNSUPPORTED, "the exponents of a system's driver cannot be blinded");
  const std::scoped_lock lock(mutex_);
  PrivatePower out;
  out.value = run(key, base);
  out.cost.time_ps = system_.time().now_ps;
  for (perle_board_stats& each : stats_) ++each.operations;
  out.blame = [this](bool key_in_order) {
    const std::scoped_lock again(mutex_);
    if (key_in_order) return failed();
    for (perle_board_stats& each : stats_) ++each.key_errors;
  };
  return out;
}

Bn SystemSet::run(const Key& key, const Bn& base) {
  try {
    Bn value = std::move(run_driver(system_, driver_, key, {&base, 1}).front());
    return value.secret();
  } catch (const Error& error) {
    if (error.status() != PERLE_ERR_KEY_PUBLIC && error.status() != PERLE_ERR_WIDTH) failed();
    throw;
  }
}

// All boards contribute to a result: it is not known which of them was wrong.
void SystemSet::failed() noexcept {
  for (perle_board_stats& each : stats_) ++each.faults;
  try {
    for (std::size_t i = 0; i < stats_.size(); ++i) stats_[i].resets += system_.reset(i) ? 1 : 0;
    zeroize_all();
  } catch (...) {
    // A board that does not answer: the next run will fail.
  }
}

void SystemSet::zeroize() {
  const std::scoped_lock lock(mutex_);
  zeroize_all();
}

void SystemSet::zeroize_all() {
  const std::vector<std::string> boards = boards_of(driver_);
  FirstError failed;
  for (std::size_t i = 0; i < boards.size(); ++i)
    failed.keep([&] { zeroize_board(system_, i, family_of(boards[i])); });
  failed.raise();
}

perle_board_info SystemSet::info() const {
  perle_board_info out{};
  family_of(boards_of(driver_).front()).copy(out.family, sizeof out.family - 1);
  out.word_bits = kWordBits;
  out.count = static_cast<std::uint32_t>(stats_.size());
  out.simulated = 1;
  return out;
}

perle_board_stats SystemSet::stats(std::size_t board) {
  const std::scoped_lock lock(mutex_);
  check_argument(board < stats_.size(), "no board of that index");
  perle_board_stats out = stats_[board];
  out.bus_reads = system_.reads(board) - from_[board].reads;
  out.bus_writes = system_.writes(board) - from_[board].writes;
  out.bytes_read = kWordBytes * out.bus_reads;
  out.bytes_written = kWordBytes * out.bus_writes;
  return out;
}

void SystemSet::reset_stats() {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < stats_.size(); ++i) {
    stats_[i] = {};
    from_[i] = {system_.reads(i), system_.writes(i)};
  }
}

}  // namespace perle
