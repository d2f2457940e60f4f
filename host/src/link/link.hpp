// SPDX-License-Identifier: Apache-2.0
//
// A bus behind a device of this machine: 32-bit words at byte addresses, with the memory map of the designs
// of `perle soc`.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace perle {

// Byte addresses of the designs.
namespace soc {
constexpr std::uint32_t kRegisters = 0x3000'0000;  // registers of the first lane, as in board.rdl
constexpr std::uint32_t kLaneBytes = 0x4000;       // of one lane's registers
constexpr std::uint32_t kControl = 0x3100'0000;    // registers of the design itself
constexpr std::uint32_t kMagicAt = kControl, kVersionAt = kControl + 4, kResetAt = kControl + 8,
                        kClockAt = kControl + 12, kLanesAt = kControl + 16, kStrideAt = kControl + 20,
                        kDepthAt = kControl + 24, kParametersAt = kControl + 0x100;
constexpr std::uint32_t kMagic = 0x5045524C;  // "PERL"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kParameterWords = 64;
}  // namespace soc

// Lane number of accesses to the design's own registers.
constexpr unsigned kDesign = ~0U;

// What a link knows of a board that does not answer. Once an access has got no answer, the others fail at
// once for a while, so that the many lanes of a dead board do not wait for a timeout each. Only the design's
// own registers are tried, by which it is reset, and if they do not answer either, they too fail at once.
class Silence {
 public:
  // Whether to try an access now.
  bool may(unsigned lane) const { return Clock::now() >= (lane == kDesign ? design_ : lanes_); }
  void note(unsigned lane, bool answered) {
    const Clock::time_point end = answered ? Clock::time_point{} : Clock::now() + kLongest;
    lanes_ = end;
    if (answered || lane == kDesign) design_ = end;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLongest{500};
  Clock::time_point lanes_{}, design_{};  // when each may be tried again
};

// Calls return false if the access is known to have failed. After a failure every call tries to reopen the
// device, so that a cable may be plugged in again. Thread-safe, except that a lane may be used by only one
// thread at a time; the order of calls is kept within a lane only.
class Link {
 public:
  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  // Writes consecutive words. They may still be in flight when the call returns, but their order is kept.
  virtual bool write(unsigned lane, std::uint32_t addr, std::span<const std::uint32_t> words) = 0;
  // Writes a word that must not be written twice, after all earlier writes have arrived.
  virtual bool write_once(unsigned lane, std::uint32_t addr, std::uint32_t word) = 0;
  // Reads words at any addresses, in their order; after all earlier writes.
  virtual bool read(unsigned lane, std::span<const std::uint32_t> addrs, std::uint32_t* out) = 0;

  // Whether the design has its own registers (soc::kControl).
  virtual bool has_control() const { return true; }
  // Whether a lower layer detects transmission errors: a bus, or network frames with their checksums.
  virtual bool checked() const { return true; }
  // Bits of the widest access; and sets whether writes to registers and banks are of two words each.
  virtual unsigned word_bits() const { return 32; }
  virtual void widen(bool /*wide*/) {}
  // Number of times that a call waited for an answer.
  virtual std::uint64_t round_trips() const = 0;
  // The value of soc::kDepthAt: words of the longest record.
  virtual void set_depth(std::uint32_t /*words*/) {}
};

// These throw PERLE_ERR_BOARD_ABSENT, with the device's name and the reason, if it cannot be used.
std::unique_ptr<Link> open_uart(const std::string& device, unsigned baud);
// Throws PERLE_ERR_SPEC if serial lines do not support that rate.
void check_baud(unsigned baud);
std::unique_ptr<Link> open_etherbone(const std::string& host, unsigned port);
std::unique_ptr<Link> open_uio(const std::string& device);
// Throws PERLE_ERR_BOARD_ABSENT if the device does not exist.
void check_device(const std::string& device);

}  // namespace perle
