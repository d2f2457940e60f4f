// SPDX-License-Identifier: Apache-2.0
//
// No memory is freed with a secret in it. Both allocators are replaced by ones that search every freed block
// for secrets: libcrypto's through its hook, that of C++ by replacing new and delete.
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "bridge.hpp"
#include "fixture.hpp"
#include "remote.hpp"

namespace {

constexpr std::size_t kHeader = 16;
constexpr std::size_t kFragment = 12;  // bytes of a secret that count as a find
constexpr std::size_t kMostFragments = 64;

unsigned char fragments[kMostFragments][kFragment];
std::size_t fragment_count = 0;
std::atomic<bool> watching{false};
std::atomic<bool> own_only{false};   // look only into blocks of C++, not into libcrypto's
std::atomic<bool> mine_only{false};  // and only into those that the thread of the tests frees
const std::thread::id mine = std::this_thread::get_id();
std::atomic<int> finds{0}, looked{0};

void inspect(const unsigned char* block, std::size_t size, bool own) {
  if (!watching || (own_only && !own) || (mine_only && std::this_thread::get_id() != mine)) return;
  ++looked;
  for (std::size_t f = 0; f < fragment_count; ++f)
    if (memmem(block, size, fragments[f], kFragment) != nullptr) ++finds;
}

void* allocate(std::size_t size) {
  auto* raw = static_cast<unsigned char*>(std::malloc(size + kHeader));
  if (raw == nullptr) return nullptr;
  std::memcpy(raw, &size, sizeof size);
  return raw + kHeader;
}

void release(void* block, bool own) {
  if (block == nullptr) return;
  auto* raw = static_cast<unsigned char*>(block) - kHeader;
  std::size_t size = 0;
  std::memcpy(&size, raw, sizeof size);
  inspect(static_cast<unsigned char*>(block), size, own);
  std::free(raw);
}

void* crypto_malloc(std::size_t size, const char*, int) { return allocate(size); }
void crypto_free(void* block, const char*, int) { release(block, false); }
void* crypto_realloc(void* block, std::size_t size, const char*, int) {
  void* out = allocate(size);
  if (block != nullptr && out != nullptr) {
    std::size_t old = 0;
    std::memcpy(&old, static_cast<unsigned char*>(block) - kHeader, sizeof old);
    std::memcpy(out, block, std::min(old, size));
    release(block, false);
  }
  return out;
}

// Has to happen before libcrypto allocates anything.
const bool hooked = CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) == 1;

// A number as it may lie in memory, from the middle of it: in both byte orders, and as a link sends it, with
// the lowest word first but the highest byte of a word first.
void watch_for(const Bn& secret) {
  const Data big = bytes(secret);
  const Data little(big.rbegin(), big.rend());
  Data sent = little;
  for (std::size_t at = 0; at + 4 <= sent.size(); at += 4) std::reverse(&sent[at], &sent[at] + 4);
  for (const Data* const data : std::initializer_list<const Data*>{&big, &little, &sent}) {
    const std::size_t middle = (data->size() - kFragment) / 2 / 8 * 8;
    for (const std::size_t at : {std::size_t{0}, middle})
      std::memcpy(fragments[fragment_count++], data->data() + at, kFragment);
  }
}

}  // namespace

