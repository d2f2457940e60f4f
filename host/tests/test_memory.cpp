// SPDX-License-Identifier: Apache-2.0
//
// Every allocation fails once: each call reports it and leaves nothing behind. Leaks and double frees are
// found by the address sanitizer.
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/x509.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fixture.hpp"
#include "perle_batch.h"
#include "perle_rsa.h"

namespace {

// Allocations until the one that fails; below zero: none does. Those of C++, and those of libcrypto.
std::atomic<long> left{-1}, crypto_left{-1};

// The software boards take what they need of libcrypto, and do not look at what they get.
thread_local bool on_board = false;
struct OnBoard {
  OnBoard() { on_board = true; }
  ~OnBoard() { on_board = false; }
};
perle_backend never_failing() {
  perle_backend out = kSoftSimulated;
  out.read = [](void* ctx, std::uint32_t addr, std::uint64_t* data) {
    const OnBoard here;
    return kSoftSimulated.read(ctx, addr, data);
  };
  out.write = [](void* ctx, std::uint32_t addr, std::uint64_t data) {
    const OnBoard here;
    return kSoftSimulated.write(ctx, addr, data);
  };
  out.advance = [](void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
    const OnBoard here;
    return kSoftSimulated.advance(ctx, cycles, until_irq, passed);
  };
  return out;
}

bool fails(std::atomic<long>& count) { return !on_board && count.load() >= 0 && count.fetch_sub(1) == 0; }

std::atomic<long> crypto_held{0};  // blocks of libcrypto

void* crypto_malloc(std::size_t size, const char*, int) {
  if (fails(crypto_left)) return nullptr;
  ++crypto_held;
  return std::malloc(size);
}
void* crypto_realloc(void* block, std::size_t size, const char*, int) {
  if (fails(crypto_left)) return nullptr;
  crypto_held += block == nullptr ? 1 : 0;
  return std::realloc(block, size);
}
void crypto_free(void* block, const char*, int) {
  crypto_held -= block == nullptr ? 0 : 1;
  std::free(block);
}
const int hooked = CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free);

void* allocate(std::size_t size) {
  if (fails(left)) throw std::bad_alloc();
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

std::string soft_spec(int boards) {
  return std::string("sim:") + std::getenv("SOFTBOARD_SO") + ",boards=" + std::to_string(boards);
}

// Calls `call` until no allocation of it fails; after every failure `undone` tells whether all is as before.
template <typename Call, typename Undone>
int fail_each(Call call, Undone undone) {
  constexpr long kMost = 20'000;
  for (long k = 0; k < kMost; ++k) {
    left = k;
    const perle_status status = call();
    if (left.exchange(-1) >= 0) {
      CHECK_EQ(status, PERLE_OK);
      return static_cast<int>(k);
    }
    // A failure that was got over (no second thread) is none.
    if (status == PERLE_OK) continue;
    if (!CHECK_EQ(status, PERLE_ERR_MEMORY) || !CHECK(undone())) return -1;
  }
  return -1;
}

// The same for libcrypto's allocations. It goes on without some of them, and cannot always say what it
// lacked.
template <typename Call, typename Undone>
int fail_each_of_libcrypto(Call call, Undone undone) {
  CHECK_EQ(hooked, 1);
  constexpr long kMost = 20'000;
  for (long k = 0; k < kMost; ++k) {
    crypto_left = k;
    const perle_status status = call();
    if (crypto_left.exchange(-1) >= 0) {
      CHECK_EQ(status, PERLE_OK);
      return static_cast<int>(k);
    }
    if (status == PERLE_OK) continue;
    if (!CHECK(status == PERLE_ERR_MEMORY || status == PERLE_ERR_CRYPTO) || !CHECK(undone())) {
      std::printf("allocation %ld: %s\n", k, perle_status_name(status));
      return -1;
    }
  }
  return -1;
}

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
// NOLINTEND(misc-new-delete-overloads)

TEST(no_memory_to_open_boards) {
  ::setenv("SOFTBOARD", "width=512,lanes=3", 1);
  const std::string spec = soft_spec(2);
  perle_boards* set = nullptr;
  const int calls = fail_each(
      [&] {
        const perle_status status = perle_boards_open(spec.c_str(), &set);
        // The board itself had no memory, and its ABI has no words for that.
        return status == PERLE_ERR_BOARD_LOAD ? PERLE_ERR_MEMORY : status;
      },
      [&] { return set == nullptr; });
  CHECK(calls > 10);
  // Closing takes none.
  left = 0;
  perle_boards_close(set);
  CHECK(left.exchange(-1) == 0);
  ::unsetenv("SOFTBOARD");
}

TEST(no_memory_to_attach_boards) {
  static int closed;
  static SoftBoard board{SoftConfig{}};
  perle_backend backend = kSoftSimulated;
  backend.close = [](void*) { ++closed; };
  void* const ctx[] = {&board, &board, &board};
  perle_boards* set = nullptr;
  closed = 0;
  const int calls = fail_each(
      [&] {
        closed = 0;
        return perle_boards_attach(&backend, ctx, 3, &set);
      },
      [&] { return set == nullptr && closed == 3; });
  CHECK(calls > 10 && closed == 0);
  perle_boards_close(set);
  CHECK_EQ(closed, 3);
}

TEST(no_memory_for_operations) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512}, 2, never_failing());
  const Bn m = random_odd(512);
  const Mod mod(bench, m);
  const Data x(32, 5), e(3, 7), digest(32, 9);
  Data out(64);
  std::size_t length = 0;
  const auto nothing = [&] { return length == 0; };
  const auto power = [&] {
    return perle_modexp(bench.set, mod.mod, x.data(), x.size(), e.data(), e.size(), 0, PERLE_MODE_WINDOW,
                        out.data(), out.size(), &length, nullptr);
  };
  const perle_rsa_options options = {sizeof options, PERLE_PADDING_PKCS1, "sha256",
                                     nullptr,        PERLE_SALT_DIGEST,   0};
  const auto sign = [&] {
    return perle_rsa_sign(bench.set, key.get(), &options, digest.data(), digest.size(), out.data(),
                          out.size(), &length, nullptr);
  };
  CHECK(fail_each(power, nothing) > 5);
  CHECK(fail_each_of_libcrypto(power, nothing) > 5);
  CHECK(fail_each(sign, nothing) > 5);
  CHECK(fail_each_of_libcrypto(sign, nothing) > 5);
  // The boards are as good as before.
  CHECK_EQ(perle_rsa_verify(nullptr, key.get(), &options, digest.data(), digest.size(), out.data(), length,
                            nullptr),
           PERLE_OK);
}

