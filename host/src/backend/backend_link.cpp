// SPDX-License-Identifier: Apache-2.0
//
// Boards at the other end of a link. Words of an operand are gathered into one transfer, and a result is
// fetched in one; the registers in between are accessed as they are asked for.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "board/board_set.hpp"
#include "board/regs.hpp"
#include "link/link.hpp"

namespace perle {
namespace {

constexpr std::chrono::milliseconds kResetTime{1000};
constexpr int kNotAnswered = 2;

class Remote {
 public:
  Remote(std::unique_ptr<Link> link, const std::string& spec) : link_(std::move(link)) {
    if (link_->has_control()) read_control(spec);
    std::uint32_t shape = 0, widths = 0, lanes = 0;
    need(get(soc::kRegisters + regs::kShape, shape) && get(soc::kRegisters + regs::kWidths, widths) &&
             get(soc::kRegisters + regs::kLanes, lanes),
         spec);
    word_bits_ = regs::kWordBits.get(shape);
    if (word_bits_ != 32 && word_bits_ != link_->word_bits())
      throw Error(PERLE_ERR_BOARD_ID, "the board at " + spec + " has words of " + std::to_string(word_bits_) +
                                          " bits, which cannot be had there");
    link_->widen(word_bits_ == 64);
    line_words_ = (regs::kOperandBits.get(widths) + word_bits_ - 1) / word_bits_;
    if (!link_->has_control()) lanes_ = std::max(1U, static_cast<unsigned>(regs::kLaneCount.get(lanes)));
  }

  unsigned lanes() const { return lanes_; }

  int read(unsigned lane, std::uint32_t addr, std::uint64_t* data) {
    const std::lock_guard lock(mutex_);
    if (fetched_.lane == lane && take(addr, data)) return 0;
    if (!flush()) return kNotAnswered;
    const bool end = addr == regs::kCyclesLo && finished_ == static_cast<int>(lane);
    if (end ? !fetch_end(lane, data) : !get_word(base(lane) + addr, data)) return kNotAnswered;
    if (addr == regs::kStatus)
      finished_ = regs::kDone.get(*data) != 0 && regs::kBusy.get(*data) == 0 ? static_cast<int>(lane) : -1;
    return 0;
  }

  int write(unsigned lane, std::uint32_t addr, std::uint64_t data) {
    const std::lock_guard lock(mutex_);
    forget();
    const std::uint32_t to = base(lane) + addr;
    if (addr == regs::kControl) {  // acts once each time
      if (!flush() || !link_->write_once(to, static_cast<std::uint32_t>(data))) return kNotAnswered;
      return 0;
    }
    if (to != first_ + 4 * gathered_.size()) {
      if (!flush()) return kNotAnswered;
      first_ = to;
    }
    gathered_.push_back(static_cast<std::uint32_t>(data));
    if (word_bits_ == 64) gathered_.push_back(static_cast<std::uint32_t>(data >> 32));
    // A whole line does not wait here: it may be what overwrites a secret.
    return gathered_.size() < line_words_ * word_bits_ / 32 || flush() ? 0 : kNotAnswered;
  }

