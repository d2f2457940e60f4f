// SPDX-License-Identifier: Apache-2.0

#include "board.h"

#include <cstddef>
#include <string_view>

#include "perle_regs.h"
#include "perle_sim.h"

namespace perle {
namespace {

constexpr uint32_t kLaneBytes = 1U << 14;
constexpr uint32_t kAddrEnd = kLaneBytes * PERLE_SIM_LANES;
constexpr uint32_t kWordBytes = PERLE_SIM_WORD_BITS / 8;
constexpr uint32_t kStatus = offsetof(perle_regs_t, status);
constexpr int kResetCycles = 4;
// A wipe takes as many cycles as there are lines or words, and one product.
constexpr int kWipePolls = 100000;
// The bus answers within three cycles; the limit only has to be far from that.
constexpr int kTimeoutCycles = 1000;

bool GoodAddress(uint32_t addr) { return addr < kAddrEnd && addr % kWordBytes == 0; }

}  // namespace

Board::Board() {
  // An assertion that fails must end neither the process nor the reader's other boards.
  context_.fatalOnError(false);
  // Only builds that check themselves have anything to make random.
  context_.randReset(2);
  Bind();
#if VM_TRACE
  context_.traceEverOn(true);
#endif
  top_ = std::make_unique<Vperle_top>(&context_, "board");
#if VM_TRACE
  top_->trace(&trace_, 99);
#endif
  top_->axil_wstrb_i = (1U << kWordBytes) - 1;
  // Responses are always taken at once, so that an access may return as soon as its response is seen.
  top_->axil_bready_i = 1;
  top_->axil_rready_i = 1;
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
  top_->axil_awvalid_i = 0;
  top_->axil_wvalid_i = 0;
  top_->axil_arvalid_i = 0;
  context_.gotError(false);
  context_.gotFinish(false);
  top_->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) Cycle();
  top_->rst_ni = 1;
  Cycle();
  for (uint32_t lane = 0; lane < PERLE_SIM_LANES; ++lane) {
    const int result = AwaitWipe(lane * kLaneBytes + kStatus);
    if (result != PERLE_SIM_OK) return result;
  }
  return Status();
}

int Board::AwaitWipe(uint32_t addr) {
  uint64_t status = PERLE_REGS__STATUS__BUSY_bm;
  for (int i = 0; i < kWipePolls && (status & PERLE_REGS__STATUS__BUSY_bm) != 0; ++i) {
    const int result = Read(addr, &status);
    if (result != PERLE_SIM_OK) return result;
  }
  return (status & PERLE_REGS__STATUS__BUSY_bm) != 0 ? PERLE_SIM_TIMEOUT : PERLE_SIM_OK;
}

int Board::Write(uint32_t addr, uint64_t data) {
  if (!GoodAddress(addr)) return PERLE_SIM_BAD_ARGUMENT;
  if (PERLE_SIM_WORD_BITS < 64 && data >> (PERLE_SIM_WORD_BITS % 64) != 0) return PERLE_SIM_BAD_ARGUMENT;
  top_->axil_awaddr_i = addr;
  top_->axil_wdata_i = data;
  top_->axil_awvalid_i = 1;
  top_->axil_wvalid_i = 1;
  for (int i = 0; i < kTimeoutCycles; ++i) {
    BeforeEdge();
    const bool address_taken = top_->axil_awready_o;
    const bool data_taken = top_->axil_wready_o;
    AfterEdge();
    if (address_taken) top_->axil_awvalid_i = 0;
    if (data_taken) top_->axil_wvalid_i = 0;
    // A response seen here was given to this access: the one before took its own at this edge at the latest.
    if (top_->axil_bvalid_o) return top_->axil_bresp_o != 0 ? PERLE_SIM_BUS_ERROR : Status();
  }
  top_->axil_awvalid_i = 0;
  top_->axil_wvalid_i = 0;
  return PERLE_SIM_TIMEOUT;
}

int Board::Read(uint32_t addr, uint64_t* data) {
  if (!GoodAddress(addr) || data == nullptr) return PERLE_SIM_BAD_ARGUMENT;
  top_->axil_araddr_i = addr;
  top_->axil_arvalid_i = 1;
  for (int i = 0; i < kTimeoutCycles; ++i) {
    BeforeEdge();
    const bool address_taken = top_->axil_arready_o;
    AfterEdge();
    if (address_taken) top_->axil_arvalid_i = 0;
    if (top_->axil_rvalid_o) {
      *data = top_->axil_rdata_o;
      return top_->axil_rresp_o != 0 ? PERLE_SIM_BUS_ERROR : Status();
    }
  }
  top_->axil_arvalid_i = 0;
  return PERLE_SIM_TIMEOUT;
}

int Board::Advance(uint64_t cycles, int until_irq) {
  if (until_irq < 0 || until_irq > PERLE_SIM_LANES) return PERLE_SIM_BAD_ARGUMENT;
  const uint64_t awaited = until_irq == 0 ? 0 : uint64_t{1} << (until_irq - 1);
  for (uint64_t i = 0; i < cycles; ++i) {
    if ((top_->irq_o & awaited) != 0) break;
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
