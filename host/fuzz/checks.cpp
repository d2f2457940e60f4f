// SPDX-License-Identifier: Apache-2.0
//
// What the software boards' checks count, for targets: none of them may fail.
#include "test.hpp"

namespace test {

int failures = 0;

std::vector<Case>& cases() {
  static std::vector<Case> none;
  return none;
}

}  // namespace test
