// SPDX-License-Identifier: Apache-2.0
//
// RSA keys: checked numbers, and the moduli for boards of each shape.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "board/modulus.hpp"
#include "board/process.hpp"
#include "perle.h"

namespace perle {

// A blinding pair: (c·factor)^d·inverse = c^d modulo n.
struct Blinding {
  Bn factor;   // r^e mod n
  Bn inverse;  // r^-1 mod n
};

// The unchecked numbers of a key; nullopt if absent.
struct KeyNumbers {
  std::optional<Bn> n, e, d, p, q, dp, dq, qinv;
};

class Key {
 public:
  // Throws PERLE_ERR_KEY_INCONSISTENT, PERLE_ERR_EXPONENT_WIDE.
  explicit Key(KeyNumbers numbers);

  const Bn& n() const { return *numbers_.n; }
  const Bn& e() const { return *numbers_.e; }
  const Bn& d() const { return *numbers_.d; }
  const Bn& p() const { return *numbers_.p; }
  const Bn& q() const { return *numbers_.q; }
  const Bn& dp() const { return *numbers_.dp; }
  const Bn& dq() const { return *numbers_.dq; }
  const Bn& qinv() const { return *numbers_.qinv; }
  bool has_crt() const { return numbers_.p.has_value(); }
  bool is_private() const { return has_crt() || numbers_.d.has_value(); }
  std::size_t size() const { return n().bytes(); }
  // Width of board needed for private operations, in bits.
  unsigned half_bits() const { return has_crt() ? std::max(p().bits(), q().bits()) : n().bits(); }

  enum class Part { kN, kP, kQ };
  // The modulus for boards of that shape, computed at the first call and kept. Throws PERLE_ERR_WIDTH.
  std::shared_ptr<const Modulus> modulus(Part part, const Shape& shape) const;
  // A blinding pair that no other operation of this process gets.
  Blinding blinding() const;
  // Software has found that its private numbers are wrong: no private operation accepts it any more.
  void refuse() const { refused_ = true; }
  bool refused() const { return refused_; }

 private:
  struct Made {
    Part part;
    std::shared_ptr<const Modulus> modulus;
  };
  KeyNumbers numbers_;
  mutable std::mutex mutex_;
  mutable std::vector<Made> made_;
  mutable std::optional<Blinding> blinding_;
  mutable int blinding_uses_ = 0;
  mutable std::atomic<bool> refused_{false};
  mutable ProcessStamp blinding_made_;  // a child of fork() must make a new pair
};

// PEM or DER; see perle_key_load.
KeyNumbers parse_key(ByteView data, perle_passphrase_cb ask, void* arg);

// A new key: see perle_key_generate.
KeyNumbers generate_key(unsigned bits);
// Throws PERLE_ERR_KEY_PUBLIC if the key has no primes.
Bytes key_to_pem(const Key& key);

}  // namespace perle

// Shared with the operations of batches that are not finished yet.
struct perle_key {
  std::shared_ptr<const perle::Key> key;
};
