// SPDX-License-Identifier: Apache-2.0
//
// Which fault is on: what the environment says; 0 is none. Included before every file of the library that has
// faults built in.
#pragma once

#include <atomic>
#include <cstdlib>

// A process may call the library before it forks those that have a fault each: without one, it looks again.
inline bool perle_mutant(int number) {
  static std::atomic<int> chosen{0};
  if (chosen == 0) {
    const char* said = std::getenv("PERLE_MUTANT");
    chosen = said ? std::atoi(said) : 0;
  }
  return chosen == number;
}
