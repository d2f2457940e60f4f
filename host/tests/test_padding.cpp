// SPDX-License-Identifier: Apache-2.0
//
// Padding, in both directions against libcrypto's EVP functions.
#include <openssl/rsa.h>

#include "fixture.hpp"

namespace {

struct FreeCtx {
  void operator()(EVP_PKEY_CTX* ctx) const { EVP_PKEY_CTX_free(ctx); }
};
using CtxPtr = std::unique_ptr<EVP_PKEY_CTX, FreeCtx>;

int evp_padding(perle_padding padding) {
  return padding == PERLE_PADDING_PSS    ? RSA_PKCS1_PSS_PADDING
         : padding == PERLE_PADDING_OAEP ? RSA_PKCS1_OAEP_PADDING
                                         : RSA_PKCS1_PADDING;
}

CtxPtr evp(const RsaKey& key, int (*init)(EVP_PKEY_CTX*), perle_padding padding, const char* hash) {
  CtxPtr ctx(EVP_PKEY_CTX_new(key.pkey, nullptr));
  CHECK_EQ(init(ctx.get()), 1);
  CHECK_EQ(EVP_PKEY_CTX_set_rsa_padding(ctx.get(), evp_padding(padding)), 1);
  if (padding == PERLE_PADDING_OAEP)
    CHECK_EQ(EVP_PKEY_CTX_set_rsa_oaep_md(ctx.get(), EVP_get_digestbyname(hash)), 1);
  if (init == EVP_PKEY_sign_init || init == EVP_PKEY_verify_init)
    CHECK_EQ(EVP_PKEY_CTX_set_signature_md(ctx.get(), EVP_get_digestbyname(hash)), 1);
  return ctx;
}

bool evp_verifies(const RsaKey& key, perle_padding padding, const char* hash, const Data& digest,
                  const Data& signature) {
  const CtxPtr ctx = evp(key, EVP_PKEY_verify_init, padding, hash);
  return EVP_PKEY_verify(ctx.get(), signature.data(), signature.size(), digest.data(), digest.size()) == 1;
}

Data evp_run(const CtxPtr& ctx,
             int (*run)(EVP_PKEY_CTX*, unsigned char*, std::size_t*, const unsigned char*, std::size_t),
             const Data& in) {
  Data out(1024);
  std::size_t length = out.size();
  if (run(ctx.get(), out.data(), &length, in.data(), in.size()) != 1) return {};
  out.resize(length);
  return out;
}

perle_rsa_options options(int padding, const char* hash, int salt = PERLE_SALT_DIGEST) {
  return {sizeof(perle_rsa_options), padding, hash, nullptr, salt, 0};
}

using Operation = decltype(&perle_rsa_sign);
Got run(Operation operation, const Bench& bench, const KeyPtr& key, const perle_rsa_options& how,
        const Data& in) {
  Got got{PERLE_OK, Data(1024), {}};
  std::size_t length = 0;
  got.status = operation(bench.set, key.get(), &how, in.data(), in.size(), got.data.data(), got.data.size(),
                         &length, &got.cost);
  got.data.resize(length);
  return got;
}

perle_status verify(const Bench* bench, const KeyPtr& key, const perle_rsa_options& how, const Data& digest,
                    const Data& signature) {
  return perle_rsa_verify(bench == nullptr ? nullptr : bench->set, key.get(), &how, digest.data(),
                          digest.size(), signature.data(), signature.size(), nullptr);
}

struct Hash {
  const char* name;
  std::size_t size;
};
constexpr Hash kHashes[] = {{"sha1", 20}, {"sha256", 32}, {"sha384", 48}, {"sha512", 64}, {"sha3-256", 32}};

}  // namespace

