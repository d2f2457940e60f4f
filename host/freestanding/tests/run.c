// SPDX-License-Identifier: Apache-2.0
//
// The driver on a simulated board, for tests: run BOARD.so radix_bits delay fold kind word_width elements.
// Every line of standard input is a call, numbers in hexadecimal; every line of output its status and result:
//   late E N starts 2^E with the operands on the board, and advances N cycles only
//   load M · mul X Y · exp X E · rsa N P Q DP DQ QINV E IN · zeroize · wait (0 polls, 1 advances)
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perle_fw.h"
#include "perle_sim.h"

enum { kMostWords = 10, kMostBytes = PERLE_FW_MAX_BITS / 8 + 8 };

static struct {
  perle_sim* board;
  int (*read)(perle_sim*, uint32_t, uint64_t*);
  int (*write)(perle_sim*, uint32_t, uint64_t);
  int (*advance)(perle_sim*, uint64_t, int);
} sim;

static void* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == NULL) fprintf(stderr, "%s\n", dlerror()), exit(1);
  return found;
}

static perle_fw_word read_board(void* ctx, uint32_t offset) {
  uint64_t data = 0;
  (void)ctx;
  if (sim.read(sim.board, offset, &data) != PERLE_SIM_OK)
    fprintf(stderr, "read of %#x\n", (unsigned)offset), exit(1);
  return (perle_fw_word)data;
}

static void write_board(void* ctx, uint32_t offset, perle_fw_word data) {
  (void)ctx;
  if (sim.write(sim.board, offset, data) != PERLE_SIM_OK)
    fprintf(stderr, "write of %#x\n", (unsigned)offset), exit(1);
}

// Like wfi: until the interrupt.
static void wait_board(void* ctx) {
  (void)ctx;
  sim.advance(sim.board, 100000000, 1);
}

// Bytes of a hexadecimal word of an even number of digits.
static size_t bytes(const char* word, uint8_t* out) {
  size_t len = strlen(word) / 2;
  if (len > kMostBytes) len = kMostBytes;
  for (size_t i = 0; i < len; ++i) {
    unsigned value = 0;
    sscanf(word + 2 * i, "%2x", &value);
    out[i] = (uint8_t)value;
  }
  return len;
}

static void answer(const perle_fw* board, perle_fw_status status, const uint8_t* z, size_t len) {
  printf("%d %llu ", status, (unsigned long long)board->cycles);
  for (size_t i = 0; i < len; ++i) printf("%02x", z[i]);
  printf("\n");
  fflush(stdout);
}

static void call(perle_fw* board, const char* name, char** words, size_t count) {
  static uint8_t args[kMostWords][kMostBytes];
  static uint8_t z[kMostBytes];
  size_t lens[kMostWords] = {0};
  memset(z, 0, sizeof z);
  for (size_t i = 0; i < count; ++i) lens[i] = bytes(words[i], args[i]);
  if (strcmp(name, "load") == 0) {
    answer(board, perle_fw_load(board, args[0], lens[0]), NULL, 0);
  } else if (strcmp(name, "mul") == 0) {
    const perle_fw_status status = perle_fw_mulmod(board, args[0], args[1], z);
    answer(board, status, z, board->modulus_len);
  } else if (strcmp(name, "exp") == 0) {
    const perle_fw_status status = perle_fw_modexp(board, args[0], args[1], lens[1], z);
    answer(board, status, z, board->modulus_len);
  } else if (strcmp(name, "rsa") == 0) {
    const perle_fw_rsa_key key = {args[0], args[1], args[2], args[3], args[4],
                                  args[5], lens[0], lens[1], lens[2], (uint32_t)strtoul(words[6], NULL, 16)};
    const perle_fw_status status = perle_fw_rsa_private(board, &key, args[7], z);
    answer(board, status, z, lens[0]);
  } else if (strcmp(name, "late") == 0) {
    write_board(NULL, 0x28, 2U | (perle_fw_word)strtoul(words[0], NULL, 10) << 16);
    write_board(NULL, 0x30, 1);
    sim.advance(sim.board, strtoul(words[1], NULL, 10), 0);
    answer(board, PERLE_FW_OK, NULL, 0);
  } else if (strcmp(name, "wait") == 0) {
    board->bus.wait = words[0][0] == '1' ? wait_board : NULL;
    answer(board, PERLE_FW_OK, NULL, 0);
  } else {
    answer(board, perle_fw_zeroize(board), NULL, 0);
  }
}

int main(int argc, char** argv) {
  if (argc != 8) return fprintf(stderr, "usage: run BOARD.so and six parameters\n"), 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  perle_sim* (*open_sim)(void);
  void (*close_sim)(perle_sim*);
  *(void**)&open_sim = symbol(library, "perle_sim_open");
  *(void**)&close_sim = symbol(library, "perle_sim_close");
  *(void**)&sim.read = symbol(library, "perle_sim_read");
  *(void**)&sim.write = symbol(library, "perle_sim_write");
  *(void**)&sim.advance = symbol(library, "perle_sim_advance");
  sim.board = open_sim();

  uint16_t told[6];
  for (int i = 0; i < 6; ++i) told[i] = (uint16_t)atoi(argv[2 + i]);
  const perle_fw_params params = {told[0], told[1], told[2], told[3], told[4], told[5]};
  const perle_fw_bus bus = {read_board, write_board, NULL, NULL};
  perle_fw board;
  const perle_fw_status opened = perle_fw_open(&board, &bus, &params);
  answer(&board, opened, NULL, 0);
  static char line[16 * kMostBytes + 256];
  while (opened == PERLE_FW_OK && fgets(line, sizeof line, stdin) != NULL) {
    char* words[kMostWords + 1];
    size_t count = 0;
    for (char* word = strtok(line, " \n"); word != NULL && count <= kMostWords; word = strtok(NULL, " \n"))
      words[count++] = word;
    if (count > 0) call(&board, words[0], words + 1, count - 1);
  }
  close_sim(sim.board);
  return 0;
}
