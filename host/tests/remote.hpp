// SPDX-License-Identifier: Apache-2.0
//
// Boards opened by a specification, one product of 256 bits on them, and how long calls take.
#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>

#include "fixture.hpp"

struct Remote {
  perle_boards* set = nullptr;
  perle_status status;
  explicit Remote(const std::string& spec) : status(perle_boards_open(spec.c_str(), &set)) {}
  ~Remote() { perle_boards_close(set); }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
};

struct Product {
  perle_status status;
  bool right;
};

// One product; `right` also when there is none.
inline Product multiply(perle_boards* set) {
  static const Bn m = random_odd(256);
  const Data ms = bytes(m);
  perle_mod* mod = nullptr;
  const perle_status made = perle_mod_new(set, ms.data(), ms.size(), &mod);
  if (made != PERLE_OK) return {made, true};
  const Bn x = random_below(m), y = random_below(m);
  const Data xs = bytes(x), ys = bytes(y);
  Data out(ms.size());
  std::size_t size = 0;
  const perle_status status = perle_mulmod(set, mod, xs.data(), xs.size(), ys.data(), ys.size(), out.data(),
                                           out.size(), &size, nullptr);
  perle_mod_free(mod);
  out.resize(size);
  return {status, status != PERLE_OK || Bn(perle::ByteView(out)) == Arithmetic().mulmod(x, y, m)};
}

inline double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A board that failed is tried again after a while.
inline bool works_again(perle_boards* set) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
    const Product one = multiply(set);
    if (!CHECK(one.right)) return false;
    if (one.status == PERLE_OK) return true;
    usleep(50'000);
  }
  return false;
}
