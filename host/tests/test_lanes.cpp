// SPDX-License-Identifier: Apache-2.0
//
// Lanes: boards with one clock in one shared object, used by several threads.
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace {

// A set of the software board's lanes; nothing else in the process may read SOFTBOARD meanwhile.
struct Lanes {
  perle_boards* set = nullptr;
  perle_status status = PERLE_ERR_ARGUMENT;
  explicit Lanes(const char* setting, const std::string& options = "") {
    const char* path = std::getenv("SOFTBOARD_SO");
    if (!CHECK(path != nullptr)) return;
    setenv("SOFTBOARD", setting, 1);
    status = perle_boards_open(("sim:" + std::string(path) + options).c_str(), &set);
    unsetenv("SOFTBOARD");
  }
  ~Lanes() { perle_boards_close(set); }
  // Closes the set; returns whether its lanes were zeroized.
  bool close() {
    unsetenv("SOFTBOARD_ZEROIZED");
    perle_boards_close(std::exchange(set, nullptr));
    const char* zeroized = std::getenv("SOFTBOARD_ZEROIZED");
    return zeroized != nullptr && std::string(zeroized) == "1";
  }
};

// 7^e mod 101 as often as asked for; returns how often it was right.
int powers(perle_boards* set, const perle_mod* mod, int times) {
  int right = 0;
  for (int i = 0; i < times; ++i) {
    const std::uint8_t x = 7, e = 5;
    std::uint8_t out = 0;
    std::size_t length = 0;
    const perle_status status =
        perle_modexp(set, mod, &x, 1, &e, 1, 0, PERLE_MODE_LADDER, &out, 1, &length, nullptr);
    right += status == PERLE_OK && out == 16807 % 101 ? 1 : 0;
  }
  return right;
}

// The status of 7^5 mod 101 in constant time, with a limit of 5,000 cycles.
perle_status limited_power(perle_boards* set) {
  const std::uint8_t m = 101, x = 7, e = 5;
  std::uint8_t out = 0;
  std::size_t length = 0;
  perle_mod* mod = nullptr;
  CHECK_EQ(perle_mod_new(set, &m, 1, &mod), PERLE_OK);
  CHECK_EQ(perle_boards_set_timeout(set, 0, 5000), PERLE_OK);
  const perle_status status =
      perle_modexp(set, mod, &x, 1, &e, 1, 0, PERLE_MODE_WINDOW, &out, 1, &length, nullptr);
  perle_mod_free(mod);
  return status;
}

}  // namespace

TEST(lanes_are_boards) {
  const Lanes lanes("width=256,lanes=3", ",boards=2");
  CHECK_EQ(lanes.status, PERLE_OK);
  perle_board_info info{};
  CHECK_EQ(perle_boards_info(lanes.set, &info), PERLE_OK);
  CHECK_EQ(info.count, 6U);
}

TEST(threads_share_the_clock_of_lanes) {
  const Lanes lanes("width=256,lanes=4");
  CHECK_EQ(lanes.status, PERLE_OK);
  const std::uint8_t m = 101;
  perle_mod* mod = nullptr;
  CHECK_EQ(perle_mod_new(lanes.set, &m, 1, &mod), PERLE_OK);
  std::vector<std::thread> threads;
  std::vector<int> right(6, 0);
  for (int& each : right) threads.emplace_back([&] { each = powers(lanes.set, mod, 50); });
  for (std::thread& thread : threads) thread.join();
  for (const int each : right) CHECK_EQ(each, 50);
  std::uint64_t operations = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    perle_board_stats stats{};
    CHECK_EQ(perle_boards_stats(lanes.set, i, &stats), PERLE_OK);
    operations += stats.operations;
  }
  CHECK_EQ(operations, 300U);
  perle_mod_free(mod);
}

TEST(an_access_that_throws_is_over) {
  const Lanes lanes("width=256");
  std::uint64_t word = 0;
  CHECK(perle_board_read(lanes.set, 0, 0x4000, &word) != PERLE_OK);  // beyond the lanes of the software board
  const std::uint8_t m = 101;
  perle_mod* mod = nullptr;
  CHECK_EQ(perle_mod_new(lanes.set, &m, 1, &mod), PERLE_OK);
  CHECK_EQ(powers(lanes.set, mod, 1), 1);
  perle_mod_free(mod);
}

TEST(a_lane_that_hangs_leaves_the_others_alone) {
  const Lanes lanes("width=256,lanes=2,fault=hang");
  // Resets do not help: the first answer is a time-out, and so is that of every trial.
  for (int i = 0; i < 4; ++i) CHECK_EQ(limited_power(lanes.set), PERLE_ERR_TIMEOUT);
}

// Only the common reset ends a lane that hangs.
TEST(a_lane_that_hangs_keeps_no_secret) {
  for (const bool first : {false, true}) {
    Lanes lanes("width=256,lanes=2,fault=hang,times=1");
    CHECK_EQ(limited_power(lanes.set), PERLE_ERR_TIMEOUT);
    if (first) CHECK_EQ(perle_boards_zeroize(lanes.set), PERLE_OK);
    CHECK(lanes.close());
  }
}
