// SPDX-License-Identifier: Apache-2.0
//
// A race on purpose: the thread sanitizer has to report it, or what it says of the tests means nothing.
#include <cstdio>
#include <thread>

namespace {

int shared = 0;

}  // namespace

int main() {
  std::thread other([] { ++shared; });
  ++shared;
  other.join();
  std::printf("1 tests, 0 failed\n");
  return 0;
}
