// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the provider share: a library context with the provider in it, on software boards, and
// one without; keys; and a look at the page of status.
#pragma once

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "handles.hpp"
#include "status_page.hpp"
#include "test.hpp"

namespace perle::provider::testing {

using Data = std::vector<unsigned char>;
using Pairs = std::map<std::string, std::string>;

// A library context of its own whose configuration has this provider with these settings. `softboard` is what
// the environment variable SOFTBOARD tells the boards.
class Host {
 public:
  explicit Host(const Pairs& settings = {}, const std::string& softboard = "width=1024");
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  bool working() const { return status_ == 1; }  // by what the provider says of itself
  OSSL_LIB_CTX* ctx() const { return ctx_.get(); }
  // The page of this process; null if there is none.
  const StatusData* page() const;
  std::uint64_t count(Count StatusData::* which) const {
    return page() == nullptr ? 0 : (page()->*which).load();
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  LibCtx ctx_;
  int status_ = -1;
  mutable void* mapped_ = nullptr;
};

// All texts of the error queue, which is empty afterwards.
std::string error_queue();

// Keys of the default provider; made once a run.
EVP_PKEY* made(unsigned bits, unsigned primes = 2, const char* type = "RSA");
// The same key as one of another context: of this provider where it is there.
Pkey moved(EVP_PKEY* key, OSSL_LIB_CTX* to, int selection = EVP_PKEY_KEYPAIR);
bool is_perles(const EVP_PKEY* key);

struct How {
  const char* hash = "SHA256";
  int padding = RSA_PKCS1_PADDING;
  int salt = RSA_PSS_SALTLEN_DIGEST;
  const char* mgf1 = nullptr;
};

// Of a message; empty if it fails.
Data sign(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& message);
bool verifies(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& message, const Data& signature);

// Of a digest, or of whatever goes without a hash.
Data sign_digest(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& digest);

using Adjust = std::function<bool(EVP_PKEY_CTX*)>;
Data encrypt(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const Adjust& adjust, const Data& message);
Data decrypt(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const Adjust& adjust, const Data& ciphertext);

Data random(std::size_t size);

}  // namespace perle::provider::testing
