// SPDX-License-Identifier: Apache-2.0
//
// The software board with the ABI of a simulated board, to be opened as sim:/…/softboard.so. Configured by
// the environment variable SOFTBOARD:
//
//   width=512,word=64,radix=17,lanes=1   parameters of the board, with their defaults
//   fault=hang|garbage|flip|huge|slverr|dead|slow|flag|stuck
//   times=1    number of operations of the first lane with the fault; not given: all operations of all lanes
//   delay=0    milliseconds of wall-clock time that every wait for an interrupt takes
//   abi=1      the reported version of the ABI
//
// When it is closed, the environment variable SOFTBOARD_ZEROIZED says whether all lanes were zeroized: 0
// or 1.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "perle_sim.h"
#include "softboard.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

// Lanes as in hardware: boards with one clock, at 0x4000 times their index.
struct perle_sim {
  std::vector<std::unique_ptr<SoftBoard>> lanes;
  std::mutex mutex;
  SoftBoard& lane(std::uint32_t addr) { return *lanes.at(addr >> 14); }
  void follow(const SoftBoard& leader) {
    for (auto& board : lanes)
      if (board.get() != &leader && board->cycles() < leader.cycles())
        board->advance(leader.cycles() - board->cycles(), false);
  }
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
  config.lanes = static_cast<unsigned>(std::stoul(setting("lanes", "1")));
  return config;
}

Fault configured_fault() {
  static const std::map<std::string, Fault> kNames = {
      {"none", Fault::kNone},   {"hang", Fault::kHang}, {"garbage", Fault::kGarbage},
      {"flip", Fault::kFlip},   {"huge", Fault::kHuge}, {"dead", Fault::kDead},
      {"slow", Fault::kSlow},   {"flag", Fault::kFlag}, {"slverr", Fault::kSlvErr},
      {"stuck", Fault::kStuck},
  };
  return kNames.at(setting("fault", "none"));
}

}  // namespace

EXPORT uint32_t perle_sim_abi(void) {
  return static_cast<uint32_t>(std::stoul(setting("abi", std::to_string(PERLE_SIM_ABI))));
}
EXPORT perle_sim* perle_sim_open(void) try {
  auto sim = std::make_unique<perle_sim>();
  for (unsigned i = 0; i < configured().lanes; ++i) {
    sim->lanes.push_back(std::make_unique<SoftBoard>(configured()));
    const int times = std::stoi(setting("times", "-1"));
    if (i == 0 || times < 0) sim->lanes.back()->inject(configured_fault(), times);
  }
  return sim.release();
} catch (const std::bad_alloc&) {
  return nullptr;
}
EXPORT void perle_sim_close(perle_sim* sim) {
  bool zeroized = true;
  for (const auto& board : sim->lanes) zeroized = zeroized && board->zeroized();
  setenv("SOFTBOARD_ZEROIZED", zeroized ? "1" : "0", 1);
  delete sim;
}
EXPORT int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data) {
  const std::scoped_lock lock(sim->mutex);
  const int rc = sim->lane(addr).write(addr & 0x3FFF, data);
  sim->follow(sim->lane(addr));
  return rc;
}
EXPORT int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data) {
  const std::scoped_lock lock(sim->mutex);
  const int rc = sim->lane(addr).read(addr & 0x3FFF, data);
  sim->follow(sim->lane(addr));
  return rc;
}
EXPORT int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq) {
  if (until_irq != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(setting("delay", "0"))));
  const std::scoped_lock lock(sim->mutex);
  SoftBoard& awaited = *sim->lanes.at(until_irq == 0 ? 0 : static_cast<std::size_t>(until_irq) - 1);
  const int rc = awaited.advance(cycles, until_irq != 0);
  sim->follow(awaited);
  return rc;
}
EXPORT uint64_t perle_sim_cycles(const perle_sim* sim) {
  const std::scoped_lock lock(const_cast<perle_sim*>(sim)->mutex);
  return sim->lanes[0]->cycles();
}
EXPORT int perle_sim_reset(perle_sim* sim) {
  const std::scoped_lock lock(sim->mutex);
  int rc = 0;
  for (auto& board : sim->lanes) rc |= board->reset();
  return rc;
}
EXPORT size_t perle_sim_snapshot(perle_sim*, char* json, size_t cap) {
  constexpr char kText[] = "{\"snapshot\":\"none\"}";
  if (json != nullptr && cap >= sizeof kText) std::memcpy(json, kText, sizeof kText);
  return sizeof kText;
}
EXPORT int perle_sim_trace(perle_sim*, const char*) { return PERLE_SIM_NO_TRACE; }
EXPORT const char* perle_sim_info(void) {
  // Reads the current settings: they may change while the shared object stays loaded.
  static thread_local std::string info;
  info = "{\"family\":\"soft\",\"config\":\"soft\",\"params\":{\"RadixBits\": " + setting("radix", "17") +
         "},\"lanes\":" + setting("lanes", "1") + ",\"trace\":\"none\"}";
  return info.c_str();
}
