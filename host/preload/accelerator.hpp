// SPDX-License-Identifier: Apache-2.0
//
// The boards for the replaced functions, and the counts of calls.
#pragma once

#include <array>
#include <cstddef>

#include "rsa/bn.hpp"

namespace perle::preload {

// The replaced functions. Their names are those of the symbols.
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

// Exists while a call uses boards. libperle itself calls libcrypto: for such nested calls `mine()` is false,
// and the real function is used.
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

// x^e mod m on the boards, of big-endian bytes; m odd, x < m, e > 0. False if software has to do it, because
// no board can, or the board failed. `secret`: the time depends only on the length of m, or of e if it is
// longer.
bool power(Function function, const Bytes& x, Bytes e, const Bytes& m, bool secret, Bytes& result);

// Whether a modulus or factor of that many bits is long enough for a board.
bool wide_enough(std::size_t bits);

// a·b on the board that multiplies long integers. False if software has to do it.
bool product(Function function, const Bytes& a, const Bytes& b, Bytes& result);
bool multiplies();

// The next function of that name in the program's search order; null if there is none.
void* next(const char* name);
// The same for the dependencies of the calling library: those of a plug-in or extension module are not in the
// search order of `next`. Otherwise that of any loaded library; ends the process if there is none.
void* beside(const char* name, const void* caller);

inline void* real(const char* name, const void* caller) {
  void* const found = next(name);
  return found != nullptr ? found : beside(name, caller);
}

}  // namespace perle::preload

// The real function that this library replaces.
#define PERLE_REAL(name)                                                     \
  (reinterpret_cast<decltype(&name)>([](const void* caller) {                \
    static void* const found = perle::preload::next(#name);                  \
    return found != nullptr ? found : perle::preload::beside(#name, caller); \
  }(__builtin_return_address(0))))
