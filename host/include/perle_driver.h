/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h: RSA on systems of active memories, one driver for each step of the RSA story of shand1990.
 */
#ifndef PERLE_DRIVER_H
#define PERLE_DRIVER_H

#ifndef PERLE_H
#error "include perle.h"
#endif

#include "perle_rsa.h"
#include "perle_system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What driver number `index` is called ("reg_straight"), NULL past the last one; and which boards a driver
 * drives, as families in their order ("reg_mul,reg_mul,reg_mul"; "mod_product:p" is one built for the key's
 * prime p), NULL for a name that none has. */
PERLE_API const char* perle_driver_name(size_t index);
PERLE_API const char* perle_driver_boards(const char* name);

/* c^d mod n for `count` numbers, each as many bytes as n, one after the other in `in` and in `out`, which may
 * be the same: all numbers are read before the first result is written. Drivers
 * that overlap the messages of a stream do so here. Every result is checked (s^e = c) before any is released.
 * `time` is what it took, in modelled time, from the first access to the last; it may be NULL. The time of a
 * driver depends on the exponent's bits where its description says so: these are the paper's programs, for
 * study, not the constant-time path of perle_rsa_private. Errors: _SPEC (no such driver), _ARGUMENT (not the
 * boards that it drives), _KEY_PUBLIC, _WIDTH (primes too wide for the boards, or not two of them),
 * _OPERAND_RANGE, _BUFFER, _BUS, _FAULT, _KEY_WRONG (the key is to blame, not the system). */
PERLE_API perle_status perle_driver_private(perle_system* system, const char* name, const perle_key* key,
                                            const uint8_t* in, size_t count, uint8_t* out, size_t out_size,
                                            perle_system_time* time);

/* The boards of a system as a set: perle_rsa_private, _sign and _decrypt work on it as on any other, with
 * blinding and with the check s^e = m; the private power is the driver's. Takes over the system: unless the
 * call fails it is closed with the set, and `system` must not be used any more. Operations of several threads
 * take turns. `cost` tells the modelled time. Also: perle_boards_info, _zeroize, _stats (accesses,
 * operations, faults), _stats_reset, _set_check and _set_timeout without limits (which change nothing),
 * perle_rsa_exponent_blinding (0 bits) and perle_board_snapshot. Everything else is _UNSUPPORTED: public
 * operations take NULL, software, instead of a set. As with perle_driver_private the
 * time depends on the exponent's bits; the boards are zeroized after a failure and when the set is closed,
 * except for what is part of a circuit. Errors: _SPEC (no such driver), _ARGUMENT (not as many boards as it
 * drives). */
PERLE_API perle_status perle_boards_on_system(perle_system* system, const char* driver, perle_boards** set);

#ifdef __cplusplus
}
#endif

#endif
