// SPDX-License-Identifier: Apache-2.0
//
// Private RSA operations on secrets that memcheck treats as uninitialized: it reports every branch and
// address that depends on them (Langley's ctgrind). perle.trust.secrets runs this under valgrind and reads
// the reports.
//
// Secret are the words of d, p, q, dp, dq and qinv, and of every result of a board. The lengths of numbers in
// words are public, also those of intermediate ones: libcrypto stores them, which cannot be changed from
// outside. Therefore the lengths of numbers returned by libcrypto are declassified, by wrappers that the
// linker's --wrap puts in its place. Data is public once it is sent to a board, and the signature once it is
// released.
#include <valgrind/memcheck.h>

#include <algorithm>

#include "board/regs.hpp"
#include "fixture.hpp"
#include "rsa/key.hpp"

namespace {

// libcrypto does not expose the words of a number; its structure begins like this in all releases 3.
struct Words {
  BN_ULONG* words;
  int count, room, negative, flags;
};

// Declassifies length and sign of a number.
void tell_length(const BIGNUM* number) {
  VALGRIND_MAKE_MEM_DEFINED(const_cast<BIGNUM*>(number), sizeof(Words));
}

void hide(const Bn& number) {
  const auto* raw = reinterpret_cast<const Words*>(number.get());
  VALGRIND_MAKE_MEM_UNDEFINED(raw->words, static_cast<std::size_t>(raw->count) * sizeof(BN_ULONG));
}

int write_known(void* ctx, std::uint32_t addr, std::uint64_t data) {
  VALGRIND_MAKE_MEM_DEFINED(&data, sizeof data);
  return kSoftSimulated.write(ctx, addr, data);
}

int read_hidden(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  const int status = kSoftSimulated.read(ctx, addr, data);
  if (addr >= perle::regs::kResult) VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof *data);
  return status;
}

// A key, and a board whose results are secret.
struct Secret {
  KeyPtr key = key512().load();
  Bench bench{{.width = 320}, 1, backend()};
  static perle_backend backend() {
    perle_backend backend = kSoftSimulated;
    backend.write = write_known;
    backend.read = read_hidden;
    return backend;
  }
  void hide_numbers() const {
    const perle::Key& numbers = *key->key;
    for (const Bn* one :
         {&numbers.d(), &numbers.p(), &numbers.q(), &numbers.dp(), &numbers.dq(), &numbers.qinv()})
      hide(*one);
  }
};

// Decrypts what was encrypted; the message is public once it is released.
void decrypt() {
  const Secret with;
  perle_rsa_options how{};
  how.size = sizeof how;
  how.padding = PERLE_PADDING_OAEP;
  how.hash = "sha1";
  const Data message(20, 7);
  Data in(64), out(64);
  std::size_t length = 0;
  CHECK_EQ(perle_rsa_encrypt(nullptr, with.key.get(), &how, message.data(), message.size(), in.data(),
                             in.size(), &length, nullptr),
           PERLE_OK);
  with.hide_numbers();
  for (int i = 0; i < 2; ++i) {
    perle_status status = perle_rsa_decrypt(with.bench.set, with.key.get(), &how, in.data(), in.size(),
                                            out.data(), out.size(), &length, nullptr);
    VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    VALGRIND_MAKE_MEM_DEFINED(&length, sizeof length);
    VALGRIND_MAKE_MEM_DEFINED(out.data(), out.size());
    CHECK_EQ(status, PERLE_OK);
    CHECK(length == message.size() && std::equal(message.begin(), message.end(), out.begin()));
  }
}

