// SPDX-License-Identifier: Apache-2.0
//
// Code shared by all kinds of boards: clock, binding to the calling thread, traces.

#include "board.h"

#include <string_view>

#include "perle_sim.h"

namespace perle {
namespace {

constexpr int kResetCycles = 4;

}  // namespace

Board::Board() {
  // A failing assertion must end neither the process nor other boards of it.
  context_.fatalOnError(false);
  // Has an effect only in builds with checks, which have random initial values.
  context_.randReset(2);
  Bind();
#if VM_TRACE
  context_.traceEverOn(true);
#endif
  top_ = std::make_unique<Vperle_top>(&context_, "board");
#if VM_TRACE
  top_->trace(&trace_, 99);
#endif
  Idle();
  Reset();
}

Board::~Board() {
  Bind();
#if VM_TRACE
  if (tracing_) trace_.close();
#endif
  top_->final();
}

void Board::Bind() { Verilated::threadContextp(&context_); }

void Board::Step(bool clock) {
  top_->clk_i = clock;
  top_->eval();
#if VM_TRACE
  context_.timeInc(1);
  if (tracing_) trace_.dump(context_.time());
#endif
}

void Board::BeforeEdge() { Step(false); }

void Board::AfterEdge() {
  Step(true);
  ++cycles_;
}

void Board::Cycle() {
  BeforeEdge();
  AfterEdge();
}

int Board::Status() const { return context_.gotError() ? PERLE_SIM_FAILED : PERLE_SIM_OK; }

int Board::Reset() {
  Idle();
  context_.gotError(false);
  context_.gotFinish(false);
  top_->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) Cycle();
  top_->rst_ni = 1;
  Cycle();
  return AwaitReady();
}

int Board::Advance(uint64_t cycles, int until_irq) {
  if (until_irq < 0 || until_irq > PERLE_SIM_LANES) return PERLE_SIM_BAD_ARGUMENT;
  const uint64_t awaited = until_irq == 0 ? 0 : uint64_t{1} << (until_irq - 1);
  for (uint64_t i = 0; i < cycles; ++i) {
    if ((Interrupts() & awaited) != 0) break;
    Cycle();
    if (context_.gotError()) break;
  }
  return Status();
}

int Board::Trace([[maybe_unused]] const char* path) {
#if VM_TRACE
  if (tracing_) trace_.close();
  tracing_ = false;
  if (path == nullptr) return PERLE_SIM_OK;
  if (!std::string_view{path}.ends_with("." PERLE_SIM_TRACE)) return PERLE_SIM_NO_TRACE;
  trace_.open(path);
  if (!trace_.isOpen()) return PERLE_SIM_NO_TRACE;
  tracing_ = true;
  return PERLE_SIM_OK;
#else
  return path == nullptr ? PERLE_SIM_OK : PERLE_SIM_NO_TRACE;
#endif
}

}  // namespace perle
