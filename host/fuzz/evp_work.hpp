// SPDX-License-Identifier: Apache-2.0
//
// Operations of EVP, done twice: by the provider, and by OpenSSL's own implementation with the same key. What
// is set, refused and accepted is the same for both; what the provider releases is right.
#pragma once

#include <memory>
#include <string>

#include "evp_keys.hpp"

namespace evp {

using perle::provider::MdCtx;
using perle::provider::PkeyCtx;
using perle::provider::testing::Data;

enum class Kind { kSign, kVerify, kRecover, kEncrypt, kDecrypt, kUnseal, kSignMessage, kVerifyMessage };
constexpr unsigned kKinds = 8;

// What the settings of the context promise.
struct Promise {
  bool refused = false;   // the settings are refused: no private operation
  bool fallback = false;  // software helps: every private operation that is possible
  bool ours = true;       // the provider is preferred: nobody else begins operations with its keys
};

// The next bytes of an input.
inline Data taken(Input& input, std::size_t count) {
  const auto found = input.bytes(count);
  return {found.begin(), found.end()};
}

class Work {
 public:
  // Null unless both begin it.
  static std::unique_ptr<Work> begin(Input& input, std::shared_ptr<const Key> key, OSSL_LIB_CTX* ctx,
                                     const Promise& promise);
  std::unique_ptr<Work> copy() const;
  void adjust(Input& input);
  void update(Input& input);
  void finish(Input& input);

 private:
  Work(Kind kind, std::shared_ptr<const Key> key, const Promise& promise)
      : kind_(kind), key_(std::move(key)), promise_(promise) {}
  EVP_PKEY_CTX* own() const { return of_message() ? own_inner_ : own_.get(); }
  EVP_PKEY_CTX* soft() const { return of_message() ? soft_inner_ : soft_.get(); }
  bool of_message() const { return kind_ == Kind::kSignMessage || kind_ == Kind::kVerifyMessage; }
  int number(const char* name) const;
  std::string text(const char* name) const;
  bool right(const Data& digest, const Data& signature) const;
  bool declined() const;
  Data digest(Input& input) const;
  Data some_signature(Input& input, const Data& digest) const;
  Data some_ciphertext(Input& input) const;

  void sign(Input& input);
  void verify(Input& input);
  void recover(Input& input);
  void encrypt(Input& input);
  void decrypt(Input& input);

  Kind kind_;
  std::shared_ptr<const Key> key_;
  Promise promise_;
  PkeyCtx own_, soft_;
  MdCtx own_md_, soft_md_;
  EVP_PKEY_CTX *own_inner_ = nullptr, *soft_inner_ = nullptr;
  Data message_;
};

}  // namespace evp
