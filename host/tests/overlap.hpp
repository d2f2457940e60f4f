// SPDX-License-Identifier: Apache-2.0
//
// Calls of the library with results that overlap inputs, compared with the same call without overlap; also
// for calls that fail.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace overlap {

// The memory that a pointer argument of the call points to.
struct Part {
  std::string name;
  Data content;           // of an input; of an output its length is the room
  std::size_t align = 1;  // offsets between parts are multiples of it
};

// The addresses of a call's parts, and the size of its first output.
struct Places {
  std::vector<std::uint8_t*> in, out;
  std::size_t room = 0;
  template <typename T>
  T* input(std::size_t i) const {
    return reinterpret_cast<T*>(in[i]);
  }
  template <typename T>
  T* output(std::size_t i) const {
    return reinterpret_cast<T*>(out[i]);
  }
};

struct Call {
  const char* function;
  std::vector<Part> inputs, outputs;
  std::function<perle_status(const Places&)> run;
  Data spoilt;  // contents of the first input with which the call fails
  // Puts pointers to other inputs into structures.
  std::function<void(const Places&)> compose = {};
  // Meaning of the first output, if its bytes differ between runs: a handle, a random encoding.
  std::function<Data(const Data&)> meaning = {};
};

// Overlaps every output with every input, in place and shifted in both directions.
void check(const Call& call);

Part text(const std::string& name, const std::string& value);  // with its zero
Part bytes_out(std::size_t room);
Part length();  // size_t
Part cost();    // perle_cost: looked at only for being zero
template <typename Handle>
Part handle() {
  return {"handle", Data(sizeof(Handle*)), alignof(Handle*)};
}
template <typename T>
Part structure(const std::string& name, const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return {name, Data(bytes, bytes + sizeof value), alignof(T)};
}
template <typename Handle>
Handle* handle_in(const Data& raw) {
  Handle* out = nullptr;
  std::copy(raw.begin(), raw.end(), reinterpret_cast<std::uint8_t*>(&out));
  return out;
}

}  // namespace overlap
