// SPDX-License-Identifier: Apache-2.0
//
// Where a Verilated model holds its state: every variable that the build made public, word by word.

#ifndef PERLE_TRUST_PLACES_H_
#define PERLE_TRUST_PLACES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace perle::trust {

// A register, or a word of a memory.
struct Place {
  std::string name;
  unsigned char* data;
  uint64_t bits;
};

struct Places {
  std::vector<Place> registers, memories;

  // Everything that is public in the models of the context that is bound.
  static Places Survey() {
    Places found;
    for (const auto& [path, scope] : *Verilated::threadContextp()->scopeNameMap()) {
      if (scope->varsp() == nullptr) continue;
      for (const auto& [name, var] : *scope->varsp()) found.Add(std::string{path} + "." + name, var);
    }
    for (auto* list : {&found.registers, &found.memories})
      std::sort(list->begin(), list->end(), [](const Place& a, const Place& b) { return a.name < b.name; });
    return found;
  }

 private:
  void Add(const std::string& name, const VerilatedVar& var) {
    if (var.isParam() || var.udims() > 1) return;
    switch (var.vltype()) {
      case VLVT_UINT8:
      case VLVT_UINT16:
      case VLVT_UINT32:
      case VLVT_UINT64:
      case VLVT_WDATA:
        break;
      default:
        return;
    }
    const auto bits = static_cast<uint64_t>(var.entBits());
    auto* data = static_cast<unsigned char*>(var.datap());
    if (var.udims() == 0) {
      registers.push_back({name, data, bits});
      return;
    }
    for (int i = 0; i < var.elements(1); ++i) {
      auto* const word = data + var.entSize() * static_cast<size_t>(i);
      memories.push_back({name + "[" + std::to_string(i) + "]", word, bits});
    }
  }
};

}  // namespace perle::trust

#endif  // PERLE_TRUST_PLACES_H_
