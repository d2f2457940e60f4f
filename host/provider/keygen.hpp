// SPDX-License-Identifier: Apache-2.0
//
// Key generation, by the software implementation.
#pragma once

#include "key.hpp"

namespace perle::provider {

void* start_generation(void* provctx, const char* type, const OSSL_PARAM params[]);
// There are no parameters that could be generated without a key.
template <const char* Type>
void* generate_init(void* provctx, int selection, const OSSL_PARAM params[]) {
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 ? nullptr : start_generation(provctx, Type, params);
}
int generate_set_params(void* genctx, const OSSL_PARAM params[]);
const OSSL_PARAM* generate_settable_rsa(void* genctx, void* provctx);
const OSSL_PARAM* generate_settable_pss(void* genctx, void* provctx);
void* generate(void* genctx, OSSL_CALLBACK* progress, void* arg);
void generate_cleanup(void* genctx);

}  // namespace perle::provider
