// SPDX-License-Identifier: Apache-2.0
//
// Results over inputs: handles, structures, long integers and drivers (see test_overlap.cpp).
#include <cstdlib>
#include <cstring>

#include "api/api_system.hpp"
#include "memory_board.hpp"
#include "overlap.hpp"
#include "soft_bus.hpp"

namespace {

using overlap::bytes_out;
using overlap::Call;
using overlap::handle;
using overlap::handle_in;
using overlap::length;
using overlap::Part;
using overlap::Places;

constexpr perle_timing kTiming = {700'000, 600'000, 333'333};

std::string softboard() {
  const char* path = std::getenv("SOFTBOARD_SO");
  return path == nullptr ? "" : path;
}

Data closed(perle_boards* set) {
  perle_board_info info{};
  CHECK_EQ(perle_boards_info(set, &info), PERLE_OK);
  perle_boards_close(set);
  return overlap::structure("", info).content;
}

Data freed(perle_key* key) {
  Data n(64);
  std::size_t size = 0;
  CHECK_EQ(perle_key_get_public(key, 'n', n.data(), n.size(), &size), PERLE_OK);
  perle_key_free(key);
  return n;
}

Data closed(perle_system* system) {
  std::uint32_t data = 0;
  CHECK_EQ(perle_system_read(system, 0, 0, &data), PERLE_OK);
  perle_system_time time{};
  CHECK_EQ(perle_system_get_time(system, &time), PERLE_OK);
  perle_system_close(system);
  return overlap::structure("", time).content;
}

}  // namespace

TEST(overlap_opening_boards) {
  if (!CHECK(!softboard().empty())) return;
  const Part spec = overlap::text("spec", "sim:" + softboard() + ",boards=2");
  const auto info = [](const Data& raw) { return closed(handle_in<perle_boards>(raw)); };
  overlap::check(
      {"perle_boards_open",
       {spec},
       {handle<perle_boards>()},
       [](const Places& at) { return perle_boards_open(at.input<char>(0), at.output<perle_boards*>(0)); },
       Data(spec.content.size(), 0),
       {},
       info});
  SoftBoard one({.width = 64}), other({.width = 64});
  Part contexts = {"ctx", Data(2 * sizeof(void*)), alignof(void*)};
  overlap::check({"perle_boards_attach",
                  {overlap::structure("backend", kSoftSimulated), contexts},
                  {handle<perle_boards>()},
                  [](const Places& at) {
                    return perle_boards_attach(at.input<perle_backend>(0), at.input<void*>(1), 2,
                                               at.output<perle_boards*>(0));
                  },
                  Data(sizeof(perle_backend), 0),
                  [&](const Places& at) {
                    at.input<void*>(1)[0] = &one;
                    at.input<void*>(1)[1] = &other;
                  },
                  info});
}

TEST(overlap_moduli_and_keys) {
  const Bench bench({.width = 64});
  const Bn m = random_odd(64);
  overlap::check(
      {"perle_mod_new",
       {{"m", bytes(m)}},
       {handle<perle_mod>()},
       [&](const Places& at) { return perle_mod_new(bench.set, at.in[0], 8, at.output<perle_mod*>(0)); },
       Data(8, 0),
       {},
       [&](const Data& raw) {
         auto* const mod = handle_in<perle_mod>(raw);
         const std::uint8_t two = 2, e = 70;  // 2^70 mod m tells moduli apart
         Data power(8);
         std::size_t size = 0;
         CHECK_EQ(perle_modexp(bench.set, mod, &two, 1, &e, 1, 0, PERLE_MODE_WINDOW, power.data(), 8, &size,
                               nullptr),
                  PERLE_OK);
         perle_mod_free(mod);
         return power;
       }});
  unsigned char* der = nullptr;
  const auto size = static_cast<std::size_t>(i2d_PrivateKey(key512().pkey, &der));
  const auto n = [](const Data& raw) { return freed(handle_in<perle_key>(raw)); };
  overlap::check({"perle_key_load",
                  {{"data", Data(der, der + size)}},
                  {handle<perle_key>()},
                  [&](const Places& at) {
                    return perle_key_load(at.in[0], size, nullptr, nullptr, at.output<perle_key*>(0));
                  },
                  Data(size, 0),
                  {},
                  n});
  OPENSSL_clear_free(der, size);
}

TEST(overlap_numbers_of_a_key) {
  const RsaKey& key = key512();
  Call call{"perle_key_new", {}, {handle<perle_key>()}, {}, Data(sizeof(perle_key_numbers), 0)};
  call.inputs.push_back({"numbers", Data(sizeof(perle_key_numbers)), alignof(perle_key_numbers)});
  const std::pair<const char*, const Bn*> numbers[] = {{"n", &key.n},   {"e", &key.e},      {"d", &key.d},
                                                       {"p", &key.p},   {"q", &key.q},      {"dp", &key.dp},
                                                       {"dq", &key.dq}, {"qinv", &key.qinv}};
  for (const auto& [name, value] : numbers) call.inputs.push_back({name, bytes(*value)});
  call.compose = [&](const Places& at) {
    auto* const to = at.input<perle_key_numbers>(0);
    *to = {};
    to->size = sizeof *to;
    perle_number* const fields[] = {&to->n, &to->e, &to->d, &to->p, &to->q, &to->dp, &to->dq, &to->qinv};
    for (std::size_t i = 0; i < 8; ++i) *fields[i] = {at.in[i + 1], call.inputs[i + 1].content.size()};
  };
  call.run = [](const Places& at) {
    return perle_key_new(at.input<perle_key_numbers>(0), at.output<perle_key*>(0));
  };
  call.meaning = [](const Data& raw) { return freed(handle_in<perle_key>(raw)); };
  overlap::check(call);
}

TEST(overlap_systems) {
  if (!CHECK(!softboard().empty())) return;
  overlap::check(
      {"perle_timing_preset",
       {overlap::text("name", "vme68020")},
       {overlap::structure("timing", kTiming)},
       [](const Places& at) { return perle_timing_preset(at.input<char>(0), at.output<perle_timing>(0)); },
       Data(8, 'x')});
  overlap::check({"perle_system_open",
                  {{"boards", Data(sizeof(perle_system_board)), alignof(perle_system_board)},
                   overlap::text("path", softboard()),
                   overlap::structure("timing", kTiming)},
                  {handle<perle_system>()},
                  [](const Places& at) {
                    return perle_system_open(at.input<perle_system_board>(0), 1, at.input<perle_timing>(2),
                                             at.output<perle_system*>(0));
                  },
                  Data(sizeof(perle_system_board), 0),
                  [](const Places& at) { *at.input<perle_system_board>(0) = {at.input<char>(1), 75'000}; },
                  [](const Data& raw) { return closed(handle_in<perle_system>(raw)); }});
}

TEST(overlap_boards_on_a_system) {
  std::vector<Memory> memories(1, Memory{10});
  std::unique_ptr<perle_system> left;
  overlap::check({"perle_boards_on_system",
                  {overlap::text("driver", "bus_bignum")},
                  {handle<perle_boards>()},
                  [&](const Places& at) {
                    left.reset(new perle_system{perle::System(members(memories, 75'000), kTiming)});
                    const perle_status status =
                        perle_boards_on_system(left.get(), at.input<char>(0), at.output<perle_boards*>(0));
                    if (status == PERLE_OK) (void)left.release();  // it is the set's
                    return status;
                  },
                  Data(10, 'x'),
                  {},
                  [](const Data& raw) { return closed(handle_in<perle_boards>(raw)); }});
}

TEST(overlap_long_integers) {
  perle_bignum* big = nullptr;
  const auto products = [](const Data& raw) {
    auto* const opened = handle_in<perle_bignum>(raw);
    CHECK_EQ(perle_bignum_words(opened, 3), PERLE_OK);
    perle_bignum_cost cost{};
    CHECK_EQ(perle_bignum_get_cost(opened, &cost), PERLE_OK);
    perle_bignum_close(opened);
    return overlap::structure("", cost).content;
  };
  overlap::check({"perle_bignum_open",
                  {overlap::structure("timing", kTiming)},
                  {handle<perle_bignum>()},
                  [](const Places& at) {
                    return perle_bignum_open(nullptr, at.input<perle_timing>(0), at.output<perle_bignum*>(0));
                  },
                  {},
                  {},
                  products});
  CHECK_EQ(perle_bignum_open(nullptr, &kTiming, &big), PERLE_OK);
  const Part a = {"a", Data(20, 0xC3)}, b = {"b", Data(9, 0x71)}, m = {"m", Data(13, 0x5B)};
  using Two = decltype(&perle_bignum_mul);
  for (const auto& [name, function] : {std::pair<const char*, Two>{"perle_bignum_mul", perle_bignum_mul},
                                       {"perle_bignum_divide", perle_bignum_divide}})
    overlap::check({name,
                    {b, a},
                    {bytes_out(29), length()},
                    [call = function, big](const Places& at) {
                      return call(big, at.in[1], 20, at.in[0], 9, at.out[0], at.room,
                                  at.output<std::size_t>(1));
                    },
                    function == perle_bignum_divide ? Data(9, 0) : Data()});
  using Three = decltype(&perle_bignum_mulmod);
  for (const auto& [name, function] :
       {std::pair<const char*, Three>{"perle_bignum_mulmod", perle_bignum_mulmod},
        {"perle_bignum_powmod", perle_bignum_powmod}})
    overlap::check({name,
                    {m, a, b},
                    {bytes_out(13), length()},
                    [call = function, big](const Places& at) {
                      return call(big, at.in[1], 20, at.in[2], 9, at.in[0], 13, at.out[0], at.room,
                                  at.output<std::size_t>(1));
                    },
                    Data(13, 0)});
  perle_bignum_close(big);
}

TEST(overlap_drivers) {
  SoftBus board;
  perle_system system{perle::System(members(board), kTiming)};
  perle_key* raw = nullptr;
  CHECK_EQ(perle_key_generate(120, &raw), PERLE_OK);
  const KeyPtr key(raw);
  constexpr std::size_t kBlock = 15;
  Data blocks(2 * kBlock, 0x21);
  overlap::check(
      {"perle_driver_private",
       {{"in", blocks}, overlap::text("name", "bus_bignum")},
       {bytes_out(2 * kBlock), {"cost", Data(sizeof(perle_system_time)), alignof(perle_system_time)}},
       [&](const Places& at) {
         return perle_driver_private(&system, at.input<char>(1), key.get(), at.in[0], 2, at.out[0], at.room,
                                     at.output<perle_system_time>(1));
       },
       Data(2 * kBlock, 0xFF)});
}
