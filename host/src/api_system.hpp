// SPDX-License-Identifier: Apache-2.0
//
// What the handle of a system holds.
#pragma once

#include "system.hpp"

struct perle_system {
  perle::System system;
};
