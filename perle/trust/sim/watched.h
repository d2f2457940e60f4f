// SPDX-License-Identifier: Apache-2.0
//
// A Verilated model for the contract's bench, from a random state, of which every register and memory word
// can be read, and which counts how many of their bits change in each clock cycle. One model at a time: the
// newest.

#ifndef PERLE_TRUST_WATCHED_H_
#define PERLE_TRUST_WATCHED_H_

#include <bit>
#include <cstring>

#include "places.h"
#include "random_state.h"

class Watched : public RandomState {
 public:
  explicit Watched(VerilatedContext* context) : RandomState(context) {
    newest = this;
    auto found = perle::trust::Places::Survey();
    places = std::move(found.registers);
    places.insert(places.end(), found.memories.begin(), found.memories.end());
  }

  void eval() {
    const bool edge = clk_i && !was_;
    was_ = clk_i;
    RandomState::eval();
    if (edge && count < most) out[count++] = Changed();
  }

  void Record(uint32_t* to, size_t room) {
    out = to;
    most = room;
    count = 0;
    Changed();
  }

  static inline Watched* newest = nullptr;
  std::vector<perle::trust::Place> places;
  uint32_t* out = nullptr;
  size_t most = 0, count = 0;

 private:
  // How many bits are not what they were at the last call.
  uint32_t Changed() {
    uint32_t sum = 0;
    size_t at = 0;
    for (const auto& place : places) {
      const size_t bytes = (place.bits + 7) / 8;
      if (at + bytes > before_.size()) before_.resize(at + bytes);
      for (size_t i = 0; i < bytes; ++i)
        sum +=
            static_cast<uint32_t>(std::popcount(static_cast<unsigned char>(before_[at + i] ^ place.data[i])));
      std::memcpy(before_.data() + at, place.data, bytes);
      at += bytes;
    }
    return sum;
  }

  bool was_ = false;
  std::vector<unsigned char> before_;
};

extern "C" {

size_t state_places() { return Watched::newest->places.size(); }
const char* state_name(size_t i) { return Watched::newest->places[i].name.c_str(); }
uint64_t state_bits(size_t i) { return Watched::newest->places[i].bits; }
void state_value(size_t i, unsigned char* out) {
  const auto& place = Watched::newest->places[i];
  std::memcpy(out, place.data, (place.bits + 7) / 8);
}
// From the next clock edge on, note the changes of each cycle, so many of them at most.
void state_record(uint32_t* out, size_t most) { Watched::newest->Record(out, most); }
size_t state_recorded() { return Watched::newest->count; }
}

#endif  // PERLE_TRUST_WATCHED_H_