void* operator new(std::size_t size) {
  void* block = allocate(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { release(block, true); }
void operator delete(void* block, std::size_t) noexcept { release(block, true); }

TEST(the_hooks_see_a_leak) {
  CHECK(hooked);
  fragment_count = 0;
  const Bn secret = random_odd(512);
  watch_for(secret);
  watching = true;
  finds = 0;
  {
    const Data careless = bytes(secret);
  }
  BIGNUM* copy = BN_dup(secret.get());
  BN_free(copy);
  watching = false;
  CHECK(finds >= 2);
  fragment_count = 0;
}

TEST(nothing_of_a_key_is_left_behind) {
  const RsaKey& rsa = key512();
  Bench bench({.width = 256}, 2);
  const Bn message = random_below(rsa.n);
  const Bn result = Arithmetic().modexp(message, rsa.d, rsa.n);
  fragment_count = 0;
  for (const Bn* secret : {&rsa.d, &rsa.p, &rsa.q, &rsa.dp, &rsa.dq, &rsa.qinv}) watch_for(*secret);
  const Arithmetic math;
  watch_for(math.mod(result, rsa.p));
  watch_for(math.mod(result, rsa.q));
  const Data p = bytes(rsa.p), q = bytes(rsa.q), dp = bytes(rsa.dp), dq = bytes(rsa.dq),
             qinv = bytes(rsa.qinv), n = bytes(rsa.n), e = bytes(rsa.e), d = bytes(rsa.d),
             in = bytes(message);
  const perle_key_numbers numbers{
      sizeof(perle_key_numbers), {n.data(), n.size()},   {e.data(), e.size()},
      {d.data(), d.size()},      {p.data(), p.size()},   {q.data(), q.size()},
      {dp.data(), dp.size()},    {dq.data(), dq.size()}, {qinv.data(), qinv.size()}};
  Data out(64);
  std::size_t length = 0;
  perle_status status[4];

  watching = true;
  finds = looked = 0;
  perle_key* key = nullptr;
  status[0] = perle_key_new(&numbers, &key);
  status[1] =
      perle_rsa_private(bench.set, key, 0, in.data(), in.size(), out.data(), out.size(), &length, nullptr);
  status[2] = perle_rsa_private(bench.set, key, PERLE_RSA_NO_BLINDING, in.data(), in.size(), out.data(),
                                out.size(), &length, nullptr);
  bench.soft[0]->inject(Fault::kGarbage);  // the path of a refused result
  status[3] =
      perle_rsa_private(bench.set, key, 0, in.data(), in.size(), out.data(), out.size(), &length, nullptr);
  perle_key_free(key);
  watching = false;

  CHECK_EQ(status[0], PERLE_OK);
  CHECK_EQ(status[1], PERLE_OK);
  CHECK_EQ(status[2], PERLE_OK);
  CHECK_EQ(status[3], PERLE_ERR_FAULT);
  CHECK(looked > 100);
  CHECK_EQ(finds.load(), 0);
}

// Of operations in a batch, whether they end well, end wrong, or never end.
TEST(nothing_of_a_batch_is_left_behind) {
  const RsaKey& rsa = key512();
  Bench bench({.width = 256}, 2);
  const KeyPtr key = rsa.load();
  const Bn message = random_below(rsa.n);
  const Bn result = Arithmetic().modexp(message, rsa.d, rsa.n);
  fragment_count = 0;
  for (const Bn* secret : {&rsa.dp, &rsa.dq, &rsa.p, &rsa.q, &result}) watch_for(*secret);
  const Arithmetic math;
  watch_for(math.mod(result, rsa.p));
  watch_for(math.mod(result, rsa.q));
  const Data in = bytes(message);
  std::vector<Data> out(6, Data(64));
  std::vector<perle_batch_done> done(6);
  std::size_t count = 0;
  watching = true;
  finds = looked = 0;
  perle_batch* batch = nullptr;
  bool good = perle_batch_open(bench.set, 8, &batch) == PERLE_OK;
  const auto submit = [&](std::size_t i, unsigned flags) {
    good = good && perle_batch_submit(batch, key.get(), flags, in.data(), in.size(), out[i].data(),
                                      out[i].size(), i) == PERLE_OK;
  };
  submit(0, 0);
  submit(1, PERLE_RSA_NO_BLINDING);
  std::size_t ended = 0;
  while (ended < 2 && perle_batch_poll(batch, 60'000, done.data(), 6, &count) == PERLE_OK) ended += count;
  const int first = looked;
  for (auto& soft : bench.soft) soft->inject(Fault::kFlip, 1);
  submit(2, PERLE_RSA_NO_BLINDING);
  while (ended < 3 && perle_batch_poll(batch, 60'000, done.data(), 6, &count) == PERLE_OK) ended += count;
  const int wrong = done[0].status;
  for (std::size_t i = 3; i < 6; ++i) submit(i, PERLE_RSA_NO_BLINDING);
  perle_batch_poll(batch, 0, done.data(), 1, &count);
  perle_batch_close(batch);
  watching = false;
  CHECK(good);
  CHECK(first > 100 && looked > first);
  CHECK_EQ(wrong, static_cast<int>(PERLE_ERR_FAULT));
  CHECK_EQ(finds.load(), 0);
  for (std::size_t i = 2; i < 6; ++i) CHECK(out[i] == Data(64));
}

// While a key is loaded only the library's own memory is looked into: libcrypto's decoders free their copies
// of the file without zeroizing them (perle_rsa.h says so). From then on everything is.
TEST(nothing_is_left_of_a_loaded_key) {
  const RsaKey& rsa = key512();
  constexpr char kPhrase[] = "a passphrase worth zeroizing";
  BIO* bio = BIO_new(BIO_s_mem());
  CHECK_EQ(PEM_write_bio_PKCS8PrivateKey(bio, rsa.pkey, EVP_aes_128_cbc(), kPhrase, sizeof kPhrase - 1,
                                         nullptr, nullptr),
           1);
  char* pem = nullptr;
  const long size = BIO_get_mem_data(bio, &pem);
  const std::string text(pem, static_cast<std::size_t>(size));
  fragment_count = 0;
  for (const Bn* secret : {&rsa.d, &rsa.p, &rsa.q, &rsa.dp, &rsa.dq, &rsa.qinv}) watch_for(*secret);
  std::memcpy(fragments[fragment_count++], kPhrase, kFragment);
  watching = own_only = true;
  finds = looked = 0;
  KeyPtr key;
  const perle_status status = load(text, key, kPhrase);
  own_only = false;
  const int loading = looked;
  key.reset();
  watching = false;
  BIO_free(bio);
  CHECK_EQ(status, PERLE_OK);
  CHECK(loading >= 2 && looked > loading + 6);
  CHECK_EQ(finds.load(), 0);
}

// The numbers of a key on its way into a file; the file's text is the caller's.
TEST(nothing_is_left_of_a_written_key) {
  const RsaKey& rsa = key512();
  const KeyPtr key = rsa.load_plain();
  const KeyPtr whole = rsa.load();
  fragment_count = 0;
  for (const Bn* secret : {&rsa.d, &rsa.p, &rsa.q, &rsa.dp, &rsa.dq, &rsa.qinv}) watch_for(*secret);
  Data out(4096), prime(64);
  std::size_t length = 0;
  watching = true;
  finds = looked = 0;
  const perle_status plain = perle_key_to_pem(key.get(), out.data(), out.size(), &length);
  const perle_status written = perle_key_to_pem(whole.get(), out.data(), out.size(), &length);
  const perle_status told = perle_key_get_prime(whole.get(), 'p', prime.data(), prime.size(), &length);
  watching = false;
  CHECK_EQ(plain, PERLE_ERR_KEY_PUBLIC);
  CHECK_EQ(written, PERLE_OK);
  CHECK_EQ(told, PERLE_OK);
  CHECK(looked > 20);
  CHECK_EQ(finds.load(), 0);
}

// Operands and results on their way through a serial line and a network; the boards there are another
// thread's.
TEST(nothing_is_left_of_what_was_sent) {
  const SoftConfig config = {.width = 256, .cycles_per_bit = 0};
  UartBridge serial(config);
  EtherboneBridge net(config);
  const Bn m = random_odd(256), x = random_below(m), y = random_below(m);
  const Data ms = bytes(m), xs = bytes(x), ys = bytes(y);
  fragment_count = 0;
  for (const Bn& secret : {x, y, Arithmetic().mulmod(x, y, m)}) watch_for(secret);
  for (const Bridge* const each : {static_cast<Bridge*>(&serial), static_cast<Bridge*>(&net)}) {
    const Remote board(each->spec());
    perle_mod* mod = nullptr;
    CHECK_EQ(perle_mod_new(board.set, ms.data(), ms.size(), &mod), PERLE_OK);
    Data out(32);
    std::size_t size = 0;
    watching = mine_only = true;
    finds = looked = 0;
    const perle_status status = perle_mulmod(board.set, mod, xs.data(), xs.size(), ys.data(), ys.size(),
                                             out.data(), out.size(), &size, nullptr);
    perle_mod_free(mod);
    watching = mine_only = false;
    CHECK_EQ(status, PERLE_OK);
    CHECK(looked > 10);
    CHECK_EQ(finds.load(), 0);
  }
  fragment_count = 0;
}
