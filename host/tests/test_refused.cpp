// SPDX-License-Identifier: Apache-2.0
//
// Bad input is refused, each kind with its own code, before it reaches a board.
#include <cstring>

#include "fixture.hpp"

namespace {

perle_status new_modulus(const Bench& bench, const Bn& m) { return Mod(bench, m).status; }

}  // namespace

TEST(moduli_refused) {
  const Bench bench({.width = 64});
  CHECK_EQ(new_modulus(bench, Bn(0)), PERLE_ERR_MODULUS_ZERO);
  CHECK_EQ(new_modulus(bench, Bn(1)), PERLE_ERR_MODULUS_ONE);
  CHECK_EQ(new_modulus(bench, Bn(2)), PERLE_ERR_MODULUS_EVEN);
  CHECK_EQ(new_modulus(bench, random_odd(65)), PERLE_ERR_WIDTH);
  CHECK_EQ(new_modulus(bench, random_odd(64)), PERLE_OK);
  CHECK_EQ(new_modulus(bench, Bn(3)), PERLE_OK);
  const Data zeros(100, 0);  // leading zeros are no width
  perle_mod* mod = nullptr;
  CHECK_EQ(perle_mod_new(bench.set, zeros.data(), zeros.size(), &mod), PERLE_ERR_MODULUS_ZERO);
  CHECK(mod == nullptr);
}

TEST(operands_refused) {
  const Bench bench({.width = 64});
  const Bn m = random_odd(64);
  const Mod mod(bench, m);
  const std::uint64_t before = bench.stats().bus_writes;
  CHECK_EQ(multiply(perle_mulmod, bench, mod, m, Bn(1)).status, PERLE_ERR_OPERAND_RANGE);
  CHECK_EQ(multiply(perle_mulmod, bench, mod, Bn(1), m).status, PERLE_ERR_OPERAND_RANGE);
  CHECK_EQ(modexp(bench, mod, m, Bn(3)).status, PERLE_ERR_OPERAND_RANGE);
  const Bn huge = random_odd(85);
  CHECK_EQ(multiply(perle_montmul, bench, mod, huge, Bn(1)).status, PERLE_ERR_OPERAND_RANGE);
  CHECK_EQ(multiply(perle_montmul, bench, mod, m, m).status, PERLE_OK);
  CHECK(bench.stats().bus_writes > before);
}

TEST(exponents_refused) {
  const Bench bench({.width = 64});
  const Mod mod(bench, random_odd(64));
  std::uint8_t out[64];
  std::size_t length = 0;
  const std::uint8_t two = 2;
  const auto call = [&](const std::uint8_t* e, std::size_t e_len, std::size_t bits, int mode) {
    return perle_modexp(bench.set, mod.mod, &two, 1, e, e_len, bits, mode, out, sizeof out, &length, nullptr);
  };
  CHECK_EQ(call(nullptr, 0, 0, 0), PERLE_ERR_EXPONENT_EMPTY);
  CHECK_EQ(call(&two, 0, 0, 0), PERLE_ERR_EXPONENT_EMPTY);
  CHECK_EQ(call(&two, 1, 1, 0), PERLE_ERR_EXPONENT_WIDE);    // 2 has two bits
  CHECK_EQ(call(&two, 1, 129, 0), PERLE_ERR_EXPONENT_WIDE);  // a line of 85 bits: two words
  CHECK_EQ(call(&two, 1, 128, 0), PERLE_OK);
  CHECK_EQ(call(&two, 1, 86, 2), PERLE_ERR_EXPONENT_WIDE);
  CHECK_EQ(call(&two, 1, 85, 2), PERLE_OK);
  const Data zeros(17, 0);
  CHECK_EQ(call(zeros.data(), 17, 0, 0), PERLE_ERR_EXPONENT_WIDE);
  CHECK_EQ(call(zeros.data(), 17, 64, 0), PERLE_OK);
  CHECK_EQ(call(&two, 1, 0, 4), PERLE_ERR_MODE);
  CHECK_EQ(call(&two, 1, 0, 0), PERLE_OK);
}

TEST(buffers_refused) {
  const Bench bench({.width = 64});
  const Mod mod(bench, random_odd(64));
  std::uint8_t out[64] = {1, 2, 3};
  std::size_t length = 99;
  const std::uint8_t x = 2;
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, &x, 1, &x, 1, out, 7, &length, nullptr), PERLE_ERR_BUFFER);
  CHECK_EQ(length, std::size_t{0});
  CHECK_EQ(out[0] + out[1] + out[2], 0);  // nothing stale passes for a result
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, &x, 1, &x, 1, nullptr, 0, &length, nullptr), PERLE_OK);
  CHECK_EQ(length, std::size_t{8});
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, &x, 1, &x, 1, out, 8, &length, nullptr), PERLE_OK);
  CHECK_EQ(out[7], 4);
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, &x, std::size_t{1} << 40, &x, 1, out, 8, &length, nullptr),
           PERLE_ERR_BUFFER);
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, nullptr, 1, &x, 1, out, 8, &length, nullptr), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_mulmod(nullptr, mod.mod, &x, 1, &x, 1, out, 8, &length, nullptr), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_mulmod(bench.set, nullptr, &x, 1, &x, 1, out, 8, &length, nullptr), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_mulmod(bench.set, mod.mod, &x, 1, &x, 1, out, 8, nullptr, nullptr), PERLE_ERR_ARGUMENT);
}

