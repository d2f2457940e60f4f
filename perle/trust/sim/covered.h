// SPDX-License-Identifier: Apache-2.0
//
// A Verilated model for the contract's bench that counts what of its sources was executed and toggled, and
// writes the counts to a file. COVERED_MODEL is the model's class, COVERED_HEADER its header.

#ifndef PERLE_TRUST_COVERED_H_
#define PERLE_TRUST_COVERED_H_

#include "verilated_cov.h"

#include COVERED_HEADER

using Covered = COVERED_MODEL;

extern "C" {

// What was counted so far by the model that was driven last.
void coverage_write(const char* path) { perle::verify::Context::bound->coveragep()->write(path); }
}

#endif  // PERLE_TRUST_COVERED_H_
