// SPDX-License-Identifier: Apache-2.0
#include "pam/system.hpp"

#include <algorithm>

namespace perle {
namespace {

struct Preset {
  const char* name;
  perle_timing timing;
};
constexpr Preset kPresets[] = {
    {"vme68020", {700'000, 700'000, 333'333}},
    {"axi", {120'000, 50'000, 1'000}},
};

}  // namespace

perle_timing timing_preset(const std::string& name) {
  std::string known;
  for (const Preset& preset : kPresets) {
    if (name == preset.name) return preset.timing;
    known += std::string(known.empty() ? "" : ", ") + preset.name;
  }
  throw Error(PERLE_ERR_SPEC, "no timing \"" + name + "\"; there are: " + known);
}

System::System(std::vector<Member> members, const perle_timing& timing)
    : members_(std::move(members)), timing_(timing) {
  check_argument(!members_.empty(), "a system of no boards");
  for (Member& each : members_) {
    check_argument(each.clock_ps > 0, "a clock without a period");
    each.begun = cycles(each);
  }
}

System::Member& System::member(std::size_t board) {
  check_argument(board < members_.size(), "no board of that index");
  return members_[board];
}

std::uint64_t System::cycles(const Member& on) const {
  return on.backend->ops().cycles(on.backend->ctx()) - on.begun;
}

void System::advance(Member& on, std::uint64_t cycles) {
  std::uint64_t passed = 0;
  int rc = 0;
  if (on.noted != 0) {  // count the cycles until it is no longer busy
    rc = on.backend->ops().advance(on.backend->ctx(), cycles, 1, &passed);
    log_[on.noted - 1].busy_cycles += passed;
    if (passed < cycles) on.noted = 0;
  }
  if (rc == 0 && passed < cycles)
    rc = on.backend->ops().advance(on.backend->ctx(), cycles - passed, 0, &passed);
  if (rc != 0) throw Error(PERLE_ERR_BUS, "the simulated board does not run");
}

// Advances the board to its last clock edge before now. A board that was accessed may be a cycle ahead.
void System::catch_up(Member& on) {
  const std::uint64_t due = now_ps_ / on.clock_ps, done = cycles(on);
  if (done < due) advance(on, due - done);
}

// `cycles` passed on the board up to the edge that accepted the access: in all but the last of them it was
// busy with its previous access.
void System::note(Member& on, const perle_system_event& event, std::uint64_t cycles) {
  if (on.noted != 0 && cycles > 0) log_[on.noted - 1].busy_cycles += cycles - 1;
  on.noted = 0;
  if (log_.size() >= log_most_) return;
  log_.push_back(event);
  on.noted = log_.size();
}

void System::log(std::size_t most) {
  for (Member& each : members_) each.noted = 0;
  log_.clear();
  log_.shrink_to_fit();
  log_most_ = most;
}

const System::Log& System::log() {
  for (Member& each : members_) catch_up(each);
  return log_;
}

template <typename Call>
void System::access(std::size_t board, std::uint32_t addr, bool write, Call call) {
  Member& on = member(board);
  const std::uint64_t bus_ps = write ? timing_.write_ps : timing_.read_ps;
  const char* const what = write ? "write" : "read";
  catch_up(on);
  const std::uint64_t before = cycles(on);
  const int rc = call(on.backend->ops(), on.backend->ctx());
  if (rc != 0)
    throw Error(PERLE_ERR_BUS, std::string(what) + " of board " + std::to_string(board) +
                                   (rc == 2 ? " not answered" : " refused"));
  // The bus is occupied for its own time, or until the clock edge at which the board accepted the access.
  const std::uint64_t taken = cycles(on) * on.clock_ps;
  const std::uint64_t end = std::max(now_ps_ + bus_ps, taken);
  note(on, {now_ps_, end, taken, 0, static_cast<std::uint32_t>(board), addr, write ? 1U : 0U, 0},
       cycles(on) - before);
  time_.waited_ps += end - now_ps_ - bus_ps;
  time_.bus_ps += end - now_ps_;
  time_.now_ps += end - now_ps_;
  now_ps_ = end;
}

std::uint32_t System::read(std::size_t board, std::uint32_t addr) {
  std::uint64_t data = 0;
  access(board, addr, false, [&](const perle_backend& ops, void* ctx) { return ops.read(ctx, addr, &data); });
  ++time_.reads;
  ++member(board).reads;
  return static_cast<std::uint32_t>(data);
}

void System::write(std::size_t board, std::uint32_t addr, std::uint32_t data) {
  access(board, addr, true, [&](const perle_backend& ops, void* ctx) { return ops.write(ctx, addr, data); });
  ++time_.writes;
  ++member(board).writes;
}

void System::compute(std::uint64_t instructions) {
  const std::uint64_t took = instructions * timing_.instruction_ps;
  time_.host_ps += took;
  time_.now_ps += took;
  now_ps_ += took;
}

void System::step(std::size_t board) {
  Member& on = member(board);
  catch_up(on);
  advance(on, 1);
}

const Backend& System::present(std::size_t board) {
  Member& on = member(board);
  catch_up(on);
  return *on.backend;
}

bool System::reset(std::size_t board) {
  Member& on = member(board);
  const perle_backend& ops = on.backend->ops();
  if (ops.reset == nullptr) return false;
  const std::uint64_t before = cycles(on);
  const bool good = ops.reset(on.backend->ctx()) == 0;
  on.begun += cycles(on) - before;
  on.noted = 0;
  return good;
}

}  // namespace perle
