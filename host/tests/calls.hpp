// SPDX-License-Identifier: Apache-2.0
//
// System calls that give less than requested, or fail: test_link_calls.cpp puts them in the place of the
// C library's.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <string>

#include "fixture.hpp"

// What the calls of a thread do. A constant at the start of every thread: it is read where nothing may be
// locked or allocated, such as in a child process.
struct Calls {
  bool few = false;         // every other write() takes nothing, the others one byte
  bool none = false;        // whether the next one takes nothing
  std::size_t lost = 0;     // the next write() of as many bytes fails
  int open_error = 0;       // of a terminal
  int opened = 0;           // how often one was to be opened
  std::size_t longest = 0;  // bytes of the longest write()
  int read_error = 0;
  bool late = false;      // the next poll() finds nothing in its time
  bool hangs_up = false;  // poll() tells of a hang-up beside any input
  bool polled = false;    // since the last read(): with those two, a read() without a poll() finds nothing
  ino_t device = 0;       // a file that fstat() says is a device
  const std::map<std::string, std::string>* instead = nullptr;  // files to be opened for those of the kernel
};
extern constinit thread_local Calls calls;
extern std::atomic<bool> socket_fails;  // the next recv() of a socket that has data

constexpr unsigned kMajor = 4000;  // of no device

struct OtherCalls {
  explicit OtherCalls(const Calls& other) { calls = other; }
  ~OtherCalls() { calls = {}; }
  OtherCalls(const OtherCalls&) = delete;
  OtherCalls& operator=(const OtherCalls&) = delete;
};

const SoftConfig kSmall = {.width = 256, .cycles_per_bit = 0};

inline bool told(const char* text) { return std::string(perle_last_error()).find(text) != std::string::npos; }

inline std::string snapshot(perle_boards* set) {
  char text[256];
  std::size_t size = 0;
  CHECK_EQ(perle_board_snapshot(set, 0, text, sizeof text, &size), PERLE_OK);
  return text;
}
