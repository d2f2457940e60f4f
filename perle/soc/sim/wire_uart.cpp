// SPDX-License-Identifier: Apache-2.0
//
// The pins of a serial line as a pseudo-terminal: eight bits a byte, least significant first, one stop bit.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <deque>

#include "soc.hpp"

namespace soc {
namespace {

constexpr unsigned kBits = 10;  // of a byte, with start and stop
constexpr unsigned kPollCycles = 64;

class Uart final : public Wire {
 public:
  Uart(int terminal, int slave, std::string name, unsigned cycles_per_bit)
      : terminal_(terminal), slave_(slave), name_(std::move(name)), cycles_per_bit_(cycles_per_bit) {}
  ~Uart() override {
    ::close(terminal_);
    ::close(slave_);
  }

  std::string place() const override { return name_; }

  bool step(Vperle_soc& pins) override {
    const bool receives = receive(pins.serial_tx != 0);
    return send(pins) || receives;
  }

  void rest() override {
    pollfd one{terminal_, POLLIN, 0};
    ::poll(&one, 1, 1);
    until_poll_ = 0;
  }

 private:
  // From the design: samples each bit in its middle. A byte that nobody takes away is lost, as on a line.
  bool receive(bool level) {
    if (in_ == 0) {
      if (level) return false;
      in_ = 1;
      in_byte_ = 0;
      return true;
    }
    const unsigned bit = in_ / cycles_per_bit_;
    if (in_ % cycles_per_bit_ == cycles_per_bit_ / 2 && bit >= 1 && bit <= 8)
      in_byte_ |= static_cast<unsigned>(level) << (bit - 1);
    if (++in_ < kBits * cycles_per_bit_ - cycles_per_bit_ / 2) return true;
    in_ = 0;
    const auto byte = static_cast<unsigned char>(in_byte_);
    (void)!::write(terminal_, &byte, 1);
    return true;
  }

  // To the design.
  bool send(Vperle_soc& pins) {
    if (out_ == 0 && waiting_.empty() && until_poll_-- == 0) fetch();
    if (out_ == 0) {
      pins.serial_rx = 1;
      if (waiting_.empty()) return false;
      out_bits_ = 1U << 9 | unsigned{waiting_.front()} << 1;  // stop, byte, start
      waiting_.pop_front();
    }
    pins.serial_rx = out_bits_ >> out_ / cycles_per_bit_ & 1;
    if (++out_ == kBits * cycles_per_bit_) out_ = 0;
    return true;
  }

  void fetch() {
    until_poll_ = kPollCycles;
    std::array<unsigned char, 1024> bytes;
    const ssize_t count = ::read(terminal_, bytes.data(), bytes.size());
    if (count > 0) waiting_.insert(waiting_.end(), bytes.begin(), bytes.begin() + count);
  }

  int terminal_, slave_;
  std::string name_;
  unsigned cycles_per_bit_;
  std::deque<unsigned char> waiting_;
  unsigned in_ = 0, in_byte_ = 0, out_ = 0, out_bits_ = 0;
  // The line rests first: its first fall is the first byte's.
  unsigned until_poll_ = 4 * kPollCycles;
};

}  // namespace

std::unique_ptr<Wire> open_wire(const std::string&, unsigned cycles_per_bit) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  std::array<char, 128> name;
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0 ||
      ::ptsname_r(terminal, name.data(), name.size()) != 0)
    return nullptr;
  // Kept open, so that programs may come and go.
  const int slave = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios mode{};
  if (slave < 0 || ::tcgetattr(slave, &mode) != 0) return nullptr;
  ::cfmakeraw(&mode);
  ::tcsetattr(slave, TCSANOW, &mode);
  return std::make_unique<Uart>(terminal, slave, name.data(), cycles_per_bit);
}

}  // namespace soc
