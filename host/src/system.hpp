// SPDX-License-Identifier: Apache-2.0
//
// A host and its boards in modelled time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "board.hpp"
#include "perle.h"

namespace perle {

// Throws PERLE_ERR_SPEC.
perle_timing timing_preset(const std::string& name);

class System {
 public:
  struct Member {
    std::unique_ptr<Backend> backend;
    std::uint64_t clock_ps;
    std::uint64_t begun = 0;  // the board's cycle count at time 0
  };
  System(std::vector<Member> members, const perle_timing& timing);

  std::uint32_t read(std::size_t board, std::uint32_t addr);
  void write(std::size_t board, std::uint32_t addr, std::uint32_t data);
  void compute(std::uint64_t instructions);
  void step(std::size_t board);
  // The board with its clock at the present.
  const Backend& present(std::size_t board);
  const perle_system_time& time() const { return time_; }
  void reset_time() { time_ = {}; }
  std::size_t count() const { return members_.size(); }

 private:
  Member& member(std::size_t board);
  std::uint64_t cycles(const Member& on) const;
  void advance(Member& on, std::uint64_t cycles);
  void catch_up(Member& on);
  template <typename Call>
  void access(std::size_t board, std::uint64_t bus_ps, const char* what, Call call);

  std::vector<Member> members_;
  perle_timing timing_;
  std::uint64_t now_ps_ = 0;
  perle_system_time time_{};
};

}  // namespace perle
