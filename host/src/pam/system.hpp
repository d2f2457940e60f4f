// SPDX-License-Identifier: Apache-2.0
//
// A host and its boards in modelled time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "board/board.hpp"
#include "perle.h"
#include "rsa/bn.hpp"

namespace perle {

// Throws PERLE_ERR_SPEC.
perle_timing timing_preset(const std::string& name);

class System {
 public:
  struct Member {
    std::unique_ptr<Backend> backend;
    std::uint64_t clock_ps;
    std::uint64_t begun = 0;  // the board's cycle count at time 0
    std::uint64_t reads = 0, writes = 0;
    std::size_t noted =
        0;  // index + 1 of its last access in the log, while that may still keep it busy; else 0
  };
  System(std::vector<Member> members, const perle_timing& timing);

  std::uint32_t read(std::size_t board, std::uint32_t addr);
  void write(std::size_t board, std::uint32_t addr, std::uint32_t data);
  void compute(std::uint64_t instructions);
  void step(std::size_t board);
  // The board, with its clock advanced to the present.
  const Backend& present(std::size_t board);
  // Resets the board, in no modelled time; false if that is not possible or fails.
  bool reset(std::size_t board);
  const perle_system_time& time() const { return time_; }
  const perle_timing& timing() const { return timing_; }
  void reset_time() { time_ = {}; }
  std::size_t count() const { return members_.size(); }
  // Accesses to one board since the system was opened.
  std::uint64_t reads(std::size_t board) { return member(board).reads; }
  std::uint64_t writes(std::size_t board) { return member(board).writes; }
  // Starts a new log of the next `most` accesses; 0 ends logging. Accesses reveal exponents: it is zeroized.
  using Log = std::vector<perle_system_event, ZeroizingAllocator<perle_system_event>>;
  void log(std::size_t most);
  // Includes the busy cycles of all boards up to the present.
  const Log& log();

 private:
  Member& member(std::size_t board);
  std::uint64_t cycles(const Member& on) const;
  void advance(Member& on, std::uint64_t cycles);
  void catch_up(Member& on);
  template <typename Call>
  void access(std::size_t board, std::uint32_t addr, bool write, Call call);
  void note(Member& on, const perle_system_event& event, std::uint64_t cycles);

  std::vector<Member> members_;
  perle_timing timing_;
  std::uint64_t now_ps_ = 0;
  std::size_t log_most_ = 0;
  Log log_;
  perle_system_time time_{};
};

}  // namespace perle
