// SPDX-License-Identifier: Apache-2.0
//
// A minimal test harness: TEST(name) { CHECK(...); }. A failed check is printed and counted; the test
// continues.
#pragma once

#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "perle.h"

namespace test {

struct Case {
  const char* name;
  void (*run)();
};
std::vector<Case>& cases();
extern int failures;

struct Register {
  Register(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

template <typename T>
std::string show(const T& value) {
  if constexpr (std::is_same_v<T, perle_status>)
    return perle_status_name(value);
  else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
    return std::to_string(static_cast<long long>(value));
  else
    return "(a value)";
}

template <typename A, typename B>
bool equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) return true;
  ++failures;
  std::printf("%s:%d: %s: %s != %s; last error: %s\n", file, line, text, show(a).c_str(), show(b).c_str(),
              perle_last_error());
  return false;
}

}  // namespace test

#define TEST(name)                                                 \
  static void test_##name();                                       \
  static const test::Register register_##name(#name, test_##name); \
  static void test_##name()
#define CHECK_EQ(a, b) test::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK(condition) test::equal(static_cast<bool>(condition), true, #condition, __FILE__, __LINE__)
