// SPDX-License-Identifier: Apache-2.0
//
// Boards behind links used by many threads, and RSA over links that corrupt data. Also run under the thread
// sanitizer.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "bridge.hpp"
#include "remote.hpp"

namespace {

const SoftConfig kSmall = {.width = 256, .cycles_per_bit = 0};

// Products by one thread; counts those that came, and those that were wrong.
struct Tally {
  std::atomic<unsigned> good{0}, wrong{0};
  void multiply(perle_boards* set, unsigned times) {
    const Bn m = random_odd(256);
    const Data ms = bytes(m);
    perle_mod* mod = nullptr;
    if (perle_mod_new(set, ms.data(), ms.size(), &mod) != PERLE_OK) return;
    for (unsigned i = 0; i < times; ++i) {
      const Bn x = random_below(m), y = random_below(m);
      const Data xs = bytes(x), ys = bytes(y);
      Data out(32);
      std::size_t size = 0;
      if (perle_mulmod(set, mod, xs.data(), xs.size(), ys.data(), ys.size(), out.data(), out.size(), &size,
                       nullptr) != PERLE_OK)
        continue;
      const bool right = Bn(perle::ByteView(out)) == Arithmetic().mulmod(x, y, m);
      ++(right ? good : wrong);
    }
    perle_mod_free(mod);
  }
};

void many(perle_boards* set, unsigned threads, unsigned times, Tally& tally) {
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i) all.emplace_back([&] { tally.multiply(set, times); });
  for (std::thread& one : all) one.join();
}

template <typename Wire>
void threads_on_lanes(Spoil how, unsigned period) {
  constexpr unsigned kThreads = 6, kTimes = 8;
  Wire wire(kSmall, 4);
  const Remote boards(wire.spec());
  if (!CHECK_EQ(boards.status, PERLE_OK)) return;
  wire.spoil(how, period);
  Tally tally;
  many(boards.set, kThreads, kTimes, tally);
  CHECK_EQ(tally.wrong.load(), 0U);
  if (how == Spoil::kNone) CHECK_EQ(tally.good.load(), kThreads * kTimes);
}

// Private operations over a link that corrupts data: every one is right or refused, and both occur; some
// results are complete but wrong, and only the check detects them.
template <typename Wire>
void signs_or_refuses(unsigned period) {
  Wire wire(kSmall);
  const Remote boards(wire.spec());
  if (!CHECK_EQ(boards.status, PERLE_OK)) return;
  const RsaKey& key = key512();
  const KeyPtr loaded = key.load();
  wire.spoil(Spoil::kGarble, period);
  unsigned good = 0, wrong = 0;
  for (int i = 0; i < 100 && (good == 0 || wrong < 2); ++i) {
    const Bn c = random_below(key.n);
    const Data in = bytes(c);
    Data out(64);
    std::size_t size = 0;
    const perle_status status = perle_rsa_private(boards.set, loaded.get(), 0, in.data(), in.size(),
                                                  out.data(), out.size(), &size, nullptr);
    if (status == PERLE_OK)
      CHECK(Bn(perle::ByteView(out)) == Arithmetic().modexp(c, key.d, key.n));
    else
      CHECK(out == Data(64));
    CHECK(status != PERLE_ERR_KEY_WRONG);
    good += status == PERLE_OK ? 1 : 0;
    wrong += std::string(perle_last_error()).find("went wrong on the board") != std::string::npos ? 1 : 0;
  }
  CHECK(good > 0 && wrong > 0);
}

}  // namespace

TEST(link_threads_over_etherbone) { threads_on_lanes<EtherboneBridge>(Spoil::kNone, 1); }
TEST(link_threads_over_a_serial_line) { threads_on_lanes<UartBridge>(Spoil::kNone, 1); }
TEST(link_threads_lose_packets) { threads_on_lanes<EtherboneBridge>(Spoil::kDrop, 31); }
TEST(link_threads_double_packets) { threads_on_lanes<EtherboneBridge>(Spoil::kDouble, 5); }
TEST(link_threads_change_the_order) { threads_on_lanes<EtherboneBridge>(Spoil::kDelay, 11); }