TEST(modulus_of_another_shape_refused) {
  const Bench narrow({.width = 64}), wide({.width = 128});
  const Mod mod(narrow, random_odd(64));
  CHECK_EQ(multiply(perle_mulmod, wide, mod, Bn(2), Bn(3)).status, PERLE_ERR_ARGUMENT);
}

TEST(boards_refused) {
  CHECK_EQ(Bench({.magic = 0x12345678}).status, PERLE_ERR_BOARD_ID);
  CHECK_EQ(Bench({.map_version = 2}).status, PERLE_ERR_BOARD_ID);
  CHECK_EQ(Bench({.family = 77}).status, PERLE_ERR_FAMILY);
  // A line of the register map is as long as 8192 bits: 481 digits of 17 are in it, 482 are not.
  CHECK_EQ(Bench({.width = 8158}).status, PERLE_OK);
  CHECK_EQ(Bench({.width = 8159}).status, PERLE_ERR_BOARD_ID);
  CHECK_EQ(Bench({.width = 1}).status, PERLE_ERR_BOARD_ID);
  CHECK_EQ(Bench({.lanes = 0}).status, PERLE_ERR_BOARD_ID);
  for (const unsigned window_bits : {0U, 9U})
    CHECK_EQ(Bench({.window_bits = window_bits}).status, PERLE_ERR_BOARD_ID);
  for (const unsigned constants : {0U, 2U, 4U, 5U})
    CHECK_EQ(Bench({.constants = constants}).status, PERLE_ERR_BOARD_ID);
  SoftBoard one({.width = 64}), other({.width = 128});
  void* contexts[] = {&one, &other};
  perle_boards* set = nullptr;
  CHECK_EQ(perle_boards_attach(&kSoftSimulated, contexts, 2, &set), PERLE_ERR_BOARD_ID);
  CHECK(set == nullptr);
  CHECK_EQ(perle_boards_attach(&kSoftSimulated, contexts, 0, &set), PERLE_ERR_ARGUMENT);
  perle_backend wrong = kSoftSimulated;
  wrong.size = 8;
  CHECK_EQ(perle_boards_attach(&wrong, contexts, 1, &set), PERLE_ERR_ARGUMENT);
}

TEST(no_cost_is_left_of_a_refused_call) {
  const Bench bench({.width = 256});
  const KeyPtr key = key512().load();
  const Mod mod(bench, random_odd(256));
  const std::uint8_t one = 1;
  std::uint8_t out[64];
  perle_cost cost;
  const auto refused = [&](auto call) {
    std::memset(&cost, 0xFF, sizeof cost);
    CHECK_EQ(call(), PERLE_ERR_ARGUMENT);
    CHECK(cost.cycles == 0 && cost.elapsed == 0);
  };
  refused([&] { return perle_rsa_private(bench.set, key.get(), 0, &one, 1, out, 64, nullptr, &cost); });
  refused([&] { return perle_rsa_public(bench.set, key.get(), &one, 1, out, 64, nullptr, &cost); });
  refused([&] { return perle_mulmod(bench.set, mod.mod, &one, 1, &one, 1, out, 64, nullptr, &cost); });
}

// An error text has room for 511 characters.
TEST(texts_of_errors_are_cut) {
  CHECK_EQ(perle_spec_check(("uart:/" + std::string(5000, 'x')).c_str()), PERLE_ERR_BOARD_ABSENT);
  CHECK_EQ(std::strlen(perle_last_error()), 511U);
}

TEST(checks_refused) {
  const Bench bench({.width = 64});
  for (const int undefined : {-1, PERLE_CHECK_FULL + 1, 7})
    CHECK_EQ(perle_boards_set_check(bench.set, undefined), PERLE_ERR_ARGUMENT);
  CHECK(std::string(perle_last_error()).find("undefined check") != std::string::npos);
}

TEST(every_code_has_a_name_of_its_own) {
  for (int code = 0; code <= PERLE_ERR_QUEUE_FULL; ++code) {
    const std::string name = perle_status_name(code);
    if (name == "?") continue;
    for (int other = 0; other < code; ++other) CHECK(name != perle_status_name(other));
    CHECK(std::string(perle_strerror(code)) != "?");
  }
  CHECK(std::string(perle_status_name(999)) == "?");
}
