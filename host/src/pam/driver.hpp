// SPDX-License-Identifier: Apache-2.0
//
// Drivers: programs that compute c^d mod n on active memories, each in its own way (shand1990, table 1).
#pragma once

#include <span>
#include <vector>

#include "pam/system.hpp"
#include "rsa/key.hpp"

namespace perle {

// Cost of the host's own work, in instructions: assumptions for a 68020 with C or assembly code of its time.
// Each driver states where it uses which.
struct HostCost {
  // Around one access of a program that is not straight-line code: loop, address, test.
  static constexpr std::uint64_t kLoop = 6;
  // One word of a bignum addition, subtraction or copy.
  static constexpr std::uint64_t kWordAdd = 5;
  // A product of two words, added to a bignum; also one word of a division by a word. It follows from section
  // 2, where raw multiplication gains at most a factor of 25: the board computes 16 word products in three
  // accesses of 700 ns; software takes 25 times as long, 3.3 us per word product, or 10 instructions at 3
  // million per second (52 clock cycles of the 68020). (Row 4 of table 1, whole RSA in software, implies 5.2
  // us.)
  static constexpr std::uint64_t kWordMultiply = 10;
};

struct Driver {
  const char* name;
  const char*
      boards;  // families, separated by commas; ":p" and ":q" for a board that is built for that prime
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
// The entries of `boards`.
std::vector<std::string> boards_of(const Driver& driver);
// Throws PERLE_ERR_ARGUMENT if the system does not have as many boards as the driver needs.
void check_boards(const System& system, const Driver& driver);
// Runs the driver on the blocks; results are not checked. The system's time is reset before its first access.
// Throws PERLE_ERR_KEY_PUBLIC, PERLE_ERR_WIDTH for a key without primes, and the errors of the driver.
std::vector<Bn> run_driver(System& system, const Driver& driver, const Key& key, std::span<const Bn> blocks);

}  // namespace perle
