// SPDX-License-Identifier: Apache-2.0
#include "batch/batch_operation.hpp"

#include <algorithm>

#include "rsa/rsa.hpp"

namespace perle {

BatchOperation::BatchOperation(const Shape& shape, std::shared_ptr<const Key> key, Bn message, unsigned flags,
                               std::uint8_t* out, std::uint64_t tag)
    : key_(std::move(key)), message_(std::move(message)), flags_(flags), out_(out), tag_(tag) {
  need_private(*key_);
  if (!(message_ < key_->n()))
    throw Error(PERLE_ERR_OPERAND_RANGE, "the message is not below the key's modulus");
  // Checks that the boards can do it. The constants that this derives are kept in the key.
  for (const Half& half : halves_of(shape, *key_, (flags_ & PERLE_RSA_BLIND_EXPONENT) != 0))
    public_width(shape, half);
}

void BatchOperation::prepare(const Shape& shape) {
  const bool plain = (flags_ & PERLE_RSA_NO_BLINDING) != 0;
  blinding_ = plain ? Blinding{Bn(1), Bn(1)} : key_->blinding();
  base_ = Arithmetic().mulmod(message_, blinding_.factor, key_->n());
  halves_ = halves_of(shape, *key_, (flags_ & PERLE_RSA_BLIND_EXPONENT) != 0);
  powers_.assign(halves_.size(), {});
}

Bn BatchOperation::base(std::size_t half) const {
  return Arithmetic().mod(base_, halves_[half].modulus->m());
}

bool BatchOperation::put(std::size_t half, std::size_t board, Answer answer) {
  powers_[half] = {std::move(answer.value), board, true};
  cycles_ += answer.cycles;
  return std::all_of(powers_.begin(), powers_.end(), [](const Power& power) { return power.there; });
}

bool BatchOperation::complete() {
  std::vector<const Bn*> powers;
  for (const Power& power : powers_) powers.push_back(&power.value);
  const auto result = unblinded_if_right(*key_, base_, recombine(*key_, powers), blinding_);
  if (!result) return false;
  result_ = result->to_bytes(key_->size());
  over_ = true;
  return true;
}

bool BatchOperation::key_in_order() const { return confirm_key(*key_, base_); }

std::vector<std::size_t> BatchOperation::boards() const {
  std::vector<std::size_t> out;
  for (const Power& power : powers_) out.push_back(power.board);
  return out;
}

std::vector<std::size_t> BatchOperation::culprits() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < powers_.size(); ++i)
    if (!right_power(*key_, halves_[i], base_, powers_[i].value)) out.push_back(powers_[i].board);
  return out;
}

void BatchOperation::fail(perle_status status, const std::string& why) {
  over_ = true;
  status_ = status;
  why_ = why;
}

void BatchOperation::report(perle_batch_done& done) {
  done = {};
  done.tag = tag_;
  done.cycles = cycles_;
  done.length = result_.size();
  done.status = status_;
  done.repeats = repeats;
  why_.copy(done.message, sizeof done.message - 1);
  std::copy(result_.begin(), result_.end(), out_);
}

}  // namespace perle
