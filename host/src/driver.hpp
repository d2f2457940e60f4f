// SPDX-License-Identifier: Apache-2.0
//
// Programs that drive active memories: each computes c^d mod n in its own way (shand1990, table 1).
#pragma once

#include <span>
#include <vector>

#include "key.hpp"
#include "system.hpp"

namespace perle {

// What the host's own work costs, in instructions of the host. Assumed, for a 68020 and straight C or
// assembly of its time; a driver states which it uses where.
struct HostCost {
  // Around one access of a program that is not straight-line code: loop, address, test.
  static constexpr std::uint64_t kLoop = 6;
  // One word of a bignum addition, subtraction or copy.
  static constexpr std::uint64_t kWordAdd = 5;
};

struct Driver {
  const char* name;
  const char* boards;  // families, comma between them; ":p", ":q" where a board is built for that prime
  // c^d mod n for each of the blocks, all below n; the key has both primes. Throws PERLE_ERR_WIDTH.
  std::vector<Bn> (*run)(System& system, const Key& key, std::span<const Bn> blocks);
};

// A file each: those that drive bus multipliers, register multipliers, modular product units.
extern const std::vector<Driver> kBusDrivers;
extern const std::vector<Driver> kRegisterDrivers;
extern const std::vector<Driver> kModularDrivers;

// In the order of the paper's table.
std::vector<Driver> drivers();
// Throws PERLE_ERR_SPEC.
Driver driver_of(const std::string& name);

}  // namespace perle
