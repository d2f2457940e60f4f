// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a board that does not answer any more: no call waits for the timeouts of many lanes in a row.
#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "batch_bench.hpp"
#include "bridge.hpp"
#include "remote.hpp"

namespace {

constexpr unsigned kLanes = 32;
constexpr double kLongest = 3.0;  // seconds of a call; with a timeout for each lane it were 7 to 35

template <typename Wire>
void batch_goes_silent() {
  Wire wire({.width = 256, .cycles_per_bit = 4}, kLanes);
  Remote board(wire.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  const KeyPtr key = key512().load();
  BatchBench batch(board.set, 2 * kLanes);
  for (unsigned i = 0; i < 2 * kLanes; ++i) batch.submit(key, key512());
  batch.poll(1, 0);
  CHECK(batch.stats().running > 0);
  wire.spoil(Spoil::kSilent, 1);
  double longest = 0;
  while (batch.stats().pending > 0) longest = std::max(longest, seconds([&] { batch.poll(2 * kLanes, 0); }));
  CHECK(longest < kLongest);
  for (const perle_batch_done& one : batch.done) CHECK_EQ(one.status, PERLE_ERR_BUS);
  wire.spoil(Spoil::kNone, 1);
  CHECK(works_again(board.set));
}

template <typename Wire>
void threads_meet_silence() {
  Wire wire({.width = 256, .cycles_per_bit = 0}, kLanes);
  const Remote board(wire.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  wire.spoil(Spoil::kSilent, 1);
  std::vector<std::thread> threads;
  std::atomic<unsigned> failed{0};
  CHECK(seconds([&] {
          for (unsigned i = 0; i < kLanes; ++i)
            threads.emplace_back([&] { failed += multiply(board.set).status == PERLE_ERR_BUS ? 1 : 0; });
          for (std::thread& one : threads) one.join();
        }) < 2 * kLongest);
  CHECK_EQ(failed.load(), kLanes);
}

template <typename Wire>
void closing_meets_silence() {
  Wire wire({.width = 256, .cycles_per_bit = 0}, kLanes);
  auto board = std::make_unique<Remote>(wire.spec());
  if (!CHECK_EQ(board->status, PERLE_OK)) return;
  wire.spoil(Spoil::kSilent, 1);
  CHECK(seconds([&] { board.reset(); }) < kLongest);
}

}  // namespace

TEST(batch_on_a_serial_line_goes_silent) { batch_goes_silent<UartBridge>(); }
TEST(batch_on_a_network_goes_silent) { batch_goes_silent<EtherboneBridge>(); }
TEST(threads_on_a_silent_serial_line) { threads_meet_silence<UartBridge>(); }
TEST(threads_on_a_silent_network) { threads_meet_silence<EtherboneBridge>(); }
TEST(closing_a_silent_serial_line) { closing_meets_silence<UartBridge>(); }
TEST(closing_a_silent_network) { closing_meets_silence<EtherboneBridge>(); }
