// SPDX-License-Identifier: Apache-2.0
//
// A system of active memories as a set of boards: a driver computes the private powers, one after the other.
#pragma once

#include <mutex>

#include "pam/driver.hpp"
#include "rsa/private_power.hpp"

namespace perle {

class SystemSet : public PrivateEngine {
 public:
  // Throws PERLE_ERR_ARGUMENT if the driver needs another number of boards.
  SystemSet(System system, const Driver& driver);
  ~SystemSet() override;  // zeroizes

  // Uses all boards of the system; a failure resets and zeroizes them.
  PrivatePower form(const Key& key, const Bn& base, bool blind_exponent) override;

  perle_board_info info() const;
  perle_board_stats stats(std::size_t board);
  void reset_stats();
  // Overwrites every register of every board. Constants in the logic of a board remain.
  void zeroize();
  // Calls `call` with exclusive use of a board, whose clock is advanced to the present.
  template <typename Call>
  void with(std::size_t board, Call call) {
    const std::scoped_lock lock(mutex_);
    call(system_.present(board));
  }

 private:
  Bn run(const Key& key, const Bn& base);
  void zeroize_all();
  void failed() noexcept;

  mutable std::mutex mutex_;
  System system_;
  const Driver driver_;
  struct Accesses {
    std::uint64_t reads, writes;
  };
  std::vector<perle_board_stats> stats_;
  std::vector<Accesses> from_;  // when stats_ were reset
};

}  // namespace perle
