// SPDX-License-Identifier: Apache-2.0
//
// Etherbone over UDP, to LiteEth: a datagram is a header, and one record of writes to ascending addresses and
// reads from any. The answer to a record's reads names the record's return address: here that is a number
// which no other record of this link has, so that an answer that is late or comes twice is not taken for
// another's. A record of writes also reads the design's magic word: that is its receipt.
//
// What gets no answer is sent again, in order; writes to operands may be repeated, and no start is sent
// before all of them are confirmed. A start is sent once: it is not known whether one without an answer
// arrived.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <vector>

#include "api/error.hpp"
#include "link/link.hpp"

namespace perle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostWords = 128;  // of one record: the design keeps records of up to 256 words
constexpr std::size_t kWindow = 4;       // records under way
constexpr std::array kPatience = {milliseconds(20), milliseconds(60), milliseconds(180), milliseconds(400)};
constexpr std::uint32_t kHeader = 0x4E6F'1044;  // magic, version 1, 32-bit addresses and data
constexpr std::size_t kHeadBytes = 12, kMostBytes = kHeadBytes + 4 * (2 + 2 * kMostWords);

using Packet = std::vector<std::uint8_t>;

void put32(Packet& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(word >> shift));
}

std::uint32_t get32(const std::uint8_t* from) {
  return std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
}

// Enough of a name server's and the host's addresses: IPv4, which is what LiteEth speaks.
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

class Etherbone final : public Link {
 public:
  Etherbone(const std::string& host, unsigned port)
      : where_("etherbone " + host + ":" + std::to_string(port)), peer_(resolve(host, port, where_)) {
    if (::getrandom(&next_, sizeof next_, 0) != sizeof next_) next_ = static_cast<std::uint32_t>(::getpid());
    if (!connect()) throw Error(PERLE_ERR_BOARD_ABSENT, where_ + ": " + why_);
  }
  ~Etherbone() override { disconnect(); }

  bool write(std::uint32_t addr, std::span<const std::uint32_t> words) override {
    for (std::size_t at = 0; at < words.size(); at += kMostWords) {
      if (open_.size() >= kWindow && !settle()) return false;
      send(addr + static_cast<std::uint32_t>(4 * at),
           words.subspan(at, std::min(kMostWords, words.size() - at)), {&soc::kMagicAt, 1}, nullptr, false);
    }
    return true;
  }

  bool write_once(std::uint32_t addr, std::uint32_t word) override {
    if (!settle()) return false;
    send(addr, {&word, 1}, {&soc::kMagicAt, 1}, nullptr, true);
    return true;
  }

  bool read(std::span<const std::uint32_t> addrs, std::uint32_t* out) override {
    for (std::size_t at = 0; at < addrs.size(); at += kMostWords)
      send(0, {}, addrs.subspan(at, std::min(kMostWords, addrs.size() - at)), out + at, false);
    return settle();
  }

 private:
  struct Record {
    std::uint32_t number;
    Packet packet;
    std::size_t reads;
    std::uint32_t* out;  // null: the receipt of writes
    bool once;

    Record(std::uint32_t number, Packet packet, std::size_t reads, std::uint32_t* out, bool once)
        : number(number), packet(std::move(packet)), reads(reads), out(out), once(once) {}
    Record(Record&&) = default;
    Record& operator=(Record&&) = default;
    ~Record() { ::explicit_bzero(packet.data(), packet.size()); }
  };

  void send(std::uint32_t addr, std::span<const std::uint32_t> words, std::span<const std::uint32_t> reads,
            std::uint32_t* out, bool once) {
    Packet packet;
    packet.reserve(kMostBytes);
    put32(packet, kHeader);
    put32(packet, 0);
    // One byte each: flags, byte enables, writes, reads.
    put32(packet, 0x000F'0000U | static_cast<std::uint32_t>(words.size()) << 8 |
                      static_cast<std::uint32_t>(reads.size()));
    if (!words.empty()) put32(packet, addr);
    for (const std::uint32_t word : words) put32(packet, word);
    put32(packet, ++next_);
    for (const std::uint32_t from : reads) put32(packet, from);
    open_.emplace_back(next_, std::move(packet), reads.size(), out, once);
    transmit(open_.back());
  }

