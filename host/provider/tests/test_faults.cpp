// SPDX-License-Identifier: Apache-2.0
//
// Boards that fail, in all the ways that the software board knows.
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "harness.hpp"
#include "perle.h"
#include "rsa/bn.hpp"

using namespace perle::provider::testing;
using perle::provider::BoardState;
using perle::provider::Pkey;
using perle::provider::PkeyCtx;
using perle::provider::StatusData;
using perle::provider::StatusRow;

namespace {

const Data kMessage = {'f', 'a', 'u', 'l', 't'};

struct Expected {
  const char* fault;
  perle_status status;
  bool wrong;
};
constexpr Expected kFaults[] = {{"hang", PERLE_ERR_TIMEOUT, false},   {"garbage", PERLE_ERR_FAULT, true},
                                {"flip", PERLE_ERR_FAULT, true},      {"huge", PERLE_ERR_FAULT, true},
                                {"dead", PERLE_ERR_BUS, false},       {"slow", PERLE_ERR_TIMEOUT, false},
                                {"flag", PERLE_ERR_BOARD_FLAG, false}};

std::string spec() { return std::string("sim:") + std::getenv("SOFTBOARD_SO"); }

// A key whose "primes" are products of two: its numbers belong together, its powers are wrong.
Pkey composite(OSSL_LIB_CTX* to) {
  using perle::Bn;
  const perle::Arithmetic math;
  const Bn e(65537);
  const auto factor = [&](Bn& d) {
    for (;;) {
      Bn one, two;
      for (const Bn* half : {&one, &two}) BN_rand(half->get(), 256, BN_RAND_TOP_TWO, BN_RAND_BOTTOM_ODD);
      const Bn p = math.mul(one, two);
      if (math.inverse(e, math.sub(p, Bn(1)), d)) return p;
    }
  };
  Bn d, dp, dq, qinv;
  const Bn p = factor(dp);
  Bn q = factor(dq);
  while (!math.inverse(q, p, qinv)) q = factor(dq);  // a factor of both
  const Bn n = math.mul(p, q);
  CHECK(math.inverse(e, math.mul(math.sub(p, Bn(1)), math.sub(q, Bn(1))), d));
  OSSL_PARAM_BLD* const build = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_D, d.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_FACTOR1, p.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_FACTOR2, q.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_EXPONENT1, dp.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_EXPONENT2, dq.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, qinv.get());
  OSSL_PARAM* const params = OSSL_PARAM_BLD_to_param(build);
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(to, "RSA", nullptr));
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_fromdata_init(ctx.get()), 1);
  EVP_PKEY_fromdata(ctx.get(), &out, EVP_PKEY_KEYPAIR, params);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  return Pkey(out);
}

void wait_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

}  // namespace

TEST(faults_with_fallback) {
  for (const Expected& one : kFaults) {
    const Host host(Pairs{{"retire_after", "2"}, {"retry", "60000"}},
                    std::string("width=1024,fault=") + one.fault);
    const auto own = moved(made(2048), host.ctx());
    for (int i = 0; i < 3; ++i)
      CHECK(verifies(made(2048), nullptr, {}, kMessage, sign(own.get(), host.ctx(), {}, kMessage)));
    const StatusRow& row = host.page()->row[0];
    CHECK_EQ(host.count(&StatusData::software), 3U);
    CHECK_EQ(host.count(&StatusData::boards), 0U);
    CHECK_EQ(row.operations.load(), 0U);
    CHECK_EQ(row.errors.load(), 2U);  // retired then: the third was not tried
    CHECK_EQ(row.wrong.load(), one.wrong ? 2U : 0U);
    CHECK_EQ(row.last_error.load(), static_cast<unsigned>(one.status));
    CHECK_EQ(row.timeouts.load(), one.status == PERLE_ERR_TIMEOUT ? 2U : 0U);
    CHECK_EQ(host.count(&StatusData::no_board), 1U);
    CHECK(row.state.load() == static_cast<unsigned>(BoardState::kRetired) && row.retired.load() == 1);
  }
}

