/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h; include that. RSA on systems of active-memory boards: one driver for each way in which
 * shand1990 programs RSA.
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

/* perle_driver_name: what driver number `index` is called ("reg_straight"); NULL past the last driver.
 * perle_driver_boards: the families of the boards that a driver needs,
 * in order ("reg_mul,reg_mul,reg_mul"); "mod_product:p" is a board that is built for the prime p of the key.
 * NULL for an unknown driver. */
PERLE_API const char* perle_driver_name(size_t index);
PERLE_API const char* perle_driver_boards(const char* name);

/* c^d mod n for `count` numbers. Each has as many bytes as n; `in` and `out` contain them one after the
 * other, and may overlap. Some drivers overlap the computations of consecutive numbers. All results are
 * checked (s^e = c) before any is released. `time`, which may be NULL, is the modelled time from the first
 * access to the last. The time depends on the bits of the exponent: drivers are the paper's programs, for
 * study; for secrets use perle_rsa_private on boards. Errors: _SPEC (no such driver), _ARGUMENT (not the
 * boards that the driver needs), _KEY_PUBLIC, _WIDTH (the boards are too narrow for the primes, or the key
 * has no primes), _OPERAND_RANGE, _BUFFER, _BUS, _FAULT, _KEY_WRONG (see perle_rsa_private). */
PERLE_API perle_status perle_driver_private(perle_system* system, const char* name, const perle_key* key,
                                            const uint8_t* in, size_t count, uint8_t* out, size_t out_size,
                                            perle_system_time* time);

/* Make a set of the boards of a system: perle_rsa_private, _sign and _decrypt work on it, including blinding
 * and the check s^e = m; the driver computes the private power. Takes ownership of the system, unless the
 * call fails: it is closed with the set, and `system` must not be used any more. Operations of several
 * threads run one after the other. `cost` contains the modelled time only. Also available: perle_boards_info,
 * _zeroize, _stats (accesses, operations, faults), _stats_reset, perle_board_snapshot,
 * perle_rsa_exponent_blinding (0 bits); _set_check, which has no effect, and _set_timeout with both limits 0.
 * All else is _UNSUPPORTED: for public operations pass NULL as the set (software). The time depends on the
 * bits of the exponent. The boards are zeroized after a failure and when the set is closed, except for
 * constants in their logic. Errors: _SPEC (no such driver), _ARGUMENT (the driver needs another number of
 * boards). */
PERLE_API perle_status perle_boards_on_system(perle_system* system, const char* driver, perle_boards** set);

#ifdef __cplusplus
}
#endif

#endif
