// SPDX-License-Identifier: Apache-2.0
#include "pam/driver.hpp"

#include <sstream>

#include "rsa/rsa.hpp"

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

std::vector<std::string> boards_of(const Driver& driver) {
  std::vector<std::string> families;
  std::istringstream in(driver.boards);
  for (std::string family; std::getline(in, family, ',');) families.push_back(family);
  return families;
}

void check_boards(const System& system, const Driver& driver) {
  check_argument(system.count() == boards_of(driver).size(), "a system of other boards than the driver's");
}

std::vector<Bn> run_driver(System& system, const Driver& driver, const Key& key, std::span<const Bn> blocks) {
  need_private(key);
  if (!key.has_crt()) throw Error(PERLE_ERR_WIDTH, "the driver wants a key with its primes");
  system.reset_time();
  std::vector<Bn> results = driver.run(system, key, blocks);
  if (results.size() != blocks.size()) throw Error(PERLE_ERR_FAULT, "a driver lost a block");
  return results;
}

}  // namespace perle
