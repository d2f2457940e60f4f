// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "test.hpp"

namespace test {

int failures = 0;

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

}  // namespace test

// Runs all tests, or those whose names contain the argument.
int main(int argc, char** argv) {
  int ran = 0, failed = 0;
  for (const test::Case& one : test::cases()) {
    if (argc > 1 && std::strstr(one.name, argv[1]) == nullptr) continue;
    const int before = test::failures;
    one.run();
    ++ran;
    if (test::failures != before) {
      ++failed;
      std::printf("FAILED %s\n", one.name);
    }
  }
  std::printf("%d tests, %d failed\n", ran, failed);
  return failed != 0 || ran == 0 ? 1 : 0;
}
