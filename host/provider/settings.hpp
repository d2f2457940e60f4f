// SPDX-License-Identifier: Apache-2.0
//
// The settings in the provider's section of the configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "errors.hpp"

namespace perle::provider {

constexpr std::size_t kMostSpecs = 16, kLongestSpec = 127;

struct Settings {
  std::vector<std::string> boards;  // boards = SPEC SPEC …, each by its path (named ones in cache = FOLDER)
  bool fallback = true;             // fallback = software | fail
  unsigned queue = 64;              // queue = N: operations that may wait for a board
  std::uint64_t timeout_ms =
      30'000;                      // timeout = ms: for waiting for a board, and for an operation of a board
  unsigned retire_after = 3;       // retire_after = N failures in a row
  std::uint64_t retry_ms = 1'000;  // retry = ms until a retired board is tried again; doubles, up to 64-fold
  bool blind_exponent = true;      // blind_exponent = yes | no
  std::string status_folder;       // status = FOLDER | none ("")
  bool keep_status = false;        // keep_status = yes | no: the file stays when the process ends
  std::size_t secure_heap = 0;  // secure_heap = bytes of locked memory for secrets, a power of two; 0: none
  double inject = 0;            // inject = probability of a wrong result, for tests only
};

// Throws Failure(kSetting) for an invalid value or specification.
Settings read_settings(const Core& core);

}  // namespace perle::provider
