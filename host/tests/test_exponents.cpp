// SPDX-License-Identifier: Apache-2.0
//
// Blinded exponents, observed in writes to the board.
#include <algorithm>

#include "fixture.hpp"

namespace {

constexpr std::uint32_t kExponent = 0x1C00, kEnd = 0x2000;

// The exponents written to the boards of this file, without the zeros that overwrite them.
std::vector<perle::Words> written;
perle::Words line(16);

int spy(void* ctx, std::uint32_t addr, std::uint64_t data) {
  if (addr >= kExponent && addr < kEnd) line.at((addr - kExponent) / 8) = data;
  if (addr == 0x30 && (data & 1) != 0) written.push_back(line);
  return kSoftSimulated.write(ctx, addr, data);
}

std::vector<Bn> exponents(const Bench& bench, const KeyPtr& key, unsigned flags, const Bn& c,
                          const Bn& expected) {
  written.clear();
  const Got got = rsa_private(bench, key, c, flags);
  CHECK_EQ(got.status, PERLE_OK);
  CHECK(got.value() == expected);
  std::vector<Bn> out;
  for (const perle::Words& words : written) out.push_back(Bn::from_words(words, 64));
  return out;
}

}  // namespace

TEST(exponents_are_blinded) {
  perle_backend backend = kSoftSimulated;
  backend.write = spy;
  const Bench bench({}, 1, backend);
  const RsaKey& rsa = key1024();
  const KeyPtr key = rsa.load();
  const Arithmetic math;
  const Bn c = random_below(rsa.n), expected = math.modexp(c, rsa.d, rsa.n);
  std::uint32_t bits = 0;
  CHECK_EQ(perle_rsa_exponent_blinding(bench.set, key.get(), &bits), PERLE_OK);
  CHECK_EQ(bits, 64U);  // a line of 544 bits has 576 in words, and the primes have 512
  const auto plain = exponents(bench, key, 0, c, expected);
  CHECK(plain.size() == 2 && plain[0] == rsa.dp && plain[1] == rsa.dq);
  const Bn p1 = math.sub(rsa.p, Bn(1)), q1 = math.sub(rsa.q, Bn(1));
  std::vector<Bn> seen;
  for (int i = 0; i < 8; ++i) {
    const auto blinded = exponents(bench, key, PERLE_RSA_BLIND_EXPONENT, c, expected);
    CHECK(blinded.size() == 2 && math.mod(blinded[0], p1) == rsa.dp && math.mod(blinded[1], q1) == rsa.dq);
    for (const Bn& one : blinded) {
      CHECK(one.bits() > 512 + 32);  // r has 64 bits; that the upper 32 are zero is unlikely enough
      CHECK(std::find(seen.begin(), seen.end(), one) == seen.end());
      seen.push_back(one);
    }
  }
}

TEST(exponents_without_room) {
  // Operands of 504 + 4 + 2 bits, rounded up to 512: words that end where the primes of 512 bits do.
  const Bench bench({.width = 504, .radix_bits = 4});
  const RsaKey& rsa = key1024();
  const KeyPtr wide = rsa.load(), plain = rsa.load_plain();
  std::uint32_t bits = 1;
  const Bench narrow({.width = 512, .radix_bits = 17, .tell_radix = true});
  CHECK_EQ(perle_rsa_exponent_blinding(narrow.set, plain.get(), &bits), PERLE_OK);
  CHECK_EQ(bits, 0U);
  CHECK_EQ(rsa_private(Bench({.width = 1024}), plain, Bn(2), PERLE_RSA_BLIND_EXPONENT).status,
           PERLE_ERR_UNSUPPORTED);
  // Boards whose words end where the primes do.
  CHECK_EQ(perle_rsa_exponent_blinding(bench.set, wide.get(), &bits), PERLE_OK);
  CHECK_EQ(bits, 0U);
}
