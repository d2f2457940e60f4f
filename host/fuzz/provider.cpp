// SPDX-License-Identifier: Apache-2.0
//
// The provider inside of libcrypto: contexts with settings, keys, operations, fetches and failing boards, in
// any order. No wrong signature is released or accepted; with a fallback, nothing that is possible fails.
#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/x509.h>

#include <cstdlib>
#include <string>

#include "board.hpp"
#include "evp_work.hpp"

namespace {

using evp::Key;
using evp::Promise;
using evp::Work;
using perle::provider::Free;
using perle::provider::StatusData;
using perle::provider::testing::Host;
using perle::provider::testing::Pairs;

template <typename Function>
Function found(const char* name) {
  static void* const kBoard = dlopen(PERLE_FUZZ_BOARD, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  HOLDS(kBoard != nullptr);
  return reinterpret_cast<Function>(dlsym(kBoard, name));
}
#define BOARD(name) found<decltype(&(name))>(#name)

struct Fetched {
  std::unique_ptr<EVP_SIGNATURE, Free<EVP_SIGNATURE_free>> signature;
  std::unique_ptr<EVP_ASYM_CIPHER, Free<EVP_ASYM_CIPHER_free>> cipher;
  std::unique_ptr<EVP_KEYMGMT, Free<EVP_KEYMGMT_free>> keymgmt;
  std::unique_ptr<EVP_KEM, Free<EVP_KEM_free>> kem;
};

// A context, and what is in it, which is freed before it.
struct Place {
  Promise promise;
  bool strict = false;  // software may do nothing that boards can
  std::unique_ptr<Host> host;
  std::vector<Fetched> fetched;
  std::vector<std::shared_ptr<const Key>> keys;
  std::vector<std::unique_ptr<Work>> works;
};

constexpr std::size_t kMost = 4;

void check(const Place& place) { HOLDS(!place.strict || place.host->count(&StatusData::software) == 0); }

template <typename T>
void keep(std::vector<T>& all, T one) {
  if (one == nullptr) return;
  if (all.size() == kMost) all.erase(all.begin());
  all.push_back(std::move(one));
}

template <typename T>
const T& any(const std::vector<T>& all, Input& input) {
  return all[input.below(static_cast<unsigned>(all.size()))];
}

std::unique_ptr<Place> open(Input& input) {
  static const std::string kSpec = std::string("sim:") + PERLE_FUZZ_BOARD;
  const std::string specs[] = {kSpec, kSpec + ",boards=2", kSpec + " " + kSpec, "sim:/none.so " + kSpec};
  auto out = std::make_unique<Place>();
  const unsigned how = input.byte(), more = input.byte();
  out->promise.fallback = (how & 1) == 0;
  out->strict = !out->promise.fallback;
  Pairs settings = {{"boards", specs[how >> 2 & 3]},
                    {"fallback", out->promise.fallback ? "software" : "fail"},
                    {"blind_exponent", (how & 2) == 0 ? "yes" : "no"},
                    {"retire_after", (how & 16) == 0 ? "3" : "1"},
                    {"retry", (how & 32) == 0 ? "1" : "60000"},
                    {"queue", (how & 64) == 0 ? "64" : "0"}};
  if ((how & 128) != 0) settings["status"] = "none";
  if (more % 8 == 7) settings[more < 128 ? "timeout" : "fallback"] = "never";
  const char* const boards[] = {"width=512", "width=256,word=32", "width=512,word=32", "width=64"};
  out->host = std::make_unique<Host>(settings, boards[more >> 3 & 3]);
  out->promise.refused = !out->host->working();
  // One that must be there, and is not.
  HOLDS(out->promise.refused == (more % 8 == 7 || ((how >> 2 & 3) == 3 && !out->promise.fallback)));
  return out;
}

void spoil(Input& input) {
  const unsigned board = input.byte(), what = input.byte(), which = input.byte();
  if (what < 192)
    BOARD(perle_fuzz_break)(board, what, static_cast<int>(which % 4) - 1);
  else
    BOARD(perle_fuzz_flip)(board, what, which);
}

void choose(Place& place, Input& input) {
  const char* const queries[] = {"?perle.boards=yes", "?provider=perle", "", "provider=default"};
  const unsigned which = input.below(std::size(queries));
  HOLDS(EVP_set_default_properties(place.host->ctx(), queries[which]) == 1);
  // Otherwise keys and operations may be those of another provider, which settings do not bind.
  place.promise.ours = which < 2;
}

void fetch(Place& place, Input& input) {
  const char* const queries[] = {"", "provider=perle", "provider=default", "perle.boards=yes",
                                 "perle.boards=no"};
  const char* const names[] = {"RSA", "RSA-PSS", "rsaEncryption", "EC"};
  const char *const query = queries[input.below(std::size(queries))], *const name = names[input.below(4)];
  OSSL_LIB_CTX* const ctx = place.host->ctx();
  Fetched one;
  one.signature.reset(EVP_SIGNATURE_fetch(ctx, name, query));
  one.cipher.reset(EVP_ASYM_CIPHER_fetch(ctx, name, query));
  one.keymgmt.reset(EVP_KEYMGMT_fetch(ctx, name, query));
  one.kem.reset(EVP_KEM_fetch(ctx, name, query));
  if (one.signature != nullptr) EVP_SIGNATURE_settable_ctx_params(one.signature.get());
  if (one.cipher != nullptr) EVP_ASYM_CIPHER_gettable_ctx_params(one.cipher.get());
  if (one.keymgmt != nullptr) EVP_KEYMGMT_gettable_params(one.keymgmt.get());
  if (place.fetched.size() == kMost) place.fetched.clear();
  place.fetched.push_back(std::move(one));
}

// A key is the same as in OpenSSL's own implementation, whatever it is asked.
void ask(Place& place, Input& input) {
  const Key &key = *any(place.keys, input), &other = *any(place.keys, input);
  switch (input.below(5)) {
    case 0:
      HOLDS(EVP_PKEY_eq(key.own.get(), other.own.get()) == EVP_PKEY_eq(key.soft.get(), other.soft.get()));
      break;
    case 1: {
      const evp::PkeyCtx own(EVP_PKEY_CTX_new_from_pkey(place.host->ctx(), key.own.get(), nullptr)),
          soft(EVP_PKEY_CTX_new_from_pkey(evp::software(), key.soft.get(), nullptr));
      const auto check = input.below(2) == 0 ? EVP_PKEY_public_check : EVP_PKEY_check;
      HOLDS((check(own.get()) == 1) == (check(soft.get()) == 1));
      break;
    }
    case 2: {
      unsigned char *own = nullptr, *soft = nullptr;
      const int here = i2d_PrivateKey(key.own.get(), &own), there = i2d_PrivateKey(key.soft.get(), &soft);
      HOLDS((here > 0) == (there > 0));
      HOLDS(here <= 0 || perle::provider::testing::Data(own, own + here) ==
                             perle::provider::testing::Data(soft, soft + there));
      OPENSSL_free(own);
      OPENSSL_free(soft);
      break;
    }
    case 3: {
      const evp::Pkey copy(EVP_PKEY_dup(key.own.get()));
      HOLDS(copy == nullptr || EVP_PKEY_get_bits(copy.get()) == EVP_PKEY_get_bits(key.soft.get()));
      break;
    }
    default: {
      OSSL_PROVIDER* const again =
          OSSL_PROVIDER_load(place.host->ctx(), input.below(2) == 0 ? "perle" : "null");
      if (again != nullptr) OSSL_PROVIDER_unload(again);
    }
  }
}

void step(Place& place, Input& input) {
  OSSL_LIB_CTX* const ctx = place.host->ctx();
  switch (input.below(16)) {
    case 0:
    case 1:
      keep(place.keys, evp::make_key(input, ctx));
      break;
    case 2:
      keep(place.keys, evp::read_key(input, ctx));
      break;
    case 3:
    case 4:
      spoil(input);
      break;
    case 5:
      choose(place, input);
      break;
    case 6:
      fetch(place, input);
      break;
    case 7:
      if (!place.keys.empty()) ask(place, input);
      break;
    case 8:
      if (input.below(2) == 0) place.keys.clear();
      if (!place.works.empty()) place.works.erase(place.works.begin());
      break;
    case 9:
      if (!place.works.empty()) keep(place.works, any(place.works, input)->copy());
      break;
    case 10:
    case 11:
      if (!place.works.empty()) any(place.works, input)->adjust(input);
      break;
    case 12:
      if (!place.works.empty()) any(place.works, input)->update(input);
      break;
    case 13:
      if (!place.keys.empty())
        keep(place.works, Work::begin(input, any(place.keys, input), ctx, place.promise));
      break;
    default:
      if (!place.works.empty()) any(place.works, input)->finish(input);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ::setenv("SOFTBOARD_SO", PERLE_FUZZ_BOARD, 1);
  Input input(data, size);
  {
    std::vector<std::unique_ptr<Place>> places;
    places.push_back(open(input));
    for (unsigned steps = 0; steps < 24 && !input.empty(); ++steps) {
      const unsigned where = input.below(32);
      if (where == 31 && places.size() < 3) places.push_back(open(input));
      if (where == 30 && places.size() > 1) {
        check(*places.front());
        places.erase(places.begin());
      }
      step(*places[where % places.size()], input);
      ERR_clear_error();
    }
    for (const auto& place : places) check(*place);
  }
  HOLDS(BOARD(perle_fuzz_end)() == 0);
  HOLDS(test::failures == 0);
  return 0;
}