TEST(faults_without_fallback) {
  for (const Expected& one : kFaults) {
    const Host host(Pairs{{"fallback", "fail"}, {"retire_after", "1"}, {"retry", "60000"}},
                    std::string("width=1024,fault=") + one.fault);
    const auto own = moved(made(2048), host.ctx());
    error_queue();
    CHECK(sign(own.get(), host.ctx(), {}, kMessage).empty());
    const std::string said = error_queue();
    CHECK(said.find("no board did it: sim:") != std::string::npos);
    CHECK_EQ(host.count(&StatusData::failed), 1U);
    CHECK_EQ(host.count(&StatusData::software), 0U);
    // The next ones are not tried, and say why the board was retired.
    CHECK(sign(own.get(), host.ctx(), {}, kMessage).empty());
    CHECK(error_queue().find("no board is in working order (sim:") != std::string::npos);
  }
}

// Every spoilt result is found by the check behind libperle's own; none leaves.
TEST(injected_faults_never_leave) {
  ::setenv("PERLE_PROVIDER_INJECT", "1", 1);
  const Host host(Pairs{{"inject", "0.5"}, {"retire_after", "1000"}});
  const Host strict(Pairs{{"inject", "1"}, {"fallback", "fail"}, {"retire_after", "1000"}});
  ::unsetenv("PERLE_PROVIDER_INJECT");
  const auto own = moved(made(1024), host.ctx()), refused = moved(made(1024), strict.ctx());
  for (int i = 0; i < 60; ++i) {
    CHECK(verifies(made(1024), nullptr, {}, kMessage, sign(own.get(), host.ctx(), {}, kMessage)));
    CHECK(sign(refused.get(), strict.ctx(), {}, kMessage).empty());
  }
  const std::uint64_t injected = host.count(&StatusData::injected);
  CHECK(injected > 10 && injected < 50);
  CHECK_EQ(host.count(&StatusData::wrong), injected);
  CHECK_EQ(host.page()->row[0].wrong.load(), injected);
  CHECK_EQ(host.count(&StatusData::software), injected);
  CHECK_EQ(host.count(&StatusData::boards), 60 - injected);
  CHECK(strict.count(&StatusData::injected) == 60 && strict.count(&StatusData::failed) == 60);
}

// With a second board the first one's failure is nobody's.
TEST(another_board_helps) {
  const Host host(
      Pairs{{"boards", spec() + ",boards=1 " + spec()}, {"fallback", "fail"}, {"retire_after", "1"}},
      "width=1024,fault=garbage");
  const auto own = moved(made(2048), host.ctx());
  // Both are opened by the first operation, both fail.
  CHECK(sign(own.get(), host.ctx(), {}, kMessage).empty());
  CHECK(host.page()->row[0].errors.load() == 1 && host.page()->row[1].errors.load() == 1);
  const std::string missing = host.folder() + "/none.so";
  const Host mixed(Pairs{{"boards", "sim:" + missing + " " + spec()}});
  const auto key = moved(made(2048), mixed.ctx());
  CHECK(!sign(key.get(), mixed.ctx(), {}, kMessage).empty());
  CHECK(mixed.count(&StatusData::boards) == 1 && mixed.count(&StatusData::software) == 0);
  CHECK_EQ(mixed.page()->row[0].last_error.load(), static_cast<unsigned>(PERLE_ERR_BOARD_ABSENT));
}

TEST(boards_come_back) {
  const std::string place =
      std::filesystem::temp_directory_path() / ("perle-board-" + std::to_string(::getpid()) + ".so");
  std::filesystem::remove(place);
  const Host host(Pairs{{"boards", "sim:" + place}, {"retry", "40"}});
  const auto own = moved(made(2048), host.ctx());
  CHECK(!sign(own.get(), host.ctx(), {}, kMessage).empty());
  CHECK_EQ(host.count(&StatusData::software), 1U);
  std::filesystem::copy_file(std::getenv("SOFTBOARD_SO"), place);
  CHECK(!sign(own.get(), host.ctx(), {}, kMessage).empty());  // too early: it is not tried
  CHECK(host.count(&StatusData::software) == 2 && host.page()->row[0].errors.load() == 1);
  wait_ms(60);
  CHECK(!sign(own.get(), host.ctx(), {}, kMessage).empty());
  CHECK_EQ(host.count(&StatusData::boards), 1U);
  CHECK_EQ(host.page()->row[0].state.load(), static_cast<unsigned>(BoardState::kUp));
  std::filesystem::remove(place);
}

// A retired board that fails its trial is left alone for twice as long.
TEST(back_off_doubles) {
  const Host host(Pairs{{"retry", "150"}, {"retire_after", "1"}}, "width=1024,fault=hang");
  const auto own = moved(made(1024), host.ctx());
  const auto errors_after = [&](int ms) {
    wait_ms(ms);
    sign(own.get(), host.ctx(), {}, kMessage);
    return host.page()->row[0].errors.load();
  };
  CHECK_EQ(errors_after(0), 1U);
  CHECK_EQ(errors_after(0), 1U);
  CHECK_EQ(errors_after(160), 2U);
  CHECK_EQ(errors_after(160), 2U);
  CHECK_EQ(errors_after(150), 3U);
}