// Signs twice: the second time the boards have the primes.
void sign(unsigned flags) {
  const Secret with;
  const Bn message = random_below(key512().n);
  const Data in = bytes(message);
  with.hide_numbers();
  for (int i = 0; i < 2; ++i) {
    Data out(key512().n.bytes());
    std::size_t length = 0;
    perle_status status = perle_rsa_private(with.bench.set, with.key.get(), flags, in.data(), in.size(),
                                            out.data(), out.size(), &length, nullptr);
    VALGRIND_MAKE_MEM_DEFINED(&status, sizeof status);
    VALGRIND_MAKE_MEM_DEFINED(&length, sizeof length);
    VALGRIND_MAKE_MEM_DEFINED(out.data(), out.size());
    CHECK_EQ(status, PERLE_OK);
    CHECK(Bn(perle::ByteView(out)) == Arithmetic().modexp(message, key512().d, key512().n));
  }
}

}  // namespace

// Wrappers of libcrypto's functions, which declassify the length of the result.
#define PERLE_MADE(type, name, parameters, arguments, made) \
  extern "C" type __real_##name parameters;                 \
  extern "C" type __wrap_##name parameters {                \
    type result = __real_##name arguments;                  \
    VALGRIND_MAKE_MEM_DEFINED(&result, sizeof result);      \
    if (made != nullptr) tell_length(made);                 \
    return result;                                          \
  }
using In = const BIGNUM*;
PERLE_MADE(int, BN_add, (BIGNUM * r, In a, In b), (r, a, b), r)
PERLE_MADE(int, BN_sub, (BIGNUM * r, In a, In b), (r, a, b), r)
PERLE_MADE(int, BN_mul, (BIGNUM * r, In a, In b, BN_CTX* ctx), (r, a, b, ctx), r)
PERLE_MADE(int, BN_div, (BIGNUM * q, BIGNUM* r, In a, In b, BN_CTX* ctx), (q, r, a, b, ctx), r)
PERLE_MADE(int, BN_mod_exp_mont, (BIGNUM * r, In a, In e, In m, BN_CTX* ctx, BN_MONT_CTX* mont),
           (r, a, e, m, ctx, mont), r)
PERLE_MADE(int, BN_to_montgomery, (BIGNUM * r, In a, BN_MONT_CTX* mont, BN_CTX* ctx), (r, a, mont, ctx), r)
PERLE_MADE(int, BN_mod_mul_montgomery, (BIGNUM * r, In a, In b, BN_MONT_CTX* mont, BN_CTX* ctx),
           (r, a, b, mont, ctx), r)
PERLE_MADE(int, BN_lshift, (BIGNUM * r, In a, int n), (r, a, n), r)
PERLE_MADE(int, BN_rshift, (BIGNUM * r, In a, int n), (r, a, n), r)
PERLE_MADE(int, BN_mask_bits, (BIGNUM * r, int n), (r, n), r)
PERLE_MADE(BIGNUM*, BN_copy, (BIGNUM * r, In a), (r, a), r)
PERLE_MADE(BIGNUM*, BN_dup, (In a), (a), result)
PERLE_MADE(BIGNUM*, BN_lebin2bn, (const unsigned char* data, int size, BIGNUM* r), (data, size, r), result)
PERLE_MADE(int, BN_num_bits, (In a), (a), a)
PERLE_MADE(int, BN_bn2lebinpad, (In a, unsigned char* to, int size), (a, to, size), a)
PERLE_MADE(int, BN_bn2binpad, (In a, unsigned char* to, int size), (a, to, size), a)

TEST(sign_blinded) { sign(0); }
TEST(sign_plain) { sign(PERLE_RSA_NO_BLINDING); }
TEST(sign_exponents_blinded) { sign(PERLE_RSA_BLIND_EXPONENT); }
TEST(decrypt_blinded) { decrypt(); }

// A secret-dependent branch that must be reported, which shows that memcheck detects them.
TEST(leaky) {
  Data secret(8, 3);
  VALGRIND_MAKE_MEM_UNDEFINED(secret.data(), secret.size());
  volatile int table[256] = {};
  volatile int sum = 0;
  for (const std::uint8_t byte : secret) {
    table[byte] = table[byte] + 1;
    if (byte == 3) sum = sum + 1;
  }
  CHECK_EQ(sum, 8);
}
