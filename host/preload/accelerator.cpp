// SPDX-License-Identifier: Apache-2.0
//
// PERLE_PRELOAD_BOARDS    specification of the boards for powers (perle_boards_open)
// PERLE_PRELOAD_PRODUCTS  PATH.so,CLOCK_PS,TIMING: a board that multiplies long integers, for products
// PERLE_PRELOAD_LEAST     bits of the shortest modulus or factor for which a board is used
// PERLE_PRELOAD_REPORT    file to which a line of JSON with the counts is appended when the process ends
#include "accelerator.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/trusted_path.hpp"
#include "board/process.hpp"
#include "perle.h"

namespace perle::preload {

const std::array<const char*, kFunctions> kNames = {"BN_mod_exp",
                                                    "BN_mod_exp_mont",
                                                    "BN_mod_exp_mont_word",
                                                    "BN_mod_exp_mont_consttime",
                                                    "BN_mod_exp_mont_consttime_x2",
                                                    "__gmpz_powm",
                                                    "__gmpz_powm_sec",
                                                    "__gmpn_mul",
                                                    "__gmpn_mul_n",
                                                    "__gmpn_sqr"};

namespace {

constexpr std::size_t kLeast = 256;
constexpr std::size_t kShortExponent =
    8;  // bytes: longer ones are treated as secret, whatever the caller says

struct Counts {
  std::atomic<std::uint64_t> calls{0}, boards{0}, failed{0}, cycles{0};
};
constinit std::array<Counts, kFunctions> counts;

thread_local int depth = 0;

void complain(const std::string& what, const char* why) {
  std::fprintf(stderr, "perle preload: %s: %s; software does it\n", what.c_str(), why);
}

// A handle and the process that opened it: it is not used in a child of fork(), where its threads do not
// exist.
template <typename Handle>
struct Opened {
  std::mutex mutex;
  Handle* handle = nullptr;
  std::optional<ProcessStamp> by;

  // The handle of this process. The first call opens it from the setting `name`; null if that is not set.
  template <typename Open>
  Handle* get(const char* name, Open&& open) {
    if (!by || !by->here()) {
      by.emplace();
      const std::string text = variable(name);
      handle = text.empty() ? nullptr : open(text);
    }
    return handle;
  }
};
// Neither constructed nor destroyed: a constructor of another library may come before those of this one, and
// a thread may still multiply when the process ends.
constinit Opened<perle_boards> boards;
constinit Opened<perle_bignum> products;
static_assert(std::is_trivially_destructible_v<Opened<perle_boards>> &&
              std::is_trivially_destructible_v<Opened<perle_bignum>>);

perle_boards* open_boards(const std::string& spec) {
  perle_boards* set = nullptr;
  if (perle_boards_open(spec.c_str(), &set) == PERLE_OK) return set;
  complain(spec, perle_last_error());
  return nullptr;
}

perle_bignum* open_products(const std::string& text) {
  const auto first = text.find(','), second = text.find(',', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    complain(text, "PATH.so,CLOCK_PS,TIMING is wanted");
    return nullptr;
  }
  const std::string path = text.substr(0, first), timing = text.substr(second + 1);
  const perle_system_board board{path.c_str(), std::strtoull(text.c_str() + first + 1, nullptr, 10)};
  perle_timing times{};
  perle_system* system = nullptr;
  perle_bignum* found = nullptr;
  if (perle_timing_preset(timing.c_str(), &times) == PERLE_OK &&
      perle_system_open(&board, 1, &times, &system) == PERLE_OK &&
      perle_bignum_open(system, nullptr, &found) == PERLE_OK)
    return found;
  complain(text, perle_last_error());
  perle_system_close(system);
  return nullptr;
}

// In a child of fork(): another thread of the parent may have held the mutexes.
void forget_in_child() {
  new (&boards.mutex) std::mutex;
  new (&products.mutex) std::mutex;
  for (auto& one : counts) one.calls = one.boards = one.failed = one.cycles = 0;
}

// Escapes text for a JSON string; bytes beyond ASCII become Latin-1 characters.
std::string escaped(const char* text) {
  std::string out;
  for (; *text != 0; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\') {
      out += *text;
      continue;
    }
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(byte));
    out += code.data();
  }
  return out;
}

std::string report() {
  std::string calls;
  for (std::size_t i = 0; i < kFunctions; ++i) {
    const Counts& one = counts[i];
    if (one.calls == 0) continue;
    calls += std::string(calls.empty() ? "" : ", ") + "\"" + kNames[i] +
             "\": {\"calls\": " + std::to_string(one.calls) + ", \"boards\": " + std::to_string(one.boards) +
             ", \"failed\": " + std::to_string(one.failed) + ", \"cycles\": " + std::to_string(one.cycles) +
             "}";
  }
  return "{\"pid\": " + std::to_string(::getpid()) + ", \"program\": \"" +
         escaped(program_invocation_short_name) + "\", \"functions\": {" + calls + "}}\n";
}