TEST(signatures_agree_with_libcrypto) {
  const RsaKey& rsa = key1024();
  const KeyPtr key = rsa.load();
  const Bench bench({.width = 512}), wide({.width = 1024});
  for (const perle_padding padding : {PERLE_PADDING_PSS, PERLE_PADDING_PKCS1})
    for (const Hash& hash : kHashes) {
      if (padding == PERLE_PADDING_PSS && hash.size == 64) continue;  // no room in 1024 bits
      const Data digest(hash.size, 0x5A);
      const perle_rsa_options how = options(padding, hash.name);
      const Got got = run(perle_rsa_sign, bench, key, how, digest);
      CHECK_EQ(got.status, PERLE_OK);
      CHECK(evp_verifies(rsa, padding, hash.name, digest, got.data));
      const Data theirs = evp_run(evp(rsa, EVP_PKEY_sign_init, padding, hash.name), EVP_PKEY_sign, digest);
      for (const Bench* where : {&wide, static_cast<const Bench*>(nullptr)}) {
        CHECK_EQ(verify(where, key, how, digest, got.data), PERLE_OK);
        const perle_rsa_options any = options(padding, hash.name, PERLE_SALT_AUTO);
        CHECK_EQ(verify(where, key, any, digest, theirs), PERLE_OK);
        Data other = digest;
        other[3] ^= 1;
        CHECK_EQ(verify(where, key, any, other, theirs), PERLE_ERR_SIGNATURE);
        Data broken = theirs;
        broken[50] ^= 1;
        CHECK_EQ(verify(where, key, any, digest, broken), PERLE_ERR_SIGNATURE);
      }
    }
}

TEST(pss_salts) {
  const KeyPtr key = key1024().load();
  const Bench bench({.width = 512});
  const Data digest(32, 7);
  for (const int salt : {0, 5, 32, PERLE_SALT_DIGEST, PERLE_SALT_AUTO}) {
    const Got got = run(perle_rsa_sign, bench, key, options(PERLE_PADDING_PSS, "sha256", salt), digest);
    CHECK_EQ(got.status, PERLE_OK);
    CHECK_EQ(verify(nullptr, key, options(PERLE_PADDING_PSS, "sha256", PERLE_SALT_AUTO), digest, got.data),
             PERLE_OK);
    // The longest salt of 1024 bits and SHA-256: 128 - 32 - 2.
    const int length = salt == PERLE_SALT_DIGEST ? 32 : salt == PERLE_SALT_AUTO ? 94 : salt;
    CHECK_EQ(verify(nullptr, key, options(PERLE_PADDING_PSS, "sha256", length), digest, got.data), PERLE_OK);
    CHECK_EQ(verify(nullptr, key, options(PERLE_PADDING_PSS, "sha256", length + 1), digest, got.data),
             PERLE_ERR_SIGNATURE);
  }
  CHECK_EQ(run(perle_rsa_sign, bench, key, options(PERLE_PADDING_PSS, "sha256", 95), digest).status,
           PERLE_ERR_MESSAGE_LENGTH);
  CHECK_EQ(run(perle_rsa_sign, bench, key, options(PERLE_PADDING_PSS, "sha256", -3), digest).status,
           PERLE_ERR_ARGUMENT);
  // The shortest key that takes a digest of 32 bytes and a salt of as many: 8 · (32 + 32 + 2) bits.
  const RsaKey least(528), short_key(520);
  const Bench least_bench({.width = 264});
  for (const RsaKey* each : {&least, &short_key})
    CHECK_EQ(run(perle_rsa_sign, least_bench, each->load(), options(PERLE_PADDING_PSS, "sha256", 32), digest)
                 .status,
             each == &least ? PERLE_OK : PERLE_ERR_MESSAGE_LENGTH);
  // n of 8k+1 bits: the encoded message is a byte shorter.
  const RsaKey odd(1025);
  const KeyPtr odd_key = odd.load();
  const Bench odd_bench({.width = 576});
  const Got got = run(perle_rsa_sign, odd_bench, odd_key, options(PERLE_PADDING_PSS, "sha256"), digest);
  CHECK_EQ(got.status, PERLE_OK);
  CHECK(evp_verifies(odd, PERLE_PADDING_PSS, "sha256", digest, got.data));
}

