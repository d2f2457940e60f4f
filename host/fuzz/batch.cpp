// SPDX-License-Identifier: Apache-2.0
//
// Batches on failing boards: every operation is accepted unless the batch is full, and is returned once, with
// a right result, or with an error and a zero output. When the faults have ended, operations succeed again.
#include <set>

#include "fixture.hpp"
#include "target.hpp"

namespace {

constexpr Fault kFaults[] = {Fault::kNone, Fault::kHang, Fault::kGarbage, Fault::kFlip, Fault::kHuge,
                             Fault::kDead, Fault::kFlag, Fault::kLost,    Fault::kStuck};
constexpr std::size_t kCapacity = 4;

struct Operations {
  std::vector<Data> in, out;
  std::set<std::uint64_t> pending;
};

void submit(perle_batch* batch, const perle_key* key, Operations& all, unsigned flags, const Data& message) {
  const std::uint64_t tag = all.in.size();
  all.in.push_back(message);
  all.out.emplace_back(key512().n.bytes(), 0xA5);
  const perle_status status = perle_batch_submit(batch, key, flags, all.in[tag].data(), all.in[tag].size(),
                                                 all.out[tag].data(), all.out[tag].size(), tag);
  HOLDS(status == (all.pending.size() == kCapacity ? PERLE_ERR_QUEUE_FULL : PERLE_OK));
  if (status == PERLE_OK) all.pending.insert(tag);
}

// Returns how many operations have succeeded.
std::size_t poll(perle_batch* batch, Operations& all, std::size_t room) {
  std::vector<perle_batch_done> done(room);
  std::size_t count = 0;
  HOLDS(perle_batch_poll(batch, 10'000, done.data(), room, &count) == PERLE_OK);
  HOLDS(count <= room);
  const Arithmetic math;
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    HOLDS(all.pending.erase(done[i].tag) == 1);
    const Data& out = all.out[done[i].tag];
    if (done[i].status == PERLE_OK) {
      const Bn c = Bn(perle::ByteView(all.in[done[i].tag]));
      HOLDS(Bn(perle::ByteView(out)) == math.modexp(c, key512().d, key512().n));
      ++right;
    } else {
      HOLDS(out == Data(out.size()) && done[i].message[0] != '\0');
    }
  }
  return right;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512}, 1 + input.below(3));
  perle_batch* batch = nullptr;
  HOLDS(perle_batch_open(bench.set, kCapacity, &batch) == PERLE_OK);
  Operations all;
  all.out.reserve(64);
  for (unsigned calls = 0; calls < 16 && !input.empty(); ++calls) {
    SoftBoard& board = *bench.soft[input.below(static_cast<unsigned>(bench.soft.size()))];
    switch (input.below(5)) {
      case 0:
        board.inject(kFaults[input.below(std::size(kFaults))], 1 + static_cast<int>(input.below(3)));
        break;
      case 1:
        poll(batch, all, 1 + input.below(4));
        break;
      case 2:
        board.flip_loaded(input.byte(), input.byte());
        break;
      default: {
        const auto message = input.bytes(input.below(64));
        submit(batch, key.get(), all, input.below(4), Data(message.begin(), message.end()));
      }
    }
  }
  if (input.below(2) == 0) {
    for (const auto& board : bench.soft) board->inject(Fault::kNone, 0);
    while (!all.pending.empty()) {
      const std::size_t before = all.pending.size();
      poll(batch, all, kCapacity);
      HOLDS(all.pending.size() < before);
    }
    std::size_t right = 0;
    for (int attempt = 0; attempt < 4 && right == 0; ++attempt) {
      submit(batch, key.get(), all, 0, Data(1, 2));
      right = poll(batch, all, kCapacity);
      HOLDS(all.pending.empty());
    }
    HOLDS(right == 1);
  }
  perle_batch_close(batch);
  HOLDS(test::failures == 0);
  return 0;
}
