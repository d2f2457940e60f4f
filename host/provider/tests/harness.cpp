// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "perle.h"

extern "C" int OSSL_provider_init(const OSSL_CORE_HANDLE*, const OSSL_DISPATCH*, const OSSL_DISPATCH**,
                                  void**);

namespace perle::provider::testing {

Host::Host(const Pairs& settings, const std::string& softboard) : ctx_(OSSL_LIB_CTX_new()) {
  std::string name = (std::filesystem::temp_directory_path() / "perle-provider-XXXXXX").string();
  folder_ = ::mkdtemp(name.data());
  ::setenv("SOFTBOARD", softboard.c_str(), 1);
  Pairs all = {{"boards", std::string("sim:") + std::getenv("SOFTBOARD_SO")}, {"status", folder_}};
  for (const auto& [key, value] : settings) all[key] = value;
  const std::string file = folder_ + "/openssl.cnf";
  std::ofstream out(file);
  out << "config_diagnostics = 1\nopenssl_conf = init\n[init]\nproviders = list\nalg_section = "
         "algorithms\n[list]\n"
      << "default = one\nperle = two\n[one]\nactivate = 1\n[two]\nactivate = 1\n";
  for (const auto& [key, value] : all) out << key << " = " << value << "\n";
  out << "[algorithms]\ndefault_properties = ?perle.boards=yes\n";
  out.close();
  ERR_clear_error();
  OSSL_PROVIDER_add_builtin(ctx_.get(), "perle", OSSL_provider_init);
  CHECK(OSSL_LIB_CTX_load_config(ctx_.get(), file.c_str()) == 1 &&
        OSSL_PROVIDER_available(ctx_.get(), "perle") == 1);
  // Its status is 0 where the settings were refused.
  OSSL_PROVIDER* const again = OSSL_PROVIDER_load(ctx_.get(), "perle");
  OSSL_PARAM status[] = {OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &status_),
                         OSSL_PARAM_construct_end()};
  CHECK_EQ(OSSL_PROVIDER_get_params(again, status), 1);
  OSSL_PROVIDER_unload(again);
  error_queue();
}

Host::~Host() {
  ctx_.reset();
  if (mapped_ != nullptr) ::munmap(mapped_, sizeof(StatusData));
  // Whoever ends leaves no page.
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (entry.path().extension() == ".status") CHECK(!"a page of status was left");
  std::filesystem::remove_all(folder_);
}

const StatusData* Host::page() const {
  if (mapped_ != nullptr) return static_cast<const StatusData*>(mapped_);
  const std::string file = folder_ + "/" + std::to_string(::getpid());
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().string().rfind(file + "-", 0) != 0) continue;
    const int fd = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    void* const data = ::mmap(nullptr, sizeof(StatusData), PROT_READ, MAP_SHARED, fd, 0);
    ::close(fd);
    if (data != MAP_FAILED) mapped_ = data;
  }
  return static_cast<const StatusData*>(mapped_);
}

std::string error_queue() {
  std::string out;
  const char *data = nullptr, *file = nullptr, *function = nullptr;
  int line = 0, flags = 0;
  while (const unsigned long code = ERR_get_error_all(&file, &line, &function, &data, &flags)) {
    const char* const reason = ERR_reason_error_string(code);
    out += std::string(reason == nullptr ? "" : reason) + ": " + ((flags & ERR_TXT_STRING) != 0 ? data : "") +
           "\n";
  }
  return out;
}

EVP_PKEY* made(unsigned bits, unsigned primes, const char* type) {
  static std::map<std::string, Pkey> all;
  Pkey& key = all[std::to_string(bits) + "-" + std::to_string(primes) + type];
  if (key != nullptr) return key.get();
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_keygen_init(ctx.get()), 1);
  CHECK(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx.get(), static_cast<int>(bits)) > 0);
  if (primes != 2) CHECK(EVP_PKEY_CTX_set_rsa_keygen_primes(ctx.get(), static_cast<int>(primes)) > 0);
  CHECK_EQ(EVP_PKEY_generate(ctx.get(), &out), 1);
  key.reset(out);
  return out;
}

Pkey moved(EVP_PKEY* key, OSSL_LIB_CTX* to, int selection) {
  OSSL_PARAM* params = nullptr;
  EVP_PKEY* out = nullptr;
  CHECK_EQ(EVP_PKEY_todata(key, selection, &params), 1);
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(to, EVP_PKEY_get0_type_name(key), nullptr));
  CHECK_EQ(EVP_PKEY_fromdata_init(ctx.get()), 1);
  EVP_PKEY_fromdata(ctx.get(), &out, selection, params);
  OSSL_PARAM_free(params);
  return Pkey(out);
}

