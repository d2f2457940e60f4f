// SPDX-License-Identifier: Apache-2.0
//
// Board specifications, which are checked but not opened: each is accepted, or refused with a message.
#include <string>

#include "perle.h"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string spec(reinterpret_cast<const char*>(data), size);
  const perle_status status = perle_spec_check(spec.c_str());
  HOLDS(status == PERLE_OK || status == PERLE_ERR_SPEC || status == PERLE_ERR_BOARD_ABSENT ||
        status == PERLE_ERR_BOARD_LOAD);
  HOLDS(status == PERLE_OK || perle_last_error()[0] != '\0');
  return 0;
}
