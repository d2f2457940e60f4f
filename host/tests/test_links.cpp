// SPDX-License-Identifier: Apache-2.0
//
// Boards behind serial lines, networks and device files, with lost, duplicate, corrupted and late data, and
// disconnected cables. No result is wrong, no call hangs, and afterwards the board works again.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "bridge.hpp"
#include "remote.hpp"

namespace {

using Clock = std::chrono::steady_clock;

const SoftConfig kSmall = {.width = 256, .cycles_per_bit = 0};

template <typename Wire>
void signs() {
  Wire wire({.width = 512, .cycles_per_bit = 0}, 2);
  const Remote board(wire.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  perle_board_info info;
  CHECK_EQ(perle_boards_info(board.set, &info), PERLE_OK);
  CHECK_EQ(std::string(info.family), std::string("orup"));
  CHECK_EQ(info.width, 512U);
  CHECK_EQ(info.count, 2U);
  CHECK_EQ(info.simulated, 0U);
  const RsaKey& key = key1024();
  const KeyPtr loaded = key.load();
  const Bn c = random_below(key.n);
  const Data in = bytes(c);
  Data out(128);
  std::size_t size = 0;
  CHECK_EQ(perle_rsa_private(board.set, loaded.get(), 0, in.data(), in.size(), out.data(), out.size(), &size,
                             nullptr),
           PERLE_OK);
  out.resize(size);
  CHECK(Bn(perle::ByteView(out)) == Arithmetic().modexp(c, key.d, key.n));
  perle_board_stats stats;
  CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
  char text[256];
  std::size_t length = 0;
  CHECK_EQ(perle_board_snapshot(board.set, 0, text, sizeof text, &length), PERLE_OK);
  CHECK(std::strstr(text, "\"core_clock_hz\": \"100000000\"") != nullptr);
  CHECK(std::strstr(text, "\"round_trips\": \"0\"") == nullptr);
  // No secret stays behind, once what was written has arrived.
  for (std::size_t lane = 0; lane < 2; ++lane) {
    std::uint64_t status = 0;
    CHECK_EQ(perle_board_read(board.set, lane, 0x38, &status), PERLE_OK);
    for (const Bn* secret : {&key.dp, &key.dq}) CHECK(!wire.board(lane).holds(secret->get()));
  }
}

template <typename Wire>
void survives(Spoil how, unsigned period) {
  Wire wire(kSmall);
  const Remote board(wire.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  wire.spoil(how, period);
  unsigned good = 0;
  const auto deadline = Clock::now() + std::chrono::milliseconds(1000);
  for (int i = 0; i < 20 && Clock::now() < deadline; ++i) {
    Product one{};
    CHECK(seconds([&] { one = multiply(board.set); }) < 15.0);
    CHECK(one.right);
    good += one.status == PERLE_OK ? 1 : 0;
  }
  if (how == Spoil::kSilent || how == Spoil::kBabble) CHECK_EQ(good, 0U);
  wire.spoil(Spoil::kNone, 1);
  CHECK(works_again(board.set));
}

}  // namespace

TEST(signs_over_a_serial_line) { signs<UartBridge>(); }
TEST(signs_over_etherbone) { signs<EtherboneBridge>(); }

// A product takes some 250 bytes in 15 commands, or 12 packets.
TEST(serial_line_loses_bytes) { survives<UartBridge>(Spoil::kDrop, 997); }
TEST(serial_line_doubles_bytes) { survives<UartBridge>(Spoil::kDouble, 499); }
TEST(serial_line_spoils_bytes) { survives<UartBridge>(Spoil::kGarble, 499); }
TEST(serial_line_answers_late) { survives<UartBridge>(Spoil::kDelay, 499); }
TEST(serial_line_is_silent) { survives<UartBridge>(Spoil::kSilent, 1); }
TEST(serial_line_babbles) { survives<UartBridge>(Spoil::kBabble, 1); }
TEST(network_loses_packets) { survives<EtherboneBridge>(Spoil::kDrop, 7); }
TEST(network_doubles_packets) { survives<EtherboneBridge>(Spoil::kDouble, 3); }
TEST(network_spoils_packets) { survives<EtherboneBridge>(Spoil::kGarble, 17); }
TEST(network_changes_the_order) { survives<EtherboneBridge>(Spoil::kDelay, 7); }
TEST(network_brings_answers_of_other_records) {
  EtherboneBridge wire(kSmall);
  wire.spoil(Spoil::kForeign, 1);
  const Remote board(wire.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  for (int i = 0; i < 5; ++i) CHECK_EQ(multiply(board.set).status, PERLE_OK);
  perle_board_stats stats;
  CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
}
TEST(network_is_silent) { survives<EtherboneBridge>(Spoil::kSilent, 1); }
TEST(network_babbles) { survives<EtherboneBridge>(Spoil::kBabble, 1); }

// What an operation needs that was lost is sent again, all but a start.
TEST(lost_packets_are_sent_again) {
  EtherboneBridge wire(kSmall);
  const Remote board(wire.spec());
  CHECK_EQ(board.status, PERLE_OK);
  wire.victims = EtherboneBridge::Victims::kOthers;
  wire.spoil(Spoil::kDrop, 17);
  for (unsigned i = 0; i < 20; ++i) CHECK_EQ(multiply(board.set).status, PERLE_OK);
  perle_board_stats stats;
  CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
}

TEST(lost_starts_are_not_sent_again) {
  EtherboneBridge wire(kSmall);
  const Remote board(wire.spec());
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  const std::uint64_t before = wire.starts();
  wire.victims = EtherboneBridge::Victims::kReceipts;
  wire.spoil(Spoil::kDrop, 1);
  CHECK_EQ(multiply(board.set).status, PERLE_ERR_BUS);
  CHECK(wire.starts() > before);
  CHECK_EQ(wire.repeated_starts(), 0U);
  wire.spoil(Spoil::kNone, 1);
  CHECK(works_again(board.set));
}

TEST(a_cable_is_pulled_and_put_back) {
  UartBridge wire(kSmall);
  const Remote board(wire.spec());
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  wire.unplug();
  for (int i = 0; i < 3; ++i) {
    Product one{};
    CHECK(seconds([&] { one = multiply(board.set); }) < 5.0);
    CHECK(one.status == PERLE_ERR_BUS || one.status == PERLE_ERR_TIMEOUT);
  }
  wire.plug();
  CHECK(works_again(board.set));
}

TEST(a_cable_is_pulled_in_mid_operation) {
  UartBridge wire({.width = 256, .cycles_per_bit = 4});
  const Remote board(wire.spec());
  wire.board().inject(Fault::kHang, 1);
  std::thread puller([&] {
    usleep(300'000);
    wire.unplug();
  });
  Product one{};
  CHECK(seconds([&] { one = multiply(board.set); }) < 10.0);
  CHECK(one.status != PERLE_OK);
  puller.join();
  wire.plug();
  CHECK(works_again(board.set));
  CHECK(wire.resets() > 0);
}

TEST(a_link_is_one_programs) {
  const UartBridge line(kSmall);
  const Remote first(line.spec()), second(line.spec());
  CHECK_EQ(first.status, PERLE_OK);
  CHECK_EQ(second.status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("another program uses it") != std::string::npos);
  const EtherboneBridge net(kSmall);
  const Remote third(net.spec()), fourth(net.spec());
  CHECK_EQ(third.status, PERLE_OK);
  CHECK_EQ(fourth.status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("another program uses it") != std::string::npos);
}

TEST(what_is_no_design_is_told) {
  EtherboneBridge other(kSmall);
  other.magic = 0x4C495445;
  CHECK_EQ(Remote(other.spec()).status, PERLE_ERR_BOARD_ID);
  EtherboneBridge later(kSmall);
  later.version = 2;
  CHECK_EQ(Remote(later.spec()).status, PERLE_ERR_BOARD_ID);
  CHECK(std::string(perle_last_error()).find("is of version 2") != std::string::npos);
  for (const std::uint32_t stride : {0U, 0x3FFCU, 0x4002U, 0x4000'0000U}) {
    EtherboneBridge wrong(kSmall);
    wrong.stride = stride;
    CHECK_EQ(Remote(wrong.spec()).status, PERLE_ERR_BOARD_ID);
  }
  UartBridge silent(kSmall);
  silent.spoil(Spoil::kSilent, 1);
  CHECK_EQ(Remote(silent.spec()).status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("no Perle design answers at uart:/") != std::string::npos);
}

TEST(specifications_of_links) {
  for (const char* spec :
       {"uart:", "uart:ttyUSB0", "uart:/dev/null,baud=", "uart:/dev/null,baud=0", "uart:/dev/null,speed=9600",
        "uart:/dev/null,baud=123", "etherbone:", "etherbone:host:", "etherbone:host:0",
        "etherbone:host:65536", "etherbone:a/b", "etherbone:h,baud=1", "uio:uio0", "uio:/dev/null,boards=2"})
    CHECK(Remote(spec).status == PERLE_ERR_SPEC && perle_spec_check(spec) == PERLE_ERR_SPEC);
  for (const char* spec : {"uart:/nowhere/tty", "uio:/nowhere/uio0", "uart:/dev/null", "uio:/dev/null",
                           "etherbone:no-such-host.invalid"})
    CHECK_EQ(Remote(spec).status, PERLE_ERR_BOARD_ABSENT);
  CHECK_EQ(Remote("uart:/nowhere/tty").status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("No such file") != std::string::npos);
  CHECK_EQ(Remote("uio:/dev/null").status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("it has no map of 16384 bytes") != std::string::npos);
  CHECK_EQ(perle_spec_check("etherbone:192.0.2.1"), PERLE_OK);
  CHECK_EQ(perle_spec_check("uart:/dev/null,baud=1500000"), PERLE_OK);
  CHECK_EQ(perle_spec_check("uart:/nowhere/tty"), PERLE_ERR_BOARD_ABSENT);
}
