// SPDX-License-Identifier: Apache-2.0
//
// Accesses to active memory: word address and direction are the instruction. A busy board delays the access;
// one that is accepted at once takes one clock cycle.

#include "board.h"
#include "perle_sim.h"

namespace perle {
namespace {

constexpr uint32_t kWordBytes = 4;
constexpr uint32_t kAddrEnd = kWordBytes << PERLE_SIM_ADDR_BITS;
// Far more than the longest computation of any board.
constexpr int kTimeoutCycles = 1000000;

bool GoodAddress(uint32_t addr) { return addr < kAddrEnd && addr % kWordBytes == 0; }

}  // namespace

void Board::Idle() {
  top_->access_i = 0;
  top_->write_i = 0;
  top_->addr_i = 0;
  top_->wdata_i = 0;
}

uint64_t Board::Interrupts() const { return top_->busy_o == 0 ? 1 : 0; }

// After a reset the board may clear a memory.
int Board::AwaitReady() {
  for (int i = 0; i < kTimeoutCycles && top_->busy_o != 0; ++i) Cycle();
  return top_->busy_o != 0 ? PERLE_SIM_TIMEOUT : Status();
}

int Board::Access(uint32_t addr, bool write, uint32_t data, uint64_t* read) {
  top_->access_i = 1;
  top_->write_i = write;
  top_->addr_i = addr / kWordBytes;
  top_->wdata_i = data;
  int result = PERLE_SIM_TIMEOUT;
  for (int i = 0; i < kTimeoutCycles && result == PERLE_SIM_TIMEOUT; ++i) {
    BeforeEdge();
    const bool taken = top_->ready_o;
    if (taken && read != nullptr) *read = top_->rdata_o;
    AfterEdge();
    if (taken) result = Status();
    if (context_.gotError()) result = PERLE_SIM_FAILED;
  }
  Idle();
  return result;
}

int Board::Write(uint32_t addr, uint64_t data) {
  if (!GoodAddress(addr) || data >> 32 != 0) return PERLE_SIM_BAD_ARGUMENT;
  return Access(addr, true, static_cast<uint32_t>(data), nullptr);
}

int Board::Read(uint32_t addr, uint64_t* data) {
  if (!GoodAddress(addr) || data == nullptr) return PERLE_SIM_BAD_ARGUMENT;
  return Access(addr, false, 0, data);
}

}  // namespace perle
