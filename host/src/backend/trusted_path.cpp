// SPDX-License-Identifier: Apache-2.0
#include "backend/trusted_path.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <sstream>
#include <vector>

#include "api/error.hpp"

namespace perle {
namespace {

constexpr int kMostLinks = 40;  // the kernel's limit

[[noreturn]] void refuse(const std::string& path, const std::string& at, const std::string& why) {
  throw Error(PERLE_ERR_BOARD_LOAD,
              path + " is not loaded: " + (at == path ? std::string("it") : at) + " " + why);
}

std::string home() {
  if (std::string named = variable("HOME"); !named.empty()) return named;
  std::vector<char> room(1 << 14);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, room.data(), room.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_dir == nullptr ? std::string() : std::string(found->pw_dir);
}

void put_first(std::deque<std::string>& names, const std::string& path) {
  std::istringstream in(path);
  std::deque<std::string> first;
  for (std::string name; std::getline(in, name, '/');)
    if (!name.empty() && name != ".") first.push_back(name);
  names.insert(names.begin(), first.begin(), first.end());
}

std::string target_of(const std::string& path, const std::string& link) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = ::readlink(link.c_str(), text.data(), text.size());
  if (length <= 0) refuse(path, link, std::string("cannot be read: ") + std::strerror(errno));
  return {text.data(), static_cast<std::size_t>(length)};
}

void check(const std::string& path, const std::string& at, uid_t owner, mode_t mode) {
  if (is_trusted(owner, mode)) return;
  if (owner != 0 && owner != ::geteuid())
    refuse(path, at,
           "belongs to user " + std::to_string(owner) + ", neither to root nor to this user: chown " +
               std::to_string(::geteuid()) + " " + at);
  refuse(path, at, "can be written by others: chmod go-w " + at);
}

}  // namespace

std::string variable(const char* name) {
  const char* const value = ::secure_getenv(name);
  return value == nullptr ? "" : value;
}

std::string cache_root() {
  const auto absolute = [](const std::string& folder, const std::string& what) {
    // A relative path is the caller's mistake (_SPEC); without any folder the board does not exist.
    if (!folder.starts_with('/'))
      throw Error(folder.empty() ? PERLE_ERR_BOARD_ABSENT : PERLE_ERR_SPEC,
                  what + " names the folder of simulated boards, and " +
                      (folder.empty() ? "there is none" : "is no absolute path: " + folder) +
                      "; set PERLE_CACHE, or name the board by its path (sim:/…)");
    return folder;
  };
  if (const std::string chosen = variable("PERLE_CACHE"); !chosen.empty())
    return absolute(chosen, "PERLE_CACHE");
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty())
    return absolute(xdg, "XDG_CACHE_HOME") + "/perle";
  return absolute(home(), "the home folder (HOME)") + "/.cache/perle";
}

bool is_trusted(uid_t owner, mode_t mode) {
  if (owner != 0 && owner != ::geteuid()) return false;
  const bool sticky = S_ISDIR(mode) && (mode & S_ISVTX) != 0 && owner == 0;
  return (mode & (S_IWGRP | S_IWOTH)) == 0 || sticky;
}

std::string trusted_path(const std::string& path) {
  if (!path.starts_with('/')) refuse(path, path, "is no absolute path");
  std::deque<std::string> names;
  put_first(names, path);
  std::vector<std::string> reached;  // resolved path from the root; every folder of it was checked
  const auto text = [&] {
    std::string out;
    for (const std::string& name : reached) out += "/" + name;
    return out.empty() ? std::string("/") : out;
  };
  struct stat found{};
  if (::lstat("/", &found) != 0) refuse(path, "/", std::strerror(errno));
  check(path, "/", found.st_uid, found.st_mode);
  for (int links = 0; !names.empty();) {
    const std::string name = names.front();
    names.pop_front();
    if (name == "..") {
      if (!reached.empty()) reached.pop_back();
      continue;
    }
    reached.push_back(name);
    const std::string here = text();
    if (::lstat(here.c_str(), &found) != 0)
      refuse(path, here, std::string("cannot be seen: ") + std::strerror(errno));
    if (S_ISLNK(found.st_mode)) {
      check(path, here, found.st_uid, S_IFLNK);  // the permission bits of a link have no meaning
      if (++links > kMostLinks) refuse(path, here, "is one of too many links");
      const std::string target = target_of(path, here);
      if (target.starts_with('/'))
        reached.clear();
      else
        reached.pop_back();
      put_first(names, target);
      continue;
    }
    check(path, here, found.st_uid, found.st_mode);
  }
  if (!S_ISREG(found.st_mode)) refuse(path, text(), "is no file");
  return text();
}

}  // namespace perle
