// SPDX-License-Identifier: Apache-2.0
//
// Reports a failing assertion to the testbench instead of ending the process: Verilator's own handler aborts,
// which would end the test runner and lose its captured output. For drivers built with -DVL_USER_STOP, to be
// included once.

#ifndef PERLE_VERIFY_FAILURE_H_
#define PERLE_VERIFY_FAILURE_H_

#include <cstdio>
#include <string>

#include "verilated.h"

namespace perle::verify {

// The context of one model, and where in the sources its first assertion failed ("file:line").
struct Context : VerilatedContext {
  std::string failed;

  // Failures are attributed to the context bound last, as several models of a shared object may alternate.
  void Bind() {
    bound = this;
    Verilated::threadContextp(this);
  }
  bool Failed() const { return !failed.empty(); }

  static inline thread_local Context* bound = nullptr;
};

}  // namespace perle::verify

// Replaces Verilator's handler of failing assertions and of $stop.
void vl_stop(const char* file, int line, const char* /*hier*/) {
  perle::verify::Context* const context = perle::verify::Context::bound;
  if (!context->Failed()) context->failed = std::string(file) + ":" + std::to_string(line);
  std::fflush(stdout);  // Verilator's message, with the instance and the time
}

#endif  // PERLE_VERIFY_FAILURE_H_
