// SPDX-License-Identifier: Apache-2.0
//
// Modelled time: accesses on the bus, boards that work on meanwhile, boards that let the host wait.
#include "fixture.hpp"
#include "system.hpp"

namespace {

// Active memory: a write is taken at once and keeps the board busy for `work` cycles; everything else waits
// for that. A read returns the sum of what was written.
struct Memory {
  std::uint64_t work;
  std::uint64_t cycles = 100;  // out of reset
  std::uint64_t busy_until = 0;
  std::uint64_t sum = 0;
  bool dead = false;
};

Memory& memory(void* ctx) { return *static_cast<Memory*>(ctx); }

int take(Memory& on) {
  if (on.dead) return 2;
  on.cycles = std::max(on.cycles, on.busy_until) + 1;
  return 0;
}
int memory_read(void* ctx, std::uint32_t, std::uint64_t* data) {
  *data = memory(ctx).sum;
  return take(memory(ctx));
}
int memory_write(void* ctx, std::uint32_t, std::uint64_t data) {
  const int rc = take(memory(ctx));
  memory(ctx).sum += data;
  memory(ctx).busy_until = memory(ctx).cycles + memory(ctx).work;
  return rc;
}
int memory_advance(void* ctx, std::uint64_t cycles, int, std::uint64_t* passed) {
  memory(ctx).cycles += cycles;
  *passed += cycles;
  return 0;
}
std::uint64_t memory_cycles(void* ctx) { return memory(ctx).cycles; }

constexpr perle_backend kMemory = {sizeof(perle_backend),
                                   memory_read,
                                   memory_write,
                                   memory_advance,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   memory_cycles};

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
      : memories(std::move(given)), system(members(clock_ps), timing) {}
  std::vector<perle::System::Member> members(std::uint64_t clock_ps) {
    std::vector<perle::System::Member> out;
    for (Memory& each : memories) out.push_back({std::make_unique<perle::Backend>(kMemory, &each), clock_ps});
    return out;
  }
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
