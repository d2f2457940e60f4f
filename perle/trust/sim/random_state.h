// SPDX-License-Identifier: Apache-2.0
//
// A Verilated model for the contract's bench whose registers and memories hold random values when it begins;
// another seed (PERLE_STATE in the environment) gives other ones. STATE_MODEL is the model's class,
// STATE_HEADER its header.

#ifndef PERLE_TRUST_RANDOM_STATE_H_
#define PERLE_TRUST_RANDOM_STATE_H_

#include <cstdlib>

#include STATE_HEADER

class RandomState : public STATE_MODEL {
 public:
  explicit RandomState(VerilatedContext* context) : STATE_MODEL(Randomised(context)) {}

 private:
  static VerilatedContext* Randomised(VerilatedContext* context) {
    const char* const seed = std::getenv("PERLE_STATE");
    context->randReset(2);
    context->randSeed(seed == nullptr ? 1 : std::atoi(seed));
    return context;
  }
};

#endif  // PERLE_TRUST_RANDOM_STATE_H_
