// SPDX-License-Identifier: Apache-2.0
//
// Contents of the handle of a system.
#pragma once

#include "board/process.hpp"
#include "pam/system.hpp"

struct perle_system {
  perle::System system;
  perle::ProcessStamp opened{};

  perle::System& on() {
    perle::check_here(opened, "a system");
    return system;
  }
  const perle::System& on() const {
    perle::check_here(opened, "a system");
    return system;
  }
};
