// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <cstdarg>

namespace perle::provider {

const OSSL_ITEM kReasons[] = {
    {static_cast<unsigned>(Reason::kSetting), const_cast<char*>("setting not understood")},
    {static_cast<unsigned>(Reason::kBoards), const_cast<char*>("no board did it")},
    {static_cast<unsigned>(Reason::kQueueFull), const_cast<char*>("too many operations wait")},
    {static_cast<unsigned>(Reason::kKey), const_cast<char*>("not a key for boards")},
    {static_cast<unsigned>(Reason::kWrong), const_cast<char*>("wrong result, not released")},
    {static_cast<unsigned>(Reason::kBuffer), const_cast<char*>("buffer too small")},
    {static_cast<unsigned>(Reason::kState), const_cast<char*>("operation not prepared")},
    {static_cast<unsigned>(Reason::kSoftware), const_cast<char*>("refused by the software implementation")},
    {static_cast<unsigned>(Reason::kInternal), const_cast<char*>("internal error")},
    {static_cast<unsigned>(Reason::kBadKey), const_cast<char*>("the key gives wrong results")},
    {0, nullptr}};

Core::Core(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in) : handle_(handle) {
  for (; in->function_id != 0; ++in) {
    if (in->function_id == OSSL_FUNC_CORE_NEW_ERROR) new_error_ = OSSL_FUNC_core_new_error(in);
    if (in->function_id == OSSL_FUNC_CORE_VSET_ERROR) vset_error_ = OSSL_FUNC_core_vset_error(in);
    if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS) get_params_ = OSSL_FUNC_core_get_params(in);
    if (in->function_id == OSSL_FUNC_PROVIDER_UP_REF) up_ref_ = OSSL_FUNC_provider_up_ref(in);
  }
}

void Core::set_error(std::uint32_t reason, const char* format, ...) const noexcept {
  std::va_list args;
  va_start(args, format);
  vset_error_(handle_, reason, format, args);
  va_end(args);
}

void Core::raise(Reason reason, const char* text) const noexcept {
  if (new_error_ == nullptr || vset_error_ == nullptr) return;
  new_error_(handle_);
  set_error(static_cast<std::uint32_t>(reason), "%s", text);
}

void Core::raise_current() const noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    raise(failure.reason(), failure.what());
  } catch (const std::exception& other) {
    raise(Reason::kInternal, other.what());
  } catch (...) {
    raise(Reason::kInternal, "unknown failure");
  }
}

void Core::keep() const noexcept {
  if (up_ref_ != nullptr) up_ref_(handle_, 0);
}

bool Core::get_params(OSSL_PARAM* params) const {
  return get_params_ != nullptr && get_params_(handle_, params) == 1;
}

}  // namespace perle::provider
