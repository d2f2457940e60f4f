// SPDX-License-Identifier: Apache-2.0
//
// Programs that drive active memories: each computes c^d mod n in its own way (shand1990, table 1).
#pragma once

#include <span>
#include <vector>

#include "pam/system.hpp"
#include "rsa/key.hpp"

namespace perle {

// What the host's own work costs, in instructions of the host. Assumed, for a 68020 and straight C or
// assembly of its time; a driver states which it uses where.
struct HostCost {
  // Around one access of a program that is not straight-line code: loop, address, test.
  static constexpr std::uint64_t kLoop = 6;
  // One word of a bignum addition, subtraction or copy.
  static constexpr std::uint64_t kWordAdd = 5;
  // One word by a word, added to a bignum; also a word of a division by one word. It is implied by section 2,
  // where raw multiplication gains a factor of 25 at most: the board takes 16 word products in three accesses
  // of 700 ns, software 25 times as long, 3.3 us a word product: 10 instructions at 3 million per second, 52
  // cycles of the 68020's clock. (Row 4 of table 1, whole RSA in software, implies 5.2 us.)
  static constexpr std::uint64_t kWordMultiply = 10;
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
// The families of its boards, as `boards` has them, one by one.
std::vector<std::string> boards_of(const Driver& driver);
// Throws PERLE_ERR_ARGUMENT if the system has not as many boards as the driver drives.
void check_boards(const System& system, const Driver& driver);
// What the driver gives for the blocks, unchecked, and the system's time from its first access on. Throws
// PERLE_ERR_KEY_PUBLIC, PERLE_ERR_WIDTH for a key without its primes, and whatever the driver throws.
std::vector<Bn> run_driver(System& system, const Driver& driver, const Key& key, std::span<const Bn> blocks);

}  // namespace perle
