// SPDX-License-Identifier: Apache-2.0
//
// Datagrams to and from one port of one host, which answers to the same port on this machine.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <span>
#include <string>

namespace perle {

class Udp {
 public:
  // Throws PERLE_ERR_BOARD_ABSENT: an unknown host, no way to it, or another program talks to it.
  Udp(const std::string& host, unsigned port);
  ~Udp();
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;

  // Opens the socket again if it was lost; what cannot be sent is as good as lost on the way.
  void send(std::span<const std::uint8_t> packet);
  // Bytes of the datagram that has come, 0 if there is none.
  std::size_t receive(std::span<std::uint8_t> packet);
  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  bool connect();
  bool refuse(const std::string& why);
  void disconnect();
  void claim();

  std::string where_, why_;
  sockaddr_in peer_{};
  int fd_ = -1, claim_ = -1;
};

}  // namespace perle
