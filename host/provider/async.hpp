// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL's asynchronous jobs: the application goes on with something else while a board works.
#pragma once

#include <functional>

#include "rsa/bn.hpp"

namespace perle::provider {

bool in_async_job();
// Runs `work` in a thread of its own while the job is paused; returns or throws what it does. The job may be
// given up while it is paused: nothing that the thread touches is on the job's stack.
Bytes await(std::function<Bytes()> work);
// Waits for the threads of jobs that were given up: they use the provider, and libcrypto.
extern "C" void join_workers() noexcept;

}  // namespace perle::provider
