// SPDX-License-Identifier: Apache-2.0
//
// A bus that is reached through a device of this machine: words of 32 bits at byte addresses, as the designs
// of `perle soc` map them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace perle {

// Where the designs have what, in bytes.
namespace soc {
constexpr std::uint32_t kRegisters = 0x3000'0000;  // of the first lane, as board.rdl has them
constexpr std::uint32_t kControl = 0x3100'0000;    // of the design
constexpr std::uint32_t kMagicAt = kControl, kVersionAt = kControl + 4, kResetAt = kControl + 8,
                        kClockAt = kControl + 12, kLanesAt = kControl + 16, kStrideAt = kControl + 20,
                        kDepthAt = kControl + 24, kParametersAt = kControl + 0x100;
constexpr std::uint32_t kMagic = 0x5045524C;  // "PERL"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kParameterWords = 64;
}  // namespace soc

// Calls return whether it was done as far as can be told from here. After one that was not, each tries to
// reach the device again, so that a cable may be put back. Any threads may call; one `lane` is one thread's
// at a time, and the order that is promised is that of the calls of one lane.
class Link {
 public:
  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Consecutive words, ascending. They may still be on their way afterwards, but keep their order.
  virtual bool write(unsigned lane, std::uint32_t addr, std::span<const std::uint32_t> words) = 0;
  // One word that must not be written twice, after everything before it has arrived.
  virtual bool write_once(unsigned lane, std::uint32_t addr, std::uint32_t word) = 0;
  // Words at any addresses, in their order; after all writes.
  virtual bool read(unsigned lane, std::span<const std::uint32_t> addrs, std::uint32_t* out) = 0;

  // Whether the registers of the design itself (soc::kControl) are there.
  virtual bool has_control() const { return true; }
  // Whether something below this finds what is spoilt on the way, and drops it: a bus, a network's frames.
  virtual bool checked() const { return true; }
  // Bits of the widest access, and whether accesses to registers and banks are of two words each from now on.
  virtual unsigned word_bits() const { return 32; }
  virtual void widen(bool /*wide*/) {}
  // How often a call has waited for an answer.
  virtual std::uint64_t round_trips() const = 0;
  // What the design says in soc::kDepthAt, a number of words.
  virtual void set_depth(std::uint32_t /*words*/) {}
};

// Throw PERLE_ERR_BOARD_ABSENT with the device's name and why it cannot be used.
std::unique_ptr<Link> open_uart(const std::string& device, unsigned baud);
// Throw PERLE_ERR_SPEC unless serial lines have that rate.
void check_baud(unsigned baud);
std::unique_ptr<Link> open_etherbone(const std::string& host, unsigned port);
std::unique_ptr<Link> open_uio(const std::string& device);
// Whether there is such a device.
void check_device(const std::string& device);

}  // namespace perle
