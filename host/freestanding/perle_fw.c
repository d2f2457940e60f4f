// SPDX-License-Identifier: Apache-2.0
#include "perle_fw.h"

#include "perle_fw_family.h"

// perle/boards/board.rdl
enum {
  kId = 0x00,
  kFamily = 0x08,
  kWidths = 0x18,
  kShape = 0x20,
  kCommand = 0x28,
  kControl = 0x30,
  kStatus = 0x38,
  kCyclesLo = 0x40,
  kCyclesHi = 0x48,
  kX = 0x1000,
  kY = 0x1400,
  kR2 = 0x1800,
  kE = 0x1C00,
  kConstants = 0x2000,
  kResult = 0x3000,
  kBank = 0x400
};
enum { kStart = 1, kZeroize = 2, kClearErrors = 4, kBusy = 1, kDone = 2, kErrors = 0x7F00 };
enum { kMulmod = 1, kModexp = 2, kElenAt = 16, kLongestExponent = 0x1FFF };
#define MAGIC 0x5045524CU
#define MAP_VERSION 1

#ifdef PERLE_FW_WHOLE_WORDS
static perle_fw_word read_memory(void* ctx, uint32_t offset) {
  return *(volatile perle_fw_word*)((uintptr_t)ctx + offset);
}

static void write_memory(void* ctx, uint32_t offset, perle_fw_word data) {
  *(volatile perle_fw_word*)((uintptr_t)ctx + offset) = data;
}

perle_fw_bus perle_fw_memory(volatile void* registers) {
  const perle_fw_bus bus = {read_memory, write_memory, NULL, (void*)(uintptr_t)registers};
  return bus;
}
#endif

static uint32_t read_register(const perle_fw* board, uint32_t offset) {
  return (uint32_t)board->bus.read(board->bus.ctx, offset);
}

static uint32_t line_words(const perle_fw* board) {
  return (board->operand_bits + PERLE_FW_WORD_BITS - 1) / PERLE_FW_WORD_BITS;
}

static void write_line(const perle_fw* board, uint32_t bank, const uint32_t* x, size_t limbs) {
  for (uint32_t i = 0; i < line_words(board); ++i) {
    perle_fw_word word = 0;
    for (uint32_t j = PERLE_FW_WORD_BITS / 32; j-- > 0;) {
      const size_t limb = (size_t)i * (PERLE_FW_WORD_BITS / 32) + j;
      word = (perle_fw_word)((uint64_t)word << 32) | (limb < limbs ? x[limb] : 0);
    }
    board->bus.write(board->bus.ctx, bank + i * (PERLE_FW_WORD_BITS / 8), word);
  }
}

// Reads the result; returns all ones if any bit beyond `limbs` is not zero.
static uint32_t read_line(const perle_fw* board, uint32_t* z, size_t limbs) {
  uint32_t beyond = 0;
  perle_fw_clear(z, limbs);
  for (uint32_t i = 0; i < line_words(board); ++i) {
    uint64_t word = board->bus.read(board->bus.ctx, kResult + i * (PERLE_FW_WORD_BITS / 8));
    for (uint32_t j = 0; j < PERLE_FW_WORD_BITS / 32; ++j, word >>= 32) {
      const size_t limb = (size_t)i * (PERLE_FW_WORD_BITS / 32) + j;
      if (limb < limbs)
        z[limb] = (uint32_t)word;
      else
        beyond |= (uint32_t)word;
    }
  }
  return ~perle_fw_is_zero(&beyond, 1);
}

// Timeout in polls, more than any operation takes: 16·width² and some, and the time of `scalable` with few
// elements.
static perle_fw_status await(perle_fw* board, uint32_t mask, uint32_t wanted) {
  const uint32_t row = (uint32_t)board->params.elements * board->params.word_width;
  const uint32_t turns = 8 + (row != 0 ? board->width / row : 0);
  uint64_t left = (uint64_t)2 * board->width * board->width * turns + (1U << 20);
  while (((board->status = read_register(board, kStatus)) & mask) != wanted) {
    if (left-- == 0) return PERLE_FW_TIMEOUT;
    // A zeroization ends without an interrupt.
    if (wanted == kDone && board->bus.wait != NULL) board->bus.wait(board->bus.ctx);
  }
  return PERLE_FW_OK;
}

perle_fw_status perle_fw_open(perle_fw* board, const perle_fw_bus* bus, const perle_fw_params* params) {
  perle_fw_clear(board->modulus, PERLE_FW_LIMBS);
  board->bus = *bus;
  board->params = *params;
  board->modulus_len = 0;
  board->cycles = 0;
  board->status = 0;
  if (read_register(board, kId) != MAGIC) return PERLE_FW_NO_BOARD;
  const uint32_t shape = read_register(board, kShape), widths = read_register(board, kWidths);
  if (shape >> 24 != MAP_VERSION || (shape & 0xFF) != PERLE_FW_WORD_BITS) return PERLE_FW_NO_BOARD;
  board->family = read_register(board, kFamily);
  board->width = widths & 0xFFFF;
  board->operand_bits = widths >> 16;
  board->const_count = shape >> 16 & 0xFF;
  if (!perle_fw_family_fits(board)) return PERLE_FW_PARAMETER;
  return await(board, kBusy, 0);  // a reset is followed by a zeroization
}

// Before operands are written: a board that is still busy, after a timeout, would refuse them, and what it
// flags must not be cleared afterwards.
static perle_fw_status ready(perle_fw* board) {
  const perle_fw_status status = await(board, kBusy, 0);
  if (status == PERLE_FW_OK) board->bus.write(board->bus.ctx, kControl, kClearErrors);
  return status;
}

