// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"
#include "api/api_boards.hpp"

using perle::Answer;
using perle::Arithmetic;
using perle::Bn;
using perle::ByteView;
using perle::check_argument;
using perle::Error;
using perle::guard;
using perle::Modulus;
using perle::Op;

struct perle_mod {
  Modulus modulus;
};

namespace {

Bn operand(const uint8_t* data, size_t size, const Bn& bound, const char* what) {
  Bn value(perle::view(data, size));
  if (!(value < bound))
    throw Error(PERLE_ERR_OPERAND_RANGE, std::string(what) + " is out of range: too large");
  return value;
}

// With PERLE_CHECK_RANGE it would go unnoticed if a constant on the board changed: load them every time.
void keep_constants(perle::BoardSet& set, const perle::BoardSet::Lease& lease) {
  if (set.check() != PERLE_CHECK_FULL) lease->forget();
}

// The check of PERLE_CHECK_FULL: the result is congruent to that of software.
void check_full(perle::BoardSet& set, const perle::BoardSet::Lease& lease, const Modulus& mod,
                const Bn& result, const std::function<Bn(const Arithmetic&)>& expected) {
  if (set.check() != PERLE_CHECK_FULL) return;
  const Arithmetic math;
  if (math.mod(result, mod.m()) == math.mod(expected(math), mod.m())) return;
  lease->note_fault();
  throw Error(PERLE_ERR_FAULT, "the board's result differs from software's");
}

struct Call {
  perle_boards* set;
  const perle_mod* mod;
  perle::Result<perle_cost> cost;
  perle::Output out;

  Call(perle_boards* boards, const perle_mod* modulus, uint8_t* to, size_t size, size_t* length,
       perle_cost* total)
      : set(boards), mod(modulus), cost(total), out(to, size, length) {
    check_argument(set != nullptr && mod != nullptr, "null pointer");
    set->boards().check_shape(mod->modulus.shape());
  }
  void finish(const Answer& answer, size_t size) {
    out.put(answer.value.to_bytes(size));
    cost.value = {answer.cycles, answer.cycles, 0};
  }
};

void multiply(Call& call, Op op, const uint8_t* x, size_t x_len, const uint8_t* y, size_t y_len) {
  const Modulus& mod = call.mod->modulus;
  const bool mont = op == Op::kMont;
  const size_t size = mont ? (mod.shape().operand_bits + 7) / 8 : mod.m().bytes();
  if (call.out.only_asked(size)) return;
  const Bn& bound = mont ? mod.bound() : mod.m();
  const Bn left = operand(x, x_len, bound, "x"), right = operand(y, y_len, bound, "y");
  perle::BoardSet& set = call.set->boards();
  const auto lease = set.lease(mod.id());
  keep_constants(set, lease);
  const Answer answer = lease->product(mod, op, left, right, set.limits());
  // A Montgomery product times R is the plain product.
  Bn plain = answer.value;
  if (mont && set.check() == PERLE_CHECK_FULL)
    perle::check_crypto(BN_lshift(plain.get(), plain.get(), static_cast<int>(mod.r_exp())) == 1, "shift");
  check_full(set, lease, mod, plain, [&](const Arithmetic& math) { return math.mul(left, right); });
  call.finish(answer, size);
}

unsigned exponent_width(ByteView e, const Bn& value, size_t e_bits, int mode, const perle::Shape& shape) {
  if (e.empty()) throw Error(PERLE_ERR_EXPONENT_EMPTY, "the exponent is empty");
  const size_t width = e_bits == 0 ? 8 * e.size() : e_bits;
  if (value.bits() > width)
    throw Error(PERLE_ERR_EXPONENT_WIDE, "the exponent has " + std::to_string(value.bits()) +
                                             " bits, more than " + std::to_string(width));
  // The paper's mode scans operand_bits bits of the exponent register.
  const size_t most = mode == PERLE_MODE_PAPER ? shape.operand_bits : shape.exponent_bits();
  if (width > most)
    throw Error(PERLE_ERR_EXPONENT_WIDE,
                "an exponent of " + std::to_string(width) + " bits, the board takes " + std::to_string(most));
  return static_cast<unsigned>(width);
}

}  // namespace

perle_status perle_mod_new(perle_boards* set, const uint8_t* m, size_t m_len, perle_mod** mod) {
  return guard([&] {
    perle::Result made(mod);
    check_argument(set != nullptr && mod != nullptr, "null pointer");
    made.value = new perle_mod{Modulus(set->boards().shape(), Bn(perle::view(m, m_len)), "the modulus")};
  });
}

void perle_mod_free(perle_mod* mod) { delete mod; }

perle_status perle_montmul(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                           const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size, size_t* out_len,
                           perle_cost* cost) {
  return guard([&] {
    Call call(set, mod, out, out_size, out_len, cost);
    multiply(call, Op::kMont, x, x_len, y, y_len);
  });
}

perle_status perle_mulmod(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                          const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size, size_t* out_len,
                          perle_cost* cost) {
  return guard([&] {
    Call call(set, mod, out, out_size, out_len, cost);
    multiply(call, Op::kMulMod, x, x_len, y, y_len);
  });
}

perle_status perle_modexp(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                          const uint8_t* e, size_t e_len, size_t e_bits, int mode, uint8_t* out,
                          size_t out_size, size_t* out_len, perle_cost* cost) {
  return guard([&] {
    Call call(set, mod, out, out_size, out_len, cost);
    const Modulus& modulus = mod->modulus;
    if (call.out.only_asked(modulus.m().bytes())) return;
    if (mode < PERLE_MODE_WINDOW || mode > PERLE_MODE_LADDER)
      throw Error(PERLE_ERR_MODE, "undefined mode of exponentiation");
    const Bn base = operand(x, x_len, modulus.m(), "the base");
    Bn exponent(perle::view(e, e_len));
    const unsigned width = exponent_width(perle::view(e, e_len), exponent, e_bits, mode, modulus.shape());
    const bool secret = mode == PERLE_MODE_WINDOW || mode == PERLE_MODE_LADDER;
    if (secret) exponent.secret();
    const auto lease = set->boards().lease(modulus.id());
    keep_constants(set->boards(), lease);
    const Answer answer = lease->power(modulus, base, exponent, width, static_cast<perle_mode>(mode), secret,
                                       set->boards().limits());
    check_full(set->boards(), lease, modulus, answer.value,
               [&](const Arithmetic& math) { return math.modexp(base, exponent, modulus.m()); });
    call.finish(answer, modulus.m().bytes());
  });
}
