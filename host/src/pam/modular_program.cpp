// SPDX-License-Identifier: Apache-2.0
#include "pam/modular_program.hpp"

#include <algorithm>

namespace perle {
namespace {

// A few microseconds of the paper's host, so that no product unit is idle for long.
constexpr std::uint64_t kPiece = 10;

}  // namespace

HostWords host_words(const Bn& value, std::size_t count) {
  const Words words = value.to_words(32, count);
  return {words.begin(), words.end()};
}

Bn number_of(const HostWords& words) { return Bn::from_words({words.begin(), words.end()}, 32); }

void Program::read(std::size_t board, std::uint32_t addr, std::uint32_t* to) {
  steps_.push_back(
      {.kind = Step::Kind::kRead, .board = static_cast<std::uint8_t>(board), .addr = addr, .to = to});
}

void Program::write(std::size_t board, std::uint32_t addr, const std::uint32_t* from) {
  steps_.push_back(
      {.kind = Step::Kind::kWrite, .board = static_cast<std::uint8_t>(board), .addr = addr, .from = from});
}

void Program::write_chosen(std::size_t board, const std::uint32_t* chosen) {
  steps_.push_back({.kind = Step::Kind::kWrite, .board = static_cast<std::uint8_t>(board), .chosen = chosen});
}

void Program::work(std::uint64_t instructions, std::function<void()> effect) {
  for (; instructions > kPiece; instructions -= kPiece)
    steps_.push_back({.kind = Step::Kind::kWork, .instructions = kPiece});
  steps_.push_back({.kind = Step::Kind::kWork,
                    .instructions = static_cast<std::uint32_t>(instructions),
                    .work = std::move(effect)});
}

Program& Program::operator+=(const Program& other) {
  steps_.insert(steps_.end(), other.steps_.begin(), other.steps_.end());
  return *this;
}

Program Program::part(std::size_t begin, std::size_t end) const {
  Program out;
  const auto at = [this](std::size_t i) {
    return steps_.begin() + static_cast<std::ptrdiff_t>(std::min(i, steps_.size()));
  };
  if (begin < end) out.steps_.assign(at(begin), at(end));
  return out;
}

void Program::run(System& system, std::uint64_t loop) const {
  for (std::size_t i = 0; i < size(); ++i) run_step(system, loop, i);
}

void Program::run_step(System& system, std::uint64_t loop, std::size_t i) const {
  const Step& step = steps_[i];
  if (step.kind == Step::Kind::kWork) {
    if (step.work) step.work();
    system.compute(step.instructions);
    return;
  }
  if (loop != 0) system.compute(loop);
  const std::uint32_t addr = step.chosen != nullptr ? *step.chosen : step.addr;
  if (step.kind == Step::Kind::kWrite) {
    system.write(step.board, addr, step.from != nullptr ? *step.from : 0);
  } else {
    const std::uint32_t data = system.read(step.board, addr);
    if (step.to != nullptr) *step.to = data;
  }
}

Program Program::alternate(const Program& a, const Program& b) {
  Program out;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size()) out.steps_.push_back(a.steps_[i]);
    if (i < b.size()) out.steps_.push_back(b.steps_[i]);
  }
  return out;
}

Program Program::spread(const Program& many, const Program& few) {
  Program out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < many.size(); ++i) {
    out.steps_.push_back(many.steps_[i]);
    for (; done < few.size() && done * many.size() < (i + 1) * few.size(); ++done)
      out.steps_.push_back(few.steps_[done]);
  }
  return out += few.part(done, few.size());
}

}  // namespace perle
