// SPDX-License-Identifier: Apache-2.0
//
// Calls in any order on boards that fail in any way: released results are right, and errors release nothing.
// When the faults have ended, every board works again.
#include "fixture.hpp"
#include "target.hpp"

namespace {

constexpr Fault kFaults[] = {Fault::kNone, Fault::kHang,   Fault::kGarbage, Fault::kFlip,
                             Fault::kHuge, Fault::kSlvErr, Fault::kDead,    Fault::kSlow,
                             Fault::kFlag, Fault::kLost,   Fault::kStuck};

void released(const Got& got, const Bn& expected) {
  HOLDS(got.status == PERLE_OK ? got.value() == expected : got.data.empty());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const Arithmetic math;
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512, .word_bits = input.below(2) != 0 ? 32U : 64U}, 1 + input.below(2));
  const Bn prime = key512().p;
  const Mod mod(bench, prime);
  HOLDS(mod.status == PERLE_OK);
  for (unsigned calls = 0; calls < 8 && !input.empty(); ++calls) {
    SoftBoard& board = *bench.soft[input.below(static_cast<unsigned>(bench.soft.size()))];
    const unsigned what = input.below(8);
    const Bn x = math.mod(Bn(perle::ByteView(input.bytes(input.below(40)))), prime);
    switch (what) {
      case 0:
      case 1:
        board.inject(kFaults[input.below(std::size(kFaults))], static_cast<int>(input.below(3)) + 1);
        break;
      case 2:
        released(multiply(perle_mulmod, bench, mod, x, x), math.mulmod(x, x, prime));
        break;
      case 3: {
        const Bn e(perle::ByteView(input.bytes(input.below(9))));
        const auto mode = static_cast<perle_mode>(input.below(5));
        const Got got = modexp(bench, mod, x, e, mode);
        if (mode <= PERLE_MODE_LADDER) released(got, math.modexp(x, e, prime));
        HOLDS(mode <= PERLE_MODE_LADDER || got.status == PERLE_ERR_MODE);
        break;
      }
      case 4:
        released(rsa_private(bench, key, x, input.below(4)), math.modexp(x, key512().d, key512().n));
        break;
      case 5:
        perle_boards_zeroize(bench.set);
        break;
      case 6:
        board.flip_loaded(input.byte(), input.byte());
        break;
      default:
        perle_boards_set_timeout(bench.set, 0, 1000U * input.byte());
    }
  }
  perle_boards_set_timeout(bench.set, 0, 0);
  for (const auto& board : bench.soft) board->inject(Fault::kNone, 0);
  bool works = false;
  for (int attempt = 0; attempt < 4 && !works; ++attempt) {
    const Got got = rsa_private(bench, key, Bn(2));
    released(got, math.modexp(Bn(2), key512().d, key512().n));
    works = got.status == PERLE_OK;
  }
  HOLDS(works);
  HOLDS(test::failures == 0);
  return 0;
}
