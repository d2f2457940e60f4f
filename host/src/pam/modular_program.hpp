// SPDX-License-Identifier: Apache-2.0
//
// Straight-line programs of the host: a list of steps, each an access or the host's own work. Programs are
// made for a key, as the paper's drivers were; parts are made separately and interleaved.
#pragma once

#include <functional>

#include "pam/system.hpp"
#include "rsa/bn.hpp"

namespace perle {

// Words in the host's memory, lowest first.
using HostWords = std::vector<std::uint32_t, ZeroizingAllocator<std::uint32_t>>;
HostWords host_words(const Bn& value, std::size_t count);
Bn number_of(const HostWords& words);

struct Step {
  enum class Kind : std::uint8_t { kRead, kWrite, kWork };
  Kind kind;
  std::uint8_t board = 0;
  std::uint32_t addr = 0;                 // of a byte
  std::uint32_t* to = nullptr;            // destination of a read; null: a write, or the value is dropped
  const std::uint32_t* from = nullptr;    // a write; null: of zero
  const std::uint32_t* chosen = nullptr;  // an address that the host computed, instead of `addr`
  std::uint32_t instructions = 0;         // of work
  std::function<void()> work = {};        // may be empty
};

// The sequence of products reveals the exponent: the steps are zeroized.
class Program {
 public:
  void read(std::size_t board, std::uint32_t addr, std::uint32_t* to);
  void write(std::size_t board, std::uint32_t addr, const std::uint32_t* from = nullptr);
  void write_chosen(std::size_t board, const std::uint32_t* chosen);
  // Split into pieces that fit between two accesses; the last piece runs `effect`.
  void work(std::uint64_t instructions, std::function<void()> effect);
  Program& operator+=(const Program& other);

  std::size_t size() const { return steps_.size(); }
  Program part(std::size_t begin, std::size_t end) const;
  // `loop`: instructions of the host around every access; 0 for straight-line code.
  void run(System& system, std::uint64_t loop) const;
  void run_step(System& system, std::uint64_t loop, std::size_t i) const;

  // Alternates steps of a and b, then appends the rest of the longer one.
  static Program alternate(const Program& a, const Program& b);
  // Inserts the steps of `few` evenly among those of `many`.
  static Program spread(const Program& many, const Program& few);

 private:
  std::vector<Step, ZeroizingAllocator<Step>> steps_;
};

}  // namespace perle
