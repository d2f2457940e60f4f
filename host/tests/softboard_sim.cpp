// SPDX-License-Identifier: Apache-2.0
//
// The software board behind the ABI of a simulated board, to be opened as sim:/…/softboard.so. The
// environment variable SOFTBOARD sets it up:
// width=512,word=64,radix=17,fault=hang|garbage|flip|huge|slverr|dead|slow|flag.
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "perle_sim.h"
#include "softboard.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

struct perle_sim {
  SoftBoard board;
  std::mutex mutex;
};

namespace {

std::string setting(const std::string& name, const std::string& fallback) {
  const char* all = std::getenv("SOFTBOARD");
  std::istringstream in(all == nullptr ? "" : all);
  for (std::string item; std::getline(in, item, ',');)
    if (item.rfind(name + "=", 0) == 0) return item.substr(name.size() + 1);
  return fallback;
}

SoftConfig configured() {
  SoftConfig config;
  config.width = static_cast<unsigned>(std::stoul(setting("width", "512")));
  config.word_bits = static_cast<unsigned>(std::stoul(setting("word", "64")));
  config.radix_bits = static_cast<unsigned>(std::stoul(setting("radix", "17")));
  return config;
}

Fault configured_fault() {
  static const std::map<std::string, Fault> kNames = {
      {"none", Fault::kNone}, {"hang", Fault::kHang}, {"garbage", Fault::kGarbage},
      {"flip", Fault::kFlip}, {"huge", Fault::kHuge}, {"dead", Fault::kDead},
      {"slow", Fault::kSlow}, {"flag", Fault::kFlag}, {"slverr", Fault::kSlvErr},
  };
  return kNames.at(setting("fault", "none"));
}

}  // namespace

EXPORT perle_sim* perle_sim_open(void) {
  auto* sim = new perle_sim{SoftBoard(configured()), {}};
  sim->board.inject(configured_fault());
  return sim;
}
EXPORT void perle_sim_close(perle_sim* sim) { delete sim; }
EXPORT int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data) {
  const std::scoped_lock lock(sim->mutex);
  return sim->board.write(addr, data);
}
EXPORT int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data) {
  const std::scoped_lock lock(sim->mutex);
  return sim->board.read(addr, data);
}
EXPORT int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq) {
  const std::scoped_lock lock(sim->mutex);
  return sim->board.advance(cycles, until_irq != 0);
}
EXPORT uint64_t perle_sim_cycles(const perle_sim* sim) { return sim->board.cycles(); }
EXPORT int perle_sim_reset(perle_sim* sim) {
  const std::scoped_lock lock(sim->mutex);
  return sim->board.reset();
}
EXPORT size_t perle_sim_snapshot(perle_sim*, char* json, size_t cap) {
  constexpr char kText[] = "{\"snapshot\":\"none\"}";
  if (json != nullptr && cap >= sizeof kText) std::memcpy(json, kText, sizeof kText);
  return sizeof kText;
}
EXPORT int perle_sim_trace(perle_sim*, const char*) { return PERLE_SIM_NO_TRACE; }
EXPORT const char* perle_sim_info(void) {
  static const std::string kInfo =
      "{\"family\":\"soft\",\"config\":\"soft\",\"params\":{\"RadixBits\": " + setting("radix", "17") +
      "},\"trace\":\"none\"}";
  return kInfo.c_str();
}
