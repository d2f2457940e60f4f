// SPDX-License-Identifier: Apache-2.0
//
// Accesses over AXI4-Lite.

#include <cstddef>

#include "board.h"
#include "perle_regs.h"
#include "perle_sim.h"

namespace perle {
namespace {

constexpr uint32_t kLaneBytes = 1U << 14;
constexpr uint32_t kAddrEnd = kLaneBytes * PERLE_SIM_LANES;
constexpr uint32_t kWordBytes = PERLE_SIM_WORD_BITS / 8;
constexpr uint32_t kStatus = offsetof(perle_regs_t, status);
// A zeroization takes as many cycles as there are lines or words, and one product.
constexpr int kZeroizePolls = 100000;
// The bus answers within three cycles; the timeout only has to be much longer.
constexpr int kTimeoutCycles = 1000;

bool GoodAddress(uint32_t addr) { return addr < kAddrEnd && addr % kWordBytes == 0; }

}  // namespace

void Board::Idle() {
  top_->axil_awvalid_i = 0;
  top_->axil_wvalid_i = 0;
  top_->axil_arvalid_i = 0;
  top_->axil_wstrb_i = (1U << kWordBytes) - 1;
  // Responses are always accepted at once, so that an access can return as soon as its response is valid.
  top_->axil_bready_i = 1;
  top_->axil_rready_i = 1;
}

uint64_t Board::Interrupts() const { return top_->irq_o; }

// Waits until every lane has completed its zeroization.
int Board::AwaitReady() {
  for (uint32_t lane = 0; lane < PERLE_SIM_LANES; ++lane) {
    uint64_t status = PERLE_REGS__STATUS__BUSY_bm;
    for (int i = 0; i < kZeroizePolls && (status & PERLE_REGS__STATUS__BUSY_bm) != 0; ++i) {
      const int result = Read(lane * kLaneBytes + kStatus, &status);
      if (result != PERLE_SIM_OK) return result;
    }
    if ((status & PERLE_REGS__STATUS__BUSY_bm) != 0) return PERLE_SIM_TIMEOUT;
  }
  return Status();
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
    // A response here belongs to this access: that of the previous one was accepted at this edge at the
    // latest.
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

}  // namespace perle
