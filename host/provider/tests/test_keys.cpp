// SPDX-License-Identifier: Apache-2.0
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>

#include <cstdlib>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::Pkey;
using perle::provider::PkeyCtx;
using perle::provider::StatusData;

namespace {

const Data kMessage = {1, 2, 3};

// The key without some of its numbers.
Pkey without(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const std::vector<std::string>& names) {
  OSSL_PARAM *params = nullptr, kept[32];
  CHECK_EQ(EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params), 1);
  std::size_t n = 0;
  for (const OSSL_PARAM* p = params; p->key != nullptr; ++p)
    if (std::find(names.begin(), names.end(), p->key) == names.end()) kept[n++] = *p;
  kept[n] = OSSL_PARAM_construct_end();
  const PkeyCtx own(EVP_PKEY_CTX_new_from_name(ctx, "RSA", nullptr));
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_fromdata_init(own.get()), 1);
  EVP_PKEY_fromdata(own.get(), &out, EVP_PKEY_KEYPAIR, kept);
  OSSL_PARAM_free(params);
  return Pkey(out);
}

}  // namespace

TEST(keys_tell_what_they_are) {
  const Host host;
  for (const unsigned bits : {1024U, 2047U}) {
    const auto own = moved(made(bits), host.ctx());
    CHECK(is_perles(own.get()));
    CHECK_EQ(EVP_PKEY_get_bits(own.get()), static_cast<int>(bits));
    CHECK_EQ(EVP_PKEY_get_size(own.get()), EVP_PKEY_get_size(made(bits)));
    CHECK_EQ(EVP_PKEY_get_security_bits(own.get()), EVP_PKEY_get_security_bits(made(bits)));
    char name[32] = "";
    CHECK(EVP_PKEY_get_default_digest_name(own.get(), name, sizeof name) > 0 &&
          std::string(name) == "SHA256");
    BIGNUM *n = nullptr, *m = nullptr;
    CHECK_EQ(EVP_PKEY_get_bn_param(own.get(), OSSL_PKEY_PARAM_RSA_N, &n), 1);
    CHECK_EQ(EVP_PKEY_get_bn_param(made(bits), OSSL_PKEY_PARAM_RSA_N, &m), 1);
    CHECK_EQ(BN_cmp(n, m), 0);
    BN_free(n);
    BN_free(m);
  }
}

TEST(keys_are_compared_copied_and_moved) {
  const Host host;
  const auto own = moved(made(2048), host.ctx()), half = moved(made(2048), host.ctx(), EVP_PKEY_PUBLIC_KEY),
             other = moved(made(1024), host.ctx());
  CHECK_EQ(EVP_PKEY_eq(own.get(), half.get()), 1);
  CHECK_EQ(EVP_PKEY_eq(own.get(), other.get()), 0);
  CHECK_EQ(EVP_PKEY_eq(own.get(), made(2048)), 1);  // one of another provider
  const Pkey copy(EVP_PKEY_dup(own.get()));
  CHECK(is_perles(copy.get()));
  CHECK_EQ(EVP_PKEY_eq(own.get(), copy.get()), 1);
  CHECK(!sign(copy.get(), host.ctx(), {}, kMessage).empty());
  const auto back = moved(own.get(), nullptr);
  CHECK(!is_perles(back.get()));
  CHECK(verifies(made(2048), nullptr, {}, kMessage, sign(back.get(), nullptr, {}, kMessage)));
  // A public key signs nothing, and says so.
  error_queue();
  CHECK(sign(half.get(), host.ctx(), {}, kMessage).empty());
  CHECK(!error_queue().empty());
}

