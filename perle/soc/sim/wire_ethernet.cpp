// SPDX-License-Identifier: Apache-2.0
//
// The bytes of Ethernet frames, with preamble and check sequence, and a network of one host behind them: what
// comes to a UDP port of this machine is sent to the design from that host, whose answers go back to the
// sender. The host answers ARP, and asks the design by ARP and ICMP whether it is there.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "soc.hpp"

namespace soc {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kPeriodPs = 8000;  // of 125 MHz
constexpr unsigned kPollCycles = 256, kGap = 12, kPreamble = 7, kLeastFrame = 60;
constexpr std::size_t kMostQueued = 4096;
constexpr std::uint8_t kSfd = 0xD5;
constexpr std::uint16_t kIp = 0x0800, kArp = 0x0806;
constexpr std::uint8_t kIcmp = 1, kUdp = 17;
constexpr std::uint32_t kHostIp = 0xC0A80164, kDesignIp = 0xC0A80132;  // 192.168.1.100 and .50
constexpr std::array<std::uint8_t, 6> kHostMac = {2, 0, 0, 0, 0, 1},
                                      kEverybody = {255, 255, 255, 255, 255, 255};
constexpr std::array<std::uint8_t, 6> kDesignMac = {0x10, 0xE2, 0xD5, 0, 0, 0};
constexpr unsigned kPort = 1234;

void put(Bytes& to, std::uint32_t value, int bytes) {
  for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
    to.push_back(static_cast<std::uint8_t>(value >> shift));
}
std::uint32_t get(const Bytes& from, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | from[at + static_cast<std::size_t>(i)];
  return value;
}
template <class T>
void append(Bytes& to, const T& what) {
  to.insert(to.end(), what.begin(), what.end());
}

std::uint32_t check_sequence(const std::uint8_t* data, std::size_t size) {
  std::uint32_t crc = ~0U;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

// RFC 1071, of bytes [from, to).
std::uint16_t checksum(const Bytes& of, std::size_t from, std::size_t to) {
  std::uint32_t sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += std::uint32_t{of[i]} << (i - from & 1 ? 0 : 8);
  while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

Bytes frame(const std::array<std::uint8_t, 6>& to, std::uint16_t type) {
  Bytes out(to.begin(), to.end());
  append(out, kHostMac);
  put(out, type, 2);
  return out;
}

Bytes datagram(std::uint8_t protocol, const Bytes& content) {
  Bytes out = frame(kDesignMac, kIp);
  const std::size_t head = out.size();
  put(out, 0x4500, 2);
  put(out, static_cast<std::uint32_t>(20 + content.size()), 2);
  put(out, 0x0000'4000, 4);  // not to be fragmented
  put(out, 0x4000U | protocol, 2);
  put(out, 0, 2);
  put(out, kHostIp, 4);
  put(out, kDesignIp, 4);
  const std::uint16_t sum = checksum(out, head, out.size());
  out[head + 10] = static_cast<std::uint8_t>(sum >> 8);
  out[head + 11] = static_cast<std::uint8_t>(sum);
  append(out, content);
  return out;
}

Bytes arp(std::uint16_t operation, const std::array<std::uint8_t, 6>& to) {
  Bytes out = frame(to, kArp);
  put(out, 0x0001'0800, 4);
  put(out, 0x0604'0000U | operation, 4);
  append(out, kHostMac);
  put(out, kHostIp, 4);
  append(out, operation == 1 ? std::array<std::uint8_t, 6>{} : to);
  put(out, kDesignIp, 4);
  return out;
}

Bytes ping() {
  Bytes echo = {8, 0, 0, 0, 0x50, 0x45, 0, 1};
  append(echo, std::string("is a Perle design there"));
  echo.push_back(0);
  const std::uint16_t sum = checksum(echo, 0, echo.size());
  echo[2] = static_cast<std::uint8_t>(sum >> 8);
  echo[3] = static_cast<std::uint8_t>(sum);
  return datagram(kIcmp, echo);
}

class Ethernet final : public Wire {
 public:
  Ethernet(int port, std::string place) : port_(port), place_(std::move(place)) {}
  ~Ethernet() override { ::close(port_); }

  std::string place() const override { return place_; }
  std::uint64_t period() const override { return kPeriodPs; }
  void clock(Vperle_soc& pins, bool high) override { pins.eth_clk = high; }

  bool step(Vperle_soc& pins) override {
    const bool receives = receive(pins);
    return send(pins) || receives;
  }

  void rest() override {
    pollfd one{port_, POLLIN, 0};
    ::poll(&one, 1, 1);
    until_poll_ = 0;
  }

 private:
  bool receive(const Vperle_soc& pins) {
    if (pins.eth_tx_en) {
      in_.push_back(pins.eth_tx_data);
      return true;
    }
    if (in_.empty()) return false;
    const auto start = std::find(in_.begin(), in_.end(), kSfd);
    if (start != in_.end()) {
      const Bytes whole(start + 1, in_.end());
      if (whole.size() >= kLeastFrame + 4) accept(whole);
    }
    in_.clear();
    return true;
  }

  // A frame with its check sequence, which is least significant byte first.
  void accept(Bytes whole) {
    const std::size_t size = whole.size() - 4;
    std::uint32_t sent = 0;
    for (std::size_t i = 0; i < 4; ++i) sent |= std::uint32_t{whole[size + i]} << 8 * i;
    if (sent != check_sequence(whole.data(), size)) return;
    const std::uint32_t type = get(whole, 12, 2);
    if (type == kArp && get(whole, 20, 2) == 1 && get(whole, 38, 4) == kHostIp) queue(arp(2, kDesignMac));
    if (type == kArp && get(whole, 20, 2) == 2) queue(ping());
    if (type == kIp && whole[23] == kIcmp && whole[34] == 0) answered_ = true;
    if (type == kIp && whole[23] == kUdp && get(whole, 36, 2) == kPort && answered_ && peer_.sin_port != 0) {
      const std::size_t content = get(whole, 38, 2) - 8;
      if (42 + content <= size)
        (void)!::sendto(port_, &whole[42], content, 0, reinterpret_cast<const sockaddr*>(&peer_),
                        sizeof peer_);
    }
  }

  bool send(Vperle_soc& pins) {
    if (out_.empty() && until_poll_-- == 0) fetch();
    pins.eth_rx_dv = !out_.empty() && gap_ == 0;
    if (gap_ != 0) {
      --gap_;
      return true;
    }
    if (out_.empty()) return false;
    pins.eth_rx_data = out_.front()[at_];
    if (++at_ == out_.front().size()) {
      out_.pop_front();
      at_ = 0;
      gap_ = kGap;
    }
    return true;
  }

  // The first thing that happens is a question by ARP, the second one by ICMP: only then datagrams pass.
  void fetch() {
    until_poll_ = kPollCycles;
    if (!answered_) {
      if (asked_++ % 64 == 0) queue(arp(1, kEverybody));
      return;
    }
    Bytes content(2048);
    socklen_t size = sizeof peer_;
    const ssize_t count = ::recvfrom(port_, content.data(), content.size(), MSG_DONTWAIT,
                                     reinterpret_cast<sockaddr*>(&peer_), &size);
    if (count <= 0) return;
    content.resize(static_cast<std::size_t>(count));
    Bytes udp;
    put(udp, kPort << 16 | kPort, 4);
    put(udp, static_cast<std::uint32_t>(8 + content.size()) << 16, 4);  // no checksum, which LiteEth ignores
    append(udp, content);
    queue(datagram(kUdp, udp));
  }

  void queue(Bytes content) {
    if (out_.size() >= kMostQueued) return;
    if (content.size() < kLeastFrame) content.resize(kLeastFrame);
    const std::uint32_t crc = check_sequence(content.data(), content.size());
    Bytes whole(kPreamble, 0x55);
    whole.push_back(kSfd);
    append(whole, content);
    for (int shift = 0; shift < 32; shift += 8) whole.push_back(static_cast<std::uint8_t>(crc >> shift));
    out_.push_back(std::move(whole));
  }

  int port_;
  std::string place_;
  sockaddr_in peer_{};
  std::deque<Bytes> out_;
  Bytes in_;
  std::size_t at_ = 0;
  unsigned gap_ = 0, until_poll_ = 0, asked_ = 0;
  bool answered_ = false;
};

}  // namespace

std::unique_ptr<Wire> open_wire(const std::string& where, unsigned) {
  const std::size_t colon = where.rfind(':');
  sockaddr_in own{};
  own.sin_family = AF_INET;
  if (colon == std::string::npos || ::inet_pton(AF_INET, where.substr(0, colon).c_str(), &own.sin_addr) != 1)
    return nullptr;
  own.sin_port = htons(static_cast<std::uint16_t>(std::strtoul(where.c_str() + colon + 1, nullptr, 10)));
  const int port = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (port < 0) return nullptr;
  if (::bind(port, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) {
    ::close(port);
    return nullptr;
  }
  return std::make_unique<Ethernet>(port, where);
}

}  // namespace soc
