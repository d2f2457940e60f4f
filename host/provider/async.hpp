// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL's asynchronous jobs: the application continues with other work while a board computes.
#pragma once

#include <functional>

#include "rsa/bn.hpp"

namespace perle::provider {

bool in_async_job();
// Runs `work` in a new thread while the job is paused; returns its result or throws its exception. The job
// may be abandoned while it is paused, so the thread uses nothing on the job's stack.
Bytes await(std::function<Bytes()> work);
// Waits for the threads of abandoned jobs, which use the provider and libcrypto.
extern "C" void join_workers() noexcept;

}  // namespace perle::provider