// Keys for PSS alone: with the hashes and the shortest salt that they prescribe, on boards.
TEST(restricted_keys) {
  const Host host(Pairs{{"fallback", "fail"}});
  for (const int salt : {0, 24, 32})
    for (OSSL_LIB_CTX* const made_in : {host.ctx(), static_cast<OSSL_LIB_CTX*>(nullptr)}) {
      const PkeyCtx maker(EVP_PKEY_CTX_new_from_name(made_in, "RSA-PSS", nullptr));
      EVP_PKEY* out = nullptr;
      CHECK(EVP_PKEY_keygen_init(maker.get()) == 1 &&
            EVP_PKEY_CTX_set_rsa_keygen_bits(maker.get(), 1024) == 1 &&
            EVP_PKEY_CTX_set_rsa_pss_keygen_md_name(maker.get(), "SHA256", nullptr) == 1 &&
            EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md_name(maker.get(), "SHA256") == 1 &&
            (salt == 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(maker.get(), salt) == 1) &&
            EVP_PKEY_generate(maker.get(), &out) == 1);
      const Pkey key(out), own(made_in == nullptr ? moved(key.get(), host.ctx()) : nullptr);
      EVP_PKEY* const used = made_in == nullptr ? own.get() : key.get();
      CHECK(used != nullptr && is_perles(used));
      const std::uint64_t before = host.count(&StatusData::boards);
      const How how{"SHA256", RSA_PKCS1_PSS_PADDING, 32};
      const Data signature = sign(used, host.ctx(), how, kMessage);
      CHECK_EQ(host.count(&StatusData::boards), before + 1);
      const auto soft = moved(used, nullptr);
      CHECK(verifies(soft.get(), nullptr, how, kMessage, signature));
      // What the key does not allow.
      CHECK(sign(used, host.ctx(), {"SHA512", RSA_PKCS1_PSS_PADDING, 32}, kMessage).empty());
      if (salt > 8) CHECK(sign(used, host.ctx(), {"SHA256", RSA_PKCS1_PSS_PADDING, 8}, kMessage).empty());
      error_queue();
    }
}

// A signature that the public exponent cannot be asked about is not made, whatever fallback says.
TEST(an_even_exponent_signs_nothing) {
  for (const char* fallback : {"fail", "software"}) {
    const Host host(Pairs{{"fallback", fallback}});
    OSSL_PARAM* params = nullptr;
    CHECK_EQ(EVP_PKEY_todata(made(1024), EVP_PKEY_KEYPAIR, &params), 1);
    OSSL_PARAM* const e = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_RSA_E);
    static_cast<unsigned char*>(e->data)[0] ^= 1;
    const PkeyCtx maker(EVP_PKEY_CTX_new_from_name(host.ctx(), "RSA", nullptr));
    EVP_PKEY* out = nullptr;
    CHECK(EVP_PKEY_fromdata_init(maker.get()) == 1 &&
          EVP_PKEY_fromdata(maker.get(), &out, EVP_PKEY_KEYPAIR, params) == 1);
    const Pkey key(out);
    OSSL_PARAM_free(params);
    error_queue();
    CHECK(sign(key.get(), host.ctx(), {}, kMessage).empty());
    CHECK(error_queue().find("none of an RSA key") != std::string::npos);
    CHECK_EQ(host.count(&StatusData::software), 0U);
  }
}

TEST(keys_are_checked) {
  const Host host;
  const auto own = moved(made(1024), host.ctx()), half = moved(made(1024), host.ctx(), EVP_PKEY_PUBLIC_KEY);
  const PkeyCtx good(EVP_PKEY_CTX_new_from_pkey(host.ctx(), own.get(), nullptr));
  CHECK_EQ(EVP_PKEY_check(good.get()), 1);
  CHECK_EQ(EVP_PKEY_private_check(good.get()), 1);
  CHECK_EQ(EVP_PKEY_public_check(good.get()), 1);
  const PkeyCtx part(EVP_PKEY_CTX_new_from_pkey(host.ctx(), half.get(), nullptr));
  CHECK_EQ(EVP_PKEY_public_check(part.get()), 1);
  CHECK(EVP_PKEY_private_check(part.get()) != 1);
  // Numbers that do not belong together: d of another key.
  BIGNUM *n = nullptr, *e = nullptr, *d = nullptr;
  EVP_PKEY_get_bn_param(made(1024), OSSL_PKEY_PARAM_RSA_N, &n);
  EVP_PKEY_get_bn_param(made(1024), OSSL_PKEY_PARAM_RSA_E, &e);
  EVP_PKEY_get_bn_param(made(1027), OSSL_PKEY_PARAM_RSA_D, &d);
  BN_rshift(d, d, 8);
  OSSL_PARAM_BLD* const build = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n);
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e);
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_D, d);
  OSSL_PARAM* const params = OSSL_PARAM_BLD_to_param(build);
  const PkeyCtx maker(EVP_PKEY_CTX_new_from_name(host.ctx(), "RSA", nullptr));
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_fromdata_init(maker.get()), 1);
  CHECK_EQ(EVP_PKEY_fromdata(maker.get(), &out, EVP_PKEY_KEYPAIR, params), 1);
  const Pkey bad(out);
  const PkeyCtx wrong(EVP_PKEY_CTX_new_from_pkey(host.ctx(), bad.get(), nullptr));
  CHECK(EVP_PKEY_check(wrong.get()) != 1);
  // It signs nothing: software's result is checked too.
  error_queue();
  CHECK(sign(bad.get(), host.ctx(), {}, kMessage).empty());
  CHECK(error_queue().find("not released") != std::string::npos);
  CHECK(host.count(&StatusData::wrong) == 1 && host.count(&StatusData::failed) == 1);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  for (BIGNUM* number : {n, e, d}) BN_clear_free(number);
}

