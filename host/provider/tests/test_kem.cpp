// SPDX-License-Identifier: Apache-2.0
//
// RSASVE, which sends a random number below n, raised to e: against the default provider, in both directions.
#include <algorithm>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::PkeyCtx;
using perle::provider::StatusData;

namespace {

struct Sent {
  Data sealed, secret;
};

PkeyCtx begun(EVP_PKEY* key, OSSL_LIB_CTX* ctx, int (*init)(EVP_PKEY_CTX*, const OSSL_PARAM*)) {
  PkeyCtx own(EVP_PKEY_CTX_new_from_pkey(ctx, key, nullptr));
  const bool good = init(own.get(), nullptr) == 1 && EVP_PKEY_CTX_set_kem_op(own.get(), "RSASVE") == 1;
  return good ? std::move(own) : nullptr;
}

Sent encapsulate(EVP_PKEY* key, OSSL_LIB_CTX* ctx) {
  const PkeyCtx own = begun(key, ctx, EVP_PKEY_encapsulate_init);
  std::size_t sealed = 0, secret = 0;
  if (own == nullptr || EVP_PKEY_encapsulate(own.get(), nullptr, &sealed, nullptr, &secret) != 1) return {};
  Sent out{Data(sealed), Data(secret)};
  if (EVP_PKEY_encapsulate(own.get(), out.sealed.data(), &sealed, out.secret.data(), &secret) != 1) return {};
  CHECK(sealed == out.sealed.size() && secret == out.secret.size());
  return out;
}

Data decapsulate(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const Data& sealed) {
  const PkeyCtx own = begun(key, ctx, EVP_PKEY_decapsulate_init);
  std::size_t size = 0;
  if (own == nullptr || EVP_PKEY_decapsulate(own.get(), nullptr, &size, sealed.data(), sealed.size()) != 1)
    return {};
  Data out(size);
  if (EVP_PKEY_decapsulate(own.get(), out.data(), &size, sealed.data(), sealed.size()) != 1) return {};
  CHECK_EQ(size, out.size());
  return out;
}

}  // namespace

TEST(secrets_both_ways) {
  const Host host(Pairs{{"fallback", "fail"}});
  std::uint64_t boards = 0;
  for (const unsigned bits : {1024U, 1027U, 2047U}) {
    EVP_PKEY* const soft = made(bits);
    const auto own = moved(soft, host.ctx()), half = moved(soft, host.ctx(), EVP_PKEY_PUBLIC_KEY);
    for (EVP_PKEY* const sender : {own.get(), half.get()}) {
      const Sent ours = encapsulate(sender, host.ctx());
      CHECK(!ours.secret.empty() && decapsulate(soft, nullptr, ours.sealed) == ours.secret);
    }
    CHECK_EQ(host.count(&StatusData::boards), boards);
    const Sent theirs = encapsulate(soft, nullptr);
    CHECK(!theirs.secret.empty() && decapsulate(own.get(), host.ctx(), theirs.sealed) == theirs.secret);
    CHECK_EQ(host.count(&StatusData::boards), ++boards);
    // A short secret has leading zeros.
    Data one(theirs.sealed.size());
    one.back() = 1;
    CHECK(decapsulate(own.get(), host.ctx(), one) == one);
    CHECK_EQ(host.count(&StatusData::boards), ++boards);
    // What software refuses.
    const std::uint64_t declined = host.count(&StatusData::declined);
    CHECK(decapsulate(half.get(), host.ctx(), theirs.sealed).empty());
    CHECK(decapsulate(own.get(), host.ctx(), Data(one.begin() + 1, one.end())).empty());
    std::fill(one.begin(), one.end(), 255);
    CHECK(decapsulate(own.get(), host.ctx(), one).empty() && decapsulate(soft, nullptr, one).empty());
    CHECK_EQ(host.count(&StatusData::declined), declined + 3);
  }
  CHECK(host.count(&StatusData::boards) == boards && host.count(&StatusData::software) == 0);
  error_queue();
}

TEST(secrets_of_restricted_keys) {
  const Host host(Pairs{{"fallback", "fail"}});
  EVP_PKEY* const soft = made(1024, 2, "RSA-PSS");
  const auto own = moved(soft, host.ctx(), EVP_PKEY_KEYPAIR | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS);
  const Sent theirs = encapsulate(made(1024), nullptr);
  // Whether there are any is the software's choice.
  const Data expected = decapsulate(soft, nullptr, theirs.sealed);
  CHECK(decapsulate(own.get(), host.ctx(), theirs.sealed) == expected);
  CHECK_EQ(host.count(&StatusData::boards), expected.empty() ? 0U : 1U);
  error_queue();
}

// Secrets obey the policy and refused settings.
TEST(secrets_without_boards) {
  const Sent theirs = encapsulate(made(1024), nullptr);
  for (const std::string fallback : {"software", "fail", "nonsense"}) {
    const Host host(Pairs{{"fallback", fallback}}, "width=1024,fault=garbage");
    const bool soft = fallback == "software";
    const auto own = moved(made(1024), host.ctx());
    error_queue();
    const Data secret = decapsulate(own.get(), host.ctx(), theirs.sealed);
    const std::string said = error_queue();
    CHECK(soft ? secret == theirs.secret : secret.empty());
    CHECK(fallback != "fail" || said.find("no board did it") != std::string::npos);
    CHECK(fallback != "nonsense" || said.find("setting not understood") != std::string::npos);
    CHECK_EQ(host.count(&StatusData::software), soft ? 1U : 0U);
  }
}

TEST(secrets_need_room_and_an_operation) {
  const Host host;
  const auto own = moved(made(1024), host.ctx());
  const Sent theirs = encapsulate(made(1024), nullptr);
  const PkeyCtx reader = begun(own.get(), host.ctx(), EVP_PKEY_decapsulate_init);
  CHECK(EVP_PKEY_CTX_set_kem_op(reader.get(), "NONE") != 1);
  Data out(128);
  std::size_t size = 127;
  CHECK(EVP_PKEY_decapsulate(reader.get(), out.data(), &size, theirs.sealed.data(), 128) != 1);
  CHECK(error_queue().find("shorter than the modulus") != std::string::npos);
  CHECK_EQ(host.count(&StatusData::boards), 0U);
  size = 128;
  CHECK_EQ(EVP_PKEY_decapsulate(reader.get(), out.data(), &size, theirs.sealed.data(), 128), 1);
  CHECK(out == theirs.secret);
  // Without an operation: what the software says.
  int said[2] = {};
  for (int i = 0; i < 2; ++i) {
    OSSL_LIB_CTX* const ctx = i == 0 ? host.ctx() : nullptr;
    const PkeyCtx bare(EVP_PKEY_CTX_new_from_pkey(ctx, i == 0 ? own.get() : made(1024), nullptr));
    CHECK_EQ(EVP_PKEY_decapsulate_init(bare.get(), nullptr), 1);
    said[i] = EVP_PKEY_decapsulate(bare.get(), out.data(), &size, theirs.sealed.data(), 128);
  }
  CHECK_EQ(said[0], said[1]);
  error_queue();
}
