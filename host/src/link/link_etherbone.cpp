// SPDX-License-Identifier: Apache-2.0
//
// Etherbone over UDP, to LiteEth. A datagram is a header and one record, which has writes to ascending
// addresses and reads from any. The answer to the reads contains the record's return address: here that is a
// number unique to the record, so that a late or duplicate answer is not taken for that of another record. A
// record of writes also reads the design's magic word, as an acknowledgement.
//
// Records without an answer are sent again, in order. Writes to operands may be repeated, and a start is not
// sent before all of them are acknowledged. A start itself is sent only once, because it may have arrived
// even if there is no answer. Records of several lanes can be in flight at the same time; one of the threads
// that wait for answers receives for all of them.
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

// LiteEth buffers a whole record, including addresses, before it executes it. A record longer than this
// buffer blocks it for ever. The buffer has 16 words by default in LiteX, and at most 256.
constexpr std::uint32_t kLeastDepth = 16, kMostDepth = 256;
// Extra words of a record of writes: address of the writes, return address, the acknowledging read.
constexpr std::size_t kOverhead = 3;
constexpr std::size_t kMostReads = 128;  // limit of the answer, which is a record too
constexpr std::size_t kWindow = 4;       // records of a lane in flight
constexpr std::array kPatience = {milliseconds(20), milliseconds(60), milliseconds(180), milliseconds(400)};
constexpr std::size_t kTriesWhenSilent = 2;     // fail quickly if the board did not answer before
constexpr std::uint32_t kHeader = 0x4E6F'1044;  // magic, version 1, 32-bit addresses and data
constexpr std::size_t kHeadBytes = 12, kMostBytes = kHeadBytes + 4 * kMostDepth;
constexpr int kAtOnce = 64;  // datagrams received before other waiting threads are notified

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
    const Forget forget{*this, lane};  // `out` is valid for this call only
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
    std::uint32_t* out;  // null: an acknowledgement of writes
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

  // Waits for the answers to all records of a lane. After a timeout the records are dropped.
  bool settle(std::unique_lock<std::mutex>& lock, unsigned lane) {
    if (under_way(lane) == 0) return true;
    if (!silence_.may(lane)) return forget(lane), false;
    ++round_trips_;
    const std::uint64_t heard = heard_;
    const std::size_t tries = sound_ ? kPatience.size() : kTriesWhenSilent;
    for (std::size_t i = 0; i < tries && under_way(lane) != 0; ++i) {
      for (const Record& one : open_)
        if (i > 0 && one.lane == lane && !one.once) udp_.send(one.packet);
      const auto deadline = Clock::now() + kPatience[i];
      while (under_way(lane) != 0 && wait(lock, deadline)) {
      }
      // Only records that must not be sent again are left: do not wait for all retries.
      if (i > 0 && !repeatable(lane)) break;
    }
    sound_ = under_way(lane) == 0;
    // Silent: nothing has come although it was asked again, not even for another lane.
    if (sound_ || (heard_ == heard && repeatable(lane))) silence_.note(lane, sound_);
    forget(lane);
    return sound_;
  }

  // Whether a record of the lane is open that may be sent again.
  bool repeatable(unsigned lane) const {
    return std::any_of(open_.begin(), open_.end(),
                       [&](const Record& one) { return one.lane == lane && !one.once; });
  }

  // Waits until something was received, for any thread; false after a timeout.
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
    // Another design, or a corrupted record.
    if (record->out == nullptr && get32(data) != soc::kMagic) return;
    if (record->out != nullptr)
      for (std::size_t i = 0; i < count; ++i) record->out[i] = get32(data + 4 * i);
    open_.erase(record);
    ++heard_;
  }

  std::mutex mutex_;
  std::condition_variable received_;
  Udp udp_;
  std::atomic<std::uint64_t> round_trips_ = 0;
  bool receiving_ = false;  // a thread is waiting on the socket
  bool sound_ = true;
  Silence silence_;
  std::uint64_t heard_ = 0;  // answers
  std::size_t depth_ = kLeastDepth;
  std::uint32_t next_ = 0;
  std::list<Record> open_;  // sent, but not answered yet
};

}  // namespace

std::unique_ptr<Link> open_etherbone(const std::string& host, unsigned port) {
  return std::make_unique<Etherbone>(host, port);
}

}  // namespace perle
