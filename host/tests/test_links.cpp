// SPDX-License-Identifier: Apache-2.0
//
// Boards behind serial lines, networks and device files, with lost, duplicate, corrupted and late data, and
// disconnected cables. No result is wrong, no call hangs, and afterwards the board works again.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

#include "bridge.hpp"
#include "fixture.hpp"

namespace {
thread_local bool one_byte_a_write = false;
}

// Replaces the C library's write(): a device may accept less than requested.
extern "C" ssize_t write(int fd, const void* data, std::size_t size) {
  return ::syscall(SYS_write, fd, data, one_byte_a_write ? std::min<std::size_t>(size, 1) : size);
}

namespace {

using Clock = std::chrono::steady_clock;

struct Remote {
  perle_boards* set = nullptr;
  perle_status status;
  explicit Remote(const std::string& spec) : status(perle_boards_open(spec.c_str(), &set)) {}
  ~Remote() { perle_boards_close(set); }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
};

const Bn& modulus() {
  static const Bn m = random_odd(256);
  return m;
}

struct Product {
  perle_status status;
  bool right;
};

// One product; `right` also when there is none.
Product multiply(perle_boards* set) {
  perle_mod* mod = nullptr;
  const Data m = bytes(modulus());
  const perle_status made = perle_mod_new(set, m.data(), m.size(), &mod);
  if (made != PERLE_OK) return {made, true};
  const Bn x = random_below(modulus()), y = random_below(modulus());
  const Data xs = bytes(x), ys = bytes(y);
  Data out(m.size());
  std::size_t size = 0;
  const perle_status status = perle_mulmod(set, mod, xs.data(), xs.size(), ys.data(), ys.size(), out.data(),
                                           out.size(), &size, nullptr);
  perle_mod_free(mod);
  out.resize(size);
  const bool right = status != PERLE_OK || Bn(perle::ByteView(out)) == Arithmetic().mulmod(x, y, modulus());
  return {status, right};
}

double seconds(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A board that failed is tried again after a while.
bool works_again(perle_boards* set) {
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  while (Clock::now() < deadline) {
    const Product one = multiply(set);
    if (!CHECK(one.right)) return false;
    if (one.status == PERLE_OK) return true;
    usleep(50'000);
  }
  return false;
}

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

TEST(serial_line_takes_a_byte_at_a_time) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  one_byte_a_write = true;
  const Product one = multiply(board.set);
  one_byte_a_write = false;
  CHECK_EQ(one.status, PERLE_OK);
  CHECK(one.right);
  perle_board_stats stats{};
  CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
}

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
  CHECK_EQ(perle_spec_check("etherbone:192.0.2.1"), PERLE_OK);
  CHECK_EQ(perle_spec_check("uart:/dev/null,baud=1500000"), PERLE_OK);
  CHECK_EQ(perle_spec_check("uart:/nowhere/tty"), PERLE_ERR_BOARD_ABSENT);
}

// The mapped device of a board with words of 32 and of 64 bits: a file that holds what its registers would
// read. It answers with the product in RESULT, and shows what was written where.
TEST(a_mapped_device_is_read_and_written) {
  for (const unsigned word_bits : {32U, 64U}) {
    char path[] = "/tmp/perle-uio-XXXXXX";
    const int fd = ::mkstemp(path);
    CHECK_EQ(::ftruncate(fd, 0x4000), 0);
    auto* const memory =
        static_cast<std::uint8_t*>(::mmap(nullptr, 0x4000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    const auto put = [&](std::uint32_t addr, std::uint32_t word) { std::memcpy(memory + addr, &word, 4); };
    SoftConfig config{.width = 256, .word_bits = word_bits};
    SoftBoard registers(config);
    for (const std::uint32_t addr : {0x00U, 0x08U, 0x10U, 0x18U, 0x20U, 0x50U}) {
      std::uint64_t data = 0;
      registers.read(addr, &data);
      put(addr, static_cast<std::uint32_t>(data));
    }
    const Remote board(std::string("uio:") + path);
    if (CHECK_EQ(board.status, PERLE_OK)) {
      const Bn m = random_odd(256), x = random_below(m), y = random_below(m);
      const Data ms = bytes(m), xs = bytes(x), ys = bytes(y);
      const Data z = bytes(Arithmetic().mulmod(x, y, m));
      const auto little = [](Data big) { return std::reverse(big.begin(), big.end()), big; };
      const Data zs = little(z);
      std::memcpy(memory + 0x3000, zs.data(), zs.size());
      put(0x38, 2);  // done
      perle_mod* mod = nullptr;
      CHECK_EQ(perle_mod_new(board.set, ms.data(), ms.size(), &mod), PERLE_OK);
      Data out(32);
      std::size_t size = 0;
      CHECK_EQ(perle_mulmod(board.set, mod, xs.data(), xs.size(), ys.data(), ys.size(), out.data(),
                            out.size(), &size, nullptr),
               PERLE_OK);
      perle_mod_free(mod);
      // Nothing tells the clock of a mapped device.
      char text[256];
      CHECK_EQ(perle_board_snapshot(board.set, 0, text, sizeof text, &size), PERLE_OK);
      CHECK(std::strstr(text, "\"core_clock_hz\": \"0\"") != nullptr);
      CHECK_EQ(std::memcmp(memory + 0x1000, little(xs).data(), xs.size()), 0);
      CHECK_EQ(std::memcmp(memory + 0x1400, little(ys).data(), ys.size()), 0);
      CHECK_EQ(std::memcmp(memory + 0x2000, little(ms).data(), ms.size()), 0);
      CHECK_EQ(memory[0x30], 1);  // the start
    }
    ::munmap(memory, 0x4000);
    ::close(fd);
    ::unlink(path);
  }
}
