// SPDX-License-Identifier: Apache-2.0
//
// Board specifications: sim:FAMILY:CONFIG[,boards=N] and sim:/PATH.so[,boards=N].
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "board_set.hpp"

namespace perle {
namespace {

constexpr std::size_t kMostBoards = 64;

[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  throw Error(PERLE_ERR_SPEC, "board specification \"" + spec + "\": " + why +
                                  "; it is sim:FAMILY:CONFIG[,boards=N] or sim:/PATH.so[,boards=N]");
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::size_t parse_count(const std::string& spec, std::string_view option) {
  constexpr std::string_view kKey = "boards=";
  if (!option.starts_with(kKey)) refuse(spec, "unknown option \"" + std::string(option) + "\"");
  option.remove_prefix(kKey.size());
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), count);
  if (error != std::errc() || end != option.data() + option.size() || count < 1 || count > kMostBoards)
    refuse(spec, "boards=N wants a number from 1 to " + std::to_string(kMostBoards));
  return count;
}

std::filesystem::path cache_root() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const auto chosen = variable("PERLE_CACHE"); !chosen.empty()) return chosen;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "perle";
  return variable("HOME") / ".cache" / "perle";
}

// Path of the shared object that `name` (FAMILY:CONFIG) stands for.
std::filesystem::path cached(const std::string& spec, const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) refuse(spec, "no configuration is named");
  const std::string family = name.substr(0, colon), config = name.substr(colon + 1);
  if (!is_name(family) || !is_name(config)) refuse(spec, "that is no name of a family and its configuration");
  return cache_root() / "boards" / (family + "-" + config + ".so");
}

}  // namespace

std::vector<std::unique_ptr<Board>> open_spec(const std::string& spec) {
  constexpr std::string_view kKind = "sim:";
  const std::size_t comma = spec.find(',');
  std::string name = spec.substr(0, comma);
  if (!name.starts_with(kKind)) refuse(spec, "unknown kind of board");
  name.erase(0, kKind.size());
  const std::size_t count =
      comma == std::string::npos ? 1 : parse_count(spec, std::string_view(spec).substr(comma + 1));

  const bool by_path = name.starts_with('/');
  const std::filesystem::path path = by_path ? std::filesystem::path(name) : cached(spec, name);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw Error(PERLE_ERR_BOARD_ABSENT, by_path ? "there is no file " + path.string()
                                                : "board sim:" + name + " is not built (no " + path.string() +
                                                      "): run perle build sim:" + name);
  std::vector<std::unique_ptr<Board>> boards;
  for (std::size_t i = 0; i < count; ++i) boards.push_back(std::make_unique<Board>(open_sim(path.string())));
  return boards;
}

}  // namespace perle
