// SPDX-License-Identifier: Apache-2.0
#include "softboard.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

struct FreeBn {
  void operator()(BIGNUM* bn) const { BN_clear_free(bn); }
};
using Num = std::unique_ptr<BIGNUM, FreeBn>;
struct FreeCtx {
  void operator()(BN_CTX* ctx) const { BN_CTX_free(ctx); }
};

Num num(std::uint64_t word = 0) {
  Num out(BN_secure_new());
  BN_set_word(out.get(), word);
  return out;
}

constexpr std::uint64_t kAccessCycles = 3;

}  // namespace

int SoftBoard::reset() {
  if (no_reset) return 2;
  const std::size_t words = (config_.operand_bits() + config_.word_bits - 1) / config_.word_bits;
  for (Line& line : lines_) line.assign(words, 0);
  pending_.assign(words, 0);
  command_ = flags_ = taken_ = 0;
  done_ = stuck_ = false;
  busy_ = clearing_ = reset_cycles != 0;
  ends_ = now_ + reset_cycles;
  current_ = Fault::kNone;
  return 0;
}

void SoftBoard::flip_loaded(unsigned line, unsigned bit) {
  constexpr Bank kLoaded[] = {kR2, kM, kMhat, kMprime};
  Line& words = lines_[kLoaded[line % 4]];
  words[bit / config_.word_bits % words.size()] ^= std::uint64_t{1} << bit % config_.word_bits;
}

void SoftBoard::inject(Fault fault, int count) {
  fault_count_ = count;
  fault_ = fault;
}

Fault SoftBoard::active() {
  if (fault_ == Fault::kNone || fault_count_ == 0) return Fault::kNone;
  if (fault_count_ > 0) --fault_count_;
  return fault_;
}

int SoftBoard::bank_of(std::uint32_t addr, std::size_t* word) const {
  const unsigned bytes = config_.word_bits / 8;
  const std::size_t bank = addr >= 0x3000 ? std::size_t{kResult} : (addr - 0x1000) / 0x400;
  *word = (addr & 0x3FF) / bytes;
  if (addr < 0x1000 || addr % bytes != 0 || addr >= 0x3400 || *word >= lines_[0].size()) return -1;
  return bank >= kResult && addr < 0x3000 ? -1 : static_cast<int>(bank);
}

int SoftBoard::write(std::uint32_t addr, std::uint64_t data) {
  advance(kAccessCycles, false);
  if (fault_ == Fault::kSlvErr && fault_count_ != 0) return 1;
  if (current_ == Fault::kDead) return 2;
  if (addr == 0x28) {
    command_ = data;
  } else if (addr == 0x30) {
    if ((data & 4) != 0) flags_ = 0;
    if ((data & 2) != 0)
      for (Line& line : lines_) std::fill(line.begin(), line.end(), 0);
    if ((data & 1) != 0) start();
  } else {
    std::size_t word = 0;
    const int bank = bank_of(addr, &word);
    if (bank < 0 || bank == kResult) return 1;
    if (busy_)
      flags_ |= 2;
    else if (!(fault_ == Fault::kLost && bank == kM && word == 0))
      lines_[static_cast<std::size_t>(bank)][word] = data;
  }
  return 0;
}

int SoftBoard::read(std::uint32_t addr, std::uint64_t* data) {
  advance(kAccessCycles, false);
  if (fault_ == Fault::kSlvErr && fault_count_ != 0) return 1;
  if (current_ == Fault::kDead) return 2;
  switch (addr) {
    case 0x00:
      *data = config_.magic;
      return 0;
    case 0x08:
      *data = config_.family;
      return 0;
    case 0x10:
      *data = 0x50F7;
      return 0;
    case 0x18:
      *data = config_.width | std::uint64_t{config_.operand_bits()} << 16;
      return 0;
    case 0x20:
      *data =
          config_.word_bits | config_.window_bits << 8 | config_.constants << 16 | config_.map_version << 24;
      return 0;
    case 0x28:
      *data = command_;
      return 0;
    case 0x38:
      *data = (busy_ ? 1 : 0) | (done_ ? 2 : 0) | flags_ << 8;
      return 0;
    case 0x40:
      *data = taken_ & 0xFFFFFFFF;
      return 0;
    case 0x48:
      *data = taken_ >> 32;
      return 0;
    case 0x50:
      *data = config_.lanes;
      return 0;
    default:
      break;
  }
  std::size_t word = 0;
  if (bank_of(addr, &word) != kResult) return 1;
  *data = busy_ ? 0 : lines_[kResult][word];
  return 0;
}

