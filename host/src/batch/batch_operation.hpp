// SPDX-License-Identifier: Apache-2.0
//
// One private operation of a batch: its halves, where they have been, and how it ended.
#pragma once

#include <memory>
#include <set>

#include "rsa/half.hpp"

namespace perle {

class BatchOperation {
 public:
  // Throws what perle_batch_submit reports. `out` has room for n.
  BatchOperation(const Shape& shape, std::shared_ptr<const Key> key, Bn message, unsigned flags,
                 std::uint8_t* out, std::uint64_t tag);

  // Blinds, anew each time; from then on all halves are to be run.
  void prepare(const Shape& shape);
  std::size_t halves() const { return halves_.size(); }
  const Half& half(std::size_t index) const { return halves_[index]; }
  Bn base(std::size_t half) const;  // below the half's modulus

  // A half's power; returns whether it was the last one.
  bool put(std::size_t half, std::size_t board, Answer answer);
  // With all powers there: recombines, unblinds and checks. False: it is wrong, and was not kept.
  bool complete();
  // After a wrong result: whether the key is in order, by software (confirm_key).
  bool key_in_order() const;
  // Boards that gave a power, and of these the ones whose power was wrong.
  std::vector<std::size_t> boards() const;
  std::vector<std::size_t> culprits() const;

  // Ends with an error, for good.
  void fail(perle_status status, const std::string& why);
  bool over() const { return over_; }
  perle_status status() const { return status_; }
  // Writes the result to the caller's buffer.
  void report(perle_batch_done& done);

  std::set<std::size_t> avoid;  // boards that failed it
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
