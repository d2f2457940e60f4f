// SPDX-License-Identifier: Apache-2.0
//
// The provider's entry point, and the algorithms that it offers.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <memory>
#include <mutex>
#include <vector>

#include "async.hpp"
#include "context.hpp"

namespace perle::provider {
namespace {

// The provider has a property of its own (OpenSSL requires a dot in new names): programs that ask for
// `provider!=fips`, such as stunnel, override a default property query on "provider", but not one on this.
constexpr char kProperties[] = "provider=perle,perle.boards=yes";
constexpr char kRsa[] = "RSA:rsaEncryption:1.2.840.113549.1.1.1";
constexpr char kPss[] = "RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10";

const OSSL_ALGORITHM kKeymgmts[] = {{kRsa, kProperties, kKeymgmtRsa, "RSA on Perle boards"},
                                    {kPss, kProperties, kKeymgmtPss, "RSA-PSS on Perle boards"},
                                    {nullptr, nullptr, nullptr, nullptr}};
const OSSL_ALGORITHM kSignatures[] = {{kRsa, kProperties, kSignature, "RSA on Perle boards"},
                                      {nullptr, nullptr, nullptr, nullptr}};
const OSSL_ALGORITHM kCiphers[] = {{kRsa, kProperties, kCipher, "RSA on Perle boards"},
                                   {nullptr, nullptr, nullptr, nullptr}};
const OSSL_ALGORITHM kKems[] = {{kRsa, kProperties, kKem, "RSA on Perle boards"},
                                {nullptr, nullptr, nullptr, nullptr}};

const OSSL_ALGORITHM* query(void*, int operation, int* no_store) {
  *no_store = 0;
  switch (operation) {
    case OSSL_OP_KEYMGMT:
      return kKeymgmts;
    case OSSL_OP_SIGNATURE:
      return kSignatures;
    case OSSL_OP_ASYM_CIPHER:
      return kCiphers;
    case OSSL_OP_KEM:
      return kKems;
    default:
      return nullptr;
  }
}

// The contexts that have not been torn down. Never destroyed: global destructors of a program may free keys.
struct Loaded {
  std::mutex mutex;
  std::vector<Context*> contexts;
};
Loaded& loaded() {
  static auto* const kLoaded = new Loaded;
  return *kLoaded;
}

void teardown(void* provctx) {
  join_workers();
  {
    const std::scoped_lock lock(loaded().mutex);
    std::erase(loaded().contexts, &context(provctx));
  }
  delete &context(provctx);
}

#if OPENSSL_VERSION_MAJOR < 4
// Before libcrypto cleans up at exit: waits for jobs in flight, and closes boards. Keys of the program's
// global objects are freed after that; the last one would tear the provider down, which needs libcrypto. So
// it stays.
void at_exit() {
  join_workers();
  // A child of fork() may have inherited the lock from a thread that it does not have.
  const std::unique_lock lock(loaded().mutex, std::try_to_lock);
  if (!lock) return;
  for (Context* const one : loaded().contexts) {
    one->core.keep();
    one->runtime.close();
  }
}
#endif

const OSSL_PARAM* gettable(void*) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, nullptr, 0),
                                       OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, nullptr, 0),
                                       OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, nullptr, 0),
                                       OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, nullptr), OSSL_PARAM_END};
  return kParams;
}

int get_params(void* provctx, OSSL_PARAM params[]) {
  const auto text = [&](const char* name, const char* value) {
    OSSL_PARAM* const param = OSSL_PARAM_locate(params, name);
    return param == nullptr || OSSL_PARAM_set_utf8_ptr(param, value) == 1;
  };
  OSSL_PARAM* const status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
  return text(OSSL_PROV_PARAM_NAME, "RSA on Perle boards") && text(OSSL_PROV_PARAM_VERSION, PERLE_VERSION) &&
                 text(OSSL_PROV_PARAM_BUILDINFO, "perle " PERLE_VERSION) &&
                 (status == nullptr ||
                  OSSL_PARAM_set_int(status, context(provctx).refused.empty() ? 1 : 0) == 1)
             ? 1
             : 0;
}

const OSSL_ITEM* reasons(void*) { return kReasons; }

const OSSL_DISPATCH kProvider[] = {
    entry(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),          entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    entry(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),   entry(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    entry(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, reasons), {0, nullptr}};

void secure_heap(std::size_t size) {
  constexpr std::size_t kSmallestBlock = 32;
  if (size != 0 && CRYPTO_secure_malloc_initialized() == 0 &&
      CRYPTO_secure_malloc_init(size, kSmallestBlock) == 0)
    throw Failure(Reason::kSetting, "perle: secure_heap: there is no memory of that size to be locked");
}

// The reason is also put into the error queue, for programs that load the provider explicitly.
Settings settings_or_reason(const Core& core, std::string& refused) {
  try {
    Settings settings = read_settings(core);
    secure_heap(settings.secure_heap);
    return settings;
  } catch (const Failure& failure) {
    refused = failure.what();
    core.raise_current();
    return {};
  }
}

}  // namespace

Context::Context(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in)
    : core(handle, in),
      settings(settings_or_reason(core, refused)),
      libctx(OSSL_LIB_CTX_new_child(handle, in)),
      software(libctx == nullptr ? nullptr : OSSL_PROVIDER_load(libctx.get(), "default")),
      runtime(settings) {
  want(software != nullptr, Reason::kInternal, "perle: the default provider does not load");
}

}  // namespace perle::provider

extern "C" __attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE* handle,
                                                                         const OSSL_DISPATCH* in,
                                                                         const OSSL_DISPATCH** out,
                                                                         void** provctx) {
  using perle::provider::Context;
  const perle::provider::Core core(handle, in);
  return perle::provider::guard(core, 0, [&] {
    auto made = std::make_unique<Context>(handle, in);
#if OPENSSL_VERSION_MAJOR < 4
    // OpenSSL 4 has no OPENSSL_atexit: it cleans up when it is unloaded, after the exit handler of async.cpp.
    static const int registered = OPENSSL_atexit(perle::provider::at_exit);
    perle::provider::want(registered == 1, perle::provider::Reason::kInternal,
                          "perle: no room for a step at exit");
#endif
    {
      const std::scoped_lock lock(perle::provider::loaded().mutex);
      perle::provider::loaded().contexts.push_back(made.get());
    }
    *out = perle::provider::kProvider;
    *provctx = made.release();
    return 1;
  });
}
