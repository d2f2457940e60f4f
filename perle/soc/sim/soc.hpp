// SPDX-License-Identifier: Apache-2.0
//
// What a simulated design's clocks and wires know of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "Vperle_soc.h"

namespace soc {

// The pins of a link, led to something of this machine.
class Wire {
 public:
  Wire() = default;
  virtual ~Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  // Where a program finds it.
  virtual std::string place() const = 0;
  // Its clock's period in ps; 0 where it goes with the bus's.
  virtual std::uint64_t period() const { return 0; }
  virtual void clock(Vperle_soc& /*pins*/, bool /*high*/) {}
  // After a rising edge of that clock: looks at outputs, sets inputs. False if nothing goes on.
  virtual bool step(Vperle_soc& pins) = 0;
  // Waits up to a millisecond for something to come.
  virtual void rest() = 0;
};

// Null where it cannot be had. A bit of a serial line takes so many cycles of the bus's clock.
std::unique_ptr<Wire> open_wire(const std::string& where, unsigned cycles_per_bit);

}  // namespace soc