struct AtEnd {
  AtEnd() { ::pthread_atfork(nullptr, nullptr, forget_in_child); }
  ~AtEnd() {
    forget_boards();
    const std::string path = variable("PERLE_PRELOAD_REPORT");
    if (path.empty()) return;
    std::FILE* const file = std::fopen(path.c_str(), "ae");
    if (file == nullptr) {
      std::fprintf(stderr, "perle preload: %s cannot be written; the counts are lost\n", path.c_str());
      return;
    }
    std::fputs(report().c_str(), file);
    std::fclose(file);
  }

  // Zeroize real boards, on which operands and results would remain. If another thread holds the lock, it is
  // skipped.
  static void forget_boards() {
    const std::unique_lock lock(boards.mutex, std::try_to_lock);
    if (!lock || !boards.by || !boards.by->here() || boards.handle == nullptr) return;
    ++depth;  // makes libperle use the real functions of libcrypto
    perle_boards_zeroize(boards.handle);
    --depth;
  }
} at_end;

}  // namespace

Entry::Entry(Function function) : mine_(depth++ == 0) {
  if (mine_) ++counts[function].calls;
}
Entry::~Entry() { --depth; }

bool wide_enough(std::size_t bits) {
  static const std::size_t least = [] {
    const std::string text = variable("PERLE_PRELOAD_LEAST");
    return text.empty() ? kLeast : std::strtoul(text.c_str(), nullptr, 10);
  }();
  return bits >= least;
}

bool power(Function function, const Bytes& x, Bytes e, const Bytes& m, bool secret, Bytes& result) {
  perle_boards* set = nullptr;
  {
    const std::lock_guard lock(boards.mutex);
    set = boards.get("PERLE_PRELOAD_BOARDS", open_boards);
  }
  if (set == nullptr) return false;
  perle_mod* mod = nullptr;
  if (perle_mod_new(set, m.data(), m.size(), &mod) != PERLE_OK) return false;
  result.resize(m.size());
  if (secret && e.size() < m.size()) e.insert(e.begin(), m.size() - e.size(), 0);
  const int mode = secret || e.size() > kShortExponent ? PERLE_MODE_WINDOW : PERLE_MODE_BINARY;
  perle_cost cost{};
  std::size_t length = 0;
  const perle_status status = perle_modexp(set, mod, x.data(), x.size(), e.data(), e.size(), 0, mode,
                                           result.data(), result.size(), &length, &cost);
  perle_mod_free(mod);
  Counts& count = counts[function];
  if (status == PERLE_OK) {
    ++count.boards;
    count.cycles += cost.cycles;
    return true;
  }
  // An exponent wider than the board's register is not a failure of the board.
  if (status != PERLE_ERR_EXPONENT_WIDE) ++count.failed;
  return false;
}

bool multiplies() {
  static const bool wanted = !variable("PERLE_PRELOAD_PRODUCTS").empty();
  return wanted;
}

bool product(Function function, const Bytes& a, const Bytes& b, Bytes& result) {
  const std::lock_guard lock(products.mutex);
  perle_bignum* big = products.get("PERLE_PRELOAD_PRODUCTS", open_products);
  if (big == nullptr) return false;
  result.resize(a.size() + b.size());
  std::size_t length = 0;
  const bool right = perle_bignum_mul(big, a.data(), a.size(), b.data(), b.size(), result.data(),
                                      result.size(), &length) == PERLE_OK;
  ++(right ? counts[function].boards : counts[function].failed);
  return right;
}

namespace {

const void* object_of(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// Finds the function in a loaded object or its dependencies, and keeps that object loaded. Null if there is
// none, or only that of this library.
void* within(const char* object, const char* name) {
  void* const handle = object == nullptr ? nullptr : ::dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  void* const found = ::dlsym(handle, name);
  if (found != nullptr && object_of(found) != object_of(&at_end)) return found;
  ::dlclose(handle);
  return nullptr;
}

int note(dl_phdr_info* info, std::size_t, void* names) {
  if (info->dlpi_name != nullptr && *info->dlpi_name != 0)
    static_cast<std::vector<std::string>*>(names)->emplace_back(info->dlpi_name);
  return 0;
}

}  // namespace

void* next(const char* name) { return ::dlsym(RTLD_NEXT, name); }

void* beside(const char* name, const void* caller) {
  thread_local std::map<std::pair<const char*, const void*>, void*> known;
  void*& found = known[{name, caller}];
  if (found != nullptr) return found;
  Dl_info info{};
  if (::dladdr(caller, &info) != 0) found = within(info.dli_fname, name);
  std::vector<std::string> objects;
  if (found == nullptr) ::dl_iterate_phdr(note, &objects);
  for (std::size_t i = 0; found == nullptr && i < objects.size(); ++i)
    found = within(objects[i].c_str(), name);
  if (found == nullptr) {
    std::fprintf(stderr, "perle preload: %s: no library has this function\n", name);
    std::abort();
  }
  return found;
}

}  // namespace perle::preload
