// SPDX-License-Identifier: Apache-2.0
//
// Software boards with the ABI of a simulated one, which a fuzz target breaks while they are open: what the
// environment variable SOFTBOARD of tests/softboard_sim.cpp says is read only when a board is opened.
// SOFTBOARD=width=512,word=64 says what boards are; all have one lane.
#include "board.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "perle_sim.h"
#include "softboard.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

struct perle_sim {
  std::mutex mutex;
  SoftBoard board;
  bool broken = false;  // ever
};

namespace {

constexpr Fault kFaults[] = {Fault::kNone, Fault::kHang,   Fault::kGarbage, Fault::kFlip,
                             Fault::kHuge, Fault::kSlvErr, Fault::kDead,    Fault::kSlow,
                             Fault::kFlag, Fault::kLost,   Fault::kStuck,   Fault::kNever};

std::mutex all;
std::vector<perle_sim*> open_boards;
unsigned left = 0;
// For the next one that is opened, if none was.
Fault waiting = Fault::kNone;
int waiting_times = 0;

unsigned setting(const std::string& name, unsigned otherwise) {
  const char* const text = std::getenv("SOFTBOARD");
  std::istringstream in(text == nullptr ? "" : text);
  for (std::string item; std::getline(in, item, ',');)
    if (item.starts_with(name + "=")) return static_cast<unsigned>(std::stoul(item.substr(name.size() + 1)));
  return otherwise;
}

// Returns whether there is one.
template <typename Use>
bool with_board(unsigned index, Use use) {
  const std::scoped_lock lock(all);
  if (open_boards.empty()) return false;
  perle_sim& one = *open_boards[index % open_boards.size()];
  const std::scoped_lock own(one.mutex);
  one.broken = true;
  use(one.board);
  return true;
}

}  // namespace

EXPORT void perle_fuzz_break(unsigned board, unsigned fault, int times) {
  const Fault chosen = kFaults[fault % std::size(kFaults)];
  if (!with_board(board, [&](SoftBoard& one) { one.inject(chosen, times); })) {
    waiting = chosen;
    waiting_times = times;
  }
}
EXPORT void perle_fuzz_flip(unsigned board, unsigned line, unsigned bit) {
  with_board(board, [&](SoftBoard& one) { one.flip_loaded(line, bit); });
}
EXPORT unsigned perle_fuzz_end(void) {
  const std::scoped_lock lock(all);
  waiting_times = 0;
  return std::exchange(left, 0) + static_cast<unsigned>(open_boards.size());
}

EXPORT uint32_t perle_sim_abi(void) { return PERLE_SIM_ABI; }
EXPORT perle_sim* perle_sim_open(void) {
  const SoftConfig config{.width = setting("width", 512), .word_bits = setting("word", 64)};
  const std::scoped_lock lock(all);
  auto* const made = new perle_sim{.mutex = {}, .board = SoftBoard(config)};
  if (waiting_times != 0) {
    made->broken = true;
    made->board.inject(waiting, std::exchange(waiting_times, 0));
  }
  open_boards.push_back(made);
  return made;
}
EXPORT void perle_sim_close(perle_sim* sim) {
  const std::scoped_lock lock(all);
  std::erase(open_boards, sim);
  if (!sim->broken && !sim->board.zeroized()) ++left;
  delete sim;
}
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
EXPORT uint64_t perle_sim_cycles(const perle_sim* sim) {
  const std::scoped_lock lock(const_cast<perle_sim*>(sim)->mutex);
  return sim->board.cycles();
}
EXPORT int perle_sim_reset(perle_sim* sim) {
  const std::scoped_lock lock(sim->mutex);
  return sim->board.reset();
}
EXPORT size_t perle_sim_snapshot(perle_sim*, char*, size_t) { return 0; }
EXPORT int perle_sim_trace(perle_sim*, const char*) { return PERLE_SIM_NO_TRACE; }
EXPORT const char* perle_sim_info(void) {
  return R"({"family":"soft","config":"soft","params":{"RadixBits":17},"lanes":1,"trace":"none"})";
}
