// SPDX-License-Identifier: Apache-2.0
#include "bridge.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <utility>

#include "bridge_wire.hpp"

Bridge::Bridge(const SoftConfig& config, std::size_t lanes)
    : parameters_("RadixBits=" + std::to_string(config.radix_bits) + " QuotientDelay=0") {
  SoftConfig own = config;
  own.word_bits = 32;
  own.lanes = static_cast<std::uint32_t>(lanes);
  for (std::size_t i = 0; i < lanes; ++i) boards_.push_back(std::make_unique<SoftBoard>(own));
  last_.resize(lanes, std::chrono::steady_clock::now());
}

// The board's clock follows wall-clock time.
void Bridge::let_pass(std::size_t lane) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> passed = now - std::exchange(last_[lane], now);
  boards_[lane]->advance(static_cast<std::uint64_t>(passed.count() * kClock), false);
}

// An address without a register reads all ones, like a bus without an answer.
std::uint32_t Bridge::bus_read(std::uint32_t addr) {
  if (addr >= kControl && addr < kControl + 0x200) {
    const std::size_t at = addr - kControl - 0x100;
    if (addr >= kControl + 0x100) {
      std::uint32_t word = 0;
      for (std::size_t i = 0; i < 4 && at + i < parameters_.size(); ++i)
        word |= std::uint32_t{static_cast<std::uint8_t>(parameters_[at + i])} << 8 * i;
      return word;
    }
    switch (addr - kControl) {
      case 0:
        return magic;
      case 4:
        return version;
      case 12:
        return kClock;
      case 16:
        return static_cast<std::uint32_t>(boards_.size());
      case 20:
        return stride;
      case 24:
        return tell_depth ? kDepth : ~0U;
      default:
        return 0;
    }
  }
  std::uint64_t data = 0;
  const std::size_t lane = (addr - kRegisters) / kStride;
  if (addr < kRegisters || lane >= boards_.size()) return ~0U;
  let_pass(lane);
  if (boards_[lane]->read((addr - kRegisters) % kStride, &data) != 0) return ~0U;
  return static_cast<std::uint32_t>(data);
}

void Bridge::bus_write(std::uint32_t addr, std::uint32_t data) {
  if (addr == kControl + 8 && data == 1) {
    ++resets_;
    for (auto& board : boards_) board->reset();
  }
  const std::size_t lane = (addr - kRegisters) / kStride;
  if (addr < kRegisters || lane >= boards_.size()) return;
  let_pass(lane);
  const std::uint32_t at = (addr - kRegisters) % kStride;
  if (at == 0x30 && (data & 1) != 0) ++starts_;
  boards_[lane]->write(at, data);
}

Spoil Bridge::next() {
  const Spoil how = how_;
  if (how == Spoil::kSilent || how == Spoil::kBabble) return how;
  return ++passed_ % period_ == 0 ? how : Spoil::kNone;
}

UartBridge::UartBridge(const SoftConfig& config, std::size_t lanes) : Bridge(config, lanes) {
  char folder[] = "/tmp/perle-bridge-XXXXXX";
  folder_ = ::mkdtemp(folder);
  link_ = folder_ + "/tty";
  plug();
}

UartBridge::~UartBridge() {
  unplug();
  std::filesystem::remove_all(folder_);
}

void UartBridge::plug() {
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  ::grantpt(master_);
  ::unlockpt(master_);
  char name[64];
  ::ptsname_r(master_, name, sizeof name);
  // Kept open: otherwise the pseudo-terminal would signal a hang-up.
  slave_ = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios mode{};
  ::tcgetattr(slave_, &mode);
  ::cfmakeraw(&mode);
  ::tcsetattr(slave_, TCSANOW, &mode);
  std::filesystem::create_symlink(name, link_);
  command_.clear();
  begin();
}

void UartBridge::unplug() {
  if (master_ < 0) return;
  std::filesystem::remove(link_);
  end();
  ::close(slave_);
  ::close(master_);
  master_ = -1;
}

void UartBridge::serve() {
  while (!stop_) {
    pollfd one{master_, POLLIN, 0};
    const bool input = ::poll(&one, 1, babbles() ? 0 : kTick) > 0;
    if (std::chrono::steady_clock::now() > began_ + kCommandTime) command_.clear();
    if (babbles()) {
      const Packet noise = random_bytes();
      (void)!::write(master_, noise.data(), noise.size());
    }
    if (!input) continue;
    std::uint8_t bytes[256];
    const ssize_t size = ::read(master_, bytes, sizeof bytes);
    for (ssize_t i = 0; i < size; ++i) {
      switch (next()) {
        case Spoil::kDrop:
        case Spoil::kSilent:
        case Spoil::kBabble:
          break;
        case Spoil::kDouble:
          take(bytes[i]);
          take(bytes[i]);
          break;
        case Spoil::kGarble:
          take(bytes[i] ^ 0x10);
          break;
        default:
          take(bytes[i]);
      }
    }
  }
}

// Code, words, address in words, data: a word is written as soon as it is there.
void UartBridge::take(std::uint8_t byte) {
  if (command_.empty()) began_ = std::chrono::steady_clock::now();
  command_.push_back(byte);
  const std::size_t size = command_.size();
  if (size < 6) return;
  const std::uint32_t addr = 4 * get32(&command_[2]);
  const unsigned words = command_[1] == 0 ? 256 : command_[1];
  const std::uint8_t code = command_[0];
  const std::uint32_t step = code <= 2 ? 4 : 0;  // codes 3 and 4: at one address
  if (code == 2 || code == 4) {
    for (unsigned i = 0; i < words; ++i) answer(bus_read(addr + step * i));
  } else if (code == 1 || code == 3) {
    const std::size_t got = (size - 6) / 4;
    if (size > 6 && (size - 6) % 4 == 0)
      bus_write(addr + step * static_cast<std::uint32_t>(got - 1), get32(&command_[size - 4]));
    if (got < words) return;
  }
  command_.clear();
}

