// SPDX-License-Identifier: Apache-2.0
#include "api/api_boards.hpp"

#include <algorithm>

#include "api/api.hpp"
#include "link/link.hpp"

using perle::check_argument;
using perle::Error;
using perle::guard;
using perle::Result;

namespace {

// Takes ownership of every context, even if this fails: all are closed then.
std::vector<std::unique_ptr<perle::Backend>> adopt(const perle_backend& backend, void* const* ctx,
                                                   size_t count) {
  size_t taken = 0;
  try {
    std::vector<std::unique_ptr<perle::Backend>> out;
    out.reserve(count);
    for (; taken < count; ++taken) out.push_back(std::make_unique<perle::Backend>(backend, ctx[taken]));
    return out;
  } catch (...) {  // out of memory
    for (; taken < count; ++taken) perle::Backend(backend, ctx[taken]);
    throw;
  }
}

[[noreturn]] void unsupported(const char* what) {
  throw Error(PERLE_ERR_UNSUPPORTED, std::string("this kind of board has no ") + what);
}

void check_address(uint32_t addr) {
  check_argument(addr < perle::soc::kLaneBytes, "an address outside the board's registers");
}

void check_access(int rc, const char* what) {
  if (rc != 0) throw Error(PERLE_ERR_BUS, std::string(what) + (rc == 1 ? " refused" : " not answered"));
}

}  // namespace

perle_status perle_boards_open(const char* spec, perle_boards** set) {
  return guard([&] {
    Result made(set);
    check_argument(spec != nullptr && set != nullptr, "null pointer");
    made.value = new perle_boards(perle::open_spec(spec));
  });
}

perle_status perle_spec_check(const char* spec) {
  return guard([&] {
    check_argument(spec != nullptr, "null pointer");
    perle::check_spec(spec);
  });
}

perle_status perle_boards_attach(const perle_backend* backend, void* const* ctx, size_t count,
                                 perle_boards** set) {
  return guard([&] {
    Result made(set);
    check_argument(backend != nullptr && ctx != nullptr && set != nullptr, "null pointer");
    check_argument(
        backend->size == sizeof(perle_backend) && backend->read != nullptr && backend->write != nullptr,
        "perle_backend of another version, or without read or write");
    check_argument(count >= 1 && count <= 64, "1 to 64 boards");
    std::vector<std::unique_ptr<perle::Board>> boards;
    for (auto& one : adopt(*backend, ctx, count))
      boards.push_back(std::make_unique<perle::Board>(std::move(one)));
    made.value = new perle_boards(std::move(boards));
  });
}

void perle_boards_close(perle_boards* set) {
  // In a child of fork() the boards belong to the parent and the locks may be held: the set is leaked.
  if (set != nullptr && !set->opened.here()) return;
  perle::ErrorQueueMark mark;
  delete set;
}

perle_status perle_boards_info(const perle_boards* set, perle_board_info* info) {
  return guard([&] {
    Result found(info);
    check_argument(set != nullptr && info != nullptr, "null pointer");
    set->check_here();
    if (set->system != nullptr) {
      found.value = set->system->info();
      return;
    }
    const perle::Board& board = set->boards().board(0);
    const perle::Shape& shape = board.shape();
    const std::string name = board.family().name;
    name.copy(found.value.family, sizeof found.value.family - 1);
    found.value.family_id = shape.family_id;
    found.value.config_hash = board.config_hash();
    found.value.width = shape.width;
    found.value.operand_bits = shape.operand_bits;
    found.value.word_bits = shape.word_bits;
    found.value.window_bits = shape.window_bits;
    found.value.exponent_bits = shape.exponent_bits();
    found.value.count = static_cast<uint32_t>(set->boards().count());
    found.value.simulated = board.simulated() ? 1 : 0;
  });
}

