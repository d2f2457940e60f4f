// SPDX-License-Identifier: Apache-2.0
//
// Every padding and hash against the default provider, in both directions, on boards: the counts show it.
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>
#include <cstring>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::PkeyCtx;
using perle::provider::StatusData;

namespace {

const Data kMessage = {'p', 'e', 'r', 'l', 'e'};
constexpr unsigned kBits[] = {1024, 1027, 2048, 2047};

void both_ways(const Host& host, EVP_PKEY* soft, EVP_PKEY* own, const How& how) {
  const std::uint64_t before = host.count(&StatusData::boards);
  const Data ours = sign(own, host.ctx(), how, kMessage);
  CHECK(!ours.empty());
  CHECK_EQ(host.count(&StatusData::boards), before + 1);
  CHECK(verifies(soft, nullptr, how, kMessage, ours));
  const Data theirs = sign(soft, nullptr, how, kMessage);
  CHECK(verifies(own, host.ctx(), how, kMessage, theirs));
  Data wrong = theirs;
  wrong.back() ^= 1;
  CHECK(!verifies(own, host.ctx(), how, kMessage, wrong));
  CHECK(!verifies(own, host.ctx(), how, {'x'}, theirs));
  CHECK_EQ(host.count(&StatusData::boards), before + 1);  // verification is software's
}

Adjust padding(int which, const char* hash = nullptr, const char* mgf1 = nullptr,
               const char* label = nullptr) {
  return [=](EVP_PKEY_CTX* ctx) {
    bool good = EVP_PKEY_CTX_set_rsa_padding(ctx, which) > 0;
    if (hash != nullptr) good = good && EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx, hash, nullptr) > 0;
    if (mgf1 != nullptr) good = good && EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx, mgf1, nullptr) > 0;
    if (label != nullptr)
      good = good && EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, OPENSSL_strdup(label),
                                                      static_cast<int>(std::strlen(label))) > 0;
    return good;
  };
}

}  // namespace

// Results may lie over what they are made of.
TEST(operations_in_place) {
  const Host host;
  EVP_PKEY* const soft = made(1024);
  const auto own = moved(soft, host.ctx());
  const PkeyCtx signer(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr)),
      reader(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr));
  const Data digest = random(32);
  const Adjust oaep = padding(RSA_PKCS1_OAEP_PADDING);
  const Data ciphertext = encrypt(soft, nullptr, oaep, kMessage);
  for (const std::size_t shift : {0, 5}) {
    Data memory(256);
    std::size_t size = 128;
    std::copy(digest.begin(), digest.end(), memory.begin() + 5);
    CHECK(EVP_PKEY_sign_init(signer.get()) == 1 &&
          EVP_PKEY_sign(signer.get(), memory.data() + shift, &size, memory.data() + 5, 32) == 1);
    CHECK(Data(memory.data() + shift, memory.data() + shift + size) ==
          sign_digest(soft, nullptr, {nullptr}, digest));
    std::copy(ciphertext.begin(), ciphertext.end(), memory.begin() + 5);
    size = 128;
    CHECK(EVP_PKEY_decrypt_init(reader.get()) == 1 && oaep(reader.get()) &&
          EVP_PKEY_decrypt(reader.get(), memory.data() + shift, &size, memory.data() + 5, 128) == 1);
    CHECK(Data(memory.data() + shift, memory.data() + shift + size) == kMessage);
  }
  CHECK_EQ(host.count(&StatusData::boards), 4U);
}

// Refused before anything is decrypted, as the error would tell a right padding from a wrong one after it.
TEST(a_short_buffer_is_refused) {
  const Host host;
  const auto own = moved(made(1024), host.ctx());
  const Adjust oaep = padding(RSA_PKCS1_OAEP_PADDING);
  for (const Data& ciphertext : {encrypt(made(1024), nullptr, oaep, kMessage), Data(128, 1)}) {
    const PkeyCtx reader(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr));
    Data memory(127);
    std::size_t size = memory.size();
    CHECK(EVP_PKEY_decrypt_init(reader.get()) == 1 && oaep(reader.get()));
    CHECK(EVP_PKEY_decrypt(reader.get(), memory.data(), &size, ciphertext.data(), 128) != 1);
    CHECK(error_queue().find("shorter than the modulus") != std::string::npos);
  }
  CHECK_EQ(host.count(&StatusData::boards), 0U);
}