void UartBridge::answer(std::uint32_t word) {
  Packet bytes;
  put32(bytes, word);
  for (std::uint8_t byte : bytes) {
    switch (next()) {
      case Spoil::kDrop:
      case Spoil::kSilent:
      case Spoil::kBabble:
        break;
      case Spoil::kDouble:
        put(&byte, 1);
        put(&byte, 1);
        break;
      case Spoil::kGarble:
        byte ^= 0x10;
        put(&byte, 1);
        break;
      case Spoil::kDelay:
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        put(&byte, 1);
        break;
      default:
        put(&byte, 1);
    }
  }
}

void UartBridge::put(const std::uint8_t* data, std::size_t size) {
  while (!stop_ && ::write(master_, data, size) < 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

EtherboneBridge::EtherboneBridge(const SoftConfig& config, std::size_t lanes, std::string address,
                                 unsigned port)
    : Bridge(config, lanes), address_(std::move(address)) {
  socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address_.c_str(), &own.sin_addr);
  ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own);
  socklen_t size = sizeof own;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size);
  port_ = ntohs(own.sin_port);
  begin();
}

EtherboneBridge::~EtherboneBridge() {
  end();
  ::close(socket_);
}

void EtherboneBridge::serve() {
  while (!stop_) {
    pollfd one{socket_, POLLIN, 0};
    if (babbles()) send(random_bytes());
    if (::poll(&one, 1, babbles() ? 0 : kTick) <= 0) continue;
    Packet packet(2048);
    const ssize_t size = ::recv(socket_, packet.data(), packet.size(), 0);
    if (size <= 0) continue;
    packet.resize(static_cast<std::size_t>(size));
    starting_ = is_start(packet);
    switch (fate(false)) {
      case Spoil::kDrop:
      case Spoil::kSilent:
      case Spoil::kBabble:
        break;
      case Spoil::kDouble:
        take(packet);
        take(packet);
        break;
      case Spoil::kGarble:
        packet[packet.size() / 2] ^= 0x10;
        take(packet);
        break;
      case Spoil::kDelay:  // deliver it after the next one
        held_in_ = packet;
        break;
      default:
        take(packet);
        if (!held_in_.empty()) take(std::exchange(held_in_, {}));
    }
  }
}

Spoil EtherboneBridge::fate(bool answer) {
  const Victims whose = victims;
  const bool spared =
      (whose == Victims::kOthers && starting_) || (whose == Victims::kReceipts && !(starting_ && answer));
  return spared ? Spoil::kNone : next();
}

void EtherboneBridge::take(const Packet& packet) {
  // A record longer than the buffer blocks it for ever, as in LiteEth.
  if (stuck_ || packet.size() > 12 + 4 * (tell_depth ? kDepth : kUntoldDepth)) {
    stuck_ = true;
    return;
  }
  if (packet.size() < 12 || packet[0] != 0x4E || packet[1] != 0x6F) return;
  const std::size_t writes = packet[10], reads = packet[11];
  if (packet.size() != 12 + 4 * (writes + (writes > 0 ? 1 : 0) + reads + (reads > 0 ? 1 : 0))) return;
  const std::uint8_t* at = &packet[12];
  if (writes > 0) {
    const std::uint32_t addr = get32(at);
    const std::uint64_t before = starts();
    for (std::uint32_t i = 0; i < writes; ++i) bus_write(addr + 4 * i, get32(at + 4 + 4 * i));
    if (starts() != before) {
      if (packet == last_start_) ++repeated_starts_;
      last_start_ = packet;
    }
    at += 4 + 4 * writes;
  }
  if (reads == 0) return;
  Packet out(packet.begin(), packet.begin() + 8);
  put32(out, 0x000F'0000U | static_cast<std::uint32_t>(reads) << 8);
  put32(out, get32(at));
  for (std::uint32_t i = 0; i < reads; ++i) put32(out, bus_read(get32(at + 4 + 4 * i)));
  put(out);
}

// Sent to the port number that it listens on, as in LiteEth.
void EtherboneBridge::send(const Packet& packet) {
  sockaddr_in host{};
  host.sin_family = AF_INET;
  host.sin_port = htons(static_cast<std::uint16_t>(port_));
  ::inet_pton(AF_INET, "127.0.0.1", &host.sin_addr);
  (void)!::sendto(socket_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&host),
                  sizeof host);
}

void EtherboneBridge::put(const Packet& packet) {
  constexpr std::size_t kNumberAt = 12;  // its record's return address
  Packet spoilt = packet;
  switch (fate(true)) {
    case Spoil::kDrop:
    case Spoil::kSilent:
    case Spoil::kBabble:
      return;
    case Spoil::kDouble:
      send(packet);
      break;
    case Spoil::kGarble:
      spoilt[spoilt.size() - 2] ^= 0x10;
      send(spoilt);
      return;
    case Spoil::kDelay:
      held_out_ = packet;
      return;
    case Spoil::kForeign:  // an answer to another record, first
      spoilt[kNumberAt] ^= 0x10;
      spoilt[spoilt.size() - 1] ^= 0x01;
      send(spoilt);
      break;
    default:
      break;
  }
  send(packet);
  if (!held_out_.empty()) send(std::exchange(held_out_, {}));
}
