// SPDX-License-Identifier: Apache-2.0
#include "api/api_system.hpp"

#include <algorithm>
#include <filesystem>

#include "api/api.hpp"
#include "board/board_set.hpp"

using perle::check_argument;
using perle::Error;
using perle::guard;
using perle::Result;

namespace {

perle::System::Member member(const perle_system_board& board) {
  check_argument(board.path != nullptr, "null pointer");
  std::error_code ignored;
  if (!std::filesystem::exists(board.path, ignored))
    throw Error(PERLE_ERR_BOARD_ABSENT, std::string("there is no file ") + board.path);
  auto lanes = perle::open_sim(board.path);
  if (lanes.size() != 1) throw Error(PERLE_ERR_BOARD_LOAD, "a board with lanes is no active memory");
  return {std::move(lanes.front()), board.clock_ps};
}

}  // namespace

perle_status perle_timing_preset(const char* name, perle_timing* timing) {
  return guard([&] {
    Result found(timing);
    check_argument(name != nullptr && timing != nullptr, "null pointer");
    found.value = perle::timing_preset(name);
  });
}

perle_status perle_system_open(const perle_system_board* boards, size_t count, const perle_timing* timing,
                               perle_system** system) {
  return guard([&] {
    Result made(system);
    check_argument(boards != nullptr && timing != nullptr && system != nullptr, "null pointer");
    check_argument(count >= 1 && count <= 64, "1 to 64 boards");
    std::vector<perle::System::Member> members;
    for (size_t i = 0; i < count; ++i) members.push_back(member(boards[i]));
    made.value = new perle_system{perle::System(std::move(members), *timing)};
  });
}

void perle_system_close(perle_system* system) {
  // In a child of fork() the boards belong to the parent: the system is leaked.
  if (system == nullptr || system->opened.here()) delete system;
}

perle_status perle_system_read(perle_system* system, size_t board, uint32_t addr, uint32_t* data) {
  return guard([&] {
    Result found(data);
    check_argument(system != nullptr && data != nullptr, "null pointer");
    found.value = system->on().read(board, addr);
  });
}

perle_status perle_system_write(perle_system* system, size_t board, uint32_t addr, uint32_t data) {
  return guard([&] {
    check_argument(system != nullptr, "null pointer");
    system->on().write(board, addr, data);
  });
}

perle_status perle_system_run(perle_system* system, perle_access* accesses, size_t count) {
  return guard([&] {
    check_argument(system != nullptr && (accesses != nullptr || count == 0), "null pointer");
    for (perle_access* each = accesses; each != accesses + count; ++each) {
      if (each->write != 0)
        system->on().write(each->board, each->addr, each->data);
      else
        each->data = system->on().read(each->board, each->addr);
    }
  });
}

perle_status perle_system_compute(perle_system* system, uint64_t instructions) {
  return guard([&] {
    check_argument(system != nullptr, "null pointer");
    system->on().compute(instructions);
  });
}

perle_status perle_system_get_time(perle_system* system, perle_system_time* time) {
  return guard([&] {
    Result found(time);
    check_argument(system != nullptr && time != nullptr, "null pointer");
    found.value = system->on().time();
  });
}

perle_status perle_system_reset_time(perle_system* system) {
  return guard([&] {
    check_argument(system != nullptr, "null pointer");
    system->on().reset_time();
  });
}

perle_status perle_system_log(perle_system* system, size_t most) {
  return guard([&] {
    check_argument(system != nullptr, "null pointer");
    system->on().log(most);
  });
}

perle_status perle_system_get_log(perle_system* system, perle_system_event* events, size_t size,
                                  size_t* count) {
  return guard([&] {
    Result found(count);
    check_argument(system != nullptr && count != nullptr && (events != nullptr || size == 0), "null pointer");
    const perle::System::Log& log = system->on().log();
    found.value = log.size();
    std::copy_n(log.begin(), std::min(size, log.size()), events);
  });
}

perle_status perle_system_snapshot(perle_system* system, size_t board, char* json, size_t size, size_t* len) {
  return guard([&] {
    perle::Output output(reinterpret_cast<uint8_t*>(json), size, len);
    check_argument(system != nullptr, "null pointer");
    const perle::Backend& on = system->on().present(board);
    if (on.ops().snapshot == nullptr)
      throw Error(PERLE_ERR_UNSUPPORTED, "this kind of board has no snapshot");
    output.put_text([&](uint8_t* to, size_t room) {
      return on.ops().snapshot(on.ctx(), reinterpret_cast<char*>(to), room);
    });
  });
}

perle_status perle_system_step(perle_system* system, size_t board) {
  return guard([&] {
    check_argument(system != nullptr, "null pointer");
    system->on().step(board);
  });
}
