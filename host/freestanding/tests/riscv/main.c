// SPDX-License-Identifier: Apache-2.0
//
// A private RSA operation on the board, twice: with polling, and sleeping until the board's interrupt. Prints
// one line for each: status, clock cycles of the CPU from call to return, interrupts, and the result.
#include "key.h"
#include "perle_fw.h"
#include "perle_fw_config.h"

#define BOARD ((volatile void*)0x30000000)
#define CONSOLE ((volatile uint32_t*)0xF0000000)

volatile uint32_t interrupted;

// Functions that compilers call implicitly.
void* memcpy(void* to, const void* from, size_t count) {
  for (size_t i = 0; i < count; ++i) ((volatile uint8_t*)to)[i] = ((const uint8_t*)from)[i];
  return to;
}

void* memset(void* to, int value, size_t count) {
  for (size_t i = 0; i < count; ++i) ((volatile uint8_t*)to)[i] = (uint8_t)value;
  return to;
}

static void put_hex(uint32_t value, int digits) {
  while (digits-- > 0) CONSOLE[0] = (uint8_t)"0123456789abcdef"[value >> 4 * digits & 15];
}

// Until the next interrupt of the board; mstatus.MIE and mie.MEIE let it through, CSR 0xBC0 is its mask.
static void sleep_until_irq(void* ctx) {
  const uint32_t before = interrupted;
  (void)ctx;
  __asm__ volatile("csrw 0xBC0, %0" ::"r"(1));
  while (interrupted == before) __asm__ volatile("wfi");
}

static void sign(perle_fw* board) {
  static uint8_t out[sizeof kInput];
  const uint32_t before = CONSOLE[2], interrupts = interrupted;
  const perle_fw_status status = perle_fw_rsa_private(board, &kKey, kInput, out);
  const uint32_t passed = CONSOLE[2] - before;
  put_hex(status, 2);
  CONSOLE[0] = ' ';
  put_hex(passed, 8);
  CONSOLE[0] = ' ';
  put_hex(interrupted - interrupts, 2);
  CONSOLE[0] = ' ';
  for (size_t i = 0; i < sizeof out; ++i) put_hex(out[i], 2);
  CONSOLE[0] = '\n';
}

int main(void) {
  static perle_fw board;
  const perle_fw_params params = PERLE_FW_CONFIG;
  perle_fw_bus bus = perle_fw_memory(BOARD);
  const perle_fw_status status = perle_fw_open(&board, &bus, &params);
  put_hex(status, 2);
  CONSOLE[0] = '\n';
  if (status != PERLE_FW_OK) return 1;
  sign(&board);
  // The interrupt of the previous operation stays active until the next start.
  __asm__ volatile("csrw 0xBC0, zero\n csrs mie, %0\n csrs mstatus, %1" ::"r"(0x800), "r"(8));
  board.bus.wait = sleep_until_irq;
  sign(&board);
  return 0;
}
