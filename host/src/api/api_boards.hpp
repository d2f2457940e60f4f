// SPDX-License-Identifier: Apache-2.0
//
// Contents of the handle of a set: boards with registers, or a system with its driver.
#pragma once

#include "board/process.hpp"
#include "pam/system_set.hpp"
#include "rsa/halves.hpp"

struct perle_boards {
  perle::ProcessStamp opened;
  std::shared_ptr<perle::BoardSet> set;      // shared with its batches; null: a system
  std::unique_ptr<perle::SystemSet> system;  // null: boards with registers
  std::unique_ptr<perle::PrivateEngine> halves;

  explicit perle_boards(std::vector<std::unique_ptr<perle::Board>> boards)
      : set(std::make_shared<perle::BoardSet>(std::move(boards))),
        halves(std::make_unique<perle::Halves>(*set)) {}
  explicit perle_boards(std::unique_ptr<perle::SystemSet> on) : system(std::move(on)) {}

  void check_here() const { perle::check_here(opened, "boards"); }
  perle::PrivateEngine& engine() {
    check_here();
    if (system != nullptr) return *system;
    return *halves;
  }
  // Throws PERLE_ERR_UNSUPPORTED.
  perle::BoardSet& boards() const {
    check_here();
    if (set == nullptr)
      throw perle::Error(PERLE_ERR_UNSUPPORTED,
                         "a system of active memories forms private powers of RSA and nothing else");
    return *set;
  }
};
