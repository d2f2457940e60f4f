// SPDX-License-Identifier: Apache-2.0
//
// A simulated board whose registers and memories can be flipped, bit by bit, in chosen clock cycles.
//
// It is perle_sim.cpp with its functions that let time pass wrapped: a flip that is due in the middle of an
// advance is made there, between two clock edges; one that is due within a bus access is made at its end.
// What can be flipped is what the build made public: every variable that a clocked block assigns.

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "board.h"
#include "perle_sim.h"
#include "places.h"

#define perle_sim_open plain_open
#define perle_sim_close plain_close
#define perle_sim_read plain_read
#define perle_sim_write plain_write
#define perle_sim_advance plain_advance
#include "perle_sim.cpp"  // NOLINT(bugprone-suspicious-include)
#undef perle_sim_open
#undef perle_sim_close
#undef perle_sim_read
#undef perle_sim_write
#undef perle_sim_advance

namespace {

using perle::trust::Place;

struct Flip {
  uint64_t cycle;
  const Place* place;
  uint64_t bit;
};

// One board at a time: the newest.
perle_sim* board = nullptr;
std::vector<Place> places[2];  // registers, memories
std::vector<Flip> armed;

void Survey() {
  auto found = perle::trust::Places::Survey();
  places[0] = std::move(found.registers);
  places[1] = std::move(found.memories);
}

// The word that has bit `bit` of all of a kind; *bit becomes its place there.
const Place* Find(int kind, uint64_t* bit) {
  for (const Place& place : places[kind]) {
    if (*bit < place.bits) return &place;
    *bit -= place.bits;
  }
  return nullptr;
}

void Due() {
  const uint64_t now = board->board.cycles();
  for (const Flip& flip : armed)
    if (flip.cycle <= now) flip.place->data[flip.bit / 8] ^= static_cast<unsigned char>(1U << (flip.bit % 8));
  std::erase_if(armed, [=](const Flip& flip) { return flip.cycle <= now; });
}

}  // namespace

PERLE_SIM_API perle_sim* perle_sim_open() {
  perle_sim* const fresh = plain_open();
  if (fresh == nullptr) return nullptr;
  board = fresh;
  armed.clear();
  fresh->board.Bind();
  Survey();
  return fresh;
}

PERLE_SIM_API void perle_sim_close(perle_sim* sim) {
  if (sim == board) armed.clear();
  plain_close(sim);
}

PERLE_SIM_API int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data) {
  const int result = plain_write(sim, addr, data);
  Due();
  return result;
}

PERLE_SIM_API int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data) {
  const int result = plain_read(sim, addr, data);
  Due();
  return result;
}

PERLE_SIM_API int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq) {
  while (cycles > 0) {
    const uint64_t begin = sim->board.cycles();
    uint64_t next = begin + cycles;
    for (const Flip& flip : armed) next = std::min(next, flip.cycle);
    const uint64_t step = next - begin;
    const int result = plain_advance(sim, step, until_irq);
    const uint64_t passed = sim->board.cycles() - begin;
    Due();
    if (result != PERLE_SIM_OK || passed < step) return result;
    cycles -= passed;
  }
  return PERLE_SIM_OK;
}

// Clock cycles of the newest board.
PERLE_SIM_API uint64_t perle_flip_cycles() { return board->board.cycles(); }

// How many bits can be flipped: in registers (kind 0), in memories (kind 1).
PERLE_SIM_API uint64_t perle_flip_bits(int kind) {
  uint64_t sum = 0;
  for (const Place& place : places[kind]) sum += place.bits;
  return sum;
}

// Flip a bit of a kind at the end of a clock cycle; returns the name of its word, NULL where there is none.
PERLE_SIM_API const char* perle_flip_arm(uint64_t cycle, int kind, uint64_t bit) {
  const Place* const place = Find(kind, &bit);
  if (place == nullptr) return nullptr;
  armed.push_back({cycle, place, bit});
  return place->name.c_str();
}

// Take back what was not flipped yet; returns how many that were.
PERLE_SIM_API uint64_t perle_flip_disarm() {
  const uint64_t left = armed.size();
  armed.clear();
  return left;
}
