// SPDX-License-Identifier: Apache-2.0
//
// Raw RSA operations on boards.
#pragma once

#include <optional>

#include "board/board_set.hpp"
#include "rsa/private_power.hpp"

namespace perle {

// Throws PERLE_ERR_KEY_PUBLIC, or PERLE_ERR_KEY_WRONG for a key that was refused before.
void need_private(const Key& key);
// Throws PERLE_ERR_ARGUMENT for undefined flags.
void check_rsa_flags(unsigned flags);
// Whether result = c^d mod n, checked with the public exponent.
bool right_private_power(const Key& key, const Bn& c, const Bn& result);
// The power of the message of which `base` is the blinded form and `power` the power; nothing if that is
// wrong. It is checked before it is unblinded, as the time of the check depends on how long the number is.
std::optional<Bn> unblinded_if_right(const Key& key, const Bn& base, const Bn& power,
                                     const Blinding& blinding);
// To be called after a wrong result for the blinded `base`: whether software gets a right one from the same
// numbers of the key. If not, the key is wrong, not the hardware, and is refused from then on.
bool confirm_key(const Key& key, const Bn& base);
// Throws the error of a wrong result: PERLE_ERR_FAULT if the key is right, else PERLE_ERR_KEY_WRONG.
[[noreturn]] void throw_wrong(bool key_in_order);
// c^d mod n for c < n, checked; flags: PERLE_RSA_NO_BLINDING, PERLE_RSA_BLIND_EXPONENT.
Bn rsa_private(PrivateEngine& engine, const Key& key, const Bn& c, unsigned flags, perle_cost& cost);
// x^e mod n for x < n, on boards and checked, or in software if set is null.
Bn rsa_public(BoardSet* set, const Key& key, const Bn& x, perle_cost& cost);

// Padding (padding.cpp). Encoded messages are as long as n.
Bytes pad_signature(const Key& key, const perle_rsa_options& options, ByteView digest);
bool check_signature(const Key& key, const perle_rsa_options& options, ByteView digest, const Bytes& encoded);
Bytes pad_encryption(const Key& key, const perle_rsa_options& options, ByteView message);
// Throws for options that are invalid for decryption.
void check_decryption_options(const perle_rsa_options& options);
// Throws PERLE_ERR_DECRYPT.
Bytes unpad_encryption(const Key& key, const perle_rsa_options& options, const Bytes& encoded);

}  // namespace perle
