// SPDX-License-Identifier: Apache-2.0
//
// Raw RSA operations on boards.
#pragma once

#include "board/board_set.hpp"
#include "rsa/private_power.hpp"

namespace perle {

// Throws PERLE_ERR_KEY_PUBLIC.
void need_private(const Key& key);
// Throws PERLE_ERR_ARGUMENT: flags of private operations that there are not.
void check_rsa_flags(unsigned flags);
// Whether result = c^d mod n, found out with the public half.
bool right_private_power(const Key& key, const Bn& c, const Bn& result);
// To be called after a wrong result for `base`, which is blinded: whether software, with the same numbers of
// the key, gets a right one. If not, the key is to blame and not the hardware: it is refused from then on.
bool confirm_key(const Key& key, const Bn& base);
// A wrong result that was not released: throws PERLE_ERR_FAULT, or PERLE_ERR_KEY_WRONG if the key is to
// blame.
[[noreturn]] void throw_wrong(bool key_in_order);
// c^d mod n for c < n, checked; flags: PERLE_RSA_NO_BLINDING, PERLE_RSA_BLIND_EXPONENT.
Bn rsa_private(PrivateEngine& engine, const Key& key, const Bn& c, unsigned flags, perle_cost& cost);
// x^e mod n for x < n, on boards and checked, or in software if set is null.
Bn rsa_public(BoardSet* set, const Key& key, const Bn& x, perle_cost& cost);

// Padding (padding.cpp). Encoded messages are as long as n.
Bytes pad_signature(const Key& key, const perle_rsa_options& options, ByteView digest);
bool check_signature(const Key& key, const perle_rsa_options& options, ByteView digest, const Bytes& encoded);
Bytes pad_encryption(const Key& key, const perle_rsa_options& options, ByteView message);
// Refuses options that decryption does not know, before a key is used.
void check_decryption_options(const perle_rsa_options& options);
// Throws PERLE_ERR_DECRYPT.
Bytes unpad_encryption(const Key& key, const perle_rsa_options& options, const Bytes& encoded);

}  // namespace perle
