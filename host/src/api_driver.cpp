// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api.hpp"
#include "api_boards.hpp"
#include "api_system.hpp"
#include "driver.hpp"
#include "rsa.hpp"

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
    check_argument(system != nullptr && name != nullptr && key != nullptr && in != nullptr && out != nullptr,
                   "null pointer");
    std::fill_n(out, out_size, uint8_t{0});
    const Key& k = *key->key;
    const Driver driver = perle::driver_of(name);
    perle::check_boards(system->on(), driver);
    check_argument(count <= perle::kLongestInput, "too many messages");
    if (out_size < count * k.size())
      throw Error(PERLE_ERR_BUFFER, "the results need " + std::to_string(count * k.size()) + " bytes");
    const std::vector<Bn> blocks = blocks_of(k, in, count);
    const std::vector<Bn> results = perle::run_driver(system->on(), driver, k, blocks);
    if (time != nullptr) *time = system->on().time();
    for (size_t i = 0; i < count; ++i) perle::check_private_power(k, blocks[i], results[i]);
    for (size_t i = 0; i < count; ++i) {
      const Bytes bytes = results[i].to_bytes(k.size());
      std::copy(bytes.begin(), bytes.end(), out + i * k.size());
    }
  });
}

perle_status perle_boards_on_system(perle_system* system, const char* driver, perle_boards** set) {
  return guard([&] {
    check_argument(system != nullptr && driver != nullptr && set != nullptr, "null pointer");
    *set = nullptr;
    const Driver chosen = perle::driver_of(driver);
    perle::check_boards(system->on(), chosen);
    auto made = std::make_unique<perle::SystemSet>(std::move(system->on()), chosen);
    *set = new perle_boards(std::move(made));
    delete system;
  });
}
