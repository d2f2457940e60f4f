// SPDX-License-Identifier: Apache-2.0
//
// Etherbone over UDP, to LiteEth: a datagram is a header, and one record of writes to ascending addresses and
// reads from any. The answer to a record's reads names the record's return address: here that is a number
// which no other record of this link has, so that an answer that is late or comes twice is not taken for
// another's. A record of writes also reads the design's magic word: that is its receipt.
//
// What gets no answer is sent again, in order; writes to operands may be repeated, and no start is sent
// before all of them are confirmed. A start is sent once: it is not known whether one without an answer
// arrived. Records of several lanes are under way at the same time: one of the threads that wait for answers
// receives for all.
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <vector>

#include "api/error.hpp"
#include "link/big_endian.hpp"
#include "link/link.hpp"
#include "link/udp.hpp"

namespace perle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Packet = std::vector<std::uint8_t>;

// LiteEth keeps a whole record, its addresses too, before it does it, and stops for ever at one that is
// longer than what it was built for: LiteX builds 16 words, and 256 are the most.
constexpr std::uint32_t kLeastDepth = 16, kMostDepth = 256;
// Of a record that is no record of reads: address of writes, return address, the receipt's read.
constexpr std::size_t kOverhead = 3;
constexpr std::size_t kMostReads = 128;  // their answer is one record too
constexpr std::size_t kWindow = 4;       // records of a lane under way
constexpr std::array kPatience = {milliseconds(20), milliseconds(60), milliseconds(180), milliseconds(400)};
constexpr std::size_t kTriesWhenSilent = 2;     // whoever asks a dead board is told soon
constexpr std::uint32_t kHeader = 0x4E6F'1044;  // magic, version 1, 32-bit addresses and data
constexpr std::size_t kHeadBytes = 12, kMostBytes = kHeadBytes + 4 * kMostDepth;
constexpr int kAtOnce = 64;  // datagrams: other waiting threads look after so many

class Etherbone final : public Link {
 public:
  Etherbone(const std::string& host, unsigned port) : udp_(host, port) {
    if (::getrandom(&next_, sizeof next_, 0) != sizeof next_) next_ = static_cast<std::uint32_t>(::getpid());
  }

  bool write(unsigned lane, std::uint32_t addr, std::span<const std::uint32_t> words) override {
    std::unique_lock lock(mutex_);
    const std::size_t most = depth_ - kOverhead;
    for (std::size_t at = 0; at < words.size(); at += most) {
      if (under_way(lane) >= kWindow && !settle(lock, lane)) return false;
      send(lane, addr + static_cast<std::uint32_t>(4 * at),
           words.subspan(at, std::min(most, words.size() - at)), {&soc::kMagicAt, 1}, nullptr, false);
    }
    return true;
  }

  bool write_once(unsigned lane, std::uint32_t addr, std::uint32_t word) override {
    std::unique_lock lock(mutex_);
    if (!settle(lock, lane)) return false;
    send(lane, addr, {&word, 1}, {&soc::kMagicAt, 1}, nullptr, true);
    return true;
  }

  bool read(unsigned lane, std::span<const std::uint32_t> addrs, std::uint32_t* out) override {
    std::unique_lock lock(mutex_);
    const Forget forget{*this, lane};  // `out` is the caller's for this call only
    const std::size_t most = std::min<std::size_t>(depth_ - 1, kMostReads);
    for (std::size_t at = 0; at < addrs.size(); at += most) {
      if (under_way(lane) >= kWindow && !settle(lock, lane)) return false;
      send(lane, 0, {}, addrs.subspan(at, std::min(most, addrs.size() - at)), out + at, false);
    }
    return settle(lock, lane);
  }

  std::uint64_t round_trips() const override { return round_trips_; }
  void set_depth(std::uint32_t words) override {
    const std::lock_guard lock(mutex_);
    depth_ = words < kLeastDepth || words > kMostDepth ? kLeastDepth : words;
  }

 private:
  struct Record {
    unsigned lane;
    std::uint32_t number;
    Packet packet;
    std::size_t reads;
    std::uint32_t* out;  // null: the receipt of writes
    bool once;

    Record(unsigned lane, std::uint32_t number, Packet packet, std::size_t reads, std::uint32_t* out,
           bool once)
        : lane(lane), number(number), packet(std::move(packet)), reads(reads), out(out), once(once) {}
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    ~Record() { ::explicit_bzero(packet.data(), packet.size()); }
  };

  struct Forget {
    Etherbone& link;
    unsigned lane;
    ~Forget() { link.forget(lane); }
  };
  void forget(unsigned lane) {
    open_.remove_if([&](const Record& one) { return one.lane == lane; });
  }

  void send(unsigned lane, std::uint32_t addr, std::span<const std::uint32_t> words,
            std::span<const std::uint32_t> reads, std::uint32_t* out, bool once) {
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
    open_.emplace_back(lane, next_, std::move(packet), reads.size(), out, once);
    udp_.send(open_.back().packet);
  }

  std::size_t under_way(unsigned lane) const {
    return static_cast<std::size_t>(
        std::count_if(open_.begin(), open_.end(), [&](const Record& one) { return one.lane == lane; }));
  }

  // Waits for the answers to all records of a lane; forgets them if that fails.
  bool settle(std::unique_lock<std::mutex>& lock, unsigned lane) {
    if (under_way(lane) != 0) ++round_trips_;
    const std::size_t tries = sound_ ? kPatience.size() : kTriesWhenSilent;
    for (std::size_t i = 0; i < tries && under_way(lane) != 0; ++i) {
      for (const Record& one : open_)
        if (i > 0 && one.lane == lane && !one.once) udp_.send(one.packet);
      const auto deadline = Clock::now() + kPatience[i];
      while (under_way(lane) != 0 && wait(lock, deadline)) {
      }
      // What is not sent again may as well be lost: nobody waits long for it.
      if (i > 0 && std::none_of(open_.begin(), open_.end(),
                                [&](const Record& one) { return one.lane == lane && !one.once; }))
        break;
    }
    sound_ = under_way(lane) == 0;
    forget(lane);
    return sound_;
  }

  // Until something has come, for this thread or another; false when time is over.
  bool wait(std::unique_lock<std::mutex>& lock, Clock::time_point deadline) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || !udp_.is_open()) return false;
    if (receiving_) {
      received_.wait_until(lock, deadline);
      return true;
    }
    receiving_ = true;
    const int fd = udp_.fd();
    lock.unlock();
    pollfd one{fd, POLLIN, 0};
    ::poll(&one, 1, static_cast<int>(left));
    lock.lock();
    receiving_ = false;
    std::array<std::uint8_t, kMostBytes> packet;
    for (int i = 0; i < kAtOnce; ++i) {
      const std::size_t size = udp_.receive(packet);
      if (size == 0) break;
      accept({packet.data(), size});
    }
    ::explicit_bzero(packet.data(), packet.size());
    received_.notify_all();
    return true;
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

  std::mutex mutex_;
  std::condition_variable received_;
  Udp udp_;
  std::atomic<std::uint64_t> round_trips_ = 0;
  bool receiving_ = false;  // a thread waits at the socket
  bool sound_ = true;
  std::size_t depth_ = kLeastDepth;
  std::uint32_t next_ = 0;
  std::list<Record> open_;  // sent, and not answered yet
};

}  // namespace

std::unique_ptr<Link> open_etherbone(const std::string& host, unsigned port) {
  return std::make_unique<Etherbone>(host, port);
}

}  // namespace perle
