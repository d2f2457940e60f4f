// SPDX-License-Identifier: Apache-2.0
//
// Failures inside the provider are exceptions; at its functions they become entries of OpenSSL's error queue,
// through the core's upcalls.
#pragma once

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace perle::provider {

enum class Reason : std::uint32_t {
  kSetting = 1,  // a setting in the configuration is not understood
  kBoards,       // no board did it, and there is no fallback
  kQueueFull,    // too many operations wait, and there is no fallback
  kKey,          // a key that boards cannot take, and there is no fallback
  kWrong,        // a result was wrong, and not released
  kBuffer,       // the caller's buffer is too small
  kState,        // a function was called before the one that prepares it
  kSoftware,     // OpenSSL's own implementation failed; its errors stand before this one
  kInternal,     // out of memory, or a defect
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
// For calls of libcrypto, which has said in the queue what was wrong.
inline void want_soft(bool good, const char* text) { want(good, Reason::kSoftware, text); }

// The functions that OpenSSL hands to a provider.
class Core {
 public:
  Core(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in);
  void raise(Reason reason, const char* text) const noexcept;
  // The exception that is being handled.
  void raise_current() const noexcept;
  // Values of this provider's section of the configuration, as utf8 pointers.
  bool get_params(OSSL_PARAM* params) const;
  const OSSL_CORE_HANDLE* handle() const { return handle_; }

 private:
  void set_error(std::uint32_t reason, const char* format, ...) const noexcept;

  const OSSL_CORE_HANDLE* handle_;
  OSSL_FUNC_core_new_error_fn* new_error_ = nullptr;
  OSSL_FUNC_core_vset_error_fn* vset_error_ = nullptr;
  OSSL_FUNC_core_get_params_fn* get_params_ = nullptr;
};

// The body of a function of the provider: what it returns, or `otherwise` with an entry in the queue.
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