TEST(encryption_agrees_with_libcrypto) {
  const RsaKey& rsa = key1024();
  const KeyPtr key = rsa.load();
  const Bench half({.width = 512}), wide({.width = 1024});
  for (const perle_padding padding : {PERLE_PADDING_OAEP, PERLE_PADDING_PKCS1})
    for (const Hash& hash : {kHashes[0], kHashes[1]})
      for (const std::size_t length : {0, 1, 40, 62}) {
        const Data message(length, 0x42);
        const perle_rsa_options how = options(padding, hash.name);
        const Data theirs =
            evp_run(evp(rsa, EVP_PKEY_encrypt_init, padding, hash.name), EVP_PKEY_encrypt, message);
        const Got plain = run(perle_rsa_decrypt, half, key, how, theirs);
        CHECK_EQ(plain.status, PERLE_OK);
        CHECK(plain.data == message);
        const Got ours = run(perle_rsa_encrypt, wide, key, how, message);
        CHECK_EQ(ours.status, PERLE_OK);
        CHECK(evp_run(evp(rsa, EVP_PKEY_decrypt_init, padding, hash.name), EVP_PKEY_decrypt, ours.data) ==
              message);
      }
  const Data raw = bytes(random_odd(1020));
  Data padded(128 - raw.size(), 0);
  padded.insert(padded.end(), raw.begin(), raw.end());
  const Got secret = run(perle_rsa_encrypt, wide, key, options(PERLE_PADDING_NONE, nullptr), padded);
  CHECK_EQ(secret.status, PERLE_OK);
  CHECK(run(perle_rsa_decrypt, half, key, options(PERLE_PADDING_NONE, nullptr), secret.data).data == padded);
}

TEST(decryption_errors_are_one) {
  const KeyPtr key = key1024().load();
  const Bench bench({.width = 1024});
  const perle_rsa_options pkcs1 = options(PERLE_PADDING_PKCS1, nullptr),
                          oaep = options(PERLE_PADDING_OAEP, "sha256");
  const perle_rsa_options raw = options(PERLE_PADDING_NONE, nullptr);
  std::string text;
  for (const unsigned char* block : {reinterpret_cast<const unsigned char*>("\x01\x02"),
                                     reinterpret_cast<const unsigned char*>("\x00\x01"),
                                     reinterpret_cast<const unsigned char*>("\x00\x02")}) {
    Data message(128, 0xFF);  // wrong first byte, wrong type, no zero after the padding
    message[0] = block[0];
    message[1] = block[1];
    const Got got = run(perle_rsa_encrypt, bench, key, raw, message);
    CHECK_EQ(got.status, PERLE_OK);
    for (const perle_rsa_options& how : {pkcs1, oaep}) {
      const Got refused = run(perle_rsa_decrypt, bench, key, how, got.data);
      CHECK_EQ(refused.status, PERLE_ERR_DECRYPT);
      CHECK(refused.data.empty());
      if (text.empty()) text = perle_last_error();
      CHECK(text == perle_last_error());
    }
  }
}