// A key of a type and nothing else: OpenSSL then passes no data to the functions of keys.
TEST(keys_without_numbers) {
  const Host host;
  for (OSSL_LIB_CTX* const ctx : {host.ctx(), static_cast<OSSL_LIB_CTX*>(nullptr)}) {
    EVP_KEYMGMT* const type = EVP_KEYMGMT_fetch(ctx, "RSA", nullptr);
    const Pkey empty(EVP_PKEY_new()), target(EVP_PKEY_new()), full = moved(made(1024), ctx);
    CHECK_EQ(EVP_PKEY_set_type_by_keymgmt(empty.get(), type), 1);
    EVP_KEYMGMT_free(type);
    CHECK_EQ(is_perles(empty.get()), ctx != nullptr);
    OSSL_PARAM* params = nullptr;
    CHECK_EQ(EVP_PKEY_todata(empty.get(), EVP_PKEY_KEYPAIR, &params), 0);
    CHECK_EQ(EVP_PKEY_missing_parameters(empty.get()), 1);
    CHECK_EQ(EVP_PKEY_copy_parameters(target.get(), full.get()), 0);
    CHECK(EVP_PKEY_eq(empty.get(), full.get()) != 1 && EVP_PKEY_eq(full.get(), empty.get()) != 1);
    CHECK(EVP_PKEY_eq(target.get(), full.get()) != 1);
    CHECK(Pkey(EVP_PKEY_dup(empty.get())) == nullptr);
    BIGNUM* n = nullptr;
    // The default provider does not survive this question.
    CHECK(ctx == nullptr || EVP_PKEY_get_bn_param(empty.get(), OSSL_PKEY_PARAM_RSA_N, &n) != 1);
    const PkeyCtx checker(EVP_PKEY_CTX_new_from_pkey(ctx, empty.get(), nullptr));
    CHECK(checker == nullptr || EVP_PKEY_check(checker.get()) != 1);
  }
  error_queue();
}

TEST(keys_are_generated) {
  const Host host;
  const Pkey own(EVP_PKEY_Q_keygen(host.ctx(), nullptr, "RSA", std::size_t{1024}));
  CHECK(own != nullptr && is_perles(own.get()));
  const auto soft = moved(own.get(), nullptr);
  CHECK(verifies(soft.get(), nullptr, {}, kMessage, sign(own.get(), host.ctx(), {}, kMessage)));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
  // Progress comes through, and a caller who has enough of it is heard.
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(host.ctx(), "RSA", nullptr));
  static int told = 0;
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_keygen_init(ctx.get()), 1);
  EVP_PKEY_CTX_set_cb(ctx.get(), [](EVP_PKEY_CTX*) { return ++told < 2 ? 1 : 0; });
  CHECK(EVP_PKEY_generate(ctx.get(), &out) != 1);
  CHECK(told >= 2);
  CHECK(out == nullptr);
}

