// SPDX-License-Identifier: Apache-2.0
#include "board/board.hpp"

#include <cstdio>

#include "board/regs.hpp"

namespace perle {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// Cycles of a command besides its products: range checks, the exponentiator's own steps.
constexpr std::uint64_t kFixedCycles = 8192;
// The timeout of a simulated board is this multiple of the longest regular time.
constexpr std::uint64_t kMargin = 2;

}  // namespace

void Counters::reset() {
  for (auto& count : count_) count.store(0, std::memory_order_relaxed);
}

perle_board_stats Counters::snapshot() const {
  const auto get = [this](Item item) { return count_[item].load(std::memory_order_relaxed); };
  return {get(kOperations), get(kCycles),      get(kWrites),   get(kReads),    get(kBytesWritten),
          get(kBytesRead),  get(kLoads),       get(kFaults),   get(kTimeouts), get(kResets),
          get(kRecoveries), get(kRetirements), get(kKeyErrors)};
}

Board::Board(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {
  try {
    identify();
  } catch (const Error& error) {
    // Another process may have left it in the middle of an access.
    if (error.status() != PERLE_ERR_BUS || !pulse_reset()) throw;
    suspect_ = false;
    identify();
  }
}

void Board::identify() {
  const std::uint32_t magic = regs::kMagicField.get(read(regs::kId));
  if (magic != regs::kMagic)
    throw Error(PERLE_ERR_BOARD_ID, "the ID register reads " + hex(magic) + ", not " + hex(regs::kMagic));
  const std::uint64_t shape = read(regs::kShape);
  if (regs::kVersion.get(shape) != regs::kMapVersion)
    throw Error(PERLE_ERR_BOARD_ID, "register map of version " + std::to_string(regs::kVersion.get(shape)) +
                                        ", this library knows " + std::to_string(regs::kMapVersion));
  const std::uint64_t widths = read(regs::kWidths);
  shape_.family_id = regs::kFamilyId.get(read(regs::kFamily));
  shape_.width = regs::kWidth.get(widths);
  shape_.operand_bits = regs::kOperandBits.get(widths);
  shape_.word_bits = regs::kWordBits.get(shape);
  shape_.window_bits = regs::kWindowBits.get(shape);
  shape_.const_count = regs::kConstCount.get(shape);
  shape_.lanes = regs::kLaneCount.get(read(regs::kLanes));
  config_hash_ = regs::kHash.get(read(regs::kConfigHash));
  family_ = &family_of(shape_.family_id);

  const bool sane = (shape_.word_bits == 32 || shape_.word_bits == 64) && shape_.width >= 2 &&
                    shape_.operand_bits >= shape_.width && shape_.window_bits >= 1 &&
                    shape_.window_bits <= 8 && shape_.lanes >= 1 &&
                    shape_.const_count == family_->const_count && shape_.const_count <= regs::kMaxConstants &&
                    shape_.line_words() * shape_.word_bits / 8 <= regs::kBankStride;
  if (!sane) throw Error(PERLE_ERR_BOARD_ID, "the board's shape registers make no sense");
  shape_.parameter = family_->read_parameter(shape_, [this](const char* name) {
    return backend_->ops().param == nullptr ? -1L : backend_->ops().param(backend_->ctx(), name);
  });
  const std::uint64_t status = read(regs::kStatus);
  if (status == regs::kDone.mask)
    zeroize_idle();  // what another process has left there
  else if (status != 0)
    distrust(PERLE_ERR_TIMEOUT, "it was found in the middle of something");
  write(regs::kControl, regs::kClearErrors.put(1));
}

std::uint64_t Board::read(std::uint32_t addr) {
  std::uint64_t data = 0;
  const int rc = backend_->ops().read(backend_->ctx(), addr, &data);
  count(Counters::kReads);
  if (rc != 0) fail(PERLE_ERR_BUS, "read of " + hex(addr) + (rc == 1 ? " refused" : " not answered"));
  count(Counters::kBytesRead, shape_.word_bits / 8);
  return data;
}

void Board::write(std::uint32_t addr, std::uint64_t data) {
  const int rc = backend_->ops().write(backend_->ctx(), addr, data);
  count(Counters::kWrites);
  if (rc != 0) fail(PERLE_ERR_BUS, "write of " + hex(addr) + (rc == 1 ? " refused" : " not answered"));
  count(Counters::kBytesWritten, shape_.word_bits / 8);
}

void Board::write_line(std::uint32_t window, const Words& words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    write(window + static_cast<std::uint32_t>(i * shape_.word_bits / 8), words[i]);
}

void Board::load(const Modulus& mod) {
  if (resident_ == mod.id()) return;
  resident_ = 0;
  write_line(regs::kR2, mod.r2(), shape_.line_words());
  for (std::size_t i = 0; i < mod.constants().size(); ++i)
    write_line(regs::kConstants + static_cast<std::uint32_t>(i) * regs::kBankStride, mod.constants()[i],
               shape_.line_words());
  resident_ = mod.id();
  count(Counters::kLoads);
}

Answer Board::product(const Modulus& mod, Op op, const Bn& x, const Bn& y, const Limits& limits) {
  need_works();
  load(mod);
  write_line(regs::kX, x.to_words(shape_.word_bits, shape_.line_words()), shape_.line_words());
  write_line(regs::kY, y.to_words(shape_.word_bits, shape_.line_words()), shape_.line_words());
  Answer answer = run(mod, regs::kOp.put(static_cast<std::uint64_t>(op)) | regs::kElen.put(1), 4, limits);
  if (!(answer.value < (op == Op::kMont ? mod.bound() : mod.m()))) {
    note_fault();
    throw Error(PERLE_ERR_FAULT, "the board's product is out of range");
  }
  return answer;
}

Answer Board::power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, perle_mode mode, bool secret,
                    const Limits& limits) {
  if (!secret) return power(mod, x, e, elen, mode, limits);
  need_works();  // nothing is loaded yet: nothing to zeroize
  try {
    Answer answer = power(mod, x, e, elen, mode, limits);
    clear_exponent();
    return answer;
  } catch (...) {
    try_zeroize();
    throw;
  }
}