int SoftBoard::advance(std::uint64_t cycles, bool until_irq) {
  if (current_ == Fault::kNever) return 2;
  if (until_irq && done_) return 0;
  const std::uint64_t target = now_ + cycles;
  if (busy_ && current_ != Fault::kHang && current_ != Fault::kDead && ends_ <= target) {
    now_ = std::max(now_, ends_);
    if (clearing_) {
      busy_ = clearing_ = false;
    } else {
      finish();
      if (until_irq) return 0;
    }
  }
  now_ = target;
  return 0;
}

void SoftBoard::start() {
  if (busy_) {
    flags_ |= 1;
    return;
  }
  current_ = active();
  stuck_ = stuck_ || current_ == Fault::kStuck;
  done_ = false;
  busy_ = true;
  started_ = now_;
  const std::uint64_t elen = command_ >> 16 & 0x1FFF;
  ends_ = now_ + (20 + elen * config_.cycles_per_bit) * (current_ == Fault::kSlow ? 100'000 : 1);
  compute();
}

void SoftBoard::finish() {
  busy_ = false;
  done_ = true;
  taken_ = ends_ - started_;
  lines_[kResult] = pending_;
}

BIGNUM* SoftBoard::number(Bank bank) const {
  const Line& line = lines_[bank];
  const unsigned word_bytes = config_.word_bits / 8;
  std::vector<unsigned char> raw(line.size() * word_bytes);
  for (std::size_t i = 0; i < raw.size(); ++i)
    raw[i] = static_cast<unsigned char>(line[i / word_bytes] >> (8 * (i % word_bytes)));
  BIGNUM* out = BN_lebin2bn(raw.data(), static_cast<int>(raw.size()), nullptr);
  OPENSSL_cleanse(raw.data(), raw.size());
  return out;
}

// Checked by definition, not by the library's formulas: mprime·M ≡ −1 (mod 2^k), mhat·2^k = mprime·M + 1, R2
// ≡ R².
bool SoftBoard::constants_right(const BIGNUM* m) const {
  const std::unique_ptr<BN_CTX, FreeCtx> ctx(BN_CTX_new());
  const Num mhat(number(kMhat)), mprime(number(kMprime)), r2(number(kR2)), mt = num(), left = num(),
                                                                           low = num();
  BN_mul(mt.get(), mprime.get(), m, ctx.get());
  BN_add_word(mt.get(), 1);
  BN_lshift(left.get(), mhat.get(), static_cast<int>(config_.radix_bits));
  BN_copy(low.get(), mt.get());
  BN_mask_bits(low.get(), static_cast<int>(config_.radix_bits));
  const Num r = num(1), square = num();
  BN_lshift(r.get(), r.get(), static_cast<int>(config_.operand_bits()));
  BN_mod_sqr(square.get(), r.get(), m, ctx.get());
  return BN_is_zero(low.get()) == 1 && BN_cmp(left.get(), mt.get()) == 0 &&
         BN_cmp(square.get(), r2.get()) == 0;
}

bool SoftBoard::legal(const BIGNUM* m) {
  if (BN_is_odd(m) == 0) flags_ |= 4;
  if (BN_is_zero(m) == 1 || BN_is_one(m) == 1) flags_ |= 8;
  if (BN_num_bits(m) > static_cast<int>(config_.width)) flags_ |= 16;
  return (flags_ & 28) == 0;
}

void SoftBoard::compute() {
  std::fill(pending_.begin(), pending_.end(), 0);
  const Num m(number(kM)), x(number(kX)), y(number(kY)), z = num();
  const std::uint64_t op = command_ & 3, mode = command_ >> 4 & 3, elen = command_ >> 16 & 0x1FFF;
  const std::unique_ptr<BN_CTX, FreeCtx> ctx(BN_CTX_new());
  if (!legal(m.get())) return;
  if (op > 2 || elen == 0 || elen > lines_[kE].size() * config_.word_bits) flags_ |= 64;
  if (current_ == Fault::kFlag ||
      (op != 0 && (BN_cmp(x.get(), m.get()) >= 0 || (op == 1 && BN_cmp(y.get(), m.get()) >= 0))))
    flags_ |= 32;
  if ((flags_ & ~3U) != 0) return;
  if (op == 0) {  // x·y·R^-1 mod Mt, not fully reduced
    const Num mt = num(), mprime(number(kMprime)), r = num(1), inverse = num();
    BN_mul(mt.get(), mprime.get(), m.get(), ctx.get());
    BN_lshift(r.get(), r.get(), static_cast<int>(config_.operand_bits()));
    BN_mod_inverse(inverse.get(), r.get(), mt.get(), ctx.get());
    BN_mod_mul(z.get(), x.get(), y.get(), mt.get(), ctx.get());
    BN_mod_mul(z.get(), z.get(), inverse.get(), mt.get(), ctx.get());
    BN_add(z.get(), z.get(), mt.get());
  } else if (op == 1) {
    BN_mod_mul(z.get(), x.get(), y.get(), m.get(), ctx.get());
  } else {
    const Num e(number(kE));
    BN_mask_bits(e.get(), static_cast<int>(mode == 2 ? config_.operand_bits() : elen));
    BN_mod_exp(z.get(), x.get(), e.get(), m.get(), ctx.get());
    // The paper's mode does not reduce.
    if (mode == 2) BN_add(z.get(), z.get(), m.get());
  }
  if (current_ == Fault::kGarbage) BN_rand_range(z.get(), m.get());
  if (current_ == Fault::kFlip) {
    const int bit = static_cast<int>(flip_++ % static_cast<unsigned>(BN_num_bits(m.get())));
    BN_is_bit_set(z.get(), bit) == 1 ? BN_clear_bit(z.get(), bit) : BN_set_bit(z.get(), bit);
  }
  if (stuck_ || !constants_right(m.get())) BN_add_word(z.get(), 1);
  std::vector<unsigned char> raw(pending_.size() * config_.word_bits / 8);
  BN_bn2lebinpad(z.get(), raw.data(), static_cast<int>(raw.size()));
  for (std::size_t i = 0; i < raw.size(); ++i)
    pending_[i * 8 / config_.word_bits] |= std::uint64_t{raw[i]} << (i * 8 % config_.word_bits);
  OPENSSL_cleanse(raw.data(), raw.size());
  if (current_ == Fault::kHuge)
    std::fill(pending_.begin(), pending_.end(), ~std::uint64_t{0} >> (64 - config_.word_bits));
}

bool SoftBoard::zeroized() const {
  return std::all_of(lines_.begin(), lines_.end(), [](const Line& line) {
    return std::all_of(line.begin(), line.end(), [](std::uint64_t word) { return word == 0; });
  });
}

bool SoftBoard::holds(const BIGNUM* wanted) const {
  for (int bank = 0; bank < kBanks; ++bank) {
    const Num found(number(static_cast<Bank>(bank)));
    if (BN_cmp(found.get(), wanted) == 0) return true;
  }
  return false;
}

namespace {

SoftBoard& soft(void* ctx) { return *static_cast<SoftBoard*>(ctx); }

int soft_read(void* ctx, std::uint32_t addr, std::uint64_t* data) { return soft(ctx).read(addr, data); }
int soft_write(void* ctx, std::uint32_t addr, std::uint64_t data) { return soft(ctx).write(addr, data); }
int soft_advance(void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
  const std::uint64_t before = soft(ctx).cycles();
  const int rc = soft(ctx).advance(cycles, until_irq != 0);
  *passed += soft(ctx).cycles() - before;
  return rc;
}
int soft_reset(void* ctx) { return soft(ctx).reset(); }
long soft_param(void* ctx, const char* name) {
  const SoftConfig& config = soft(ctx).config();
  return config.tell_radix && std::strcmp(name, "RadixBits") == 0 ? static_cast<long>(config.radix_bits) : -1;
}

}  // namespace

const perle_backend kSoftSimulated = {sizeof(perle_backend),
                                      soft_read,
                                      soft_write,
                                      soft_advance,
                                      soft_reset,
                                      soft_param,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr};
const perle_backend kSoftFree = {sizeof(perle_backend),
                                 soft_read,
                                 soft_write,
                                 nullptr,
                                 soft_reset,
                                 soft_param,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};
