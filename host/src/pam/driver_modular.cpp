// SPDX-License-Identifier: Apache-2.0
//
// The last rows of the paper's RSA table: two modular product units, one for each prime, and a register
// multiplier for both conversions of the Chinese remainder theorem and for the cubes. Modulo each prime x^e
// is computed by square-and-multiply with the digits 1 and 3 (338.6 products on average for 254 bits; the
// time depends on the exponent's bits). The two exponentiations run at the same time, with alternating
// products.
//
//   mpu_partial      60000 baud: alternating products, everything else before or after them, and code with
//                    loops: kLoop instructions around every access
//   mpu_interleaved  78000, 92000, 145000, 200000: straight-line code. While the units have block i, the
//                    multiplier recombines block i - 1 and prepares block i + 1, the host folds and reduces
//   mpu_inlined      226000: fewer accesses, and loading and unloading of one unit during products of the
//   other
//
// Accesses per block, for L_p and L_q products of the chains, N bits of n, and for 254-bit primes:
//   partial, interleaved  L_p + L_q products, 2·(16 + 9 + 10) of the units' words and their last products, 16
//                         words of the block, 54 instructions in, 32 words of x and x³; 16 words of the two
//                         results, 17 instructions out, 16 words of the result: L_p + L_q + 221
//   inlined               L_p + L_q products, 2·(16 + 10), 16 + 38 + 32, 16 + 17 + 16: L_p + L_q + 187
// Inlining saves: twice a product with 1 and eight words to leave the domain; the constants by which x and x³
// enter it (both are merged into one constant of the key, see modular_half.cpp); and the host's addition that
// shortens nine words to eight (the look-up is in the address of an instruction).
#include <algorithm>

#include "pam/driver.hpp"
#include "pam/modular_half.hpp"

namespace perle {
namespace {

struct Style {
  std::uint64_t loop;
  bool overlapped;
  bool inlined;
};
constexpr Style kPartial = {HostCost::kLoop, false, false};
constexpr Style kInterleaved = {0, true, false};
constexpr Style kInlined = {0, true, true};

// Number of products of one unit among the 26 accesses that unload and load the other: six to seven accesses
// take a little longer than the fastest product.
constexpr std::size_t kLead = 4;
// Instructions to choose the multiple of n to subtract: load, look up, compare, address.
constexpr std::uint64_t kEstimate = 12;

class Run {
 public:
  Run(System& system, const Key& key, std::span<const Bn> blocks, const Style& style)
      : system_(system),
        key_(key),
        blocks_(blocks),
        style_(style),
        results_(blocks.size()),
        pinv_(inverse_of(key)),
        crt_(system, 2),
        p_(system, 0, {"p", key.p(), key.dp(), key.qinv()}, crt_, style.inlined),
        q_(system, 1, {"q", key.q(), key.dq(), pinv_}, crt_, style.inlined),
        halves_{&p_.crt(), &q_.crt()},
        // below 4·n
        block_((key.n().bits() + 2 + 31) / 32),
        recombined_(block_.size()) {}

  std::vector<Bn> all() {
    crt_.constants(halves_, style_.inlined).run(system_, style_.loop);
    style_.overlapped ? overlapped() : one_by_one();
    return std::move(results_);
  }

 private:
  static Bn inverse_of(const Key& key) {
    const Arithmetic math;
    Bn out;
    check_crypto(math.inverse(key.p(), key.q(), out), "inverse");
    return out.secret();
  }

  void one_by_one() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      Program program = enter(i);
      program += p_.load();
      program += q_.load();
      program += Program::alternate(p_.products(), q_.products());
      program += p_.leave();
      program += q_.leave();
      program += p_.unload();
      program += q_.unload();
      program += recombine(i);
      program.run(system_, style_.loop);
    }
  }

  void overlapped() {
    const std::size_t count = blocks_.size();
    if (count == 0) return;
    Program program = enter(0);
    program += begin(true);
    for (std::size_t i = 0; i < count; ++i) {
      Program beside;
      if (i > 0) beside += recombine(i - 1);
      if (i + 1 < count) beside += enter(i + 1);
      program += Program::spread(middle(), beside);
      program += end_and_begin(i + 1 < count);
      program.run(system_, style_.loop);
      program = Program();
    }
    recombine(count - 1).run(system_, style_.loop);
  }

  std::size_t lead() const { return style_.inlined ? kLead : 0; }

  // p starts first: its first products are among q's accesses, and q's last products among p's accesses.
  Program begin(bool first) {
    Program q_io = first ? Program() : q_.unload();
    q_io += q_.load();
    Program program = first ? p_.load() : Program();
    return program += Program::spread(q_io, p_.products().part(0, lead()));
  }

  Program middle() const {
    const Program p = p_.products(), q = q_.products();
    return Program::alternate(p.part(lead(), p.size()), q.part(0, q.size() - std::min(q.size(), lead())));
  }

  Program end_and_begin(bool more) {
    const Program q = q_.products();
    Program program = p_.leave();
    program += q_.leave();
    Program p_io = p_.unload();
    if (more) p_io += p_.load();
    program += Program::spread(p_io, q.part(q.size() - std::min(q.size(), lead()), q.size()));
    return program += more ? begin(false) : q_.unload();
  }

  Program enter(std::size_t i) {
    Program program;
    // The words are in the host's memory already: no instructions.
    program.work(0, [this, i] { std::ranges::copy(host_words(blocks_[i], block_.size()), block_.begin()); });
    return program += crt_.in(block_, halves_);
  }

  // At the end the host subtracts 0 to 3 times n: chosen from a table by the highest word; or, if not
  // inlined, 2·n and then n, each if possible.
  Program recombine(std::size_t i) {
    Program program = p_.fold();
    program += q_.fold();
    program += crt_.out(halves_, style_.inlined, recombined_);
    const std::uint64_t subtraction = HostCost::kWordAdd * recombined_.size();
    program.work(style_.inlined ? kEstimate + subtraction : 2 * subtraction, [this, i] {
      const Arithmetic math;
      Bn r = number_of(recombined_);
      while (!(r < key_.n())) r = math.sub(r, key_.n());
      results_[i] = std::move(r);
    });
    return program;
  }

  System& system_;
  const Key& key_;
  std::span<const Bn> blocks_;
  const Style style_;
  std::vector<Bn> results_;
  const Bn pinv_;
  CrtBoard crt_;
  ModularHalf p_, q_;
  const std::array<CrtHalf*, 2> halves_;
  HostWords block_, recombined_;
};

template <const Style& style>
std::vector<Bn> run(System& system, const Key& key, std::span<const Bn> blocks) {
  return Run(system, key, blocks, style).all();
}

constexpr const char* kBoards = "mod_product:p,mod_product:q,reg_mul";

}  // namespace

const std::vector<Driver> kModularDrivers = {
    {"mpu_partial", kBoards, run<kPartial>},
    {"mpu_interleaved", kBoards, run<kInterleaved>},
    {"mpu_inlined", kBoards, run<kInlined>},
};

}  // namespace perle