TEST(signatures_both_ways) {
  const Host host(Pairs{{"boards", std::string("sim:") + std::getenv("SOFTBOARD_SO") + ",boards=2"}});
  CHECK(host.working());
  for (const unsigned bits : kBits) {
    EVP_PKEY* const soft = made(bits);
    const auto own = moved(soft, host.ctx());
    CHECK(is_perles(own.get()) && !is_perles(soft));
    for (const char* hash :
         {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512-256", "SHA3-256", "MD5"}) {
      both_ways(host, soft, own.get(), {hash});
      const bool room = bits >= 2047 || EVP_MD_get_size(EVP_get_digestbyname(hash)) <= 48;
      if (room) both_ways(host, soft, own.get(), {hash, RSA_PKCS1_PSS_PADDING});
    }
    for (const int salt : {RSA_PSS_SALTLEN_MAX, RSA_PSS_SALTLEN_AUTO, 0, 11})
      both_ways(host, soft, own.get(), {"SHA256", RSA_PKCS1_PSS_PADDING, salt});
    both_ways(host, soft, own.get(), {"SHA256", RSA_PKCS1_PSS_PADDING, 20, "SHA1"});
    // The longest salt, by its length.
    const int most = static_cast<int>((bits - 1 + 7) / 8) - 32 - 2;
    for (const int salt : {RSA_PSS_SALTLEN_MAX, RSA_PSS_SALTLEN_AUTO}) {
      const Data longest = sign(own.get(), host.ctx(), {"SHA256", RSA_PKCS1_PSS_PADDING, salt}, kMessage);
      CHECK(verifies(soft, nullptr, {"SHA256", RSA_PKCS1_PSS_PADDING, most}, kMessage, longest));
    }
  }
  CHECK_EQ(host.count(&StatusData::software), 0U);
  CHECK_EQ(host.count(&StatusData::declined), 0U);
  CHECK(host.page()->row[0].blinding_bits.load() == 64);
}

TEST(signatures_of_3072_bits) {
  const Host host(Pairs{}, "width=1536");
  const auto own = moved(made(3072), host.ctx());
  both_ways(host, made(3072), own.get(), {"SHA256"});
  both_ways(host, made(3072), own.get(), {"SHA512", RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_MAX});
}

TEST(signatures_of_digests) {
  const Host host;
  const auto own = moved(made(2048), host.ctx());
  // PKCS#1 has one signature for a digest: the same as software's.
  for (const char* hash : {"SHA256", "MD5-SHA1", static_cast<const char*>(nullptr)}) {
    const How how{hash};
    const Data digest = random(hash == nullptr ? 51 : hash[0] == 'M' ? 36 : 32);
    const Data ours = sign_digest(own.get(), host.ctx(), how, digest);
    CHECK(!ours.empty() && ours == sign_digest(made(2048), nullptr, how, digest));
  }
  Data raw = random(256);
  raw[0] = 0;
  const How none{nullptr, RSA_NO_PADDING};
  CHECK(sign_digest(own.get(), host.ctx(), none, raw) == sign_digest(made(2048), nullptr, none, raw));
  CHECK_EQ(host.count(&StatusData::boards), 4U);
  // X9.31 is software's, and so is what is wrong: with its own errors.
  const How x931{"SHA256", RSA_X931_PADDING};
  const Data digest = random(32);
  CHECK(!sign_digest(own.get(), host.ctx(), x931, digest).empty());
  CHECK(sign_digest(own.get(), host.ctx(), x931, digest) == sign_digest(made(2048), nullptr, x931, digest));
  CHECK(sign_digest(own.get(), host.ctx(), {"SHA256"}, random(31)).empty());
  CHECK(error_queue().find("digest length") != std::string::npos);
  std::fill(raw.begin(), raw.end(), 255);
  CHECK(sign_digest(own.get(), host.ctx(), none, raw).empty());
  CHECK(error_queue().find("data too large for modulus") != std::string::npos);
  CHECK_EQ(host.count(&StatusData::declined), 4U);
  CHECK_EQ(host.count(&StatusData::boards), 4U);
}

TEST(recovered_digests) {
  const Host host;
  const auto own = moved(made(2048), host.ctx());
  const Data digest = random(32);
  Data signature = sign_digest(made(2048), nullptr, {nullptr}, digest), out(256);
  std::size_t length = out.size();
  const perle::provider::PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr));
  CHECK_EQ(EVP_PKEY_verify_recover_init(ctx.get()), 1);
  CHECK_EQ(EVP_PKEY_verify_recover(ctx.get(), out.data(), &length, signature.data(), signature.size()), 1);
  out.resize(length);
  CHECK(out == digest);
}

// A buffer that is too short stays as it is, also where OpenSSL's own implementation would write beyond it.
TEST(digests_recovered_into_short_buffers) {
  const Host host;
  const auto own = moved(made(2048), host.ctx());
  const Data digest = random(32), signature = sign_digest(made(2048), nullptr, {"SHA256"}, digest);
  const perle::provider::PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr));
  CHECK_EQ(EVP_PKEY_verify_recover_init(ctx.get()), 1);
  CHECK_EQ(EVP_PKEY_CTX_set_signature_md(ctx.get(), EVP_sha256()), 1);
  for (const std::size_t room : {31, 32}) {
    Data out(room, 0xA5);
    std::size_t length = room;
    const bool done =
        EVP_PKEY_verify_recover(ctx.get(), out.data(), &length, signature.data(), signature.size()) == 1;
    CHECK_EQ(done, room == 32);
    CHECK(out == (done ? digest : Data(room, 0xA5)));
  }
}

