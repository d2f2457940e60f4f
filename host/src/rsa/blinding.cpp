// SPDX-License-Identifier: Apache-2.0
//
// Base blinding. A modular inverse in constant time takes longer than all other work of the host per
// operation. Therefore, as in libcrypto, a new random pair is used for 32 operations, and squared between
// them.
#include "rsa/key.hpp"

namespace perle {
namespace {

constexpr int kUsesOfAPair = 32;

Blinding fresh(const Key& key, const Arithmetic& math) {
  for (int attempt = 0; attempt < 32; ++attempt) {
    Bn r, inverse;
    check_crypto(BN_priv_rand_range(r.get(), key.n().get()) == 1, "random number");
    r.secret();
    if (math.inverse(r, key.n(), inverse)) return {math.modexp(r, key.e(), key.n()), std::move(inverse)};
  }
  throw Error(PERLE_ERR_CRYPTO, "no random number has an inverse modulo n");
}

}  // namespace

Blinding Key::blinding() const {
  const NoFork whole;
  const std::scoped_lock lock(mutex_);
  const Arithmetic math;
  if (!blinding_ || !blinding_made_.here() || blinding_uses_ >= kUsesOfAPair) {
    blinding_ = fresh(*this, math);
    blinding_uses_ = 0;
    blinding_made_ = {};
  } else {
    blinding_ = Blinding{math.mulmod(blinding_->factor, blinding_->factor, n()),
                         math.mulmod(blinding_->inverse, blinding_->inverse, n())};
  }
  ++blinding_uses_;
  return *blinding_;
}

}  // namespace perle
