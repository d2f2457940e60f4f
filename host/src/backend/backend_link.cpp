// SPDX-License-Identifier: Apache-2.0
//
// Boards behind a link. To save round trips, the words of an operand are combined into one transfer, and a
// result is fetched in one. Other registers are accessed one at a time.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "board/board_set.hpp"
#include "board/regs.hpp"
#include "link/link.hpp"

namespace perle {
namespace {

constexpr std::chrono::milliseconds kResetTime{1000};
constexpr int kNotAnswered = 2;
constexpr unsigned kMostLanes = 64;
constexpr int kResetTries = 3;  // a write that is lost is not sent again

// State of a lane: words that wait to be sent, and words that were fetched in advance.
struct Lane {
  std::uint32_t first = 0;  // address of the first gathered word
  std::vector<std::uint32_t> gathered;
  bool finished = false;  // the last read of STATUS showed that its operation has ended
  // After an operation has ended, the library always reads CYCLES_LO, CYCLES_HI and the words of the result
  // in this order, so they are fetched in one transfer. Each word is returned once: this is not a cache.
  std::vector<std::uint64_t> fetched;
  std::size_t next = 0;

  Lane() = default;
  Lane(Lane&&) = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    forget();
    clear_gathered();
  }
  void forget() {
    if (!fetched.empty()) ::explicit_bzero(fetched.data(), 8 * fetched.size());
    fetched.clear();
    next = 0;
    finished = false;
  }
  void clear_gathered() {
    if (!gathered.empty()) ::explicit_bzero(gathered.data(), 4 * gathered.size());
    gathered.clear();
    first = 0;
  }
};

class Remote {
 public:
  Remote(std::unique_ptr<Link> link, const std::string& spec) : link_(std::move(link)) {
    read_design(spec);
    // The link detects no transmission errors, so everything is read twice and compared.
    if (!link_->checked()) {
      const Design first = std::exchange(design_, {});
      read_design(spec);
      if (!(design_ == first))
        throw Error(PERLE_ERR_BUS, "two answers of " + spec + " differ: it is disturbed");
    }
    const unsigned word_bits = design_.word_bits;
    if (word_bits != 32 && word_bits != link_->word_bits())
      throw Error(PERLE_ERR_BOARD_ID, "the board at " + spec + " has words of " + std::to_string(word_bits) +
                                          " bits, which cannot be had there");
    link_->widen(word_bits == 64);
    lanes_.resize(design_.lanes);
    for (Lane& lane : lanes_) {  // reserved, so that no reallocation leaves copies of secrets behind
      lane.gathered.reserve(line_parts());
      lane.fetched.reserve(design_.line_words + 2);
    }
  }

  unsigned lanes() const { return design_.lanes; }
  bool checked() const { return link_->checked(); }

  int read(unsigned index, std::uint32_t addr, std::uint64_t* data) {
    Lane& lane = lanes_[index];
    if (take(lane, addr, data)) return 0;
    const bool end = addr == regs::kCyclesLo && lane.finished;
    lane.forget();
    if (!flush(index)) return kNotAnswered;
    if (end ? !fetch_end(index, data) : !get_word(index, addr, data)) return kNotAnswered;
    lane.finished = addr == regs::kStatus && regs::kDone.get(*data) != 0 && regs::kBusy.get(*data) == 0;
    return 0;
  }

  int write(unsigned index, std::uint32_t addr, std::uint64_t data) {
    Lane& lane = lanes_[index];
    lane.forget();
    const std::uint32_t to = base(index) + addr;
    if (addr == regs::kControl) {  // each write has an effect: it must not be repeated
      if (!flush(index) || !link_->write_once(index, to, static_cast<std::uint32_t>(data)))
        return kNotAnswered;
      return 0;
    }
    if (to != lane.first + 4 * lane.gathered.size()) {
      if (!flush(index)) return kNotAnswered;
      lane.first = to;
    }
    lane.gathered.push_back(static_cast<std::uint32_t>(data));
    if (design_.word_bits == 64) lane.gathered.push_back(static_cast<std::uint32_t>(data >> 32));
    // A complete line is sent at once: it may be the zeros that overwrite a secret.
    return lane.gathered.size() < line_parts() || flush(index) ? 0 : kNotAnswered;
  }