  // The core's reset, for all lanes.
  int reset() {
    const std::lock_guard lock(mutex_);
    forget();
    clear_gathered();
    if (!link_->has_control() || !link_->write_once(soc::kResetAt, 1)) return kNotAnswered;
    const auto deadline = std::chrono::steady_clock::now() + kResetTime;
    for (std::uint32_t active = 1;;) {
      if (!get(soc::kResetAt, active)) return kNotAnswered;
      if (active == 0) return 0;
      if (std::chrono::steady_clock::now() >= deadline) return kNotAnswered;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  bool can_reset() const { return link_->has_control(); }

  // The number behind "name=" in the design's list of parameters.
  long param(const std::string& name) const {
    const std::size_t at = (" " + parameters_).find(" " + name + "=");
    if (at == std::string::npos) return -1;
    return std::strtol(parameters_.c_str() + at + name.size() + 1, nullptr, 10);
  }

  std::size_t snapshot(char* json, std::size_t cap) {
    const std::string text = "{\"core_clock_hz\": \"" + std::to_string(clock_hz_) + "\", \"lanes\": \"" +
                             std::to_string(lanes_) + "\", \"parameters\": \"" + parameters_ + "\"}";
    if (json != nullptr && cap > 0) {
      const std::size_t size = std::min(cap - 1, text.size());
      std::memcpy(json, text.data(), size);
      json[size] = '\0';
    }
    return text.size() + 1;
  }

  ~Remote() { clear_gathered(); }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;

 private:
  // What follows in every operation on one that has ended, so it is fetched together.
  struct Fetched {
    unsigned lane = ~0U;
    std::vector<std::uint64_t> data;  // CYCLES_HI, then the result's words
    std::size_t next = 0;
  };

  static void need(bool answered, const std::string& spec) {
    if (!answered) throw Error(PERLE_ERR_BOARD_ABSENT, "no Perle design answers at " + spec);
  }

  void read_control(const std::string& spec) {
    std::uint32_t magic = 0, version = 0;
    need(get(soc::kMagicAt, magic), spec);
    if (magic != soc::kMagic)
      throw Error(PERLE_ERR_BOARD_ID, "what answers at " + spec + " is no Perle design");
    need(get(soc::kVersionAt, version) && get(soc::kClockAt, clock_hz_) && get(soc::kLanesAt, lanes_) &&
             get(soc::kStrideAt, stride_),
         spec);
    constexpr unsigned kMostLanes = 64;
    if (version != soc::kVersion || lanes_ < 1 || lanes_ > kMostLanes)
      throw Error(PERLE_ERR_BOARD_ID,
                  "the design at " + spec + " is of version " + std::to_string(version) + " with " +
                      std::to_string(lanes_) + " lanes; this library knows version " +
                      std::to_string(soc::kVersion) + " with up to " + std::to_string(kMostLanes));
    std::array<std::uint32_t, soc::kParameterWords> addrs, words;
    for (std::uint32_t i = 0; i < addrs.size(); ++i) addrs[i] = soc::kParametersAt + 4 * i;
    need(link_->read(addrs, words.data()), spec);
    for (const std::uint32_t word : words)
      for (int shift = 0; shift < 32; shift += 8)
        if (const char one = static_cast<char>(word >> shift & 0xFF);
            one != '\0' && one >= ' ' && one != '"' && one != '\\')
          parameters_ += one;
  }

  std::uint32_t base(unsigned lane) const { return soc::kRegisters + lane * stride_; }
  bool get(std::uint32_t addr, std::uint32_t& word) { return link_->read({&addr, 1}, &word); }

  bool get_word(std::uint32_t addr, std::uint64_t* data) {
    const std::array<std::uint32_t, 2> addrs = {addr, addr + 4};
    std::array<std::uint32_t, 2> words = {};
    if (!link_->read(std::span(addrs).first(word_bits_ / 32), words.data())) return false;
    *data = std::uint64_t{words[1]} << 32 | words[0];
    return true;
  }

  bool fetch_end(unsigned lane, std::uint64_t* data) {
    std::vector<std::uint32_t> addrs;
    const std::uint32_t from = base(lane);
    const auto want = [&](std::uint32_t addr) {
      for (unsigned part = 0; part < word_bits_ / 32; ++part) addrs.push_back(from + addr + 4 * part);
    };
    want(regs::kCyclesLo);
    want(regs::kCyclesHi);
    for (std::uint32_t i = 0; i < line_words_; ++i) want(regs::kResult + i * word_bits_ / 8);
    std::vector<std::uint32_t> words(addrs.size());
    if (!link_->read(addrs, words.data())) return false;
    std::vector<std::uint64_t> whole;
    for (std::size_t i = 0; i < words.size(); i += word_bits_ / 32)
      whole.push_back(word_bits_ == 64 ? std::uint64_t{words[i + 1]} << 32 | words[i] : words[i]);
    ::explicit_bzero(words.data(), 4 * words.size());
    *data = whole[0];
    fetched_ = {lane, std::move(whole), 1};
    return true;
  }

  // Each word once, in order: what was fetched is no memory of the board.
  bool take(std::uint32_t addr, std::uint64_t* data) {
    const std::size_t i = fetched_.next;
    const std::uint32_t expected =
        i == 1 ? regs::kCyclesHi : regs::kResult + static_cast<std::uint32_t>(i - 2) * word_bits_ / 8;
    if (i >= fetched_.data.size() || addr != expected) return forget(), false;
    *data = std::exchange(fetched_.data[i], 0);
    ++fetched_.next;
    return true;
  }

  void forget() {
    std::fill(fetched_.data.begin(), fetched_.data.end(), 0);
    fetched_ = {};
    finished_ = -1;
  }

  bool flush() {
    const bool sent = gathered_.empty() || link_->write(first_, gathered_);
    clear_gathered();
    return sent;
  }

  void clear_gathered() {
    if (!gathered_.empty()) ::explicit_bzero(gathered_.data(), 4 * gathered_.size());
    gathered_.clear();
    first_ = 0;
  }

  std::unique_ptr<Link> link_;
  std::mutex mutex_;
  std::string parameters_;
  std::uint32_t clock_hz_ = 0, lanes_ = 1, stride_ = 0x4000;
  unsigned word_bits_ = 32;
  std::size_t line_words_ = 0;
  std::uint32_t first_ = 0;  // where what is gathered belongs
  std::vector<std::uint32_t> gathered_;
  int finished_ = -1;  // the lane whose operation was last seen to have ended
  Fetched fetched_;
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
    lanes.push_back(std::make_unique<Backend>(ops, one.get(), remote->lanes() == 1 ? nullptr : remote.get()));
    (void)one.release();  // the backend closes it
  }
  return lanes;
}

}  // namespace perle
