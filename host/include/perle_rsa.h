/* SPDX-License-Identifier: Apache-2.0
 *
 * The RSA part of perle.h; include that.
 *
 * Private operations use the Chinese remainder theorem: one constant-time exponentiation per prime, on two
 * boards in parallel if the set has two, otherwise one after the other. The message is blinded (multiplied by
 * r^e before and by r^-1 after, with a new secret r for every operation), and no result is released before
 * software has checked s^e = m. Primes stay on the boards for later operations, until another modulus
 * replaces them, or until perle_boards_zeroize() or perle_boards_close(); exponents are overwritten after
 * every operation.
 */
#ifndef PERLE_RSA_H
#define PERLE_RSA_H

#ifndef PERLE_H
#error "include perle.h"
#endif

/* ---- keys -------------------------------------------------------------------------------------------- */

typedef struct perle_key perle_key; /* an RSA key, with the constants for the boards that used it */

/* Writes a passphrase of at most `size` bytes to `buf` and returns its length, or -1 if there is none. */
typedef int (*perle_passphrase_cb)(char* buf, size_t size, void* arg);

/* Load a key from PEM or DER: PKCS#1, PKCS#8, encrypted PKCS#8 and PEM, or a public key
 * (SubjectPublicKeyInfo, PKCS#1). `ask` is called at most once and only for an encrypted key; it may be NULL.
 * The modulus has 32 to 16384 bits; if it has more than 3072, the public exponent has at most 64, as in
 * OpenSSL: with longer ones a key from an untrusted source could occupy a thread for seconds.
 * perle_key_free() zeroizes the key, but libcrypto's decoders free their own copies of the data without
 * zeroizing them: if that is not acceptable, use perle_key_new(). Errors: _KEY_FORMAT, _PASSPHRASE_NEEDED,
 * _PASSPHRASE, _KEY_TYPE, _KEY_MULTIPRIME, _KEY_INCONSISTENT, _EXPONENT_WIDE (the public one). */
PERLE_API perle_status perle_key_load(const uint8_t* data, size_t len, perle_passphrase_cb ask, void* arg,
                                      perle_key** key);

/* A number of a key: big-endian bytes; data = NULL: absent. */
typedef struct perle_number {
  const uint8_t* data;
  size_t len;
} perle_number;

/* The numbers of a key. n and e only: a public key. With d: a private key without CRT, which needs boards as
 * wide as n. With p, q, dp, dq and qinv (all five; d is then optional): a private key with CRT. */
typedef struct perle_key_numbers {
  size_t size; /* sizeof(perle_key_numbers) */
  perle_number n, e, d;
  perle_number p, q;   /* n = p·q */
  perle_number dp, dq; /* d mod (p-1), d mod (q-1) */
  perle_number qinv;   /* q^-1 mod p */
} perle_key_numbers;

/* Make a key of its numbers, with the limits of perle_key_load on their lengths. The primes are not tested
 * for primality. Errors: _KEY_INCONSISTENT (also if only some of the five CRT numbers are given),
 * _EXPONENT_WIDE (the public one), _BUFFER. */
PERLE_API perle_status perle_key_new(const perle_key_numbers* numbers, perle_key** key);

/* Zeroize and free a key. NULL is ignored. Primes may remain on boards: see perle_boards_zeroize(). */
PERLE_API void perle_key_free(perle_key* key);

typedef struct perle_key_info {
  uint32_t bits;       /* of n */
  uint32_t size;       /* bytes of n, of a signature and of a ciphertext */
  uint32_t half_bits;  /* width that a board needs: bits of the wider prime, or of n without CRT */
  uint32_t is_private; /* 1: a private key (with d or CRT numbers) */
  uint32_t has_crt;    /* 1: has CRT numbers */
} perle_key_info;

PERLE_API perle_status perle_key_get_info(const perle_key* key, perle_key_info* info);
/* A public number of the key, big-endian without leading zeros. `which` is 'n' or 'e'. Errors: _BUFFER. */
PERLE_API perle_status perle_key_get_public(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                            size_t* out_len);

/* A prime of the key, big-endian without leading zeros. `which` is 'p' or 'q'. Only for building circuits
 * that contain the prime (modular product units, perle_driver.h): a prime reveals the private key. Errors:
 * _KEY_PUBLIC (the key has no primes), _BUFFER. */
PERLE_API perle_status perle_key_get_prime(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                           size_t* out_len);

/* Generate a key of `bits` bits, an even number from 64 to 16384, with e = 65537 and two primes of bits/2
 * bits each, whose two highest bits are set. Random numbers are from libcrypto's generator for secrets. Keys
 * of less than 2048 bits are for study only. */
PERLE_API perle_status perle_key_generate(uint32_t bits, perle_key** key);
/* The key as PEM (PKCS#1, not encrypted), without a terminating zero. Store it only in a file that nobody
 * else can read. Errors: _KEY_PUBLIC (the key has no primes), _BUFFER. */
PERLE_API perle_status perle_key_to_pem(const perle_key* key, uint8_t* out, size_t out_size, size_t* out_len);

/* ---- raw operations ---------------------------------------------------------------------------------- */

/* No base blinding, for measurements only: the board's power consumption then depends on messages that an
 * attacker may choose. Saves four products per operation and an occasional modular inverse on the host (times
 * in host/README.md). */
#define PERLE_RSA_NO_BLINDING 1u
/* Blind the exponents too: every operation uses dp + r·(p-1) and dq + r'·(q-1) with new secret r, r'. The
 * exponents, and so the board's time, are longer by perle_rsa_exponent_blinding() bits. Errors: _UNSUPPORTED
 * (a key without CRT numbers, a system, or an exponent register with less than 20 bits to spare). */
#define PERLE_RSA_BLIND_EXPONENT 2u

