// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"
#include "api/api_system.hpp"
#include "pam/bignum.hpp"

using perle::Bytes;
using perle::check_argument;
using perle::Digits;
using perle::guard;
using perle::Output;
using perle::Result;

struct perle_bignum {
  perle::Bignum bignum;
  perle::ProcessStamp opened{};

  perle::Bignum& on() {
    perle::check_here(opened, "a calculator");
    return bignum;
  }
};

namespace {

// Without a limit on the length, unlike view().
Digits number(const uint8_t* data, size_t size) {
  check_argument(data != nullptr || size == 0, "null pointer");
  return perle::digits_of(perle::ByteView(data, size));
}

// Runs `call`, whose result has `needed` bytes.
template <typename Call>
perle_status result(perle_bignum* big, uint8_t* out, size_t out_size, size_t* out_len, size_t needed,
                    Call call) {
  return guard([&] {
    Output output(out, out_size, out_len);
    check_argument(big != nullptr, "null pointer");
    if (output.only_asked(needed)) return;
    perle::Bignum& on = big->on();
    try {
      output.put(call(on));
    } catch (...) {
      on.abandon();
      throw;
    }
  });
}

}  // namespace

perle_status perle_bignum_open(perle_system* system, const perle_timing* timing, perle_bignum** big) {
  return guard([&] {
    Result made(big);
    check_argument(big != nullptr && (system != nullptr || timing != nullptr), "null pointer");
    perle::System* const on = system == nullptr ? nullptr : &system->on();
    made.value = new perle_bignum{perle::Bignum(on, timing == nullptr ? perle_timing{} : *timing), {}};
  });
}

void perle_bignum_close(perle_bignum* big) { delete big; }

perle_status perle_bignum_mul(perle_bignum* big, const uint8_t* a, size_t a_len, const uint8_t* b,
                              size_t b_len, uint8_t* out, size_t out_size, size_t* out_len) {
  return result(big, out, out_size, out_len, a_len + b_len, [&](perle::Bignum& on) {
    return perle::bytes_of(on.mul(number(a, a_len), number(b, b_len)), a_len + b_len);
  });
}

perle_status perle_bignum_divide(perle_bignum* big, const uint8_t* a, size_t a_len, const uint8_t* b,
                                 size_t b_len, uint8_t* out, size_t out_size, size_t* out_len) {
  return result(big, out, out_size, out_len, a_len + b_len, [&](perle::Bignum& on) {
    const perle::Division done = on.divide(number(a, a_len), number(b, b_len));
    Bytes both = perle::bytes_of(done.quotient, a_len);
    const Bytes rest = perle::bytes_of(done.remainder, b_len);
    both.insert(both.end(), rest.begin(), rest.end());
    return both;
  });
}

perle_status perle_bignum_mulmod(perle_bignum* big, const uint8_t* a, size_t a_len, const uint8_t* b,
                                 size_t b_len, const uint8_t* m, size_t m_len, uint8_t* out, size_t out_size,
                                 size_t* out_len) {
  return result(big, out, out_size, out_len, m_len, [&](perle::Bignum& on) {
    return perle::bytes_of(on.mulmod(number(a, a_len), number(b, b_len), number(m, m_len)), m_len);
  });
}

perle_status perle_bignum_powmod(perle_bignum* big, const uint8_t* x, size_t x_len, const uint8_t* e,
                                 size_t e_len, const uint8_t* m, size_t m_len, uint8_t* out, size_t out_size,
                                 size_t* out_len) {
  return result(big, out, out_size, out_len, m_len, [&](perle::Bignum& on) {
    return perle::bytes_of(on.powmod(number(x, x_len), number(e, e_len), number(m, m_len)), m_len);
  });
}

perle_status perle_bignum_words(perle_bignum* big, uint64_t words) {
  return guard([&] {
    check_argument(big != nullptr, "null pointer");
    big->on().words(words);
  });
}

perle_status perle_bignum_get_cost(perle_bignum* big, perle_bignum_cost* cost) {
  return guard([&] {
    Result found(cost);
    check_argument(big != nullptr && cost != nullptr, "null pointer");
    found.value = big->on().cost();
  });
}

perle_status perle_bignum_reset_cost(perle_bignum* big) {
  return guard([&] {
    check_argument(big != nullptr, "null pointer");
    big->on().reset_cost();
  });
}
