// SPDX-License-Identifier: Apache-2.0
//
// Inside the provider failures are exceptions; its functions convert them to entries of OpenSSL's error
// queue, through upcalls of the core.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace perle::provider {

enum class Reason : std::uint32_t {
  kSetting = 1,  // invalid setting in the configuration
  kBoards,       // no board could do the operation, and there is no fallback
  kQueueFull,    // too many operations are waiting, and there is no fallback
  kKey,          // the boards do not support the key, and there is no fallback
  kWrong,        // a result was wrong; it was not released
  kBuffer,       // the caller's buffer is too small
  kState,        // a function was called before the one that initializes the operation
  kSoftware,     // OpenSSL's own implementation failed; its errors precede this one in the queue
  kInternal,     // out of memory, or a bug
  kBadKey,       // the key gives wrong results, in software too
};
extern const OSSL_ITEM kReasons[];

class Failure : public std::exception {
 public:
  Failure(Reason reason, std::string text) : reason_(reason), text_(std::move(text)) {}
  Reason reason() const noexcept { return reason_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Reason reason_;
  std::string text_;
};

inline void want(bool good, Reason reason, const char* text) {
  if (!good) throw Failure(reason, text);
}
// For calls of libcrypto, which has put the details into the queue.
inline void want_soft(bool good, const char* text) { want(good, Reason::kSoftware, text); }

// The upcalls that OpenSSL passes to a provider.
class Core {
 public:
  Core(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in);
  void raise(Reason reason, const char* text) const noexcept;
  // Puts the exception that is being handled into the error queue.
  void raise_current() const noexcept;
  // Gets values of this provider's section of the configuration, as UTF-8 pointers.
  bool get_params(OSSL_PARAM* params) const;
  const OSSL_CORE_HANDLE* handle() const { return handle_; }
  // Takes a reference to the provider, so that OpenSSL does not tear it down.
  void keep() const noexcept;

 private:
  void set_error(std::uint32_t reason, const char* format, ...) const noexcept;

  const OSSL_CORE_HANDLE* handle_;
  OSSL_FUNC_core_new_error_fn* new_error_ = nullptr;
  OSSL_FUNC_core_vset_error_fn* vset_error_ = nullptr;
  OSSL_FUNC_core_get_params_fn* get_params_ = nullptr;
  OSSL_FUNC_provider_up_ref_fn* up_ref_ = nullptr;
};

// Runs the body of a function of the provider: returns its result, or after an exception `otherwise`, with an
// entry in the error queue.
template <typename Result, typename Body>
Result guard(const Core& core, Result otherwise, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    core.raise_current();
    return otherwise;
  }
}

}  // namespace perle::provider
