// SPDX-License-Identifier: Apache-2.0
//
// A null pointer for a required argument is reported as an error and does not crash; functions that free
// accept null, like free().
#include <functional>
#include <utility>

#include "fixture.hpp"
#include "perle_batch.h"
#include "perle_bignum.h"
#include "perle_driver.h"
#include "perle_rsa.h"
#include "perle_system.h"

namespace {

using Calls = std::vector<std::pair<const char*, std::function<perle_status()>>>;

void refused(const Calls& calls) {
  for (const auto& [name, call] : calls)
    if (!CHECK_EQ(call(), PERLE_ERR_ARGUMENT)) std::printf("%s\n", name);
}

constexpr std::uint8_t kTwo = 2;
constexpr perle_timing kTiming = {700'000, 700'000, 333'333};

}  // namespace

TEST(null_boards) {
  const Bench bench;
  perle_boards* set = nullptr;
  perle_board_info info{};
  perle_board_stats stats{};
  std::uint64_t data = 0;
  std::size_t length = 0;
  char text[8];
  refused({{"open", [&] { return perle_boards_open(nullptr, &set); }},
           {"open", [] { return perle_boards_open("sim:orup:w64", nullptr); }},
           {"check", [] { return perle_spec_check(nullptr); }},
           {"attach", [&] { return perle_boards_attach(nullptr, nullptr, 1, &set); }},
           {"info", [&] { return perle_boards_info(nullptr, &info); }},
           {"info", [&] { return perle_boards_info(bench.set, nullptr); }},
           {"timeout", [] { return perle_boards_set_timeout(nullptr, 1, 1); }},
           {"check", [] { return perle_boards_set_check(nullptr, PERLE_CHECK_FULL); }},
           {"zeroize", [] { return perle_boards_zeroize(nullptr); }},
           {"stats", [&] { return perle_boards_stats(nullptr, 0, &stats); }},
           {"stats", [&] { return perle_boards_stats(bench.set, 0, nullptr); }},
           {"reset", [] { return perle_boards_stats_reset(nullptr); }},
           {"read", [&] { return perle_board_read(nullptr, 0, 0, &data); }},
           {"read", [&] { return perle_board_read(bench.set, 0, 0, nullptr); }},
           {"write", [] { return perle_board_write(nullptr, 0, 0, 0); }},
           {"advance", [&] { return perle_board_advance(nullptr, 0, 1, 0, &data); }},
           {"snapshot", [&] { return perle_board_snapshot(nullptr, 0, text, sizeof text, &length); }},
           {"trace", [] { return perle_board_trace(nullptr, 0, "/tmp/trace"); }}});
  perle_boards_close(nullptr);
}

TEST(null_moduli_and_keys) {
  const Bench bench;
  const Mod mod(bench, random_odd(64));
  const KeyPtr key = key512().load();
  const perle_rsa_options how{sizeof how, PERLE_PADDING_PKCS1, "SHA256", nullptr, PERLE_SALT_DIGEST, 0};
  perle_mod* made = nullptr;
  perle_key* loaded = nullptr;
  perle_key_info info{};
  perle_key_numbers numbers{};
  std::uint32_t bits = 0;
  std::uint8_t out[64];
  std::size_t length = 0;
  refused(
      {{"mod", [&] { return perle_mod_new(nullptr, &kTwo, 1, &made); }},
       {"mod", [&] { return perle_mod_new(bench.set, &kTwo, 1, nullptr); }},
       {"montmul",
        [&] { return perle_montmul(nullptr, mod.mod, &kTwo, 1, &kTwo, 1, out, 64, &length, nullptr); }},
       {"modexp",
        [&] { return perle_modexp(nullptr, mod.mod, &kTwo, 1, &kTwo, 1, 0, 0, out, 64, &length, nullptr); }},
       {"modexp",
        [&] {
          return perle_modexp(bench.set, nullptr, &kTwo, 1, &kTwo, 1, 0, 0, out, 64, &length, nullptr);
        }},
       {"load", [&] { return perle_key_load(nullptr, 1, nullptr, nullptr, &loaded); }},
       {"load", [&] { return perle_key_load(&kTwo, 1, nullptr, nullptr, nullptr); }},
       {"new", [&] { return perle_key_new(nullptr, &loaded); }},
       {"new", [&] { return perle_key_new(&numbers, nullptr); }},
       {"info", [&] { return perle_key_get_info(nullptr, &info); }},
       {"info", [&] { return perle_key_get_info(key.get(), nullptr); }},
       {"public", [&] { return perle_key_get_public(nullptr, 'n', out, sizeof out, &length); }},
       {"prime", [&] { return perle_key_get_prime(nullptr, 'p', out, sizeof out, &length); }},
       {"generate", [] { return perle_key_generate(1024, nullptr); }},
       {"pem", [&] { return perle_key_to_pem(nullptr, out, sizeof out, &length); }},
       {"private",
        [&] { return perle_rsa_private(nullptr, key.get(), 0, &kTwo, 1, out, 64, &length, nullptr); }},
       {"private",
        [&] { return perle_rsa_private(bench.set, nullptr, 0, &kTwo, 1, out, 64, &length, nullptr); }},
       {"public", [&] { return perle_rsa_public(bench.set, nullptr, &kTwo, 1, out, 64, &length, nullptr); }},
       {"blinding", [&] { return perle_rsa_exponent_blinding(nullptr, key.get(), &bits); }},
       {"blinding", [&] { return perle_rsa_exponent_blinding(bench.set, nullptr, &bits); }},
       {"blinding", [&] { return perle_rsa_exponent_blinding(bench.set, key.get(), nullptr); }},
       {"encode", [&] { return perle_rsa_encode(nullptr, &how, &kTwo, 1, out, 64, &length); }},
       {"encode", [&] { return perle_rsa_encode(key.get(), nullptr, &kTwo, 1, out, 64, &length); }},
       {"encrypt",
        [&] { return perle_rsa_encrypt(nullptr, nullptr, &how, &kTwo, 1, out, 64, &length, nullptr); }},
       {"decrypt",
        [&] { return perle_rsa_decrypt(nullptr, key.get(), &how, &kTwo, 1, out, 64, &length, nullptr); }}});
  perle_mod_free(nullptr);
  perle_key_free(nullptr);
}

TEST(null_systems_and_calculators) {
  perle_system* system = nullptr;
  perle_bignum *big = nullptr, *none = nullptr;
  CHECK_EQ(perle_bignum_open(nullptr, &kTiming, &big), PERLE_OK);
  perle_bignum_cost cost{};
  perle_system_time time{};
  perle_timing timing{};
  perle_boards* set = nullptr;
  std::uint32_t word = 0;
  std::uint8_t out[8];
  char text[8];
  std::size_t length = 0;
  refused({{"preset", [&] { return perle_timing_preset(nullptr, &timing); }},
           {"preset", [] { return perle_timing_preset("axi", nullptr); }},
           {"open", [&] { return perle_system_open(nullptr, 1, &kTiming, &system); }},
           {"read", [&] { return perle_system_read(nullptr, 0, 0, &word); }},
           {"write", [] { return perle_system_write(nullptr, 0, 0, 0); }},
           {"run", [] { return perle_system_run(nullptr, nullptr, 1); }},
           {"compute", [] { return perle_system_compute(nullptr, 1); }},
           {"time", [&] { return perle_system_get_time(nullptr, &time); }},
           {"reset", [] { return perle_system_reset_time(nullptr); }},
           {"log", [] { return perle_system_log(nullptr, 1); }},
           {"log", [&] { return perle_system_get_log(nullptr, nullptr, 0, &length); }},
           {"snapshot", [&] { return perle_system_snapshot(nullptr, 0, text, sizeof text, &length); }},
           {"step", [] { return perle_system_step(nullptr, 0); }},
           {"driver",
            [&] { return perle_driver_private(nullptr, "bus_bignum", nullptr, out, 0, out, 0, &time); }},
           {"driver", [&] { return perle_boards_on_system(nullptr, "bus_bignum", &set); }},
           {"calculator", [&] { return perle_bignum_open(nullptr, nullptr, &none); }},
           {"calculator", [] { return perle_bignum_open(nullptr, &kTiming, nullptr); }},
           {"mul", [&] { return perle_bignum_mul(nullptr, &kTwo, 1, &kTwo, 1, out, 8, &length); }},
           {"mul", [&] { return perle_bignum_mul(big, nullptr, 1, &kTwo, 1, out, 8, &length); }},
           {"divide", [&] { return perle_bignum_divide(nullptr, &kTwo, 1, &kTwo, 1, out, 8, &length); }},
           {"mulmod",
            [&] { return perle_bignum_mulmod(nullptr, &kTwo, 1, &kTwo, 1, &kTwo, 1, out, 8, &length); }},
           {"powmod",
            [&] { return perle_bignum_powmod(nullptr, &kTwo, 1, &kTwo, 1, &kTwo, 1, out, 8, &length); }},
           {"words", [] { return perle_bignum_words(nullptr, 1); }},
           {"cost", [&] { return perle_bignum_get_cost(nullptr, &cost); }},
           {"cost", [&] { return perle_bignum_get_cost(big, nullptr); }},
           {"reset", [] { return perle_bignum_reset_cost(nullptr); }}});
  perle_bignum_close(big);
  perle_bignum_close(nullptr);
  perle_system_close(nullptr);
  perle_batch_close(nullptr);
}