TEST(algorithm_identifiers) {
  const Host host;
  const auto own = moved(made(2048), host.ctx());
  for (const char* hash : {"SHA256", "SHA512"}) {
    Data ids[2] = {Data(64), Data(64)};
    for (int i = 0; i < 2; ++i) {
      const perle::provider::MdCtx md(EVP_MD_CTX_new());
      EVP_PKEY_CTX* inner = nullptr;
      EVP_PKEY* const key = i == 0 ? own.get() : made(2048);
      CHECK_EQ(
          EVP_DigestSignInit_ex(md.get(), &inner, hash, i == 0 ? host.ctx() : nullptr, nullptr, key, nullptr),
          1);
      OSSL_PARAM params[] = {
          OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, ids[i].data(), 64),
          OSSL_PARAM_construct_end()};
      CHECK_EQ(EVP_PKEY_CTX_get_params(inner, params), 1);
      ids[i].resize(params[0].return_size);
    }
    CHECK(!ids[0].empty() && ids[0] == ids[1]);
  }
}

TEST(hashes_of_begun_messages_stay) {
  const Host host;
  const auto own = moved(made(2048), host.ctx());
  const perle::provider::MdCtx md(EVP_MD_CTX_new());
  EVP_PKEY_CTX* inner = nullptr;
  CHECK_EQ(EVP_DigestSignInit_ex(md.get(), &inner, "SHA256", host.ctx(), nullptr, own.get(), nullptr), 1);
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, const_cast<char*>("SHA512"), 0),
      OSSL_PARAM_construct_end()};
  CHECK(EVP_PKEY_CTX_set_params(inner, params) != 1);
}

TEST(oaep_both_ways) {
  const Host host;
  for (const unsigned bits : kBits) {
    const auto own = moved(made(bits), host.ctx());
    const Adjust all[] = {padding(RSA_PKCS1_OAEP_PADDING), padding(RSA_PKCS1_OAEP_PADDING, "SHA256"),
                          padding(RSA_PKCS1_OAEP_PADDING, "SHA384", "SHA1"),
                          padding(RSA_PKCS1_OAEP_PADDING, "SHA1", nullptr, "a label")};
    for (const Adjust& how : all) {
      const std::uint64_t before = host.count(&StatusData::boards);
      CHECK(decrypt(own.get(), host.ctx(), how, encrypt(made(bits), nullptr, how, kMessage)) == kMessage);
      CHECK_EQ(host.count(&StatusData::boards), before + 1);
      CHECK(decrypt(made(bits), nullptr, how, encrypt(own.get(), host.ctx(), how, kMessage)) == kMessage);
    }
    // The wrong label, the wrong hash, a changed ciphertext: no message.
    Data sealed = encrypt(made(bits), nullptr, all[3], kMessage);
    CHECK(decrypt(own.get(), host.ctx(), all[0], sealed).empty());
    CHECK(decrypt(own.get(), host.ctx(), all[1], sealed).empty());
    sealed[5] ^= 4;
    CHECK(decrypt(own.get(), host.ctx(), all[3], sealed).empty());
  }
}

// PKCS#1 v1.5 and raw: what software makes of right and of wrong ciphertexts, this provider makes of them
// too.
TEST(other_decryption) {
  const Host host(Pairs{{"fallback", "fail"}});
  const auto own = moved(made(2048), host.ctx());
  const Adjust pkcs1 = padding(RSA_PKCS1_PADDING), none = padding(RSA_NO_PADDING);
  CHECK(decrypt(own.get(), host.ctx(), pkcs1, encrypt(made(2048), nullptr, pkcs1, kMessage)) == kMessage);
  CHECK_EQ(host.count(&StatusData::boards), 0U);
  CHECK_EQ(host.count(&StatusData::declined), 1U);
  Data raw = random(256);
  raw[0] = 0;
  CHECK(decrypt(own.get(), host.ctx(), pkcs1, raw) == decrypt(made(2048), nullptr, pkcs1, raw));
  CHECK(decrypt(own.get(), host.ctx(), none, raw) == decrypt(made(2048), nullptr, none, raw));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
  raw.erase(raw.begin());
  CHECK(decrypt(own.get(), host.ctx(), none, raw) == decrypt(made(2048), nullptr, none, raw));
}

// The pre-master secret of TLS up to 1.2: a wrong one is random, and not an error.
TEST(secrets_of_tls) {
  const Host host(Pairs{{"fallback", "fail"}});
  const auto own = moved(made(2048), host.ctx());
  unsigned version = 0x0303;
  const Adjust tls = [&](EVP_PKEY_CTX* ctx) {
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version),
        OSSL_PARAM_construct_end()};
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_WITH_TLS_PADDING) > 0 &&
           EVP_PKEY_CTX_set_params(ctx, params) == 1;
  };
  Data secret = random(48);
  secret[0] = secret[1] = 3;
  const Data sealed = encrypt(made(2048), nullptr, padding(RSA_PKCS1_PADDING), secret);
  CHECK(decrypt(own.get(), host.ctx(), tls, sealed) == secret);
  version = 0x0302;
  const Data wrong = decrypt(own.get(), host.ctx(), tls, sealed);
  CHECK(wrong.size() == 48 && wrong != secret);
  CHECK(host.count(&StatusData::declined) == 2 && host.count(&StatusData::boards) == 0);
}
