// SPDX-License-Identifier: Apache-2.0
#include "family/family.hpp"

namespace perle {

const Family& family_of(std::uint32_t id) {
  static const Family* const kFamilies[] = {&kOrup,   &kIterative, &kBitSystolic, &kScalable, &kKaratsuba,
                                            &kStream, &kLowlat,    &kTile,        &kCarrySave};
  for (const Family* family : kFamilies)
    if (family->id == id) return *family;
  throw Error(PERLE_ERR_FAMILY,
              "the board carries core family " + std::to_string(id) + ", unknown to this library");
}

}  // namespace perle
