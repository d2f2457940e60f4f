/* SPDX-License-Identifier: Apache-2.0
 *
 * The RSA part of perle.h; include that one.
 *
 * Private operations use the Chinese remainder theorem: one constant-time exponentiation a prime, on two
 * boards at the same time where the set has two, else one after the other. The message is blinded (c·r^e
 * before, ·r^-1 after, with another secret r for every operation), and no result is released before s^e = m
 * was checked in software. Primes stay on the boards for the next operation, until another modulus takes
 * their place, perle_boards_zeroize() or perle_boards_close(); exponents are overwritten after every
 * operation.
 */
#ifndef PERLE_RSA_H
#define PERLE_RSA_H

#ifndef PERLE_H
#error "include perle.h"
#endif

/* ---- keys -------------------------------------------------------------------------------------------- */

typedef struct perle_key
    perle_key; /* an RSA key with what boards need of it, computed once a shape of board */

/* Asks for a passphrase: writes at most `size` bytes to `buf` and returns their number, or -1 for none. */
typedef int (*perle_passphrase_cb)(char* buf, size_t size, void* arg);

/* Load a key from PEM or DER: PKCS#1, PKCS#8, encrypted PKCS#8 and PEM, or a public key
 * (SubjectPublicKeyInfo, PKCS#1). `ask` is called at most once and only for an encrypted key; it may be NULL.
 * Moduli of 32 to 16384 bits; beyond 3072 bits a public exponent of at most 64, as in OpenSSL: keys come from
 * anybody, and longer ones would keep a thread for seconds. What is kept of the key is zeroized by
 * perle_key_free(); but libcrypto's decoders free their own copies of the data unzeroized, so that a process
 * that cannot accept this has to use perle_key_new(). Errors: _KEY_FORMAT, _PASSPHRASE_NEEDED, _PASSPHRASE,
 * _KEY_TYPE, _KEY_MULTIPRIME, _KEY_INCONSISTENT, _EXPONENT_WIDE (the public one). */
PERLE_API perle_status perle_key_load(const uint8_t* data, size_t len, perle_passphrase_cb ask, void* arg,
                                      perle_key** key);

/* A number of a key: big-endian bytes; data = NULL: not given. */
typedef struct perle_number {
  const uint8_t* data;
  size_t len;
} perle_number;

/* All numbers of a key. n and e alone: a public key; with d: private without CRT, which needs boards as wide
 * as n; with p, q, dp, dq and qinv (all five; d is then optional): private with CRT. */
typedef struct perle_key_numbers {
  size_t size; /* sizeof(perle_key_numbers) */
  perle_number n, e, d;
  perle_number p, q;   /* n = p·q */
  perle_number dp, dq; /* d mod p-1, d mod q-1 */
  perle_number qinv;   /* q^-1 mod p */
} perle_key_numbers;

/* Lengths as for perle_key_load. Errors: _KEY_INCONSISTENT (also if some of the five are missing),
 * _EXPONENT_WIDE (the public one), _BUFFER. */
PERLE_API perle_status perle_key_new(const perle_key_numbers* numbers, perle_key** key);

/* Zeroize and free; NULL is ignored. Boards keep resident primes: see perle_boards_zeroize(). */
PERLE_API void perle_key_free(perle_key* key);

typedef struct perle_key_info {
  uint32_t bits;       /* of n */
  uint32_t size;       /* bytes of n: of a signature, of a ciphertext */
  uint32_t half_bits;  /* bits of the wider prime: the least width of board; bits of n without CRT */
  uint32_t is_private; /* 1: d or CRT numbers are there */
  uint32_t has_crt;    /* 1: CRT numbers are there */
} perle_key_info;

PERLE_API perle_status perle_key_get_info(const perle_key* key, perle_key_info* info);
/* The public numbers, minimal big-endian. `which` is 'n' or 'e'. Errors: _BUFFER. */
PERLE_API perle_status perle_key_get_public(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                            size_t* out_len);

/* A prime of the key, 'p' or 'q', minimal big-endian. For circuits that hold the prime (modular product
 * units, perle_driver.h) and nothing else: whoever sees it has the private key. Errors: _KEY_PUBLIC (no
 * primes in this key), _BUFFER. */
PERLE_API perle_status perle_key_get_prime(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                           size_t* out_len);

/* Make a key of `bits` bits, an even number from 64 to 16384, with e = 65537 and two primes of half of them
 * each, whose two highest bits are set; by libcrypto, from its generator for secrets. Short keys are for
 * study: nobody should rely on less than 2048 bits. */
PERLE_API perle_status perle_key_generate(uint32_t bits, perle_key** key);
/* The key as PEM (PKCS#1, not encrypted), without a zero at the end: for a file that only its owner can read.
 * Errors: _KEY_PUBLIC (no primes in this key), _BUFFER. */
PERLE_API perle_status perle_key_to_pem(const perle_key* key, uint8_t* out, size_t out_size, size_t* out_len);

/* ---- raw operations ---------------------------------------------------------------------------------- */

/* Do not blind: saves four products and now and then a modular inverse on the host (README.md says how long
 * that takes), and makes board time and power depend on messages an attacker may choose. Measurements only.
 */
#define PERLE_RSA_NO_BLINDING 1u
/* Blind the exponents too: every operation uses dp + r·(p-1) and dq + r'·(q-1) with new secret r, r'. That
 * makes exponents, and with them the board's time, longer by perle_rsa_exponent_blinding() bits. Errors:
 * _UNSUPPORTED (a key without CRT numbers, a system, or a board whose exponents have no room for 20 bits). */
