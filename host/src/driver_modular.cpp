// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

namespace perle {

const std::vector<Driver> kModularDrivers = {};

}  // namespace perle
