// SPDX-License-Identifier: Apache-2.0
#include "api/error.hpp"

#include <openssl/err.h>

#include <array>
#include <new>

namespace perle {
namespace {

struct Meaning {
  perle_status status;
  const char* name;
  const char* text;
};

#define PERLE_MEANING(status, text) {status, #status, text}
constexpr std::array kMeanings = {
    Meaning PERLE_MEANING(PERLE_OK, "success"),
    Meaning PERLE_MEANING(PERLE_ERR_ARGUMENT, "bad argument"),
    Meaning PERLE_MEANING(PERLE_ERR_MEMORY, "out of memory"),
    Meaning PERLE_MEANING(PERLE_ERR_CRYPTO, "libcrypto failed"),
    Meaning PERLE_MEANING(PERLE_ERR_BUFFER, "buffer of the wrong size"),
    Meaning PERLE_MEANING(PERLE_ERR_SPEC, "board specification not understood"),
    Meaning PERLE_MEANING(PERLE_ERR_BOARD_ABSENT, "no such board"),
    Meaning PERLE_MEANING(PERLE_ERR_BOARD_LOAD, "the board's shared object does not load"),
    Meaning PERLE_MEANING(PERLE_ERR_BOARD_ID, "not a known Perle board"),
    Meaning PERLE_MEANING(PERLE_ERR_FAMILY, "unknown core family"),
    Meaning PERLE_MEANING(PERLE_ERR_BUS, "bus access failed"),
    Meaning PERLE_MEANING(PERLE_ERR_TIMEOUT, "the board did not finish in time"),
    Meaning PERLE_MEANING(PERLE_ERR_BOARD_FLAG, "the board flagged an error"),
    Meaning PERLE_MEANING(PERLE_ERR_FAULT, "wrong result of the board, not released"),
    Meaning PERLE_MEANING(PERLE_ERR_UNSUPPORTED, "not possible with this board"),
    Meaning PERLE_MEANING(PERLE_ERR_MODULUS_EVEN, "even modulus"),
    Meaning PERLE_MEANING(PERLE_ERR_MODULUS_ZERO, "modulus is zero"),
    Meaning PERLE_MEANING(PERLE_ERR_MODULUS_ONE, "modulus is one"),
    Meaning PERLE_MEANING(PERLE_ERR_WIDTH, "wider than the board"),
    Meaning PERLE_MEANING(PERLE_ERR_OPERAND_RANGE, "operand not below the modulus"),
    Meaning PERLE_MEANING(PERLE_ERR_EXPONENT_EMPTY, "empty exponent"),
    Meaning PERLE_MEANING(PERLE_ERR_EXPONENT_WIDE, "exponent too wide"),
    Meaning PERLE_MEANING(PERLE_ERR_MODE, "undefined mode"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_FORMAT, "not a key in PEM or DER"),
    Meaning PERLE_MEANING(PERLE_ERR_PASSPHRASE_NEEDED, "the key needs a passphrase"),
    Meaning PERLE_MEANING(PERLE_ERR_PASSPHRASE, "wrong passphrase"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_TYPE, "not a plain RSA key"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_MULTIPRIME, "RSA key of more than two primes"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_INCONSISTENT, "inconsistent key"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_PUBLIC, "a private key is needed"),
    Meaning PERLE_MEANING(PERLE_ERR_KEY_WRONG, "the key gives wrong results"),
    Meaning PERLE_MEANING(PERLE_ERR_PADDING, "padding not for this operation"),
    Meaning PERLE_MEANING(PERLE_ERR_HASH, "unknown hash"),
    Meaning PERLE_MEANING(PERLE_ERR_DIGEST_LENGTH, "wrong digest length"),
    Meaning PERLE_MEANING(PERLE_ERR_MESSAGE_LENGTH, "wrong message length"),
    Meaning PERLE_MEANING(PERLE_ERR_SIGNATURE, "wrong signature"),
    Meaning PERLE_MEANING(PERLE_ERR_DECRYPT, "decryption failed"),
    Meaning PERLE_MEANING(PERLE_ERR_QUEUE_FULL, "the batch is full"),
};
#undef PERLE_MEANING

const Meaning* find(int status) {
  for (const Meaning& meaning : kMeanings)
    if (meaning.status == status) return &meaning;
  return nullptr;
}

// Fixed storage: reporting "out of memory" must not need any.
thread_local std::array<char, 512> last_error{};

}  // namespace

void set_last_error(const std::string& text) noexcept {
  const std::size_t length = text.copy(last_error.data(), last_error.size() - 1);
  last_error[length] = '\0';
}

perle_status current_exception_status() noexcept {
  const auto report = [](perle_status status, const char* text) {
    std::size_t i = 0;
    for (; text[i] != '\0' && i + 1 < last_error.size(); ++i) last_error[i] = text[i];
    last_error[i] = '\0';
    return status;
  };
  try {
    throw;
  } catch (const Error& error) {
    return report(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return report(PERLE_ERR_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return report(PERLE_ERR_CRYPTO, error.what());
  } catch (...) {  // thrown by a function of the caller's backend
    return report(PERLE_ERR_CRYPTO, "an exception that is none of the library's");
  }
}

void throw_crypto(const char* what) {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  if (code != 0 && ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE) throw std::bad_alloc();
  throw Error(PERLE_ERR_CRYPTO, std::string(what) + ": " + (reason == nullptr ? "libcrypto failed" : reason));
}

void check_argument(bool good, const char* what) {
  if (!good) throw Error(PERLE_ERR_ARGUMENT, what);
}

ErrorQueueMark::ErrorQueueMark() { ERR_set_mark(); }
ErrorQueueMark::~ErrorQueueMark() { ERR_pop_to_mark(); }

}  // namespace perle

const char* perle_status_name(int status) {
  const auto* meaning = perle::find(status);
  return meaning == nullptr ? "?" : meaning->name;
}

const char* perle_strerror(int status) {
  const auto* meaning = perle::find(status);
  return meaning == nullptr ? "?" : meaning->text;
}

const char* perle_last_error(void) { return perle::last_error.data(); }

unsigned perle_api_version(void) { return PERLE_API_VERSION; }