  void transmit(const Record& record) {
    // What cannot be sent is as good as lost on the way.
    if (fd_ >= 0 || connect()) (void)!::send(fd_, record.packet.data(), record.packet.size(), MSG_NOSIGNAL);
  }

  // Waits for the answers to all records; forgets them if that fails.
  bool settle() {
    const std::size_t tries = sound_ ? kPatience.size() : 2;
    for (std::size_t i = 0; i < tries && !open_.empty(); ++i) {
      if (i > 0) {
        if (std::any_of(open_.begin(), open_.end(), [](const Record& one) { return one.once; })) break;
        for (const Record& one : open_) transmit(one);
      }
      const auto deadline = Clock::now() + kPatience[i];
      while (!open_.empty() && await(deadline)) receive();
    }
    sound_ = open_.empty();
    open_.clear();
    return sound_;
  }

  bool await(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || fd_ < 0) return false;
    pollfd one{fd_, POLLIN, 0};
    return ::poll(&one, 1, static_cast<int>(left)) > 0 || errno == EINTR;
  }

  void receive() {
    std::array<std::uint8_t, kMostBytes> packet;
    const ssize_t size = ::recv(fd_, packet.data(), packet.size(), MSG_DONTWAIT);
    if (size < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED) disconnect();
    if (size > 0) accept({packet.data(), static_cast<std::size_t>(size)});
    ::explicit_bzero(packet.data(), packet.size());
  }

  void accept(std::span<const std::uint8_t> packet) {
    if (packet.size() < kHeadBytes + 4 || get32(&packet[0]) >> 16 != kHeader >> 16) return;
    const std::size_t count = packet[10];
    const std::uint32_t number = get32(&packet[kHeadBytes]);
    const auto record =
        std::find_if(open_.begin(), open_.end(), [&](const Record& one) { return one.number == number; });
    if (record == open_.end() || record->reads != count || packet.size() < kHeadBytes + 4 + 4 * count) return;
    const std::uint8_t* const data = &packet[kHeadBytes + 4];
    // Some other design, or a spoilt record.
    if (record->out == nullptr && get32(data) != soc::kMagic) return;
    if (record->out != nullptr)
      for (std::size_t i = 0; i < count; ++i) record->out[i] = get32(data + 4 * i);
    open_.erase(record);
  }

  // LiteEth answers to the port that it listens on itself: that port is taken here too, on the address by
  // which the board is reached; and so by one program at a time.
  bool connect() {
    disconnect();
    sockaddr_in own{};
    socklen_t size = sizeof own;
    const int probe = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return refuse(std::strerror(errno));
    const bool routed = ::connect(probe, reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_) == 0 &&
                        ::getsockname(probe, reinterpret_cast<sockaddr*>(&own), &size) == 0;
    const std::string why = std::strerror(errno);
    ::close(probe);
    if (!routed) return refuse(why);
    own.sin_port = peer_.sin_port;
    fd_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd_ < 0) return refuse(std::strerror(errno));
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0)
      return refuse(errno == EADDRINUSE ? "another program uses its port on this machine"
                                        : std::strerror(errno));
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_) != 0)
      return refuse(std::strerror(errno));
    return true;
  }

  bool refuse(const std::string& why) {
    why_ = why;
    disconnect();
    return false;
  }

  void disconnect() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  std::string where_, why_;
  sockaddr_in peer_;
  int fd_ = -1;
  bool sound_ = true;
  std::uint32_t next_ = 0;
  std::deque<Record> open_;  // sent, and not answered yet
};

}  // namespace

std::unique_ptr<Link> open_etherbone(const std::string& host, unsigned port) {
  return std::make_unique<Etherbone>(host, port);
}

}  // namespace perle
