// SPDX-License-Identifier: Apache-2.0
#include "key.hpp"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "rsa/key_limits.hpp"

namespace perle::provider {
namespace {

constexpr const char* kNumbers[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                    OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                    OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                    OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};

// Temporary memory for key data: excluded from core dumps, zeroized at the end.
class Sheltered {
 public:
  explicit Sheltered(std::size_t size) : size_(size) {
    data_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    // If the kernel does not support this, it is still zeroized.
    ::madvise(data_, size_, MADV_DONTDUMP);
  }
  ~Sheltered() {
    OPENSSL_cleanse(data_, size_);
    ::munmap(data_, size_);
  }
  Sheltered(const Sheltered&) = delete;
  Sheltered& operator=(const Sheltered&) = delete;
  std::uint8_t* data() const { return static_cast<std::uint8_t*>(data_); }

 private:
  std::size_t size_;
  void* data_;
};

}  // namespace

void zeroize(const OSSL_PARAM* params) {
  for (; params->key != nullptr; ++params)
    if (params->data_type == OSSL_PARAM_UNSIGNED_INTEGER) OPENSSL_cleanse(params->data, params->data_size);
}

namespace {

// Calls `use(params)` with the numbers of a key, which are zeroized afterwards. Exceptions are caught and
// rethrown: they must not pass through libcrypto.
template <typename Use>
void with_numbers(const EVP_PKEY* pkey, int selection, Use use) {
  struct State {
    Use* use;
    std::exception_ptr error;
  } state{&use, {}};
  const auto callback = [](const OSSL_PARAM* params, void* arg) -> int {
    auto& own = *static_cast<State*>(arg);
    try {
      (*own.use)(params);
    } catch (...) {
      own.error = std::current_exception();
    }
    zeroize(params);
    return own.error ? 0 : 1;
  };
  const int done = EVP_PKEY_export(pkey, selection, callback, &state);
  if (state.error) std::rethrow_exception(state.error);
  want_soft(done == 1, "the key's numbers cannot be had");
}

std::size_t length(const OSSL_PARAM* param) {
  const auto* bytes = static_cast<const std::uint8_t*>(param->data);
  std::size_t size = param->data_size;
  while (size > 0 && bytes[size - 1] == 0) --size;  // parameters are little-endian here
  return size;
}
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

unsigned bits(const OSSL_PARAM* param) {
  const std::size_t size = length(param);
  if (size == 0) return 0;
  const unsigned top = static_cast<const std::uint8_t*>(param->data)[size - 1];
  return static_cast<unsigned>(8 * size) - static_cast<unsigned>(__builtin_clz(top) - 24);
}

Bn public_number(const OSSL_PARAM* param) {
  Bytes big(length(param));
  std::reverse_copy(static_cast<const std::uint8_t*>(param->data),
                    static_cast<const std::uint8_t*>(param->data) + big.size(), big.begin());
  return Bn(ByteView(big));
}

// Converts the numbers to a key of libperle.
perle_key* numbers_for_boards(const OSSL_PARAM* params) {
  std::array<const OSSL_PARAM*, std::size(kNumbers)> found{};
  std::size_t total = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = OSSL_PARAM_locate_const(params, kNumbers[i]);
    want(found[i] != nullptr, Reason::kKey, "a number of the key is missing");
    total += length(found[i]);
  }
  const Sheltered room(total);
  std::array<perle_number, std::size(kNumbers)> at{};
  std::uint8_t* next = room.data();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t size = length(found[i]);
    const auto* from = static_cast<const std::uint8_t*>(found[i]->data);
    std::reverse_copy(from, from + size, next);
    at[i] = {next, size};
    next += size;
  }
  const perle_key_numbers numbers{sizeof numbers, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]};
  perle_key* out = nullptr;
  if (perle_key_new(&numbers, &out) != PERLE_OK) throw Failure(Reason::kKey, perle_last_error());
  return out;
}