TEST(link_rsa_over_a_spoilt_line) { signs_or_refuses<UartBridge>(997); }
TEST(link_rsa_over_a_spoilt_network) { signs_or_refuses<EtherboneBridge>(37); }

// A design that does not report its longest record gets short ones; longer ones could block it for ever.
TEST(link_records_are_as_long_as_the_design_takes) {
  for (const bool told : {true, false}) {
    EtherboneBridge wire({.width = 1024, .cycles_per_bit = 0});
    wire.tell_depth = told;
    const Remote boards(wire.spec());
    Tally tally;
    if (CHECK_EQ(boards.status, PERLE_OK)) tally.multiply(boards.set, 4);
    CHECK_EQ(tally.good.load(), 4U);
  }
}

// Only the check detects errors of a serial line, so it cannot be turned off there.
TEST(link_serial_lines_are_checked_always) {
  UartBridge line(kSmall);
  const Remote boards(line.spec());
  CHECK_EQ(boards.status, PERLE_OK);
  CHECK_EQ(perle_boards_set_check(boards.set, PERLE_CHECK_RANGE), PERLE_OK);
  line.board().inject(Fault::kFlip);
  Tally tally;
  tally.multiply(boards.set, 3);
  CHECK_EQ(tally.wrong.load(), 0U);
  CHECK_EQ(tally.good.load(), 0U);
}

// A slow line takes what is written in pieces, of which the last one is shorter.
TEST(link_lines_of_any_speed) {
  for (const char* baud : {"300", "2400", "4800", "9600", "57600", "4000000"}) {
    UartBridge line(kSmall);
    const Remote boards(line.spec() + ",baud=" + baud);
    Tally tally;
    if (CHECK_EQ(boards.status, PERLE_OK)) tally.multiply(boards.set, 2);
    CHECK_EQ(tally.good.load(), 2U);
  }
}

// To a program without standard input the line is descriptor 0: it is kept open like any other.
TEST(link_of_a_program_without_input) {
  UartBridge line(kSmall);
  const int input = ::dup(0);
  ::close(0);
  {
    const Remote boards(line.spec());
    Tally tally;
    const auto begin = std::chrono::steady_clock::now();
    if (CHECK_EQ(boards.status, PERLE_OK)) tally.multiply(boards.set, 6);
    // Opened anew it would have to rest before every answer.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1500));
    CHECK_EQ(tally.good.load(), 6U);
  }
  if (input >= 0) ::dup2(input, 0);
  if (input >= 0) ::close(input);
}

// A program's signals end the library's waiting early: that is no reason to give a board up.
TEST(link_signals_disturb_nothing) {
  UartBridge line(kSmall);
  const Remote boards(line.spec());
  CHECK_EQ(boards.status, PERLE_OK);
  struct sigaction noted{}, before{};
  noted.sa_handler = [](int) {};  // without SA_RESTART
  ::sigaction(SIGUSR1, &noted, &before);
  std::atomic<bool> done{false};
  std::thread nuisance([&done, caller = ::pthread_self()] {
    while (!done) {
      ::pthread_kill(caller, SIGUSR1);
      ::usleep(20);
    }
  });
  Tally tally;
  tally.multiply(boards.set, 20);
  done = true;
  nuisance.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  CHECK_EQ(tally.good.load(), 20U);
  perle_board_stats stats{};
  CHECK_EQ(perle_boards_stats(boards.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
}

// Boards answer to the port that they listen on: those of one number share it here.
TEST(link_two_boards_on_one_port) {
  EtherboneBridge first(kSmall), second(kSmall, 1, "127.0.0.3", first.port());
  const Remote one(first.spec()), two(second.spec());
  CHECK_EQ(one.status, PERLE_OK);
  if (!CHECK_EQ(two.status, PERLE_OK)) return;
  Tally ones, twos;
  std::thread other([&] { twos.multiply(two.set, 10); });
  ones.multiply(one.set, 10);
  other.join();
  CHECK_EQ(ones.good.load(), 10U);
  CHECK_EQ(twos.good.load(), 10U);
  CHECK(first.starts() >= 10 && second.starts() >= 10);
}
