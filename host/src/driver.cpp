// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

namespace perle {

std::vector<Driver> drivers() {
  std::vector<Driver> all;
  for (const auto* some : {&kBusDrivers, &kRegisterDrivers, &kModularDrivers})
    all.insert(all.end(), some->begin(), some->end());
  return all;
}

Driver driver_of(const std::string& name) {
  std::string known;
  for (const Driver& driver : drivers()) {
    if (name == driver.name) return driver;
    known += std::string(known.empty() ? "" : ", ") + driver.name;
  }
  throw Error(PERLE_ERR_SPEC, "no driver \"" + name + "\"; there are: " + known);
}

}  // namespace perle