  // Resets the core, with all its lanes. The caller guarantees that no lane is in use.
  int reset() {
    for (Lane& lane : lanes_) {
      lane.forget();
      lane.clear_gathered();
    }
    if (!link_->has_control()) return kNotAnswered;
    std::uint32_t active = 1;
    for (int tries = kResetTries; !link_->write_once(kDesign, soc::kResetAt, 1); --tries)
      if (tries == 1 || !get(soc::kResetAt, active)) return kNotAnswered;
    const auto deadline = std::chrono::steady_clock::now() + kResetTime;
    for (;;) {
      if (!get(soc::kResetAt, active)) return kNotAnswered;
      if (active == 0) return 0;
      if (std::chrono::steady_clock::now() >= deadline) return kNotAnswered;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  bool can_reset() const { return link_->has_control(); }

  // The number behind "name=" in the design's list of parameters.
  long param(const std::string& name) const {
    const std::string& all = design_.parameters;
    const std::size_t at = (" " + all).find(" " + name + "=");
    if (at == std::string::npos) return -1;
    return std::strtol(all.c_str() + at + name.size() + 1, nullptr, 10);
  }

  std::size_t snapshot(char* json, std::size_t cap) const {
    std::string text = "{";
    const auto put = [&](const char* name, const std::string& value) {
      text += std::string(text.size() > 1 ? ", \"" : "\"") + name + "\": \"" + value + "\"";
    };
    put("core_clock_hz", std::to_string(design_.clock_hz));
    put("lanes", std::to_string(design_.lanes));
    put("version", std::to_string(design_.version));
    put("parameters", design_.parameters);
    put("round_trips", std::to_string(link_->round_trips()));
    text += "}";
    if (json != nullptr && cap > 0) {
      const std::size_t size = std::min(cap - 1, text.size());
      std::memcpy(json, text.data(), size);
      json[size] = '\0';
    }
    return text.size() + 1;
  }

 private:
  // The design's description of itself; version 0: there is none, only the registers of the lanes.
  struct Design {
    std::uint32_t version = 0, clock_hz = 0, lanes = 1, stride = soc::kLaneBytes, depth = 0;
    std::string parameters;
    unsigned word_bits = 32;
    std::size_t line_words = 0;
    bool operator==(const Design&) const = default;
  };

  static void need(bool answered, const std::string& spec) {
    if (!answered) throw Error(PERLE_ERR_BOARD_ABSENT, "no Perle design answers at " + spec);
  }

  void read_design(const std::string& spec) {
    if (link_->has_control()) read_control(spec);
    std::uint32_t shape = 0, widths = 0, lanes = 0;
    need(get(soc::kRegisters + regs::kShape, shape) && get(soc::kRegisters + regs::kWidths, widths) &&
             get(soc::kRegisters + regs::kLanes, lanes),
         spec);
    design_.word_bits = std::max(1U, regs::kWordBits.get(shape));
    design_.line_words = (regs::kOperandBits.get(widths) + design_.word_bits - 1) / design_.word_bits;
    if (!link_->has_control())
      design_.lanes = std::max(1U, static_cast<unsigned>(regs::kLaneCount.get(lanes)));
  }

  void read_control(const std::string& spec) {
    std::uint32_t magic = 0;
    need(get(soc::kMagicAt, magic), spec);
    if (magic != soc::kMagic)
      throw Error(PERLE_ERR_BOARD_ID, "what answers at " + spec + " is no Perle design");
    need(get(soc::kVersionAt, design_.version) && get(soc::kClockAt, design_.clock_hz) &&
             get(soc::kLanesAt, design_.lanes) && get(soc::kStrideAt, design_.stride) &&
             get(soc::kDepthAt, design_.depth),
         spec);
    const bool known = design_.version == soc::kVersion && design_.lanes >= 1 && design_.lanes <= kMostLanes;
    const bool fits = design_.stride % 4 == 0 && design_.stride >= soc::kLaneBytes &&
                      design_.stride <= (soc::kControl - soc::kRegisters) / kMostLanes;
    if (!known || !fits)
      throw Error(PERLE_ERR_BOARD_ID,
                  "the design at " + spec + " is of version " + std::to_string(design_.version) + " with " +
                      std::to_string(design_.lanes) + " lanes at every " + std::to_string(design_.stride) +
                      " bytes; this library knows version " + std::to_string(soc::kVersion) + " with up to " +
                      std::to_string(kMostLanes));
    link_->set_depth(design_.depth);
    std::array<std::uint32_t, soc::kParameterWords> addrs, words;
    for (std::uint32_t i = 0; i < addrs.size(); ++i) addrs[i] = soc::kParametersAt + 4 * i;
    need(link_->read(kDesign, addrs, words.data()), spec);
    for (const std::uint32_t word : words)
      for (int shift = 0; shift < 32; shift += 8)
        if (const char one = static_cast<char>(word >> shift & 0xFF); is_text(one)) design_.parameters += one;
  }
  // Printable, and needs no escape in JSON; other characters are dropped.
  static bool is_text(char one) { return one >= ' ' && one <= '~' && one != '"' && one != '\\'; }

  std::uint32_t base(unsigned index) const { return soc::kRegisters + index * design_.stride; }
  std::size_t line_parts() const { return design_.line_words * design_.word_bits / 32; }
  bool get(std::uint32_t addr, std::uint32_t& word) { return link_->read(kDesign, {&addr, 1}, &word); }

  bool get_word(unsigned index, std::uint32_t addr, std::uint64_t* data) {
    const std::uint32_t from = base(index) + addr;
    const std::array<std::uint32_t, 2> addrs = {from, from + 4};
    std::array<std::uint32_t, 2> words = {};
    if (!link_->read(index, std::span(addrs).first(design_.word_bits / 32), words.data())) return false;
    *data = std::uint64_t{words[1]} << 32 | words[0];
    ::explicit_bzero(words.data(), sizeof words);
    return true;
  }

  bool fetch_end(unsigned index, std::uint64_t* data) {
    const unsigned parts = design_.word_bits / 32;
    std::vector<std::uint32_t> addrs;
    const auto want = [&](std::uint32_t addr) {
      for (unsigned part = 0; part < parts; ++part) addrs.push_back(base(index) + addr + 4 * part);
    };
    want(regs::kCyclesLo);
    want(regs::kCyclesHi);
    for (std::uint32_t i = 0; i < design_.line_words; ++i) want(regs::kResult + i * design_.word_bits / 8);
    std::vector<std::uint32_t> words(addrs.size());
    const bool answered = link_->read(index, addrs, words.data());
    Lane& lane = lanes_[index];
    for (std::size_t i = 0; answered && i < words.size(); i += parts)
      lane.fetched.push_back(parts == 2 ? std::uint64_t{words[i + 1]} << 32 | words[i] : words[i]);
    ::explicit_bzero(words.data(), 4 * words.size());
    if (!answered) return false;
    *data = lane.fetched[0];
    lane.next = 1;
    return true;
  }

  bool take(Lane& lane, std::uint32_t addr, std::uint64_t* data) const {
    const std::size_t i = lane.next;
    if (i == 0 || i >= lane.fetched.size()) return false;
    const std::uint32_t expected =
        i == 1 ? regs::kCyclesHi : regs::kResult + static_cast<std::uint32_t>(i - 2) * design_.word_bits / 8;
    if (addr != expected) return false;
    *data = std::exchange(lane.fetched[i], 0);
    ++lane.next;
    return true;
  }

  bool flush(unsigned index) {
    Lane& lane = lanes_[index];
    const bool sent = lane.gathered.empty() || link_->write(index, lane.first, lane.gathered);
    lane.clear_gathered();
    return sent;
  }

  std::unique_ptr<Link> link_;
  Design design_;
  std::vector<Lane> lanes_;  // each used by one thread at a time
};

struct RemoteLane {
  std::shared_ptr<Remote> remote;
  unsigned index;
};

RemoteLane& lane(void* ctx) { return *static_cast<RemoteLane*>(ctx); }

int link_read(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  return lane(ctx).remote->read(lane(ctx).index, addr, data);
}
int link_write(void* ctx, std::uint32_t addr, std::uint64_t data) {
  return lane(ctx).remote->write(lane(ctx).index, addr, data);
}
int link_reset(void* ctx) { return lane(ctx).remote->reset(); }
long link_param(void* ctx, const char* name) { return lane(ctx).remote->param(name); }
std::size_t link_snapshot(void* ctx, char* json, std::size_t cap) {
  return lane(ctx).remote->snapshot(json, cap);
}
void link_close(void* ctx) { delete &lane(ctx); }

constexpr perle_backend kBackend = {
    sizeof(perle_backend), link_read, link_write, nullptr, link_reset, link_param,
    link_snapshot,         nullptr,   link_close, nullptr};

}  // namespace

std::vector<std::unique_ptr<Backend>> open_link(std::unique_ptr<Link> link, const std::string& spec) {
  const auto remote = std::make_shared<Remote>(std::move(link), spec);
  perle_backend ops = kBackend;
  if (!remote->can_reset()) ops.reset = nullptr;
  std::vector<std::unique_ptr<Backend>> lanes;
  lanes.reserve(remote->lanes());
  for (unsigned i = 0; i < remote->lanes(); ++i) {
    auto one = std::make_unique<RemoteLane>(RemoteLane{remote, i});
    const void* const line = remote->lanes() == 1 ? nullptr : remote.get();
    lanes.push_back(std::make_unique<Backend>(ops, one.get(), line, remote->checked()));
    (void)one.release();  // the backend closes it
  }
  return lanes;
}

}  // namespace perle