void Board::clear_exponent() { write_line(regs::kE, Words(shape_.line_words()), shape_.line_words()); }

Board::Wanted Board::enter_power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen,
                                 perle_mode mode) {
  need_works();
  load(mod);
  const bool whole = mode == PERLE_MODE_PAPER;
  // The paper's mode scans every bit of the exponent register, the others `elen` bits.
  const std::size_t e_words = whole ? shape_.line_words() : (elen + shape_.word_bits - 1) / shape_.word_bits;
  write_line(regs::kX, x.to_words(shape_.word_bits, shape_.line_words()), shape_.line_words());
  write_line(regs::kE, e.to_words(shape_.word_bits, e_words), e_words);
  // Window: a squaring per bit, a product per window, and the table. Others: at most two products per bit.
  const std::uint64_t bits = whole ? shape_.operand_bits : elen;
  const std::uint64_t products = mode == PERLE_MODE_WINDOW ? bits + bits / shape_.window_bits +
                                                                 (std::uint64_t{1} << shape_.window_bits) + 8
                                                           : 2 * bits + 8;
  return {regs::kOp.put(static_cast<std::uint64_t>(Op::kExp)) |
              regs::kMode.put(static_cast<std::uint64_t>(mode)) | regs::kElen.put(elen),
          products};
}

Answer Board::power(const Modulus& mod, const Bn& x, const Bn& e, unsigned elen, perle_mode mode,
                    const Limits& limits) {
  const bool whole = mode == PERLE_MODE_PAPER;
  const Wanted wanted = enter_power(mod, x, e, elen, mode);
  Answer answer = run(mod, wanted.command, wanted.products, limits);
  if (!(answer.value < (whole ? mod.bound() : mod.m()))) {
    note_fault();
    throw Error(PERLE_ERR_FAULT, "the board's power is out of range");
  }
  if (whole) answer.value = Arithmetic().mod(answer.value, mod.m());
  return answer;
}

void Board::issue(std::uint64_t command) {
  write(regs::kCommand, command);
  write(regs::kControl, regs::kStart.put(1));
}

std::uint64_t Board::cycle_limit(const Modulus& mod, std::uint64_t products, const Limits& limits) const {
  if (limits.cycles != 0) return limits.cycles;
  // A product may have to wait for a product of every other lane.
  const std::uint64_t product_cycles = shape_.lanes * family_->product_cycles_limit(mod.shape());
  return kMargin * products * product_cycles + kFixedCycles;
}

Answer Board::run(const Modulus& mod, std::uint64_t command, std::uint64_t products, const Limits& limits) {
  issue(command);
  return collect(wait(cycle_limit(mod, products, limits), limits));
}

// Reads the result of an operation that has ended with that STATUS.
Answer Board::collect(std::uint64_t status) {
  check_flags(status);
  Answer answer;
  answer.cycles = regs::kCountLo.get(read(regs::kCyclesLo));
  answer.cycles |= std::uint64_t{regs::kCountHi.get(read(regs::kCyclesHi))} << 32;
  Words words(shape_.line_words());
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = read(regs::kResult + static_cast<std::uint32_t>(i * shape_.word_bits / 8));
  answer.value = Bn::from_words(words, shape_.word_bits);
  count(Counters::kOperations);
  count(Counters::kCycles, answer.cycles);
  return answer;
}

void Board::check_flags(std::uint64_t status) {
  std::string names;
  for (const regs::Flag& flag : regs::kFlags)
    if (flag.field.get(status) != 0) names += std::string(names.empty() ? "" : ", ") + flag.name;
  if (names.empty()) return;
  fail(PERLE_ERR_BOARD_FLAG, "the board flagged " + names + ", which the host's operands are not");
}

}  // namespace perle
