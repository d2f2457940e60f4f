// SPDX-License-Identifier: Apache-2.0
//
// A key: OpenSSL's own object, for padding, verification and fallback; and a key of libperle, made at the
// first private operation of a process.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "context.hpp"
#include "rsa/bn.hpp"

namespace perle::provider {

// Zeroizes the numbers of a key that EVP_PKEY_export gave to a callback: it frees them as they are.
void zeroize(const OSSL_PARAM* params);

class Key {
 public:
  // Takes ownership of a key of the software implementation, of type "RSA" or "RSA-PSS".
  Key(Context& context, Pkey software);
  ~Key();
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  // From the parameters of an import.
  static std::shared_ptr<const Key> import(Context& context, const char* type, int selection,
                                           const OSSL_PARAM* params);

  Context& context() const { return context_; }
  EVP_PKEY* software() const { return software_.get(); }
  // A new context of the software implementation, for any operation.
  PkeyCtx operation() const;
  bool has_public() const { return has_public_; }
  bool has_private() const { return has_private_; }
  bool restricted() const { return EVP_PKEY_is_a(software(), "RSA-PSS") == 1; }
  std::size_t size() const { return n_.bytes(); }
  unsigned half_bits() const { return half_bits_; }  // of the wider prime; 0: not supported by boards
  const Bn& n() const { return n_; }
  const Bn& e() const { return e_; }
  // The key of libperle for this process. Throws Failure(kKey).
  const perle_key* for_boards(const Process& process) const;
  // x^d mod n by the software implementation.
  Bytes software_power(ByteView x) const;

 private:
  struct Loaded;
  Context& context_;
  Pkey software_;
  Pkey plain_;  // for an RSA-PSS key: the same numbers as type RSA, for raw operations
  bool has_public_ = false, has_private_ = false;
  unsigned half_bits_ = 0;
  Bn n_, e_;
  mutable std::atomic<Loaded*> loaded_{nullptr};
};

// The key object that OpenSSL holds; empty until the key is imported or generated.
struct KeyData {
  Context& context;
  const char* type;
  std::shared_ptr<const Key> key;
};

}  // namespace perle::provider
