// SPDX-License-Identifier: Apache-2.0
//
// Datagrams to and from one port of one host, which answers to the same port number on this machine.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <span>
#include <string>

#include "board/process.hpp"

namespace perle {

class Udp {
 public:
  // Throws PERLE_ERR_BOARD_ABSENT: unknown host, no route to it, or in use by another program.
  Udp(const std::string& host, unsigned port);
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;

  // Reopens the socket if it was lost. Errors are ignored, as if the datagram had been lost on its way.
  void send(std::span<const std::uint8_t> packet);
  // Size of a received datagram, 0 if there is none.
  std::size_t receive(std::span<std::uint8_t> packet);
  bool is_open() const { return socket_.is_open(); }
  int fd() const { return socket_.fd(); }

 private:
  bool connect();
  bool refuse(const std::string& why);
  void claim();

  std::string where_, why_;
  sockaddr_in peer_{};
  OwnFile socket_, claim_;
};

}  // namespace perle