/* z = c^d mod n for c < n; z is as long as n. The boards must be as wide as the wider prime (as n without
 * CRT). If z^e = c does not hold, software computes z from the same numbers of the key. If that is wrong too
 * (for example because p or q is not prime), the key is at fault: this and every later private operation with
 * it fails with _KEY_WRONG. Otherwise a board is at fault: _FAULT. Errors: _KEY_PUBLIC, _KEY_WRONG,
 * _WIDTH, _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_rsa_private(perle_boards* set, const perle_key* key, unsigned flags,
                                         const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                                         size_t* out_len, perle_cost* cost);

/* Number of bits that PERLE_RSA_BLIND_EXPONENT adds to the exponents of this key on these boards: 20 to 64,
 * as many as fit into the exponent register; 0 if exponents cannot be blinded. */
PERLE_API perle_status perle_rsa_exponent_blinding(const perle_boards* set, const perle_key* key,
                                                   uint32_t* bits);

/* z = x^e mod n for x < n; z is as long as n. Computed on a board, which must be as wide as n, and checked by
 * software; with set = NULL by software only. Errors: _WIDTH, _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_rsa_public(perle_boards* set, const perle_key* key, const uint8_t* in,
                                        size_t in_len, uint8_t* out, size_t out_size, size_t* out_len,
                                        perle_cost* cost);

/* ---- with padding ------------------------------------------------------------------------------------ */

typedef enum perle_padding {
  PERLE_PADDING_NONE = 0,  /* raw: a message as long as n, less than n */
  PERLE_PADDING_PKCS1 = 1, /* PKCS #1 v1.5: signatures, encryption */
  PERLE_PADDING_PSS = 2,   /* signatures */
  PERLE_PADDING_OAEP = 3   /* encryption; empty label */
} perle_padding;

#define PERLE_SALT_DIGEST (-1) /* as long as the digest */
#define PERLE_SALT_AUTO (-2)   /* verify: whatever the signature has; sign: the longest */

typedef struct perle_rsa_options {
  size_t size;      /* sizeof(perle_rsa_options) */
  int padding;      /* perle_padding */
  const char* hash; /* "sha256", …: any hash of libcrypto with a fixed length; for PKCS#1 signatures it needs
                       an object identifier (md5-sha1 has none). NULL for PERLE_PADDING_NONE, PKCS#1
                       encryption, and PKCS#1 signatures without DigestInfo */
  const char* mgf1_hash; /* hash of MGF1 in PSS and OAEP; NULL: the same as `hash` */
  int salt_length;       /* PSS: bytes, PERLE_SALT_DIGEST or PERLE_SALT_AUTO */
  unsigned flags;        /* PERLE_RSA_NO_BLINDING, PERLE_RSA_BLIND_EXPONENT */
} perle_rsa_options;

/* Sign a digest, which the caller has computed with `hash`. Paddings: PSS, PKCS1, NONE. The signature is as
 * long as n.
 * Errors: those of perle_rsa_private, _PADDING, _HASH, _DIGEST_LENGTH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_sign(perle_boards* set, const perle_key* key,
                                      const perle_rsa_options* options, const uint8_t* digest,
                                      size_t digest_len, uint8_t* out, size_t out_size, size_t* out_len,
                                      perle_cost* cost);

/* The message that perle_rsa_sign signs, encoded and as long as n, for callers that compute the private power
 * by other means, such as a batch. With a padding it is less than n; without one it is the message itself,
 * which perle_rsa_private refuses if it is not less than n. Errors: _PADDING, _HASH, _DIGEST_LENGTH,
 * _MESSAGE_LENGTH, _BUFFER. */
PERLE_API perle_status perle_rsa_encode(const perle_key* key, const perle_rsa_options* options,
                                        const uint8_t* digest, size_t digest_len, uint8_t* out,
                                        size_t out_size, size_t* out_len);

/* Verify a signature: PERLE_OK, or _SIGNATURE if it is wrong in any way. `set` as in perle_rsa_public.
 * Errors: those of perle_rsa_public, _SIGNATURE, _PADDING, _HASH, _DIGEST_LENGTH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_verify(perle_boards* set, const perle_key* key,
                                        const perle_rsa_options* options, const uint8_t* digest,
                                        size_t digest_len, const uint8_t* signature, size_t signature_len,
                                        perle_cost* cost);

/* Encrypt. Paddings: OAEP, PKCS1, NONE. The ciphertext is as long as n. `set` as in perle_rsa_public.
 * Errors: those of perle_rsa_public, _PADDING, _HASH, _MESSAGE_LENGTH. */
PERLE_API perle_status perle_rsa_encrypt(perle_boards* set, const perle_key* key,
                                         const perle_rsa_options* options, const uint8_t* in, size_t in_len,
                                         uint8_t* out, size_t out_size, size_t* out_len, perle_cost* cost);

/* Decrypt. Paddings: OAEP, PKCS1, NONE. With out = NULL, *out_len is the length of n, and `out_size` must be
 * at least that: a size that depended on the message would reveal something about it. Errors: those of
 * perle_rsa_private (length and range of the ciphertext are public), _PADDING, _HASH, _MESSAGE_LENGTH, and
 * _DECRYPT for whatever is wrong with the decrypted message. PKCS #1 v1.5: if others can observe whether
 * _DECRYPT was returned, or how long the call took, they have a decryption oracle (Bleichenbacher 1998); the
 * library cannot prevent that. Use OAEP wherever possible. */
PERLE_API perle_status perle_rsa_decrypt(perle_boards* set, const perle_key* key,
                                         const perle_rsa_options* options, const uint8_t* in, size_t in_len,
                                         uint8_t* out, size_t out_size, size_t* out_len, perle_cost* cost);

#endif
