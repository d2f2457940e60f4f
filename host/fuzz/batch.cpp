// SPDX-License-Identifier: Apache-2.0
//
// Batches on failing boards: every accepted operation is returned once, with a right result, or with an error
// and a zero output.
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

void poll(perle_batch* batch, Operations& all, std::size_t room) {
  std::vector<perle_batch_done> done(room);
  std::size_t count = 0;
  HOLDS(perle_batch_poll(batch, 10'000, done.data(), room, &count) == PERLE_OK);
  HOLDS(count <= room);
  const Arithmetic math;
  for (std::size_t i = 0; i < count; ++i) {
    HOLDS(all.pending.erase(done[i].tag) == 1);
    const Data& out = all.out[done[i].tag];
    if (done[i].status == PERLE_OK) {
      const Bn c = Bn(perle::ByteView(all.in[done[i].tag]));
      HOLDS(Bn(perle::ByteView(out)) == math.modexp(c, key512().d, key512().n));
    } else {
      HOLDS(out == Data(out.size()) && done[i].message[0] != '\0');
    }
  }
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
        all.in.emplace_back(message.begin(), message.end());
        all.out.emplace_back(key512().n.bytes(), 0xA5);
        const std::uint64_t tag = all.in.size() - 1;
        const perle_status status =
            perle_batch_submit(batch, key.get(), input.below(4), all.in[tag].data(), all.in[tag].size(),
                               all.out[tag].data(), all.out[tag].size(), tag);
        HOLDS((status == PERLE_ERR_QUEUE_FULL) == (all.pending.size() == kCapacity) || status != PERLE_OK);
        if (status == PERLE_OK) all.pending.insert(tag);
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
  }
  perle_batch_close(batch);
  HOLDS(test::failures == 0);
  return 0;
}
