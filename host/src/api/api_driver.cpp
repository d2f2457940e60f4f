// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"
#include "api/api_boards.hpp"
#include "api/api_system.hpp"
#include "pam/driver.hpp"
#include "rsa/rsa.hpp"

using perle::Bn;
using perle::Bytes;
using perle::check_argument;
using perle::Driver;
using perle::Error;
using perle::guard;
using perle::Key;

namespace {

const std::vector<Driver>& known() {
  static const std::vector<Driver> kAll = perle::drivers();
  return kAll;
}

std::vector<Bn> blocks_of(const Key& key, const uint8_t* in, size_t count) {
  std::vector<Bn> blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks.emplace_back(perle::view(in + i * key.size(), key.size()));
    if (!(blocks.back() < key.n()))
      throw Error(PERLE_ERR_OPERAND_RANGE,
                  "message " + std::to_string(i) + " is not below the key's modulus");
  }
  return blocks;
}

}  // namespace

const char* perle_driver_name(size_t index) { return index < known().size() ? known()[index].name : nullptr; }

const char* perle_driver_boards(const char* name) {
  for (const Driver& driver : known())
    if (name != nullptr && std::string(name) == driver.name) return driver.boards;
  return nullptr;
}

perle_status perle_driver_private(perle_system* system, const char* name, const perle_key* key,
                                  const uint8_t* in, size_t count, uint8_t* out, size_t out_size,
                                  perle_system_time* time) {
  return guard([&] {
    perle::Result took(time);
    perle::Output output(out, out_size);
    check_argument(system != nullptr && name != nullptr && key != nullptr && in != nullptr && out != nullptr,
                   "null pointer");
    const Key& k = *key->key;
    const Driver driver = perle::driver_of(name);
    perle::check_boards(system->on(), driver);
    check_argument(count <= perle::kLongestInput, "too many messages");
    output.only_asked(count * k.size());
    const std::vector<Bn> blocks = blocks_of(k, in, count);
    const std::vector<Bn> results = perle::run_driver(system->on(), driver, k, blocks);
    for (size_t i = 0; i < count; ++i)
      if (!perle::right_private_power(k, blocks[i], results[i]))
        perle::throw_wrong(perle::confirm_key(k, blocks[i]));
    Bytes all;
    for (const Bn& result : results) {
      const Bytes bytes = result.to_bytes(k.size());
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    took.value = system->on().time();
    output.put(std::move(all));
  });
}

perle_status perle_boards_on_system(perle_system* system, const char* driver, perle_boards** set) {
  return guard([&] {
    perle::Result handle(set);
    check_argument(system != nullptr && driver != nullptr && set != nullptr, "null pointer");
    const Driver chosen = perle::driver_of(driver);
    perle::check_boards(system->on(), chosen);
    auto made = std::make_unique<perle::SystemSet>(std::move(system->on()), chosen);
    handle.value = new perle_boards(std::move(made));
    delete system;
  });
}
