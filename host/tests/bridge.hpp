// SPDX-License-Identifier: Apache-2.0
//
// Software models of the bridges of FPGA designs, connected to software boards: a UARTBone on a
// pseudo-terminal, and an Etherbone on a UDP socket. Written from the protocols, independently of the
// library. They can lose, duplicate, corrupt and delay data, and can be unplugged.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "softboard.hpp"

enum class Spoil { kNone, kDrop, kDouble, kGarble, kDelay, kSilent, kBabble, kForeign };
using Packet = std::vector<std::uint8_t>;

class Bridge {
 public:
  Bridge(const SoftConfig& config, std::size_t lanes);
  virtual ~Bridge() = default;
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  virtual std::string spec() const = 0;
  // Affects every `period`-th byte or packet, in both directions, until the next call.
  void spoil(Spoil how, unsigned period) {
    period_ = period;
    how_ = how;
  }
  std::uint64_t resets() const { return resets_; }
  std::uint64_t starts() const { return starts_; }
  SoftBoard& board(std::size_t lane = 0) { return *boards_[lane]; }
  std::uint32_t magic = 0x5045524C;
  std::uint32_t version = 1, stride = 0x4000;  // as it tells them
  bool tell_depth = true;  // whether it reports the longest record; otherwise the register reads all ones

 protected:
  std::uint32_t bus_read(std::uint32_t addr);
  void bus_write(std::uint32_t addr, std::uint32_t data);
  // What happens to the next byte or packet.
  Spoil next();
  bool babbles() const { return how_ == Spoil::kBabble; }
  void begin() {
    thread_ = std::thread([this] { serve(); });
  }
  void end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    stop_ = false;
  }
  virtual void serve() = 0;
  std::atomic<bool> stop_ = false;

 private:
  void let_pass(std::size_t lane);

  std::vector<std::unique_ptr<SoftBoard>> boards_;
  std::vector<std::chrono::steady_clock::time_point> last_;  // time up to which each has run
  std::string parameters_;
  std::atomic<Spoil> how_ = Spoil::kNone;
  std::atomic<unsigned> period_ = 1;
  unsigned passed_ = 0;
  std::atomic<std::uint64_t> resets_ = 0, starts_ = 0;
  std::thread thread_;
};

class UartBridge final : public Bridge {
 public:
  explicit UartBridge(const SoftConfig& config = {}, std::size_t lanes = 1);
  ~UartBridge() override;
  std::string spec() const override { return "uart:" + link_; }
  void unplug();
  void plug();

 private:
  void serve() override;
  void take(std::uint8_t byte);
  void answer(std::uint32_t word);
  void put(const std::uint8_t* data, std::size_t size);

  std::string folder_, link_;
  int master_ = -1, slave_ = -1;
  Packet command_;
  std::chrono::steady_clock::time_point began_{};
};

class EtherboneBridge final : public Bridge {
 public:
  // Port 0: any.
  explicit EtherboneBridge(const SoftConfig& config = {}, std::size_t lanes = 1,
                           std::string address = "127.0.0.2", unsigned port = 0);
  ~EtherboneBridge() override;
  std::string spec() const override { return "etherbone:" + address_ + ":" + std::to_string(port_); }
  unsigned port() const { return port_; }
  // Starts and their acknowledgements are not affected, or only the acknowledgements of starts are.
  enum class Victims { kAll, kOthers, kReceipts };
  std::atomic<Victims> victims = Victims::kAll;
  // Number of duplicate datagrams with a start.
  std::uint64_t repeated_starts() const { return repeated_starts_; }

 private:
  void serve() override;
  void take(const Packet& packet);
  void put(const Packet& packet);
  void send(const Packet& packet);

  std::string address_;
  int socket_ = -1;
  unsigned port_ = 0;
  bool stuck_ = false, starting_ = false;
  Spoil fate(bool answer);
  std::atomic<std::uint64_t> repeated_starts_ = 0;
  Packet last_start_;
  Packet held_in_, held_out_;
};
