// SPDX-License-Identifier: Apache-2.0
//
// The one place where results of private operations come from.
#pragma once

#include <memory>

#include "key.hpp"

namespace perle::provider {

// x^d mod n for x as long as n and below it: on a board, or by the policy in software; in either case
// checked with the public half before anybody sees it. Inside of an asynchronous job of OpenSSL another
// thread does it, and the job is paused. Throws Failure.
Bytes private_power(const std::shared_ptr<const Key>& key, ByteView x);

// An operation that is none for boards is done in software: counted. Throws Failure: no settings.
void note_declined(const Key& key);

}  // namespace perle::provider
