// SPDX-License-Identifier: Apache-2.0
//
// The provider's section of a configuration: lines "name=value". Settings are accepted, or refused with a
// message; accepted values are in their ranges.
#include "settings.hpp"

#include <openssl/params.h>

#include <map>

#include "target.hpp"

namespace {

std::map<std::string, std::string> section;

int get_params(const OSSL_CORE_HANDLE*, OSSL_PARAM params[]) {
  for (OSSL_PARAM* one = params; one->key != nullptr; ++one) {
    const auto found = section.find(one->key);
    if (found != section.end()) OSSL_PARAM_set_utf8_ptr(one, found->second.c_str());
  }
  return 1;
}

const OSSL_DISPATCH kCalls[] = {
    {OSSL_FUNC_CORE_GET_PARAMS, reinterpret_cast<void (*)()>(get_params)},
    {0, nullptr},
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  section.clear();
  std::string line;
  for (std::size_t i = 0; i <= size; ++i) {
    if (i < size && data[i] != '\n') {
      line += static_cast<char>(data[i]);
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) section[line.substr(0, equals)] = line.substr(equals + 1);
    line.clear();
  }
  try {
    const auto settings = perle::provider::read_settings(perle::provider::Core(nullptr, kCalls));
    HOLDS(settings.boards.size() <= perle::provider::kMostSpecs);
    for (const std::string& spec : settings.boards) HOLDS(spec.size() <= perle::provider::kLongestSpec);
    HOLDS(settings.inject == 0);
    HOLDS((settings.secure_heap & (settings.secure_heap - 1)) == 0);
  } catch (const perle::provider::Failure& failure) {
    HOLDS(failure.what()[0] != '\0');
  }
  return 0;
}
