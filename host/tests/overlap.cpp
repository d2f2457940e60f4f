// SPDX-License-Identifier: Apache-2.0
#include "overlap.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace overlap {
namespace {

constexpr std::size_t kApart = 64;  // at least, between parts that do not overlap
constexpr std::uint8_t kUntouched = 0xA5;

// Output `output` lies `offset` bytes behind input `input`.
struct Overlap {
  std::size_t input = 0, output = 0;
  std::ptrdiff_t offset = 0;
};
enum class Failure { kNone, kRoom, kInput };

struct Outcome {
  perle_status status = PERLE_OK;
  std::vector<Data> outputs;
  bool stayed_inside = true;  // nothing but outputs was written
};

std::size_t up(std::size_t size) { return (size + kApart - 1) / kApart * kApart + kApart; }

Outcome run(const Call& call, const std::optional<Overlap>& overlap, Failure failure) {
  std::size_t all = kApart;
  for (const auto* parts : {&call.inputs, &call.outputs})
    for (const Part& part : *parts) all += 2 * up(part.content.size());
  std::vector<std::uint64_t> memory(all / sizeof(std::uint64_t) + 1);
  auto* const begin = reinterpret_cast<std::uint8_t*>(memory.data());
  std::fill_n(begin, all, kUntouched);

  Places at;
  std::uint8_t* next = begin + kApart;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (overlap && overlap->input == i) next += up(call.outputs[overlap->output].content.size());
    at.in.push_back(next);
    std::copy(call.inputs[i].content.begin(), call.inputs[i].content.end(), next);
    next += up(call.inputs[i].content.size());
    if (overlap && overlap->input == i) next += up(call.outputs[overlap->output].content.size());
  }
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    const bool over = overlap && overlap->output == i;
    at.out.push_back(over ? at.in[overlap->input] + overlap->offset : next);
    if (!over) next += up(call.outputs[i].content.size());
  }
  at.room = call.outputs[0].content.size() - (failure == Failure::kRoom ? 1 : 0);
  if (call.compose) call.compose(at);
  if (failure == Failure::kInput) std::copy(call.spoilt.begin(), call.spoilt.end(), at.in[0]);

  const Data before(begin, begin + all);
  Outcome out;
  out.status = call.run(at);
  Data rest(begin, begin + all);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    const std::size_t size = i == 0 ? at.room : call.outputs[i].content.size();
    out.outputs.emplace_back(at.out[i], at.out[i] + size);
    std::copy_n(before.begin() + (at.out[i] - begin), size, rest.begin() + (at.out[i] - begin));
  }
  out.stayed_inside = rest == before;
  return out;
}

bool zero(const Data& data) {
  return std::all_of(data.begin(), data.end(), [](std::uint8_t byte) { return byte == 0; });
}

void understand(const Call& call, Outcome& outcome) {
  if (call.meaning) outcome.outputs[0] = call.meaning(outcome.outputs[0]);
  for (std::size_t i = 0; i < call.outputs.size(); ++i)
    if (call.outputs[i].name == "cost") outcome.outputs[i] = {zero(outcome.outputs[i])};
}

void expect(bool good, const Call& call, const std::optional<Overlap>& overlap, const std::string& what) {
  std::string text = std::string(call.function) + ": " + what;
  if (overlap)
    text += " with " + call.outputs[overlap->output].name + " over " + call.inputs[overlap->input].name +
            (overlap->offset < 0 ? " - " : " + ") + std::to_string(std::abs(overlap->offset));
  test::equal(good, true, text.c_str(), __FILE__, __LINE__);
}

// In place, one element further, some further, half, and so that only one element is shared.
std::set<std::ptrdiff_t> offsets(const Part& input, const Part& output) {
  const auto in = static_cast<std::ptrdiff_t>(input.content.size());
  const auto out = static_cast<std::ptrdiff_t>(output.content.size());
  const auto step = static_cast<std::ptrdiff_t>(output.align);
  std::set<std::ptrdiff_t> all;
  for (const std::ptrdiff_t k :
       {std::ptrdiff_t{0}, step, 3 * step, in / 2 / step * step, (in - 1) / step * step, -step, -3 * step,
        -out / 2 / step * step, -(out - 1) / step * step})
    if (k < in && -k < out) all.insert(k);
  return all;
}

void check_failure(const Call& call, const std::optional<Overlap>& overlap, Failure failure) {
  const Outcome got = run(call, overlap, failure);
  const std::string how = failure == Failure::kRoom ? "in too little room" : "of a bad input";
  expect(got.status != PERLE_OK, call, overlap, "an error " + how);
  expect(std::all_of(got.outputs.begin(), got.outputs.end(), zero), call, overlap,
         "nothing but zeros " + how);
  expect(got.stayed_inside, call, overlap, "nothing else written " + how);
}

}  // namespace

void check(const Call& call) {
  Outcome apart = run(call, std::nullopt, Failure::kNone);
  expect(apart.status == PERLE_OK && apart.stayed_inside, call, {}, "a result when everything lies apart");
  understand(call, apart);
  const bool sized = call.outputs[0].name == "out";
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    for (std::size_t o = 0; o < call.outputs.size(); ++o)
      for (const std::ptrdiff_t offset : offsets(call.inputs[i], call.outputs[o])) {
        const Overlap over{i, o, offset};
        Outcome got = run(call, over, Failure::kNone);
        expect(got.status == apart.status, call, over, "the same status");
        if (got.status != PERLE_OK) continue;
        understand(call, got);
        expect(got.outputs == apart.outputs, call, over, "the same results");
        expect(got.stayed_inside, call, over, "nothing else written");
        if (sized) check_failure(call, over, Failure::kRoom);
        if (!call.spoilt.empty()) check_failure(call, over, Failure::kInput);
      }
}

Part text(const std::string& name, const std::string& value) {
  Data content(value.begin(), value.end());
  content.push_back(0);
  return {name, content};
}

Part bytes_out(std::size_t room) { return {"out", Data(room)}; }
Part length() { return {"out_len", Data(sizeof(std::size_t)), alignof(std::size_t)}; }
Part cost() { return {"cost", Data(sizeof(perle_cost)), alignof(perle_cost)}; }

}  // namespace overlap
