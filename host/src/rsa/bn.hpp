// SPDX-License-Identifier: Apache-2.0
//
// RAII wrappers of libcrypto's numbers. Everything that may contain a secret is zeroized when it is freed:
// numbers by BN_clear_free, contexts by BN_CTX_secure_new, byte and word arrays by their allocator.
#pragma once

#include <openssl/bn.h>
#include <openssl/crypto.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "api/error.hpp"

namespace perle {

template <typename T>
struct ZeroizingAllocator {
  using value_type = T;
  ZeroizingAllocator() = default;
  template <typename U>
  ZeroizingAllocator(const ZeroizingAllocator<U>&) noexcept {}
  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* p, std::size_t n) noexcept {
    OPENSSL_cleanse(p, n * sizeof(T));
    std::allocator<T>().deallocate(p, n);
  }
  template <typename U>
  bool operator==(const ZeroizingAllocator<U>&) const noexcept {
    return true;
  }
};

using Bytes = std::vector<std::uint8_t, ZeroizingAllocator<std::uint8_t>>;
using Words = std::vector<std::uint64_t, ZeroizingAllocator<std::uint64_t>>;
using ByteView = std::span<const std::uint8_t>;

class Bn {
 public:
  Bn();                               // 0
  explicit Bn(std::uint64_t value);   //
  explicit Bn(ByteView big_endian);   // unsigned
  Bn(const Bn& other);                // flags are copied too
  Bn(Bn&& other) noexcept;            //
  Bn& operator=(Bn other) noexcept {  //
    std::swap(bn_, other.bn_);
    return *this;
  }
  ~Bn() { BN_clear_free(bn_); }

  BIGNUM* get() const { return bn_; }
  unsigned bits() const { return static_cast<unsigned>(BN_num_bits(bn_)); }
  std::size_t bytes() const { return (bits() + 7U) / 8U; }
  bool is_zero() const { return BN_is_zero(bn_) == 1; }
  bool is_one() const { return BN_is_one(bn_) == 1; }
  bool is_odd() const { return BN_is_odd(bn_) == 1; }
  // Marks the value as secret: libcrypto uses its constant-time code for it, where it has such code.
  Bn& secret();
  // Big-endian in exactly `size` bytes; the value has to fit.
  Bytes to_bytes(std::size_t size) const;
  // Little-endian words of `word_bits`, `count` of them; the value has to fit.
  Words to_words(unsigned word_bits, std::size_t count) const;
  static Bn from_words(const Words& words, unsigned word_bits);

  friend bool operator<(const Bn& a, const Bn& b) { return BN_cmp(a.bn_, b.bn_) < 0; }
  friend bool operator==(const Bn& a, const Bn& b) { return BN_cmp(a.bn_, b.bn_) == 0; }

 private:
  BIGNUM* bn_;
};

// Arithmetic with one context. Its time may depend on the lengths of numbers, not on the values of secret
// ones.
class Arithmetic {
 public:
  Arithmetic();
  BN_CTX* ctx() const { return ctx_.get(); }
  Bn add(const Bn& a, const Bn& b) const;
  Bn sub(const Bn& a, const Bn& b) const;  // a >= b
  Bn mul(const Bn& a, const Bn& b) const;
  Bn mod(const Bn& a, const Bn& m) const;
  Bn mulmod(const Bn& a, const Bn& b, const Bn& m) const { return mod(mul(a, b), m); }
  // The same for odd m and a, b < m, without a division: the time does not depend on the product.
  Bn mulmod_odd(const Bn& a, const Bn& b, const Bn& m) const;
  // x^e mod m for odd m; e is public unless it is marked secret.
  Bn modexp(const Bn& x, const Bn& e, const Bn& m) const;
  // False if there is no inverse.
  bool inverse(const Bn& a, const Bn& m, Bn& out) const;

 private:
  struct Free {
    void operator()(BN_CTX* ctx) const { BN_CTX_free(ctx); }
  };
  std::unique_ptr<BN_CTX, Free> ctx_;
};

}  // namespace perle
