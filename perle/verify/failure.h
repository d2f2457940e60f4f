// SPDX-License-Identifier: Apache-2.0
//
// A failing assertion, told to the bench instead of ending the process: Verilator's own handler aborts,
// and takes the test runner and what it has captured along. For drivers built with -DVL_USER_STOP, once each.

#ifndef PERLE_VERIFY_FAILURE_H_
#define PERLE_VERIFY_FAILURE_H_

#include <cstdio>
#include <string>

#include "verilated.h"

namespace perle::verify {

// The context of one model, and where in the sources its first assertion failed ("file:line").
struct Context : VerilatedContext {
  std::string failed;

  // What fails is charged to the context that was bound last: several models of one shared object take turns.
  void Bind() {
    bound = this;
    Verilated::threadContextp(this);
  }
  bool Failed() const { return !failed.empty(); }

  static inline thread_local Context* bound = nullptr;
};

}  // namespace perle::verify

// In place of Verilator's handler of assertions that fail and of $stop.
void vl_stop(const char* file, int line, const char* /*hier*/) {
  perle::verify::Context* const context = perle::verify::Context::bound;
  if (!context->Failed()) context->failed = std::string(file) + ":" + std::to_string(line);
  std::fflush(stdout);  // Verilator's message, with the instance and the time
}

#endif  // PERLE_VERIFY_FAILURE_H_