TEST(exponent_blinding_can_be_left_out) {
  const Host with, without(Pairs{{"blind_exponent", "no"}});
  const auto one = moved(made(2048), with.ctx()), other = moved(made(2048), without.ctx());
  const Data signature = sign(one.get(), with.ctx(), {}, kMessage);
  CHECK(!signature.empty() && signature == sign(other.get(), without.ctx(), {}, kMessage));
  const StatusRow &blinded = with.page()->row[0], &plain = without.page()->row[0];
  CHECK(blinded.blinding_bits.load() == 64 && plain.blinding_bits.load() == 0);
  // 64 bits more for each half, of 4 cycles a bit on this board.
  CHECK_EQ(blinded.cycles.load(), plain.cycles.load() + std::uint64_t{2} * 64 * 4);
}

// One unanswered access, and the board is back without being retired.
TEST(boards_recover) {
  const Host host(Pairs{{"retry", "60000"}}, "width=1024,fault=dead,times=1");
  const auto own = moved(made(2048), host.ctx());
  for (int i = 0; i < 4; ++i)
    CHECK(verifies(made(2048), nullptr, {}, kMessage, sign(own.get(), host.ctx(), {}, kMessage)));
  const StatusRow& row = host.page()->row[0];
  CHECK_EQ(host.count(&StatusData::software), 1U);
  CHECK_EQ(host.count(&StatusData::boards), 3U);
  CHECK(row.recovered.load() == 1 && row.resets.load() >= 1 && row.retired.load() == 0);
}

// A key of composite "primes" retires no board, and is told from boards that fail.
TEST(a_wrong_key_is_refused) {
  for (const char* fallback : {"software", "fail"}) {
    const Host host(Pairs{{"fallback", fallback}, {"retire_after", "1"}});
    const Pkey bad = composite(host.ctx());
    CHECK(bad != nullptr && is_perles(bad.get()));
    for (int i = 0; i < 5; ++i) {
      error_queue();
      CHECK(sign(bad.get(), host.ctx(), {}, kMessage).empty());
      CHECK(error_queue().find("the key is refused") != std::string::npos);
    }
    const StatusRow& row = host.page()->row[0];
    CHECK_EQ(host.count(&StatusData::bad_keys), 5U);
    CHECK_EQ(host.count(&StatusData::failed), 5U);
    CHECK(row.errors.load() == 0 && row.wrong.load() == 0 && row.retired.load() == 0);
    CHECK(host.count(&StatusData::wrong) == 0 && host.count(&StatusData::software) == 0);
    const auto good = moved(made(2048), host.ctx());
    CHECK(verifies(made(2048), nullptr, {}, kMessage, sign(good.get(), host.ctx(), {}, kMessage)));
    CHECK_EQ(host.count(&StatusData::boards), 1U);
  }
}

// A message that cannot be encoded for another reason than what it is: without any hash in the default
// library context, where libperle works, there is no PSS. Software signs only if it may.
TEST(failed_encodings) {
  const How pss{"SHA256", RSA_PKCS1_PSS_PADDING};
  for (const std::string fallback : {"software", "fail", "nonsense"}) {
    const Host host(Pairs{{"fallback", fallback}});
    const bool soft = fallback == "software", strict = fallback == "fail";
    const auto own = moved(made(2048), host.ctx());
    EVP_set_default_properties(nullptr, "provider=none");
    error_queue();
    const Data signature = sign(own.get(), host.ctx(), pss, kMessage);
    const std::string said = error_queue();
    EVP_set_default_properties(nullptr, "");
    CHECK_EQ(signature.empty(), !soft);
    CHECK(!soft || verifies(made(2048), nullptr, pss, kMessage, signature));
    CHECK(!strict || said.find("no board did it: PSS padding") != std::string::npos);
    CHECK(soft || strict || said.find("setting not understood") != std::string::npos);
    CHECK_EQ(host.count(&StatusData::software), soft ? 1U : 0U);
    CHECK_EQ(host.count(&StatusData::failed), strict ? 1U : 0U);
    CHECK_EQ(host.count(&StatusData::declined), 0U);
  }
}
