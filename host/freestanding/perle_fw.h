// SPDX-License-Identifier: Apache-2.0
//
// A driver of a Perle board for microcontrollers and soft CPUs: no heap, no operating system, no libraries;
// C11 with only stddef.h and stdint.h of the compiler's headers. It derives the constants of a modulus for
// all families of boards.
//
// Numbers are byte strings, most significant byte first. No branch and no address depends on the value of a
// secret (an operand, a private exponent, a prime); lengths are public. Stack usage is a few numbers of
// PERLE_FW_MAX_BITS; README.md has the sizes.

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

// Size of a number and of its longest constant, which has up to 36·6 + 20 bits more.
#define PERLE_FW_LIMBS ((PERLE_FW_MAX_BITS + 31) / 32 + 8)

typedef enum {
  PERLE_FW_OK = 0,
  PERLE_FW_NO_BOARD,   // not a Perle board, or another register map or bus width
  PERLE_FW_PARAMETER,  // unknown family, or parameters that do not match the board's widths
  PERLE_FW_MODULUS,    // even, below 3, or wider than the board or PERLE_FW_MAX_BITS; of karatsuba and of
                       // scalable with Booth digits, the board is wider than that: so are its constants
  PERLE_FW_OPERAND,    // not below the modulus; an invalid length; an exponent longer than the register
  PERLE_FW_TIMEOUT,    // the board did not finish in time
  PERLE_FW_FLAGGED,    // the board flagged an error: see perle_fw.status
  PERLE_FW_FAULT  // a result is out of range, or the check with the public key failed; nothing was released
} perle_fw_status;

// Access to the board. Offsets are those of the register map.
typedef struct {
  perle_fw_word (*read)(void* ctx, uint32_t offset);
  void (*write)(void* ctx, uint32_t offset, perle_fw_word data);
  // Called repeatedly while the board works, until STATUS.done. NULL: poll. A function that sleeps until the
  // board's interrupt (wfi) saves power; it must also wake up if the board fails.
  void (*wait)(void* ctx);
  void* ctx;
} perle_fw_bus;

#if PERLE_FW_WORD_BITS == 32 || UINTPTR_MAX > 0xFFFFFFFF
#define PERLE_FW_WHOLE_WORDS  // the CPU writes a word of the bus at once
// A bus with memory-mapped registers: ctx of perle_fw_memory() is their address. A CPU of 32 bits would write
// a word of 64 bits as two halves, and the board takes whole words only: such a CPU needs a board with words
// of 32 bits.
perle_fw_bus perle_fw_memory(volatile void* registers);
#endif

// Parameters of the core that are in no register, by their names in core.toml; 0 for those that the family
// does not have. `perle gen` writes them into perle_fw_config.h.
typedef struct {
  uint16_t radix_bits, quotient_delay, fold;  // orup, lowlat, stream, tile, carry_save
  uint16_t kind, word_width, elements;        // scalable
} perle_fw_params;

typedef struct {
  perle_fw_bus bus;
  perle_fw_params params;
  uint32_t family, width, operand_bits, const_count;
  uint32_t status;     // STATUS after the last operation
  uint64_t cycles;     // its clock cycles, as counted by the board
  size_t modulus_len;  // bytes of the loaded modulus, 0: none
  uint32_t modulus[PERLE_FW_LIMBS];
} perle_fw;

// A private RSA key with its primes, as in PKCS #1. The primes must fit the board; n need not.
typedef struct {
  const uint8_t *n, *p, *q, *dp, *dq, *qinv;
  size_t n_len, p_len, q_len;  // dp and qinv are as long as p, dq as long as q
  uint32_t e;                  // odd, at least 3
} perle_fw_rsa_key;

// Identifies the board, and reads its widths.
perle_fw_status perle_fw_open(perle_fw* board, const perle_fw_bus* bus, const perle_fw_params* params);

// Derives the constants of m and loads them, in time that depends only on its length, and for scalable, whose
// operations are as wide as the modulus, on its number of bits.
perle_fw_status perle_fw_load(perle_fw* board, const uint8_t* m, size_t len);

// z = x·y mod m, for x, y < m: all three as long as m was when it was loaded. z may be x or y.
perle_fw_status perle_fw_mulmod(perle_fw* board, const uint8_t* x, const uint8_t* y, uint8_t* z);

// z = x^e mod m by fixed windows, in time that depends on e_len only: leading zero bytes of e take time as
// all others, so pad a secret exponent to a public length, such as that of m. z may be x.
perle_fw_status perle_fw_modexp(perle_fw* board, const uint8_t* x, const uint8_t* e, size_t e_len,
                                uint8_t* z);

// out = in^d mod n by the Chinese remainder theorem, both n_len bytes, in < n. The result is released only if
// software finds out^e = in (mod n); otherwise out is zero. Zeroizes the board at the end, unless that does
// not answer: after PERLE_FW_TIMEOUT it may still hold a prime and an exponent, until it is zeroized or
// reset.
perle_fw_status perle_fw_rsa_private(perle_fw* board, const perle_fw_rsa_key* key, const uint8_t* in,
                                     uint8_t* out);

// Zeroizes all operands, constants and results on the board, and the modulus in this structure.
perle_fw_status perle_fw_zeroize(perle_fw* board);

#ifdef __cplusplus
}
#endif

#endif  // PERLE_FW_H_
