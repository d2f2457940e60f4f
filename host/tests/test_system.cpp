// SPDX-License-Identifier: Apache-2.0
//
// Modelled time: accesses on the bus, boards that work concurrently, boards that delay the host.
#include "api/api_system.hpp"
#include "fixture.hpp"
#include "memory_board.hpp"

namespace {

template <typename Call>
perle_status status_of(Call call) {
  try {
    call();
    return PERLE_OK;
  } catch (const perle::Error& error) {
    return error.status();
  }
}

struct Rig {
  std::vector<Memory> memories;
  perle::System system;
  Rig(std::vector<Memory> given, std::uint64_t clock_ps, perle_timing timing)
      : memories(std::move(given)), system(members(memories, clock_ps), timing) {}
};

}  // namespace

TEST(an_idle_board_takes_the_bus_for_the_bus_time) {
  Rig rig({{10}}, 75'000, {700'000, 600'000, 1'000});
  rig.system.write(0, 0, 5);
  CHECK_EQ(rig.system.time().now_ps, 600'000U);
  CHECK_EQ(rig.system.time().waited_ps, 0U);
  // Ten cycles of 75 ns after the first: the read waits up to the edge at which it is taken, the twelfth.
  CHECK_EQ(rig.system.read(0, 0), 5U);
  CHECK_EQ(rig.system.time().now_ps, 600'000U + 700'000U);
  CHECK_EQ(rig.system.time().waited_ps, 0U);
  CHECK_EQ(rig.system.time().reads, 1U);
  CHECK_EQ(rig.system.time().writes, 1U);
}

TEST(a_busy_board_stretches_the_access) {
  Rig rig({{100}}, 75'000, {700'000, 700'000, 1'000});
  rig.system.write(0, 0, 1);
  rig.system.write(0, 0, 2);
  // taken at the first edge, busy for 100 more, taken again at the one after: 102
  CHECK_EQ(rig.system.time().now_ps, 102U * 75'000U);
  CHECK_EQ(rig.system.time().waited_ps, 102U * 75'000U - 1'400'000U);
  CHECK_EQ(rig.system.time().bus_ps, rig.system.time().now_ps);
}

TEST(boards_work_while_the_host_is_elsewhere) {
  Rig rig({{20}, {20}, {20}}, 75'000, {700'000, 700'000, 1'000});
  for (int round = 0; round < 4; ++round)
    for (std::size_t board = 0; board < 3; ++board) rig.system.write(board, 0, 1);
  // 21 cycles are 1575 ns, and two accesses to other boards come in between: none waits.
  CHECK_EQ(rig.system.time().waited_ps, 0U);
  CHECK_EQ(rig.system.time().now_ps, 12U * 700'000U);
  for (std::size_t board = 0; board < 3; ++board) CHECK_EQ(rig.system.read(board, 0), 4U);
}

TEST(the_host_takes_time_too) {
  Rig rig({{100}}, 75'000, {700'000, 700'000, 400'000});
  rig.system.write(0, 0, 1);
  rig.system.compute(50);
  CHECK_EQ(rig.system.time().host_ps, 20'000'000U);
  rig.system.write(0, 0, 1);
  CHECK_EQ(rig.system.time().waited_ps, 0U);
  CHECK_EQ(rig.system.time().now_ps, 20'000'000U + 1'400'000U);
  rig.system.reset_time();
  CHECK_EQ(rig.system.time().now_ps, 0U);
  rig.system.write(0, 0, 1);  // the clock was not set back: this one waits
  CHECK(rig.system.time().waited_ps > 0);
}

TEST(the_time_of_a_system_is_reset) {
  std::vector<Memory> memories = {{5}};
  perle_system system{perle::System(members(memories, 75'000), {700'000, 700'000, 1'000})};
  system.on().write(0, 0, 1);
  perle_system_time time{};
  CHECK_EQ(perle_system_get_time(&system, &time), PERLE_OK);
  CHECK_EQ(time.now_ps, 700'000U);
  CHECK_EQ(perle_system_reset_time(&system), PERLE_OK);
  CHECK_EQ(perle_system_get_time(&system, &time), PERLE_OK);
  CHECK(time.now_ps == 0 && time.writes == 0);
}

TEST(a_step_is_of_one_board_alone) {
  Rig rig({{5}, {5}}, 75'000, {700'000, 700'000, 1'000});
  rig.system.step(0);
  CHECK_EQ(rig.memories[0].cycles, 101U);
  CHECK_EQ(rig.memories[1].cycles, 100U);
  CHECK_EQ(rig.system.time().now_ps, 0U);
}

