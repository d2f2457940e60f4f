// SPDX-License-Identifier: Apache-2.0
//
// Addresses and fields of the board's registers: names for the values of the header generated from board.rdl.
// The assertions refuse a register map that this driver does not support.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perle_board_regs.h"

namespace perle::regs {

using Map = ::perle_regs_t;

constexpr std::uint32_t kMagic = PERLE_REGS__ID__MAGIC_reset;
constexpr std::uint32_t kMapVersion = PERLE_REGS__SHAPE__MAP_VERSION_reset;
static_assert(kMapVersion == 1, "a register map of another version: revise the driver");

constexpr std::uint32_t kId = offsetof(Map, id);
constexpr std::uint32_t kFamily = offsetof(Map, family);
constexpr std::uint32_t kConfigHash = offsetof(Map, config_hash);
constexpr std::uint32_t kWidths = offsetof(Map, widths);
constexpr std::uint32_t kShape = offsetof(Map, shape);
constexpr std::uint32_t kCommand = offsetof(Map, command);
constexpr std::uint32_t kControl = offsetof(Map, control);
constexpr std::uint32_t kStatus = offsetof(Map, status);
constexpr std::uint32_t kCyclesLo = offsetof(Map, cycles_lo);
constexpr std::uint32_t kCyclesHi = offsetof(Map, cycles_hi);
constexpr std::uint32_t kLanes = offsetof(Map, lanes);
constexpr std::uint32_t kX = offsetof(Map, x);
constexpr std::uint32_t kY = offsetof(Map, y);
constexpr std::uint32_t kR2 = offsetof(Map, r2);
constexpr std::uint32_t kE = offsetof(Map, e);
constexpr std::uint32_t kConstants = offsetof(Map, constant);
constexpr std::uint32_t kBankStride = offsetof(Map, constant[1]) - offsetof(Map, constant[0]);
constexpr std::uint32_t kResult = offsetof(Map, result);
constexpr std::uint32_t kMaxConstants = (kResult - kConstants) / kBankStride;
static_assert(kFamily - kId == 8 && kY - kX == kBankStride, "registers on every eighth byte, equal banks");

struct Field {
  std::uint64_t mask;
  unsigned shift;
  constexpr std::uint32_t get(std::uint64_t reg) const {
    return static_cast<std::uint32_t>((reg & mask) >> shift);
  }
  constexpr std::uint64_t put(std::uint64_t value) const { return (value << shift) & mask; }
};

#define PERLE_FIELD(reg, name) {PERLE_REGS__##reg##__##name##_bm, PERLE_REGS__##reg##__##name##_bp}
constexpr Field kMagicField = PERLE_FIELD(ID, MAGIC);
constexpr Field kFamilyId = PERLE_FIELD(FAMILY, ID);
constexpr Field kHash = PERLE_FIELD(CONFIG_HASH, HASH);
constexpr Field kWidth = PERLE_FIELD(WIDTHS, WIDTH);
constexpr Field kOperandBits = PERLE_FIELD(WIDTHS, OPERAND_BITS);
constexpr Field kWordBits = PERLE_FIELD(SHAPE, WORD_BITS);
constexpr Field kWindowBits = PERLE_FIELD(SHAPE, WINDOW_BITS);
constexpr Field kConstCount = PERLE_FIELD(SHAPE, CONST_COUNT);
constexpr Field kVersion = PERLE_FIELD(SHAPE, MAP_VERSION);
constexpr Field kOp = PERLE_FIELD(COMMAND, OP);
constexpr Field kMode = PERLE_FIELD(COMMAND, MODE);
constexpr Field kElen = PERLE_FIELD(COMMAND, ELEN);
constexpr Field kStart = PERLE_FIELD(CONTROL, START);
constexpr Field kZeroize = PERLE_FIELD(CONTROL, ZEROIZE);
constexpr Field kClearErrors = PERLE_FIELD(CONTROL, CLEAR_ERRORS);
constexpr Field kBusy = PERLE_FIELD(STATUS, BUSY);
constexpr Field kDone = PERLE_FIELD(STATUS, DONE);
constexpr Field kCountLo = PERLE_FIELD(CYCLES_LO, COUNT);
constexpr Field kLaneCount = PERLE_FIELD(LANES, COUNT);
constexpr Field kCountHi = PERLE_FIELD(CYCLES_HI, COUNT);

struct Flag {
  Field field;
  const char* name;
};
constexpr Flag kFlags[] = {
    {PERLE_FIELD(STATUS, START_BUSY), "start_busy"},
    {PERLE_FIELD(STATUS, ACCESS_BUSY), "access_busy"},
    {PERLE_FIELD(STATUS, MODULUS_EVEN), "modulus_even"},
    {PERLE_FIELD(STATUS, MODULUS_SMALL), "modulus_small"},
    {PERLE_FIELD(STATUS, MODULUS_WIDE), "modulus_wide"},
    {PERLE_FIELD(STATUS, OPERAND_RANGE), "operand_range"},
    {PERLE_FIELD(STATUS, COMMAND), "command"},
};
#undef PERLE_FIELD

}  // namespace perle::regs