perle_status perle_boards_set_timeout(perle_boards* set, uint64_t milliseconds, uint64_t cycles) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    // Systems need no timeouts: their boards answer every access, or are busy for a bounded time.
    set->check_here();
    if (set->system != nullptr && milliseconds == 0 && cycles == 0) return;
    // At most a year, so that sums of times cannot overflow.
    constexpr uint64_t kLongest = uint64_t{1000} * 60 * 60 * 24 * 365;
    set->boards().set_limits({std::min(milliseconds, kLongest), cycles});
  });
}

perle_status perle_boards_set_check(perle_boards* set, int check) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    check_argument(check == PERLE_CHECK_RANGE || check == PERLE_CHECK_FULL, "undefined check");
    set->check_here();
    if (set->system == nullptr) set->boards().set_check(static_cast<perle_check>(check));
  });
}

perle_status perle_boards_zeroize(perle_boards* set) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    set->check_here();
    if (set->system != nullptr) {
      set->system->zeroize();
      return;
    }
    perle::FirstError failed;
    for (size_t i = 0; i < set->boards().count(); ++i) failed.keep([&] { set->boards().zeroize(i); });
    failed.raise();
  });
}

perle_status perle_boards_stats(const perle_boards* set, size_t index, perle_board_stats* stats) {
  return guard([&] {
    Result found(stats);
    check_argument(set != nullptr && stats != nullptr, "null pointer");
    set->check_here();
    if (set->system != nullptr) {
      found.value = set->system->stats(index);
      return;
    }
    check_argument(index < set->boards().count(), "no such board");
    found.value = set->boards().board(index).counters().snapshot();
  });
}

perle_status perle_boards_stats_reset(perle_boards* set) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    set->check_here();
    if (set->system != nullptr)
      set->system->reset_stats();
    else
      for (size_t i = 0; i < set->boards().count(); ++i) set->boards().board(i).counters().reset();
  });
}

perle_status perle_board_read(perle_boards* set, size_t index, uint32_t addr, uint64_t* data) {
  return guard([&] {
    Result found(data);
    check_argument(set != nullptr && data != nullptr, "null pointer");
    check_address(addr);
    found.value = set->boards().lease_index(index)->read(addr);
  });
}

perle_status perle_board_write(perle_boards* set, size_t index, uint32_t addr, uint64_t data) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    check_address(addr);
    const auto board = set->boards().lease_index(index);
    board->forget();
    board->write(addr, data);
  });
}

perle_status perle_board_advance(perle_boards* set, size_t index, uint64_t cycles, int until_irq,
                                 uint64_t* passed) {
  return guard([&] {
    Result done(passed);
    check_argument(set != nullptr, "null pointer");
    const auto board = set->boards().lease_index(index);
    const perle::Backend& backend = board->backend();
    if (backend.ops().advance == nullptr) unsupported("clock that can be stepped");
    check_access(backend.ops().advance(backend.ctx(), cycles, until_irq, &done.value), "clock cycles");
  });
}

perle_status perle_board_snapshot(perle_boards* set, size_t index, char* json, size_t size, size_t* len) {
  return guard([&] {
    perle::Output output(reinterpret_cast<uint8_t*>(json), size, len);
    check_argument(set != nullptr, "null pointer");
    set->check_here();
    const auto take = [&](const perle::Backend& backend) {
      if (backend.ops().snapshot == nullptr) unsupported("snapshot");
      output.put_text([&](uint8_t* to, size_t room) {
        return backend.ops().snapshot(backend.ctx(), reinterpret_cast<char*>(to), room);
      });
    };
    if (set->system != nullptr)
      set->system->with(index, take);
    else
      take(set->boards().lease_index(index)->backend());
  });
}

perle_status perle_board_trace(perle_boards* set, size_t index, const char* path) {
  return guard([&] {
    check_argument(set != nullptr, "null pointer");
    const auto board = set->boards().lease_index(index);
    const perle::Backend& backend = board->backend();
    if (backend.ops().trace == nullptr) unsupported("trace");
    if (backend.ops().trace(backend.ctx(), path) != 0)
      throw Error(PERLE_ERR_UNSUPPORTED,
                  "this board was built without traces of that format, or the file cannot be written");
  });
}
