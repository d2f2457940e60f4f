// SPDX-License-Identifier: Apache-2.0
//
// For fuzz targets: a failed check of the software boards ends the run.
#include "test.hpp"

namespace test {

int failures = 0;

std::vector<Case>& cases() {
  static std::vector<Case> none;
  return none;
}

}  // namespace test
