// SPDX-License-Identifier: Apache-2.0
//
// Which fault is on: what the environment said when the program began; 0 is none. Included before every file
// of the library that has faults built in.
#pragma once

#include <cstdlib>

inline bool perle_mutant(int number) {
  static const int chosen = [] {
    const char* said = std::getenv("PERLE_MUTANT");
    return said ? std::atoi(said) : 0;
  }();
  return chosen == number;
}
