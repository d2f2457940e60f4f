// SPDX-License-Identifier: Apache-2.0
//
// A design's clocks, in picoseconds of their own time, and the functions that Python calls.
#include "soc.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "verilated.h"

namespace soc {
namespace {

// Nothing comes over a link before the design is out of reset.
constexpr std::uint64_t kResetPs = 1'000'000, kReadyPs = 2'000'000;
// A design that nobody speaks to leaves the processor to others: steps until then, and between two rests.
constexpr unsigned kIdleSteps = 400'000, kStepsPerRest = 4'000;

struct Clock {
  std::uint64_t half = 0;  // 0: there is none
  std::uint64_t next = 0;
  bool high = false;

  bool due(std::uint64_t now) {
    if (half == 0 || now != next) return false;
    next += half;
    high = !high;
    return true;
  }
};

class Design {
 public:
  Design(std::unique_ptr<Wire> wire, std::uint64_t sys_ps, std::uint64_t core_ps)
      : wire_(std::move(wire)), place_(wire_->place()) {
    clocks_ = {Clock{sys_ps / 2}, Clock{core_ps / 2}, Clock{wire_->period() / 2}};
    pins_.sys_rst = 1;
  }

  ~Design() { pins_.final(); }
  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  const std::string& place() const { return place_; }
  std::uint64_t cycles() const { return cycles_; }
  void stop() { stop_ = true; }

  void run() {
    while (!stop_) edge();
  }

 private:
  void edge() {
    std::uint64_t now = ~std::uint64_t{0};
    for (const Clock& one : clocks_)
      if (one.half != 0) now = std::min(now, one.next);
    auto& [sys, core, own] = clocks_;
    const bool sys_edge = sys.due(now), own_edge = own.due(now);
    if (sys_edge) pins_.sys_clk = sys.high;
    if (core.due(now)) pins_.core_clk = core.high;
    if (own_edge) wire_->clock(pins_, own.high);
    pins_.eval();
    if (now > kResetPs) pins_.sys_rst = 0;
    if (sys_edge && sys.high) ++cycles_;
    if (now < kReadyPs) return;
    if (own.half != 0 ? own_edge && own.high : sys_edge && sys.high) step();
  }

  void step() {
    idle_ = wire_->step(pins_) ? 0 : idle_ + 1;
    if (idle_ >= kIdleSteps) {
      wire_->rest();
      idle_ -= kStepsPerRest;
    }
  }

  VerilatedContext context_;
  Vperle_soc pins_{&context_};
  std::unique_ptr<Wire> wire_;
  std::string place_;
  std::array<Clock, 3> clocks_;
  std::atomic<std::uint64_t> cycles_ = 0;
  std::atomic<bool> stop_ = false;
  unsigned idle_ = 0;
};

}  // namespace
}  // namespace soc

#define PERLE_SOC extern "C" __attribute__((visibility("default")))

// Periods in ps of the bus's clock and the core's. Null where its place cannot be had.
PERLE_SOC void* perle_soc_open(std::uint64_t sys_ps, std::uint64_t core_ps, const char* where,
                               unsigned cycles_per_bit) {
  auto wire = soc::open_wire(where, cycles_per_bit);
  return wire ? new soc::Design(std::move(wire), sys_ps, core_ps) : nullptr;
}
PERLE_SOC const char* perle_soc_place(void* design) {
  return static_cast<soc::Design*>(design)->place().c_str();
}
PERLE_SOC std::uint64_t perle_soc_cycles(void* design) { return static_cast<soc::Design*>(design)->cycles(); }
// Until it is stopped, by another thread.
PERLE_SOC void perle_soc_run(void* design) { static_cast<soc::Design*>(design)->run(); }
PERLE_SOC void perle_soc_stop(void* design) { static_cast<soc::Design*>(design)->stop(); }
PERLE_SOC void perle_soc_close(void* design) { delete static_cast<soc::Design*>(design); }
