// SPDX-License-Identifier: Apache-2.0
//
// Board specifications: simulated boards by name or by path here, those behind links in link/link_spec.cpp.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "backend/trusted_path.hpp"
#include "board/board_set.hpp"
#include "link/link_spec.hpp"

namespace perle {
namespace {

constexpr std::size_t kMost = 64;

[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  throw Error(PERLE_ERR_SPEC, "board specification \"" + spec + "\": " + why +
                                  "; it is sim:FAMILY:CONFIG[,lanes=T][,boards=N], sim:/PATH.so[,boards=N], "
                                  "uart:/DEVICE[,baud=N], etherbone:HOST[:PORT] or uio:/DEVICE");
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

struct Options {
  std::size_t boards = 0, lanes = 0;  // 0: not given
};

// One option, KEY=NUMBER, given once.
void parse_option(const std::string& spec, std::string_view option, Options& options) {
  const std::size_t equals = option.find('=');
  const std::string_view key = option.substr(0, equals);
  std::size_t* const value = key == "boards" ? &options.boards : key == "lanes" ? &options.lanes : nullptr;
  if (equals == std::string_view::npos || value == nullptr || *value != 0)
    refuse(spec, "unknown option \"" + std::string(option) + "\", or given twice");
  option.remove_prefix(equals + 1);
  const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), *value);
  if (error != std::errc() || end != option.data() + option.size() || *value < 1 || *value > kMost)
    refuse(spec, std::string(key) + " wants a number from 1 to " + std::to_string(kMost));
}

Options parse_options(const std::string& spec) {
  Options options;
  for (std::size_t at = spec.find(','); at != std::string::npos;) {
    const std::size_t next = spec.find(',', at + 1);
    parse_option(spec, std::string_view(spec).substr(at + 1, next - at - 1), options);
    at = next;
  }
  return options;
}

// Path in the cache `folder` of the shared object of `name` (FAMILY:CONFIG) with that many lanes.
std::filesystem::path cached(const std::string& spec, const std::string& name, std::size_t lanes,
                             const std::filesystem::path& folder) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) refuse(spec, "no configuration is named");
  const std::string family = name.substr(0, colon), config = name.substr(colon + 1);
  if (!is_name(family) || !is_name(config)) refuse(spec, "that is no name of a family and its configuration");
  return folder / "boards" /
         (family + "-" + config + (lanes > 1 ? "-l" + std::to_string(lanes) : "") + ".so");
}

std::string absent(const std::string& name, const Options& options, const std::filesystem::path& path) {
  std::string board = "sim:" + name;
  if (options.lanes != 0) board += ",lanes=" + std::to_string(options.lanes);
  return "board " + board + " is not built (no " + path.string() + "): run perle build " + board;
}

struct Named {
  std::string name;  // FAMILY:CONFIG, or a path
  Options options;
  bool by_path() const { return name.starts_with('/'); }
};

Named parse(const std::string& spec) {
  constexpr std::string_view kKind = "sim:";
  std::string name = spec.substr(0, spec.find(','));
  if (!name.starts_with(kKind)) refuse(spec, "unknown kind of board");
  name.erase(0, kKind.size());
  Named out{name, parse_options(spec)};
  if (out.by_path() && out.options.lanes != 0)
    refuse(spec, "a shared object has the lanes that it was built with");
  return out;
}

struct Found {
  std::filesystem::path path;
  std::size_t boards;
};

Found find(const std::string& spec) {
  const auto [name, options] = parse(spec);
  const bool by_path = name.starts_with('/');
  const std::filesystem::path path =
      by_path ? std::filesystem::path(name) : cached(spec, name, options.lanes, cache_root());
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw Error(PERLE_ERR_BOARD_ABSENT,
                by_path ? "there is no file " + path.string() : absent(name, options, path));
  return {path, std::max<std::size_t>(options.boards, 1)};
}

}  // namespace

std::string in_folder(const std::string& spec, const std::string& folder) {
  if (is_link(spec)) return spec;
  const Named named = parse(spec);
  if (named.by_path()) return spec;
  const std::string path = cached(spec, named.name, named.options.lanes, folder).string();
  return "sim:" + path + (named.options.boards == 0 ? "" : ",boards=" + std::to_string(named.options.boards));
}

void check_spec(const std::string& spec) {
  if (is_link(spec))
    check_link(spec);
  else
    find(spec);
}

std::vector<std::unique_ptr<Board>> open_spec(const std::string& spec) {
  std::vector<std::unique_ptr<Board>> boards;
  if (is_link(spec)) {
    for (auto& lane : open_link(link_of(spec), spec))
      boards.push_back(std::make_unique<Board>(std::move(lane)));
    return boards;
  }
  const Found found = find(spec);
  for (std::size_t i = 0; i < found.boards; ++i)
    for (auto& lane : open_sim(found.path.string()))
      boards.push_back(std::make_unique<Board>(std::move(lane)));
  return boards;
}

}  // namespace perle