// A program may load and free keys for years. What libcrypto makes once it has after the first ones.
TEST(keys_leave_no_memory_behind) {
  unsigned char* der = nullptr;
  const int length = i2d_PrivateKey(key512().pkey, &der);
  const std::string text(reinterpret_cast<char*>(der), static_cast<std::size_t>(length));
  OPENSSL_free(der);
  const auto use = [&] {
    for (int i = 0; i < 5; ++i) {
      KeyPtr key;
      CHECK_EQ(load(text, key), PERLE_OK);
      CHECK_EQ(load("no key", key), PERLE_ERR_KEY_FORMAT);
    }
  };
  use();
  const long before = crypto_held;
  use();
  CHECK_EQ(crypto_held.load(), before);
}

// Without sanitizers too: what a number had before memory ran out is freed.
TEST(no_memory_for_numbers) {
  const Data raw(64, 0xA5);
  const Bn whole{perle::ByteView(raw)};
  const auto leaves_nothing = [](auto make) {
    bool made = false;
    for (long k = 0; !made && k < 10; ++k) {
      ERR_clear_error();
      const long before = crypto_held;
      crypto_left = k;
      try {
        const Bn number = make();
        made = true;
      } catch (const std::bad_alloc&) {
        CHECK(k < 2);  // the number, and its words
      }
      crypto_left = -1;
      ERR_clear_error();
      CHECK_EQ(crypto_held.load(), before);
    }
    CHECK(made);
  };
  leaves_nothing([&] { return Bn(perle::ByteView(raw)); });
  leaves_nothing([&] { return Bn(whole); });
}

TEST(no_memory_for_batches) {
  const KeyPtr key = key512().load();
  const Bench bench({.width = 512}, 2, never_failing());
  const Data in(64, 3);
  Data out(64);
  perle_batch* batch = nullptr;
  CHECK(fail_each([&] { return perle_batch_open(bench.set, 4, &batch); }, [&] { return batch == nullptr; }) >
        1);
  perle_batch_close(batch);
  int done_right = 0;
  // From the opening to the closing: whatever fails, an operation is refused, or reported with its reason.
  const auto whole = [&]() -> perle_status {
    perle_batch* own = nullptr;
    perle_status status = perle_batch_open(bench.set, 4, &own);
    if (status == PERLE_OK)
      status = perle_batch_submit(own, key.get(), 0, in.data(), in.size(), out.data(), out.size(), 1);
    perle_batch_done done[1]{};
    std::size_t count = 0;
    for (int polls = 0; status == PERLE_OK && count == 0 && polls < 100; ++polls)
      status = perle_batch_poll(own, 10'000, done, 1, &count);
    if (count == 1) status = static_cast<perle_status>(done[0].status);
    if (status == PERLE_OK && count == 1) ++done_right;
    perle_batch_close(own);
    return status;
  };
  CHECK(fail_each(whole, [] { return true; }) > 5);
  CHECK(fail_each_of_libcrypto(whole, [] { return true; }) > 5);
  CHECK(done_right > 0);
}
