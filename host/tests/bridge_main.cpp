// SPDX-License-Identifier: Apache-2.0
//
// The bridges of bridge.hpp as a program, for tests and benchmarks of other languages:
//
//   bridge uart|etherbone WIDTH LANES [HOST [PORT]]
//
// prints the board's specification, and ends with its standard input. Lines there: none, drop N, double N,
// garble N, delay N, silent, babble (see Spoil; N the period), unplug, plug; each is answered with "ok".
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>

#include "bridge.hpp"

namespace test {
int failures = 0;
}

namespace {

const std::map<std::string, Spoil> kSpoils = {{"none", Spoil::kNone},     {"drop", Spoil::kDrop},
                                              {"double", Spoil::kDouble}, {"garble", Spoil::kGarble},
                                              {"delay", Spoil::kDelay},   {"silent", Spoil::kSilent},
                                              {"babble", Spoil::kBabble}};

bool obey(Bridge& bridge, const std::string& line) {
  std::istringstream words(line);
  std::string what;
  unsigned period = 1;
  words >> what >> period;
  if (words.fail() || period == 0) period = 1;
  auto* const serial = dynamic_cast<UartBridge*>(&bridge);
  if (what == "unplug" && serial != nullptr) return serial->unplug(), true;
  if (what == "plug" && serial != nullptr) return serial->plug(), true;
  const auto found = kSpoils.find(what);
  if (found != kSpoils.end()) bridge.spoil(found->second, period);
  return found != kSpoils.end();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3 || (words[0] != "uart" && words[0] != "etherbone")) {
    std::fprintf(stderr, "bridge uart|etherbone WIDTH LANES [HOST [PORT]]\n");
    return 2;
  }
  const SoftConfig config{.width = static_cast<unsigned>(std::stoul(words[1])), .cycles_per_bit = 0};
  const std::size_t lanes = std::stoul(words[2]);
  std::unique_ptr<Bridge> bridge;
  if (words[0] == "uart")
    bridge = std::make_unique<UartBridge>(config, lanes);
  else
    bridge = std::make_unique<EtherboneBridge>(
        config, lanes, words.size() > 3 ? words[3] : "127.0.0.2",
        words.size() > 4 ? static_cast<unsigned>(std::stoul(words[4])) : 0U);
  std::cout << bridge->spec() << std::endl;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << (obey(*bridge, line) ? "ok" : "what?") << std::endl;
  return 0;
}
