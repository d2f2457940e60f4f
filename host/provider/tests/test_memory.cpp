// SPDX-License-Identifier: Apache-2.0
//
// libcrypto frees no block with a prime of a key in it while the provider has the key. libcrypto's allocator
// is replaced by one that searches every freed block.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::Pkey;

namespace {

constexpr std::size_t kHeader = 16, kFragment = 16;
unsigned char fragment[kFragment];
std::atomic<bool> watching{false};
std::atomic<int> finds{0}, looked{0};

void* allocate(std::size_t size, const char*, int) {
  auto* raw = static_cast<unsigned char*>(std::malloc(size + kHeader));
  if (raw == nullptr) return nullptr;
  std::memcpy(raw, &size, sizeof size);
  return raw + kHeader;
}

void release(void* block, const char*, int) {
  if (block == nullptr) return;
  auto* raw = static_cast<unsigned char*>(block) - kHeader;
  std::size_t size = 0;
  std::memcpy(&size, raw, sizeof size);
  if (watching) {
    ++looked;
    if (memmem(block, size, fragment, kFragment) != nullptr) ++finds;
  }
  std::free(raw);
}

void* resize(void* block, std::size_t size, const char* file, int line) {
  void* out = allocate(size, file, line);
  if (block == nullptr || out == nullptr) return out;
  std::size_t old = 0;
  std::memcpy(&old, static_cast<unsigned char*>(block) - kHeader, sizeof old);
  std::memcpy(out, block, std::min(old, size));
  release(block, file, line);
  return out;
}

// Has to happen before libcrypto allocates anything.
const bool hooked = CRYPTO_set_mem_functions(allocate, resize, release) == 1;

}  // namespace

TEST(nothing_of_an_imported_key_is_freed_as_it_is) {
  CHECK(hooked);
  const Host host;
  OSSL_PARAM* params = nullptr;
  CHECK_EQ(EVP_PKEY_todata(made(1024), EVP_PKEY_KEYPAIR, &params), 1);
  const OSSL_PARAM* p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_FACTOR1);
  if (!CHECK(p != nullptr && p->data_size >= 2 * kFragment)) return;
  std::memcpy(fragment, static_cast<unsigned char*>(p->data) + kFragment, kFragment);
  watching = true;
  {
    EVP_PKEY_CTX* ctx = EVP_PKEY_CTX_new_from_name(host.ctx(), "RSA", nullptr);
    EVP_PKEY* raw = nullptr;
    EVP_PKEY_fromdata_init(ctx);
    EVP_PKEY_fromdata(ctx, &raw, EVP_PKEY_KEYPAIR, params);
    EVP_PKEY_CTX_free(ctx);
    const Pkey key(raw), copy(EVP_PKEY_dup(raw));
    CHECK(is_perles(key.get()) && is_perles(copy.get()));
    for (EVP_PKEY* one : {key.get(), copy.get()}) {
      const Data signature = sign(one, host.ctx(), {}, {1, 2, 3});
      CHECK(verifies(one, host.ctx(), {}, {1, 2, 3}, signature));
    }
  }
  watching = false;
  CHECK(looked > 100);
  CHECK_EQ(finds.load(), 0);
  OSSL_PARAM_free(params);
}
