// SPDX-License-Identifier: Apache-2.0
//
// Key files: the first byte determines how the passphrase is given, the rest is the file. An accepted key has
// consistent lengths, and survives a round trip through PEM.
#include <cstring>
#include <string>
#include <vector>

#include "perle.h"
#include "target.hpp"

namespace {

int answer(char* buffer, std::size_t size, void* arg) {
  const auto* text = static_cast<const std::string*>(arg);
  if (text->size() > size) return -1;
  std::memcpy(buffer, text->data(), text->size());
  return static_cast<int>(text->size());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const unsigned how = input.byte();
  const auto file = input.bytes(size);
  std::string passphrase = (how & 2) != 0 ? "perle" : std::string(how, 'x');
  perle_key* key = nullptr;
  const perle_status status =
      perle_key_load(file.data(), file.size(), (how & 1) != 0 ? answer : nullptr, &passphrase, &key);
  HOLDS((status == PERLE_OK) == (key != nullptr));
  if (key == nullptr) return 0;
  perle_key_info info{};
  HOLDS(perle_key_get_info(key, &info) == PERLE_OK);
  HOLDS(info.bits >= 32 && info.bits <= 16384 && info.size == (info.bits + 7) / 8);
  std::vector<std::uint8_t> out(16384);
  std::size_t length = 0;
  HOLDS(perle_key_get_public(key, 'n', out.data(), out.size(), &length) == PERLE_OK && length == info.size);
  if (perle_key_to_pem(key, out.data(), out.size(), &length) == PERLE_OK) {
    perle_key* again = nullptr;
    HOLDS(perle_key_load(out.data(), length, nullptr, nullptr, &again) == PERLE_OK);
    perle_key_free(again);
  }
  perle_key_free(key);
  return 0;
}
