// SPDX-License-Identifier: Apache-2.0
//
// One simulated board: the Verilated perle_top, its clock, and the shortest possible AXI4-Lite master.

#ifndef PERLE_BOARDS_SIM_BOARD_H_
#define PERLE_BOARDS_SIM_BOARD_H_

#include <cstdint>
#include <memory>
#include <string>

#include "Vperle_top.h"
#include "perle_sim_config.h"
#include "verilated.h"

#if VM_TRACE_FST
#include "verilated_fst_c.h"
using TraceFile = VerilatedFstC;
#elif VM_TRACE_VCD
#include "verilated_vcd_c.h"
using TraceFile = VerilatedVcdC;
#endif

namespace perle {

class Board {
 public:
  Board();
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  // Must be called first if the calling thread differs from that of the last call.
  void Bind();
  int Write(uint32_t addr, uint64_t data);
  int Read(uint32_t addr, uint64_t* data);
  int Advance(uint64_t cycles, int until_irq);
  int Reset();
  int Trace(const char* path);
  std::string Snapshot();
  uint64_t cycles() const { return cycles_; }

 private:
  // A clock cycle in two halves: inputs settle before the edge, outputs after it.
  void BeforeEdge();
  void AfterEdge();
  void Cycle();
  void Step(bool clock);
  int Status() const;

  // What differs with the kind of port (port_axil.cpp, port_memory.cpp).
  void Idle();                  // no access is requested
  int AwaitReady();             // after a reset, until the board has cleared itself
  uint64_t Interrupts() const;  // bit i: the interrupt of lane i
  int Access(uint32_t addr, bool write, uint32_t data, uint64_t* read);  // active memory only

  VerilatedContext context_;
  std::unique_ptr<Vperle_top> top_;
  uint64_t cycles_ = 0;
#if VM_TRACE
  TraceFile trace_;
  bool tracing_ = false;
#endif
};

}  // namespace perle

#endif  // PERLE_BOARDS_SIM_BOARD_H_
