// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <openssl/params.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include "api/error.hpp"
#include "backend/trusted_path.hpp"
#include "board/board_set.hpp"
#include "perle.h"

namespace perle::provider {
namespace {

constexpr const char* kNames[] = {"boards",       "fallback",    "queue",          "timeout",
                                  "retire_after", "retry",       "blind_exponent", "status",
                                  "keep_status",  "secure_heap", "inject",         "cache"};
constexpr std::size_t kCount = std::size(kNames);
constexpr std::uint64_t kDay = 86'400'000;

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& why) {
  throw Failure(Reason::kSetting, "perle: " + name + " = " + value + ": " + why);
}

std::uint64_t number(const std::string& name, const std::string& value, std::uint64_t least,
                     std::uint64_t most) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || out < least || out > most)
    refuse(name, value,
           "a number from " + std::to_string(least) + " to " + std::to_string(most) + " is wanted");
  return out;
}

bool choice(const std::string& name, const std::string& value, std::string_view yes, std::string_view no) {
  if (value == yes) return true;
  if (value == no) return false;
  refuse(name, value, std::string(yes) + " or " + std::string(no) + " is wanted");
}

double probability(const std::string& name, const std::string& value) {
  if (variable("PERLE_PROVIDER_INJECT") != "1")
    refuse(name, value, "spoils results on purpose, and is refused unless PERLE_PROVIDER_INJECT=1 is set");
  double out = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || !(out >= 0 && out <= 1))
    refuse(name, value, "a probability from 0 to 1 is wanted");
  return out;
}

// A folder that no other user can have created: below the user's runtime folder, else in the cache.
std::string default_folder() {
  std::string runtime = variable("XDG_RUNTIME_DIR");
  if (!runtime.starts_with('/')) runtime = "/run/user/" + std::to_string(::geteuid());
  struct stat found{};
  const bool own = ::stat(runtime.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
                   found.st_uid == ::geteuid() && is_trusted(found.st_uid, found.st_mode);
  if (own) return runtime + "/perle";
  try {
    return cache_root() + "/status";
  } catch (const perle::Error&) {
    return "";  // a user without any folder: no status page
  }
}

// Replaces a board's name by its path: the environment of a server must not decide what it loads.
std::string placed(const std::string& name, const std::string& spec, const std::string& cache) {
  if (!spec.starts_with("sim:") || spec.starts_with("sim:/")) return spec;
  try {
    std::string found = in_folder(spec, cache);
    if (cache.empty())
      refuse(name, spec, "the folder of boards by name is not said: cache = FOLDER, or sim:/PATH.so");
    return found;
  } catch (const perle::Error& error) {
    refuse(name, spec, error.what());
  }
}

// With a fallback a missing board does not invalidate the configuration: it may appear later.
std::vector<std::string> boards(const std::string& name, const std::string& value, bool fallback,
                                const std::string& cache) {
  std::vector<std::string> out;
  std::istringstream words(value);
  for (std::string spec; words >> spec;) {
    spec = placed(name, spec, cache);
    if (spec.starts_with("system:"))
      refuse(name, spec,
             "a system's time depends on the exponent; a server's keys need boards in constant time");
    if (spec.size() > kLongestSpec) refuse(name, spec, "more than 127 characters");
    const perle_status status = perle_spec_check(spec.c_str());
    if (status != PERLE_OK && !(status == PERLE_ERR_BOARD_ABSENT && fallback))
      refuse(name, spec, perle_last_error());
    out.push_back(spec);
  }
  if (out.empty() || out.size() > kMostSpecs) refuse(name, value, "1 to 16 board specifications are wanted");
  return out;
}

}  // namespace

Settings read_settings(const Core& core) {
  std::array<const char*, kCount> found{};
  std::array<OSSL_PARAM, kCount + 1> params{};
  for (std::size_t i = 0; i < kCount; ++i)
    params[i] = OSSL_PARAM_construct_utf8_ptr(kNames[i], const_cast<char**>(&found[i]), 0);
  params[kCount] = OSSL_PARAM_construct_end();
  want(core.get_params(params.data()), Reason::kSetting, "perle: the configuration cannot be read");

  Settings out;
  std::size_t at = 0;
  // In the order of kNames.
  const auto next = [&](auto use) {
    const char* value = found[at];
    const std::string name = kNames[at++];
    if (value != nullptr) use(name, std::string(value));
  };
  std::string specs;
  next([&](const auto&, const auto& value) { specs = value; });
  next([&](const auto& name, const auto& value) { out.fallback = choice(name, value, "software", "fail"); });
  next([&](const auto& name, const auto& value) {
    out.queue = static_cast<unsigned>(number(name, value, 0, 65536));
  });
  next([&](const auto& name, const auto& value) { out.timeout_ms = number(name, value, 1, kDay); });
  next([&](const auto& name, const auto& value) {
    out.retire_after = static_cast<unsigned>(number(name, value, 1, 1000));
  });
  next([&](const auto& name, const auto& value) { out.retry_ms = number(name, value, 1, kDay); });
  next([&](const auto& name, const auto& value) { out.blind_exponent = choice(name, value, "yes", "no"); });
  out.status_folder = default_folder();
  next([&](const auto& name, const auto& value) {
    if (value != "none" && !value.starts_with("/"))
      refuse(name, value, "an absolute path, or none, is wanted");
    out.status_folder = value == "none" ? "" : value;
  });
  next([&](const auto& name, const auto& value) { out.keep_status = choice(name, value, "yes", "no"); });
  next([&](const auto& name, const auto& value) {
    out.secure_heap = number(name, value, 0, std::uint64_t{1} << 30);
    if ((out.secure_heap & (out.secure_heap - 1)) != 0) refuse(name, value, "a power of two is wanted");
  });
  next([&](const auto& name, const auto& value) { out.inject = probability(name, value); });
  std::string cache;
  next([&](const auto& name, const auto& value) {
    if (!value.starts_with("/")) refuse(name, value, "an absolute path is wanted");
    cache = value;
  });
  out.boards = boards("boards", specs, out.fallback, cache);
  return out;
}

}  // namespace perle::provider