#define PERLE_RSA_BLIND_EXPONENT 2u

/* z = c^d mod n, as long as n, for c < n. The boards have to be as wide as the wider prime (as n without
 * CRT). A result for which z^e = c does not hold is computed once more in software, by the same numbers of
 * the key. If that is wrong too (p or q is no prime, say) the key is to blame and no board; this and every
 * later private operation refuses it: _KEY_WRONG. Else a board is: _FAULT. Errors: _KEY_PUBLIC, _KEY_WRONG,
 * _WIDTH, _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_rsa_private(perle_boards* set, const perle_key* key, unsigned flags,
                                         const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                                         size_t* out_len, perle_cost* cost);

/* How many bits PERLE_RSA_BLIND_EXPONENT adds to the exponents of this key on these boards: 20 to 64, as many
 * as the exponent register has room for; 0 if it cannot be done. */
PERLE_API perle_status perle_rsa_exponent_blinding(const perle_boards* set, const perle_key* key,
                                                   uint32_t* bits);

/* z = x^e mod n, as long as n, for x < n. On a board as wide as n, checked by software; with set = NULL in
 * software alone. Errors: _WIDTH, _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_rsa_public(perle_boards* set, const perle_key* key, const uint8_t* in,
                                        size_t in_len, uint8_t* out, size_t out_size, size_t* out_len,
                                        perle_cost* cost);

/* ---- with padding ------------------------------------------------------------------------------------ */

typedef enum perle_padding {
  PERLE_PADDING_NONE = 0,  /* raw: a message as long as n and below n */
  PERLE_PADDING_PKCS1 = 1, /* PKCS #1 v1.5: signatures, encryption */
  PERLE_PADDING_PSS = 2,   /* signatures */
  PERLE_PADDING_OAEP = 3   /* encryption; empty label */
} perle_padding;

#define PERLE_SALT_DIGEST (-1) /* as long as the digest */
#define PERLE_SALT_AUTO (-2)   /* verify: whatever the signature has; sign: the longest */

typedef struct perle_rsa_options {
  size_t size;      /* sizeof(perle_rsa_options) */
  int padding;      /* perle_padding */
  const char* hash; /* "sha256", …: any of fixed length that libcrypto knows, for PKCS#1 signatures with an
                       object identifier, which md5-sha1 has not. NULL: none (PKCS#1 signatures without
                       DigestInfo, PERLE_PADDING_NONE, PKCS#1 encryption) */
  const char* mgf1_hash; /* hash of the mask in PSS and OAEP; NULL: as `hash` */
  int salt_length;       /* PSS: bytes, PERLE_SALT_DIGEST or PERLE_SALT_AUTO */
  unsigned flags;        /* PERLE_RSA_NO_BLINDING, PERLE_RSA_BLIND_EXPONENT */
} perle_rsa_options;

/* Sign a digest made with `hash` (the caller hashes): pss, pkcs1, none. The signature is as long as n.
 * Errors: those of perle_rsa_private, _PADDING, _HASH, _DIGEST_LENGTH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_sign(perle_boards* set, const perle_key* key,
                                      const perle_rsa_options* options, const uint8_t* digest,
                                      size_t digest_len, uint8_t* out, size_t out_size, size_t* out_len,
                                      perle_cost* cost);

/* What perle_rsa_sign signs: the encoded message, as long as n. With a padding it is below n; without one it
 * is the message, and perle_rsa_private refuses one that is not. For callers that form the private power
 * themselves. Errors: _PADDING, _HASH, _DIGEST_LENGTH, _MESSAGE_LENGTH,
 * _BUFFER. */
PERLE_API perle_status perle_rsa_encode(const perle_key* key, const perle_rsa_options* options,
                                        const uint8_t* digest, size_t digest_len, uint8_t* out,
                                        size_t out_size, size_t* out_len);

/* PERLE_OK if the signature is right, _SIGNATURE if it is wrong in any way. `set` as in perle_rsa_public.
 * Errors: those of perle_rsa_public, _SIGNATURE, _PADDING, _HASH, _DIGEST_LENGTH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_verify(perle_boards* set, const perle_key* key,
                                        const perle_rsa_options* options, const uint8_t* digest,
                                        size_t digest_len, const uint8_t* signature, size_t signature_len,
                                        perle_cost* cost);

/* Encrypt: oaep, pkcs1, none. The ciphertext is as long as n. `set` as in perle_rsa_public.
 * Errors: those of perle_rsa_public, _PADDING, _HASH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_encrypt(perle_boards* set, const perle_key* key,
                                         const perle_rsa_options* options, const uint8_t* in, size_t in_len,
                                         uint8_t* out, size_t out_size, size_t* out_len, perle_cost* cost);

/* Decrypt: oaep, pkcs1, none. With out = NULL *out_len is the length of n; `out_size` has to be at least
 * that: a room that depended on the message would tell about it. Errors: those of perle_rsa_private (the
 * length of the ciphertext and its range are public), _PADDING, _HASH, _MESSAGE_LENGTH, and _DECRYPT alike
 * for whatever is wrong within. PKCS #1 v1.5: a caller who lets others see whether _DECRYPT came back, or how
 * long it took, gives them an oracle (Bleichenbacher 1998); this call cannot prevent that. Use oaep wherever
 * there is a choice. */
PERLE_API perle_status perle_rsa_decrypt(perle_boards* set, const perle_key* key,
                                         const perle_rsa_options* options, const uint8_t* in, size_t in_len,
                                         uint8_t* out, size_t out_size, size_t* out_len, perle_cost* cost);

#endif