TEST(a_dead_board_is_an_error) {
  Rig rig({{5}}, 75'000, {700'000, 700'000, 1'000});
  rig.memories[0].dead = true;
  CHECK_EQ(status_of([&] { rig.system.read(0, 0); }), PERLE_ERR_BUS);
  CHECK_EQ(status_of([&] { rig.system.read(1, 0); }), PERLE_ERR_ARGUMENT);
}

TEST(timings_by_name) {
  perle_timing timing{};
  CHECK_EQ(perle_timing_preset("vme68020", &timing), PERLE_OK);
  CHECK_EQ(timing.read_ps, 700'000U);
  CHECK_EQ(perle_timing_preset("axi", &timing), PERLE_OK);
  CHECK_EQ(perle_timing_preset("scsi", &timing), PERLE_ERR_SPEC);
  CHECK(std::string(perle_last_error()).find("vme68020") != std::string::npos);
  perle_system* system = nullptr;
  const perle_system_board absent = {"/nowhere.so", 75'000};
  CHECK_EQ(perle_system_open(&absent, 1, &timing, &system), PERLE_ERR_BOARD_ABSENT);
  CHECK_EQ(perle_system_open(&absent, 0, &timing, &system), PERLE_ERR_ARGUMENT);
  perle_system_close(nullptr);
}

TEST(a_log_tells_who_was_busy_when) {
  Rig rig({{10}, {100}}, 100'000, {700'000, 700'000, 1'000});
  rig.system.write(1, 0, 1);  // before the log: no part of it
  rig.system.log(4);
  rig.system.write(0, 4, 1);
  rig.system.write(0, 8, 1);  // waits: 10 cycles from edge 8 on, taken at 19
  rig.system.write(1, 0, 1);  // waits for what the log does not have: 1 + 100, taken at 102
  rig.system.compute(50'000);
  rig.system.read(0, 0);
  rig.system.read(1, 0);  // the log is full
  const auto& log = rig.system.log();
  CHECK_EQ(log.size(), 4U);
  CHECK_EQ(log[0].begin_ps, 700'000U);
  CHECK_EQ(log[0].end_ps, 1'400'000U);
  CHECK_EQ(log[0].taken_ps, 800'000U);
  CHECK_EQ(log[0].busy_cycles, 10U);
  CHECK_EQ(log[0].write, 1U);
  CHECK_EQ(log[1].begin_ps, 1'400'000U);
  CHECK_EQ(log[1].end_ps, 2'100'000U);
  CHECK_EQ(log[1].addr, 8U);
  CHECK_EQ(log[1].busy_cycles, 10U);
  CHECK_EQ(log[2].board, 1U);
  CHECK_EQ(log[2].busy_cycles, 100U);
  CHECK_EQ(log[2].end_ps, log[2].taken_ps);
  CHECK_EQ(log[3].write, 0U);
  CHECK_EQ(log[3].begin_ps, log[2].end_ps + 50'000'000U);
  rig.system.log(0);
  rig.system.write(0, 0, 1);
  CHECK(rig.system.log().empty());
}

// A board whose cycles are counted until it is idle runs no longer than one without a log.
TEST(a_log_does_not_change_the_time) {
  for (const std::size_t most : {0U, 2U}) {
    Rig rig({{10}}, 100'000, {200'000, 200'000, 1'000});
    rig.system.log(most);
    rig.system.write(0, 0, 1);
    rig.system.compute(100'000);
    CHECK_EQ(rig.system.read(0, 0), 1U);
    CHECK_EQ(rig.memories[0].cycles, 100U + 1'002U + 1U);  // the read is taken at the edge after
    CHECK_EQ(rig.system.time().waited_ps, 0U);
  }
}

TEST(an_access_that_waits_has_kept_the_board_busy) {
  Rig rig({{100}}, 100'000, {200'000, 200'000, 1'000});
  rig.system.log(2);
  rig.system.write(0, 0, 1);
  rig.system.write(0, 0, 1);
  CHECK_EQ(rig.system.log()[0].busy_cycles, 100U);
  CHECK_EQ(rig.system.log()[1].busy_cycles, 0U);
}

// A caller's array may be shorter than the log.
TEST(a_log_is_copied_as_far_as_there_is_room) {
  std::vector<Memory> memories{{10}};
  perle_system system{perle::System(members(memories, 100'000), {200'000, 200'000, 1'000})};
  CHECK_EQ(perle_system_log(&system, 3), PERLE_OK);
  for (std::uint32_t addr = 0; addr < 12; addr += 4) system.on().write(0, addr, 1);
  perle_system_event events[3] = {};
  std::size_t count = 0;
  CHECK_EQ(perle_system_get_log(&system, events, 2, &count), PERLE_OK);
  CHECK_EQ(count, 3U);
  CHECK_EQ(events[1].addr, 4U);
  CHECK_EQ(events[2].end_ps, 0U);
}
