// SPDX-License-Identifier: Apache-2.0
//
// Inside the library errors are exceptions; the C ABI converts them to a status and a text (see guard).
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "perle.h"

namespace perle {

class Error : public std::exception {
 public:
  Error(perle_status status, std::string text) : status_(status), text_(std::move(text)) {}
  perle_status status() const noexcept { return status_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  perle_status status_;
  std::string text_;
};

// Whether the board is at fault, not the caller or the host: another board may succeed.
constexpr bool of_board(perle_status status) { return status >= PERLE_ERR_SPEC && status <= PERLE_ERR_FAULT; }

// Throws libcrypto's last error.
[[noreturn]] void throw_crypto(const char* what);
inline void check_crypto(bool good, const char* what) {
  if (!good) throw_crypto(what);
}
void check_argument(bool good, const char* what);

void set_last_error(const std::string& text) noexcept;
perle_status current_exception_status() noexcept;

// Runs several calls even if some of them fail; raise() throws the first error.
class FirstError {
 public:
  template <typename Call>
  void keep(Call&& call) {
    try {
      call();
    } catch (...) {
      if (first_ == nullptr) first_ = std::current_exception();
    }
  }
  void raise() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

// Restores the caller's libcrypto error queue at the end of a scope.
class ErrorQueueMark {
 public:
  ErrorQueueMark();
  ~ErrorQueueMark();
  ErrorQueueMark(const ErrorQueueMark&) = delete;
  ErrorQueueMark& operator=(const ErrorQueueMark&) = delete;
};

// Runs the body of a function of the C ABI; converts exceptions to a status.
template <typename Body>
perle_status guard(Body body) noexcept {
  ErrorQueueMark mark;
  try {
    body();
    set_last_error("");
    return PERLE_OK;
  } catch (...) {
    return current_exception_status();
  }
}

}  // namespace perle