TEST(padding_refused) {
  const KeyPtr key = key1024().load();
  const Bench bench({.width = 1024});
  const auto sign = [&](const perle_rsa_options& how, std::size_t size) {
    return run(perle_rsa_sign, bench, key, how, Data(size, 1)).status;
  };
  const auto encrypt = [&](const perle_rsa_options& how, std::size_t size) {
    return run(perle_rsa_encrypt, bench, key, how, Data(size, 1)).status;
  };
  const auto decrypt = [&](const perle_rsa_options& how, std::size_t size) {
    return run(perle_rsa_decrypt, bench, key, how, Data(size, 1)).status;
  };
  constexpr int undefined = 9;
  CHECK_EQ(sign(options(PERLE_PADDING_OAEP, "sha256"), 32), PERLE_ERR_PADDING);
  CHECK_EQ(sign(options(undefined, "sha256"), 32), PERLE_ERR_PADDING);
  CHECK_EQ(encrypt(options(PERLE_PADDING_PSS, "sha256"), 32), PERLE_ERR_PADDING);
  CHECK_EQ(decrypt(options(PERLE_PADDING_PSS, "sha256"), 128), PERLE_ERR_PADDING);
  CHECK_EQ(sign(options(PERLE_PADDING_PSS, "sha257"), 32), PERLE_ERR_HASH);
  CHECK_EQ(sign(options(PERLE_PADDING_PSS, nullptr), 32), PERLE_ERR_HASH);
  CHECK_EQ(sign(options(PERLE_PADDING_PSS, "shake128"), 32), PERLE_ERR_HASH);
  CHECK_EQ(sign(options(PERLE_PADDING_PKCS1, "md5-sha1"), 36), PERLE_ERR_HASH);
  CHECK_EQ(decrypt(options(PERLE_PADDING_OAEP, "none"), 128), PERLE_ERR_HASH);
  CHECK_EQ(sign(options(PERLE_PADDING_PSS, "sha256"), 31), PERLE_ERR_DIGEST_LENGTH);
  CHECK_EQ(sign(options(PERLE_PADDING_PKCS1, "sha256"), 33), PERLE_ERR_DIGEST_LENGTH);
  CHECK_EQ(sign(options(PERLE_PADDING_PSS, "sha512"), 64), PERLE_ERR_MESSAGE_LENGTH);  // 64+64+2 > 128
  CHECK_EQ(sign(options(PERLE_PADDING_PKCS1, nullptr), 118), PERLE_ERR_MESSAGE_LENGTH);
  CHECK_EQ(sign(options(PERLE_PADDING_PKCS1, nullptr), 117), PERLE_OK);
  CHECK_EQ(sign(options(PERLE_PADDING_NONE, nullptr), 127), PERLE_ERR_MESSAGE_LENGTH);
  CHECK_EQ(sign(options(PERLE_PADDING_NONE, nullptr), 128), PERLE_OK);
  CHECK_EQ(encrypt(options(PERLE_PADDING_PKCS1, nullptr), 118), PERLE_ERR_MESSAGE_LENGTH);
  CHECK_EQ(encrypt(options(PERLE_PADDING_OAEP, "sha256"), 63), PERLE_ERR_MESSAGE_LENGTH);
  CHECK_EQ(decrypt(options(PERLE_PADDING_OAEP, "sha256"), 127), PERLE_ERR_MESSAGE_LENGTH);
  const auto says = [](const char* text) {
    return std::string(perle_last_error()).find(text) != std::string::npos;
  };
  sign(options(PERLE_PADDING_PSS, "sha512"), 64);
  CHECK(says("a key of 1024 bits is too short for a digest of 64 bytes and a salt of 64 bytes in PSS"));
  encrypt(options(PERLE_PADDING_PKCS1, nullptr), 118);
  CHECK(says("the message has 118 bytes; with a key of 1024 bits this padding takes up to 117 bytes"));
  encrypt(options(PERLE_PADDING_OAEP, "sha512"), 1);
  CHECK(says("a key of 1024 bits is too short for OAEP with a hash of 64 bytes"));
  perle_rsa_options versions = options(PERLE_PADDING_PSS, "sha256");
  versions.size = 4;
  CHECK_EQ(sign(versions, 32), PERLE_ERR_ARGUMENT);
  const Data digest(32, 1), signature(127, 1), above(128, 0xFF);
  CHECK_EQ(verify(&bench, key, options(PERLE_PADDING_PSS, "sha256"), digest, signature), PERLE_ERR_SIGNATURE);
  CHECK_EQ(verify(&bench, key, options(PERLE_PADDING_PSS, "sha256"), digest, above), PERLE_ERR_SIGNATURE);
  CHECK_EQ(verify(&bench, key, options(PERLE_PADDING_OAEP, "sha256"), digest, Data(128, 1)),
           PERLE_ERR_PADDING);
}

// Whoever asks how long a signature will be is told already that there will be none.
TEST(signatures_need_boards_and_a_private_key) {
  const Bench bench({.width = 256});
  const KeyPtr key = key512().load(), open = key512().load_public();
  const perle_rsa_options how = options(PERLE_PADDING_PKCS1, "SHA256");
  const Data digest(32, 7);
  std::size_t length = 0;
  const auto ask = [&](perle_boards* set, const KeyPtr& with) {
    return perle_rsa_sign(set, with.get(), &how, digest.data(), digest.size(), nullptr, 0, &length, nullptr);
  };
  CHECK_EQ(ask(nullptr, key), PERLE_ERR_ARGUMENT);
  CHECK_EQ(ask(bench.set, open), PERLE_ERR_KEY_PUBLIC);
  CHECK_EQ(length, 0U);
  CHECK_EQ(ask(bench.set, key), PERLE_OK);
  CHECK_EQ(length, 64U);
}
