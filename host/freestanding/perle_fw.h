// SPDX-License-Identifier: Apache-2.0
//
// A driver of a Perle board for microcontrollers and soft CPUs: no heap, no operating system, no other
// library; C11, and of the compiler's headers only stddef.h and stdint.h. It derives every constant of a
// modulus by itself, for all families of boards.
//
// Numbers are byte strings, most significant byte first. No branch and no address depends on the value of a
// secret (an operand, a private exponent, a prime); lengths are public. The stack holds a few numbers of
// PERLE_FW_MAX_BITS: README.md has the sizes.

#ifndef PERLE_FW_H_
#define PERLE_FW_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bits of the longest number: of a modulus on the board, and of n in an RSA key.
#ifndef PERLE_FW_MAX_BITS
#define PERLE_FW_MAX_BITS 2048
#endif

// Bits of the board's data bus, 32 or 64 (the option --word-bits of `perle gen`).
#ifndef PERLE_FW_WORD_BITS
#define PERLE_FW_WORD_BITS 32
#endif

#if PERLE_FW_WORD_BITS == 64
typedef uint64_t perle_fw_word;
#else
typedef uint32_t perle_fw_word;
#endif

// Room for a number and for the longest of its constants, which has up to 18·6 + 20 bits more.
#define PERLE_FW_LIMBS ((PERLE_FW_MAX_BITS + 31) / 32 + 5)

typedef enum {
  PERLE_FW_OK = 0,
  PERLE_FW_NO_BOARD,   // ID is not that of a Perle board, or its map or its bus is another one
  PERLE_FW_PARAMETER,  // unknown family, or parameters that do not go with the board's widths
  PERLE_FW_MODULUS,    // even, below 3, or wider than the board or PERLE_FW_MAX_BITS
  PERLE_FW_OPERAND,    // not below the modulus; a length that is none; an exponent longer than the board's
  PERLE_FW_TIMEOUT,    // the board did not end in time
  PERLE_FW_FLAGGED,    // the board flagged an error: perle_fw.status has it
  PERLE_FW_FAULT       // a result is out of range, or not what the public key says; nothing was released
} perle_fw_status;

// How the board is reached. Offsets are those of the register map.
typedef struct {
  perle_fw_word (*read)(void* ctx, uint32_t offset);
  void (*write)(void* ctx, uint32_t offset, perle_fw_word data);
  // Called again and again while the board works, until STATUS.done: NULL polls; a function that sleeps
  // until the board's interrupt (wfi) saves power. A board that dies must not leave it asleep for ever.
  void (*wait)(void* ctx);
  void* ctx;
} perle_fw_bus;

// A bus where the board's registers are memory: ctx of perle_fw_memory() is their address.
perle_fw_bus perle_fw_memory(volatile void* registers);

// What no register tells: parameters of the core by the names of its core.toml, 0 where a family has none.
// `perle gen` writes them into perle_fw_config.h.
typedef struct {
  uint16_t radix_bits, quotient_delay, fold;  // orup, lowlat, stream, tile, carry_save
  uint16_t kind, word_width, elements;        // scalable
} perle_fw_params;

typedef struct {
  perle_fw_bus bus;
  perle_fw_params params;
  uint32_t family, width, operand_bits, const_count;
  uint32_t status;     // STATUS after the last operation
  uint64_t cycles;     // clock cycles that the board took for it
  size_t modulus_len;  // bytes of the modulus that is loaded, 0 without one
  uint32_t modulus[PERLE_FW_LIMBS];
} perle_fw;

// A private RSA key with its primes, as PKCS #1 has it. Every prime fits the board; n need not.
typedef struct {
  const uint8_t *n, *p, *q, *dp, *dq, *qinv;
  size_t n_len, p_len, q_len;  // dp and qinv are as long as p, dq as long as q
  uint32_t e;                  // odd, at least 3
} perle_fw_rsa_key;

// Finds out what the board is.
perle_fw_status perle_fw_open(perle_fw* board, const perle_fw_bus* bus, const perle_fw_params* params);

// Derives the constants of m and loads them, in time that depends on the length and, where a family works
// on as many bits as the modulus has (scalable), on their number only.
perle_fw_status perle_fw_load(perle_fw* board, const uint8_t* m, size_t len);

// z = x·y mod m, for x, y < m: all three as long as m was when it was loaded. z may be x or y.
perle_fw_status perle_fw_mulmod(perle_fw* board, const uint8_t* x, const uint8_t* y, uint8_t* z);

// z = x^e mod m by a fixed window, in time that depends on e_len only. z may be x.
perle_fw_status perle_fw_modexp(perle_fw* board, const uint8_t* x, const uint8_t* e, size_t e_len,
                                uint8_t* z);

// out = in^d mod n by the Chinese remainder theorem, both n_len bytes, in < n. The result is released only
// if out^e = in (mod n), which is computed in software; else out is zero. Zeroizes the board at the end.
perle_fw_status perle_fw_rsa_private(perle_fw* board, const perle_fw_rsa_key* key, const uint8_t* in,
                                     uint8_t* out);

// Overwrites all operands, constants and results on the board, and the modulus here.
perle_fw_status perle_fw_zeroize(perle_fw* board);

#ifdef __cplusplus
}
#endif

#endif  // PERLE_FW_H_