bool is_perles(const EVP_PKEY* key) {
  const OSSL_PROVIDER* const owner = EVP_PKEY_get0_provider(key);
  return owner != nullptr && std::string(OSSL_PROVIDER_get0_name(owner)) == "perle";
}

namespace {

bool adjust(EVP_PKEY_CTX* ctx, const How& how) {
  if (how.padding != RSA_PKCS1_PADDING && EVP_PKEY_CTX_set_rsa_padding(ctx, how.padding) <= 0) return false;
  if (how.padding == RSA_PKCS1_PSS_PADDING && EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, how.salt) <= 0)
    return false;
  return how.mgf1 == nullptr || EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx, how.mgf1, nullptr) > 0;
}

using Operation = int (*)(EVP_PKEY_CTX*, unsigned char*, std::size_t*, const unsigned char*, std::size_t);

Data apply(Operation operation, EVP_PKEY_CTX* ctx, const Data& in) {
  std::size_t size = 0;
  if (operation(ctx, nullptr, &size, in.data(), in.size()) <= 0) return {};
  Data out(size);
  if (operation(ctx, out.data(), &size, in.data(), in.size()) <= 0) return {};
  out.resize(size);
  return out;
}

}  // namespace

Data sign(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& message) {
  const MdCtx md(EVP_MD_CTX_new());
  EVP_PKEY_CTX* inner = nullptr;
  if (EVP_DigestSignInit_ex(md.get(), &inner, how.hash, ctx, nullptr, key, nullptr) != 1 ||
      !adjust(inner, how) || EVP_DigestSignUpdate(md.get(), message.data(), message.size()) != 1)
    return {};
  std::size_t size = 0;
  if (EVP_DigestSignFinal(md.get(), nullptr, &size) != 1) return {};
  Data out(size);
  if (EVP_DigestSignFinal(md.get(), out.data(), &size) != 1) return {};
  out.resize(size);
  return out;
}

bool verifies(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& message, const Data& signature) {
  const MdCtx md(EVP_MD_CTX_new());
  EVP_PKEY_CTX* inner = nullptr;
  How other = how;
  if (how.salt == RSA_PSS_SALTLEN_MAX) other.salt = RSA_PSS_SALTLEN_AUTO;
  return EVP_DigestVerifyInit_ex(md.get(), &inner, how.hash, ctx, nullptr, key, nullptr) == 1 &&
         adjust(inner, other) && EVP_DigestVerifyUpdate(md.get(), message.data(), message.size()) == 1 &&
         EVP_DigestVerifyFinal(md.get(), signature.data(), signature.size()) == 1;
}

Data sign_digest(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const How& how, const Data& digest) {
  const PkeyCtx own(EVP_PKEY_CTX_new_from_pkey(ctx, key, nullptr));
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST,
                                       const_cast<char*>(how.hash == nullptr ? "" : how.hash), 0),
      OSSL_PARAM_construct_end()};
  // The hash first: X9.31 wants to see it.
  if (EVP_PKEY_sign_init(own.get()) != 1 ||
      (how.hash != nullptr && EVP_PKEY_CTX_set_params(own.get(), params) != 1) || !adjust(own.get(), how))
    return {};
  return apply(EVP_PKEY_sign, own.get(), digest);
}

Data encrypt(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const Adjust& adjust, const Data& message) {
  const PkeyCtx own(EVP_PKEY_CTX_new_from_pkey(ctx, key, nullptr));
  if (EVP_PKEY_encrypt_init(own.get()) != 1 || !adjust(own.get())) return {};
  return apply(EVP_PKEY_encrypt, own.get(), message);
}

Data decrypt(EVP_PKEY* key, OSSL_LIB_CTX* ctx, const Adjust& adjust, const Data& ciphertext) {
  const PkeyCtx own(EVP_PKEY_CTX_new_from_pkey(ctx, key, nullptr));
  if (EVP_PKEY_decrypt_init(own.get()) != 1 || !adjust(own.get())) return {};
  return apply(EVP_PKEY_decrypt, own.get(), ciphertext);
}

Data random(std::size_t size) {
  Data out(size);
  RAND_bytes(out.data(), static_cast<int>(size));
  return out;
}

}  // namespace perle::provider::testing