Pkey from_numbers(Context& context, const char* type, int selection, const OSSL_PARAM* params) {
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(context.libctx.get(), type, kSoftware));
  EVP_PKEY* out = nullptr;
  const bool good = ctx != nullptr && EVP_PKEY_fromdata_init(ctx.get()) == 1 &&
                    EVP_PKEY_fromdata(ctx.get(), &out, selection, const_cast<OSSL_PARAM*>(params)) == 1;
  Pkey key(out);
  want_soft(good, "these are not the numbers of an RSA key");
  return key;
}

}  // namespace

// A key of libperle, and the process that made it.
struct Key::Loaded {
  std::uint64_t process;
  perle_key* key;
};

Key::Key(Context& context, Pkey software) : context_(context), software_(std::move(software)) {
  with_numbers(software_.get(), EVP_PKEY_KEYPAIR, [this](const OSSL_PARAM* params) {
    std::array<const OSSL_PARAM*, std::size(kNumbers)> found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = OSSL_PARAM_locate_const(params, kNumbers[i]);
    has_public_ = found[0] != nullptr && found[1] != nullptr;
    has_private_ = found[2] != nullptr;
    if (has_public_) {
      n_ = public_number(found[0]);
      e_ = public_number(found[1]);
      // Limits that OpenSSL's own implementation enforces in every operation with the public key.
      for (const std::string& why : {modulus_too_long(n_), exponent_too_long(n_, e_)})
        want(why.empty(), Reason::kKey, why.c_str());
    }
    const bool all = std::all_of(found.begin(), found.end(), [](const auto* one) { return one != nullptr; });
    if (all && OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_FACTOR3) == nullptr)
      half_bits_ = std::max(bits(found[3]), bits(found[4]));
    // The same numbers as a key of type RSA, which has no restrictions.
    if (restricted() && has_private_)
      plain_ = from_numbers(context_, "RSA", OSSL_KEYMGMT_SELECT_KEYPAIR, params);
  });
}

Key::~Key() {
  const Loaded* const loaded = loaded_.load();
  if (loaded == nullptr) return;
  // A key that the parent process made may have been forked in the middle of a change: it is leaked.
  if (loaded->process == context_.runtime.id()) perle_key_free(loaded->key);
  delete loaded;
}

std::shared_ptr<const Key> Key::import(Context& context, const char* type, int selection,
                                       const OSSL_PARAM* params) {
  return std::make_shared<const Key>(context, from_numbers(context, type, selection, params));
}

PkeyCtx Key::operation() const {
  PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(context_.libctx.get(), software(), kSoftware));
  want_soft(ctx != nullptr, "no context for the key");
  return ctx;
}

const perle_key* Key::for_boards(const Process& process) const {
  Loaded* found = loaded_.load();
  while (found == nullptr || found->process != process.id) {
    want(half_bits_ != 0, Reason::kKey, "boards want a key of two primes with all its numbers");
    auto made = std::make_unique<Loaded>(Loaded{process.id, nullptr});
    with_numbers(software(), EVP_PKEY_KEYPAIR,
                 [&](const OSSL_PARAM* params) { made->key = numbers_for_boards(params); });
    if (loaded_.compare_exchange_strong(found, made.get())) return made.release()->key;
    perle_key_free(made->key);
  }
  return found->key;
}

Bytes Key::software_power(ByteView x) const {
  EVP_PKEY* const key = plain_ != nullptr ? plain_.get() : software();
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(context_.libctx.get(), key, kSoftware));
  Bytes out(size());
  std::size_t length = out.size();
  want_soft(ctx != nullptr && EVP_PKEY_decrypt_init(ctx.get()) == 1 &&
                EVP_PKEY_CTX_set_rsa_padding(ctx.get(), RSA_NO_PADDING) == 1 &&
                EVP_PKEY_decrypt(ctx.get(), out.data(), &length, x.data(), x.size()) == 1 &&
                length == out.size(),
            "the private operation failed in software");
  return out;
}

}  // namespace perle::provider