// What can be generated and set is what the default provider has: no parameters alone, and restrictions for
// keys of type RSA-PSS only.
TEST(what_can_be_generated) {
  const Host host;
  for (const char* type : {"RSA", "RSA-PSS"}) {
    const auto answers = [&](OSSL_LIB_CTX* ctx) {
      const PkeyCtx maker(EVP_PKEY_CTX_new_from_name(ctx, type, nullptr));
      std::vector<int> out = {EVP_PKEY_paramgen_init(maker.get()), EVP_PKEY_keygen_init(maker.get())};
      out.push_back(EVP_PKEY_CTX_set_rsa_keygen_bits(maker.get(), 1024));
      out.push_back(EVP_PKEY_CTX_set_rsa_keygen_primes(maker.get(), 2));
      out.push_back(EVP_PKEY_CTX_set_rsa_pss_keygen_md(maker.get(), EVP_sha256()));
      out.push_back(EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(maker.get(), EVP_sha256()));
      out.push_back(EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(maker.get(), 20));
      return out;
    };
    CHECK(answers(host.ctx()) == answers(nullptr));
    CHECK(answers(host.ctx())[0] <= 0 && answers(host.ctx())[1] == 1);
  }
  error_queue();
}

TEST(files_become_keys) {
  const Host host;
  BIO* const memory = BIO_new(BIO_s_mem());
  CHECK_EQ(PEM_write_bio_PrivateKey(memory, made(2048), nullptr, nullptr, 0, nullptr, nullptr), 1);
  const Pkey own(PEM_read_bio_PrivateKey_ex(memory, nullptr, nullptr, nullptr, host.ctx(), nullptr));
  // Which provider a decoded key is of is OpenSSL's choice; its operations are this one's.
  CHECK(own != nullptr && EVP_PKEY_eq(own.get(), made(2048)) == 1);
  CHECK(verifies(made(2048), nullptr, {}, kMessage, sign(own.get(), host.ctx(), {}, kMessage)));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
  const auto here = moved(made(2048), host.ctx());
  CHECK_EQ(PEM_write_bio_PrivateKey(memory, here.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
  const Pkey again(PEM_read_bio_PrivateKey(memory, nullptr, nullptr, nullptr));
  CHECK_EQ(EVP_PKEY_eq(again.get(), made(2048)), 1);
  BIO_free(memory);
}

TEST(keys_for_pss_alone) {
  const Host host;
  EVP_PKEY* const soft = made(2048, 2, "RSA-PSS");
  const auto own = moved(soft, host.ctx(), EVP_PKEY_KEYPAIR | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS);
  CHECK(own != nullptr && is_perles(own.get()));
  const How how{"SHA256", RSA_PKCS1_PSS_PADDING};
  CHECK(verifies(soft, nullptr, how, kMessage, sign(own.get(), host.ctx(), how, kMessage)));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
  CHECK(sign(own.get(), host.ctx(), {"SHA256"}, kMessage).size() == 256);  // PSS is the key's own padding
  const Host broken(Pairs{}, "width=1024,fault=garbage");
  const auto fallen = moved(soft, broken.ctx());
  CHECK(verifies(soft, nullptr, how, kMessage, sign(fallen.get(), broken.ctx(), how, kMessage)));
  CHECK_EQ(broken.count(&StatusData::software), 1U);
}

TEST(keys_that_boards_cannot_take) {
  const Host soft(Pairs{}, "width=1024"), strict(Pairs{{"fallback", "fail"}}, "width=1024");
  const std::vector<std::string> crt = {OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2,
                                        OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                        OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  struct {
    std::function<Pkey(OSSL_LIB_CTX*)> key;
    const char* said;
  } const all[] = {{[](OSSL_LIB_CTX* ctx) { return moved(made(2048, 3), ctx); }, "two primes"},
                   {[&](OSSL_LIB_CTX* ctx) { return without(made(2048), ctx, crt); }, "two primes"},
                   {[](OSSL_LIB_CTX* ctx) { return moved(made(3072), ctx); }, "1536 bits wide"}};
  for (const auto& one : all) {
    const auto willing = one.key(soft.ctx()), refused = one.key(strict.ctx());
    const Data signature = sign(willing.get(), soft.ctx(), {}, kMessage);
    CHECK(verifies(willing.get(), soft.ctx(), {}, kMessage, signature));
    error_queue();
    CHECK(sign(refused.get(), strict.ctx(), {}, kMessage).empty());
    CHECK(error_queue().find(one.said) != std::string::npos);
    CHECK(verifies(refused.get(), strict.ctx(), {}, kMessage, signature));
  }
  CHECK(soft.count(&StatusData::software) == 3 && soft.count(&StatusData::boards) == 0);
  CHECK_EQ(strict.count(&StatusData::failed), 3U);
}