perle_fw_status perle_fw_load(perle_fw* board, const uint8_t* m, size_t len) {
  perle_fw_number work[PERLE_FW_MOST_CONSTANTS + 1];
  uint32_t* const r2 = work[PERLE_FW_MOST_CONSTANTS];
  board->modulus_len = 0;
  if (len == 0 || len > PERLE_FW_MAX_BITS / 8 || (m[len - 1] & 1) == 0) return PERLE_FW_MODULUS;
  perle_fw_from_bytes(board->modulus, PERLE_FW_LIMBS, m, len);
  const uint32_t bits = perle_fw_bits(board->modulus, PERLE_FW_LIMBS);
  if (bits < 2 || bits > board->width || perle_fw_constant_bits(board) > 32 * PERLE_FW_LIMBS)
    return PERLE_FW_MODULUS;
  const perle_fw_status status = ready(board);
  if (status != PERLE_FW_OK) return status;

  const uint32_t r_exp = perle_fw_derive(board, board->modulus, work);
  const size_t limbs = (len + 3) / 4;
  // 2^(2·r_exp) mod M, by doubling 1.
  perle_fw_clear(r2, PERLE_FW_LIMBS);
  r2[0] = 1;
  for (uint32_t i = 0; i < 2 * r_exp; ++i) perle_fw_double(r2, 0, board->modulus, limbs);
  write_line(board, kConstants, board->modulus, PERLE_FW_LIMBS);
  for (uint32_t i = 0; i + 1 < board->const_count; ++i)
    write_line(board, kConstants + (i + 1) * kBank, work[i], PERLE_FW_LIMBS);
  write_line(board, kR2, r2, PERLE_FW_LIMBS);
  perle_fw_clear(&work[0][0], sizeof work / sizeof work[0][0]);
  board->status = read_register(board, kStatus);
  if ((board->status & kErrors) != 0) return PERLE_FW_FLAGGED;
  board->modulus_len = len;
  return PERLE_FW_OK;
}

// Runs a command on loaded operands, and reads the result, which must be below the modulus.
static perle_fw_status run(perle_fw* board, uint32_t command, uint8_t* z) {
  perle_fw_number result;
  const size_t limbs = (board->modulus_len + 3) / 4;
  board->bus.write(board->bus.ctx, kCommand, command);
  board->bus.write(board->bus.ctx, kControl, kStart);
  perle_fw_status status = await(board, kBusy | kDone, kDone);
  if (status != PERLE_FW_OK) return status;
  board->cycles = read_register(board, kCyclesLo) | (uint64_t)read_register(board, kCyclesHi) << 32;
  if ((board->status & kErrors) != 0) return PERLE_FW_FLAGGED;
  const uint32_t wrong = read_line(board, result, limbs) | ~perle_fw_below(result, board->modulus, limbs);
  if (wrong != 0)
    status = PERLE_FW_FAULT;
  else
    perle_fw_to_bytes(z, board->modulus_len, result);
  perle_fw_clear(result, limbs);
  return status;
}

// Writes an operand, which must be below the modulus.
static perle_fw_status write_operand(perle_fw* board, uint32_t bank, const uint8_t* x) {
  perle_fw_number value;
  if (board->modulus_len == 0) return PERLE_FW_MODULUS;
  perle_fw_from_bytes(value, PERLE_FW_LIMBS, x, board->modulus_len);
  const uint32_t legal = perle_fw_below(value, board->modulus, PERLE_FW_LIMBS);
  if (legal != 0) write_line(board, bank, value, PERLE_FW_LIMBS);
  perle_fw_clear(value, PERLE_FW_LIMBS);
  return legal != 0 ? PERLE_FW_OK : PERLE_FW_OPERAND;
}

perle_fw_status perle_fw_mulmod(perle_fw* board, const uint8_t* x, const uint8_t* y, uint8_t* z) {
  perle_fw_status status = ready(board);
  if (status == PERLE_FW_OK) status = write_operand(board, kX, x);
  if (status == PERLE_FW_OK) status = write_operand(board, kY, y);
  return status == PERLE_FW_OK ? run(board, kMulmod, z) : status;
}

perle_fw_status perle_fw_modexp(perle_fw* board, const uint8_t* x, const uint8_t* e, size_t e_len,
                                uint8_t* z) {
  perle_fw_number exponent;
  const uint32_t room = line_words(board) * PERLE_FW_WORD_BITS;
  if (e_len == 0 || e_len > sizeof exponent || 8 * e_len > room || 8 * e_len > kLongestExponent)
    return PERLE_FW_OPERAND;
  perle_fw_status status = ready(board);
  if (status == PERLE_FW_OK) status = write_operand(board, kX, x);
  if (status != PERLE_FW_OK) return status;
  perle_fw_from_bytes(exponent, PERLE_FW_LIMBS, e, e_len);
  write_line(board, kE, exponent, PERLE_FW_LIMBS);
  perle_fw_clear(exponent, PERLE_FW_LIMBS);
  return run(board, kModexp | (uint32_t)(8 * e_len) << kElenAt, z);
}

perle_fw_status perle_fw_zeroize(perle_fw* board) {
  perle_fw_clear(board->modulus, PERLE_FW_LIMBS);
  board->modulus_len = 0;
  const perle_fw_status status = await(board, kBusy, 0);
  if (status != PERLE_FW_OK) return status;
  board->bus.write(board->bus.ctx, kControl, kZeroize | kClearErrors);
  return await(board, kBusy, 0);
}
