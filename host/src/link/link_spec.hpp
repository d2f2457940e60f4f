// SPDX-License-Identifier: Apache-2.0
//
// Specifications of boards behind a link: uart:/DEVICE[,baud=N], etherbone:HOST[:PORT], uio:/DEVICE.
#pragma once

#include <memory>
#include <string>

#include "link/link.hpp"

namespace perle {

bool is_link(const std::string& spec);
// Throws PERLE_ERR_SPEC, or PERLE_ERR_BOARD_ABSENT if a device is not there; nothing is opened.
void check_link(const std::string& spec);
// Throws what the links' own functions throw besides.
std::unique_ptr<Link> link_of(const std::string& spec);

}  // namespace perle
