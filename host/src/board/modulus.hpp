// SPDX-License-Identifier: Apache-2.0
//
// A checked modulus with its constants for boards of one shape, as words ready to be written.
#pragma once

#include <cstdint>

#include "family/family.hpp"

namespace perle {

class Modulus {
 public:
  // Throws PERLE_ERR_MODULUS_*, PERLE_ERR_WIDTH. `what` names it in errors.
  Modulus(const Shape& shape, Bn m, const char* what);

  std::uint64_t id() const { return id_; }  // never 0, never reused in a process
  const Shape& shape() const { return shape_; }
  const Bn& m() const { return m_; }
  const Bn& bound() const { return bound_; }
  unsigned r_exp() const { return r_exp_; }
  const Words& r2() const { return r2_; }
  const std::vector<Words>& constants() const { return constants_; }  // M first

 private:
  std::uint64_t id_;
  Shape shape_;
  Bn m_, bound_;
  unsigned r_exp_;
  Words r2_;
  std::vector<Words> constants_;
};

}  // namespace perle
