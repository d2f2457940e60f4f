// SPDX-License-Identifier: Apache-2.0
#include "power.hpp"

#include <algorithm>
#include <random>

#include "async.hpp"

namespace perle::provider {
namespace {

// Flips a bit of the result with the configured probability, to test the check.
void spoil(const Settings& settings, StatusPage& page, Bytes& result) {
  thread_local std::minstd_rand random{std::random_device{}()};
  if (std::uniform_real_distribution<>()(random) >= settings.inject) return;
  result[random() % result.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
  add(page->injected);
}

// Whether result^e = x.
bool right(const Key& key, ByteView x, const Bytes& result) {
  const Bn value{ByteView(result)};
  return value < key.n() && Arithmetic().modexp(value, key.e(), key.n()) == Bn(x);
}

perle_status on_boards(const Key& key, const perle_key* numbers, Process& process, ByteView x, Bytes& result,
                       perle_boards* set, StatusRow& row) {
  const Settings& settings = key.context().settings;
  unsigned flags = 0;
  if (settings.blind_exponent) {
    std::uint32_t bits = 0;
    const perle_status status = perle_rsa_exponent_blinding(set, numbers, &bits);
    if (status != PERLE_OK) return status;
    row.blinding_bits = bits;
    if (bits != 0) flags |= PERLE_RSA_BLIND_EXPONENT;
  }
  result.assign(key.size(), 0);
  std::size_t length = 0;
  perle_cost cost{};
  const perle_status status = perle_rsa_private(set, numbers, flags, x.data(), x.size(), result.data(),
                                                result.size(), &length, &cost);
  if (status == PERLE_ERR_FAULT) add(process.page->wrong);
  if (status != PERLE_OK) return status;
  add(row.cycles, cost.cycles);
  // libperle has checked it, in its blinded form. The time of a check of the result itself depends on it, so
  // only what may be spoilt is checked again.
  if (settings.inject == 0) return PERLE_OK;
  spoil(settings, process.page, result);
  if (right(key, x, result)) return PERLE_OK;
  add(process.page->wrong);
  return PERLE_ERR_FAULT;
}

Reason reason_of(Pool::Outcome outcome) {
  return outcome == Pool::Outcome::kQueueFull   ? Reason::kQueueFull
         : outcome == Pool::Outcome::kTooNarrow ? Reason::kKey
         : outcome == Pool::Outcome::kBadKey    ? Reason::kBadKey
                                                : Reason::kBoards;
}

// Returns true if boards computed it; otherwise sets `failure` to the reason.
bool try_boards(const Key& key, Process& process, ByteView x, Bytes& result, Failure& failure) {
  try {
    const perle_key* const numbers = key.for_boards(process);
    std::string why;
    const auto outcome = process.pool.run(
        key.half_bits(),
        [&](perle_boards* set, StatusRow& row) {
          return on_boards(key, numbers, process, x, result, set, row);
        },
        why);
    if (outcome == Pool::Outcome::kDone) return true;
    if (outcome == Pool::Outcome::kQueueFull) add(process.page->queue_full);
    if (outcome == Pool::Outcome::kNoBoard) add(process.page->no_board);
    if (outcome == Pool::Outcome::kBadKey) add(process.page->bad_keys);
    failure = Failure(reason_of(outcome), why);
  } catch (const Failure& caught) {
    failure = caught;
  }
  return false;
}

Bytes in_software(const Key& key, Process& process, ByteView x) {
  Bytes result = key.software_power(x);
  if (!right(key, x, result)) {
    add(process.page->wrong);
    throw Failure(Reason::kWrong,
                  "the private operation went wrong in software; its result was not released");
  }
  add(process.page->software);
  return result;
}

Bytes power(const Key& key, ByteView x) {
  Process& process = key.context().runtime.process();
  try {
    want(key.has_private(), Reason::kState, "a private key is needed");
    Bytes result;
    Failure failure(Reason::kBoards, "");
    if (try_boards(key, process, x, result, failure)) {
      add(process.page->boards);
      return result;
    }
    std::fill(result.begin(), result.end(), 0);
    // If the key is wrong, software has already failed too.
    if (!key.context().settings.fallback || failure.reason() == Reason::kBadKey) throw failure;
    return in_software(key, process, x);
  } catch (...) {
    add(process.page->failed);
    throw;
  }
}

void check_settings(const Key& key) {
  const std::string& refused = key.context().refused;
  if (!refused.empty()) throw Failure(Reason::kSetting, refused);
}

}  // namespace

Bytes private_power(const std::shared_ptr<const Key>& key, ByteView x) {
  check_settings(*key);
  if (!in_async_job()) return power(*key, x);
  add(key->context().runtime.process().page->async);
  return await([key, copy = Bytes(x.begin(), x.end())] { return power(*key, copy); });
}

void note_declined(const Key& key) {
  check_settings(key);
  add(key.context().runtime.process().page->declined);
}

void note_not_encoded(const Key& key, const char* why) {
  check_settings(key);
  Process& process = key.context().runtime.process();
  const bool fallback = key.context().settings.fallback;
  add(fallback ? process.page->software : process.page->failed);
  want(fallback, Reason::kBoards, why);
}

}  // namespace perle::provider
