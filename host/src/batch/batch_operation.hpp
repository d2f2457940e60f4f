// SPDX-License-Identifier: Apache-2.0
//
// One private operation of a batch: its halves, the boards they ran on, and its result.
#pragma once

#include <memory>
#include <set>

#include "rsa/half.hpp"

namespace perle {

class BatchOperation {
 public:
  // Throws the errors of perle_batch_submit. `out` has as many bytes as n.
  BatchOperation(const Shape& shape, std::shared_ptr<const Key> key, Bn message, unsigned flags,
                 std::uint8_t* out, std::uint64_t tag);

  // Blinds the message, differently in every call; then all halves must be run.
  void prepare(const Shape& shape);
  std::size_t halves() const { return halves_.size(); }
  const Half& half(std::size_t index) const { return halves_[index]; }
  Bn base(std::size_t half) const;  // below the half's modulus

  // Stores the power of a half; returns whether all halves are complete.
  bool put(std::size_t half, std::size_t board, Answer answer);
  // When all halves are complete: recombines, unblinds and checks. False: the result is wrong and was
  // discarded.
  bool complete();
  // After a wrong result: whether the key gives a right one in software (confirm_key).
  bool key_in_order() const;
  // The boards that computed the powers, and those of them whose power was wrong.
  std::vector<std::size_t> boards() const;
  std::vector<std::size_t> culprits() const;

  // Ends with an error, for good.
  void fail(perle_status status, const std::string& why);
  bool over() const { return over_; }
  perle_status status() const { return status_; }
  // Writes the result to the caller's buffer.
  void report(perle_batch_done& done);

  std::set<std::size_t> avoid;  // boards that failed for this operation
  unsigned repeats = 0;         // halves run again
  unsigned wrong = 0;           // results that were wrong

 private:
  std::shared_ptr<const Key> key_;
  Bn message_;
  unsigned flags_;
  std::uint8_t* out_;
  std::uint64_t tag_;
  Blinding blinding_;
  Bn base_;
  std::vector<Half> halves_;
  struct Power {
    Bn value;
    std::size_t board;
    bool there = false;
  };
  std::vector<Power> powers_;
  std::uint64_t cycles_ = 0;
  bool over_ = false;
  perle_status status_ = PERLE_OK;
  std::string why_;
  Bytes result_;
};

}  // namespace perle
