// SPDX-License-Identifier: Apache-2.0
//
// A Verilated model for the contract's testbench that counts how often each net changes. Nets are sampled
// immediately before every rising edge, when they have settled: glitches are not counted.
//
// RECORD_MODEL is the model's class, RECORD_HEADER its header. When the model ends, it writes the SAIF file
// named by PERLE_ACTIVITY_FILE in the environment. Counting begins with the first cycle out of reset.

#ifndef PERLE_MEASURE_ACTIVITY_BENCH_H_
#define PERLE_MEASURE_ACTIVITY_BENCH_H_

#include <cstdlib>

#include "verilated_saif_c.h"
#include RECORD_HEADER

class Recorded : public RECORD_MODEL {
 public:
  explicit Recorded(VerilatedContext* context) : RECORD_MODEL(context) {
    context->traceEverOn(true);
    trace(&saif_, kDepth);
  }

  void eval() {
    if (clk_i && !clock_ && rst_ni) {
      if (!saif_.isOpen()) saif_.open(std::getenv("PERLE_ACTIVITY_FILE"));
      saif_.dump(now_++);
    }
    clock_ = clk_i;
    RECORD_MODEL::eval();
  }

  void final() {
    if (saif_.isOpen()) saif_.close();
    RECORD_MODEL::final();
  }

 private:
  static constexpr int kDepth = 99;
  VerilatedSaifC saif_;
  std::uint64_t now_ = 0;
  bool clock_ = false;
};

#endif  // PERLE_MEASURE_ACTIVITY_BENCH_H_
