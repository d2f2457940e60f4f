// SPDX-License-Identifier: Apache-2.0
//
// Private powers: all results of private operations come from here.
#pragma once

#include <memory>

#include "key.hpp"

namespace perle::provider {

// x^d mod n for x as long as n and less than n: on a board, or in software if the settings allow this
// fallback. In both cases the result is checked with the public exponent before it is released. In an
// asynchronous job of OpenSSL another thread does the work while the job is paused. Throws Failure.
Bytes private_power(const std::shared_ptr<const Key>& key, ByteView x);

// Counts an operation that boards do not support and software does. Throws Failure if the settings are
// invalid.
void note_declined(const Key& key);

// Counts an operation whose message could not be encoded for boards, which software does. Throws Failure if
// the settings are invalid or do not allow this fallback.
void note_not_encoded(const Key& key, const char* why);

}  // namespace perle::provider
