// SPDX-License-Identifier: Apache-2.0
//
// The boards behind the functions that a program calls without knowing it, and what is counted of the calls.
#pragma once

#include <array>
#include <cstddef>

#include "rsa/bn.hpp"

namespace perle::preload {

// The functions that are taken over. Their names are those of the symbols.
enum Function : std::size_t {
  kModExp,
  kModExpMont,
  kModExpWord,
  kModExpConsttime,
  kModExpConsttimeX2,
  kPowm,
  kPowmSec,
  kMpnMul,
  kMpnMulN,
  kMpnSqr,
  kFunctions
};
extern const std::array<const char*, kFunctions> kNames;

// Held while boards work for a call. libperle uses libcrypto too: calls that come from inside are for the
// real function, and `mine()` is false for them.
class Entry {
 public:
  explicit Entry(Function function);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  bool mine() const { return mine_; }

 private:
  bool mine_;
};

// x^e mod m on the boards, of big-endian bytes; m odd, x < m, e > 0. False where software is to do it: no
// board takes it, or the board's result was wrong. `secret`: in time that depends on the length of m alone,
// or of e if it is longer.
bool power(Function function, const Bytes& x, Bytes e, const Bytes& m, bool secret, Bytes& result);

// Whether a modulus or a product of so many bits goes to a board.
bool wide_enough(std::size_t bits);

// a·b by the board of a system that multiplies long integers. False where software is to do it.
bool product(Function function, const Bytes& a, const Bytes& b, Bytes& result);
bool multiplies();

// The function of that name in what the program was linked with; null if it is not there.
void* next(const char* name);
// The same in the library that calls: a plug-in or an extension module brings one of its own, where `next`
// does not look. Any library that has it if the caller's own has not; ends the process if none has.
void* beside(const char* name, const void* caller);

inline void* real(const char* name, const void* caller) {
  void* const found = next(name);
  return found != nullptr ? found : beside(name, caller);
}

}  // namespace perle::preload

// The function that this one stands before.
#define PERLE_REAL(name)                                                     \
  (reinterpret_cast<decltype(&name)>([](const void* caller) {                \
    static void* const found = perle::preload::next(#name);                  \
    return found != nullptr ? found : perle::preload::beside(#name, caller); \
  }(__builtin_return_address(0))))
