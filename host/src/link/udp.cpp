// SPDX-License-Identifier: Apache-2.0
#include "link/udp.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "api/error.hpp"

namespace perle {
namespace {

// Resolves a host name to an IPv4 address: LiteEth supports IPv4 only.
sockaddr_in resolve(const std::string& host, unsigned port, const std::string& where) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  const int rc = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (rc != 0) throw Error(PERLE_ERR_BOARD_ABSENT, where + ": " + ::gai_strerror(rc));
  sockaddr_in address{};
  std::memcpy(&address, found->ai_addr, sizeof address);
  ::freeaddrinfo(found);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

const sockaddr* generic(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }

}  // namespace

Udp::Udp(const std::string& host, unsigned port)
    : where_("etherbone " + host + ":" + std::to_string(port)), peer_(resolve(host, port, where_)) {
  claim();
  if (!connect()) throw Error(PERLE_ERR_BOARD_ABSENT, where_ + ": " + why_);
}

// Locks the board for this program on this machine: binds an abstract Unix socket of its name, which the
// kernel releases however the program ends.
void Udp::claim() {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &peer_.sin_addr, text.data(), text.size());
  const std::string name =
      std::string("perle/etherbone/") + text.data() + ":" + std::to_string(ntohs(peer_.sin_port));
  sockaddr_un own{};
  own.sun_family = AF_UNIX;
  name.copy(own.sun_path + 1, sizeof own.sun_path - 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  claim_ = OwnFile([] { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); });
  if (claim_.is_open() && ::bind(claim_.fd(), reinterpret_cast<const sockaddr*>(&own), size) == 0) return;
  const std::string why = errno == EADDRINUSE ? "another program uses it" : std::strerror(errno);
  throw Error(PERLE_ERR_BOARD_ABSENT, where_ + ": " + why);
}

// LiteEth sends its answers to the port number that it listens on: so this socket uses the same port, on the
// local address of the route to the board. Sockets for several boards share the port; datagrams of a board go
// to the socket that is connected to it.
bool Udp::connect() {
  socket_.close();
  sockaddr_in own{};
  socklen_t size = sizeof own;
  const int probe = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return refuse(std::strerror(errno));
  const bool routed = ::connect(probe, generic(peer_), sizeof peer_) == 0 &&
                      ::getsockname(probe, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  const std::string why = std::strerror(errno);
  ::close(probe);
  if (!routed) return refuse(why);
  own.sin_port = peer_.sin_port;
  socket_ = OwnFile([] { return ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0); });
  if (!is_open()) return refuse(std::strerror(errno));
  constexpr int kYes = 1;
  ::setsockopt(fd(), SOL_SOCKET, SO_REUSEPORT, &kYes, sizeof kYes);
  if (::bind(fd(), generic(own), sizeof own) != 0)
    return refuse(errno == EADDRINUSE ? "another program uses its port on this machine"
                                      : std::strerror(errno));
  if (::connect(fd(), generic(peer_), sizeof peer_) != 0) return refuse(std::strerror(errno));
  return true;
}

bool Udp::refuse(const std::string& why) {
  why_ = why;
  socket_.close();
  return false;
}

void Udp::send(std::span<const std::uint8_t> packet) {
  if (!is_open() && !connect()) return;
  const auto try_once = [&] {
    return ::send(fd(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  };
  // ECONNREFUSED reports the answer to an earlier datagram, and nothing was sent: try again.
  if (try_once() < 0 && errno == ECONNREFUSED) (void)!try_once();
}

std::size_t Udp::receive(std::span<std::uint8_t> packet) {
  if (!is_open()) return 0;
  const ssize_t size = ::recv(fd(), packet.data(), packet.size(), MSG_DONTWAIT);
  if (size < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED) socket_.close();
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

}  // namespace perle
