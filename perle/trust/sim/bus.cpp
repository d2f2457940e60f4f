// SPDX-License-Identifier: Apache-2.0
//
// A simulated board behind a host that does on AXI4-Lite whatever the protocol allows, and checks what comes
// back.
//
// Addresses and data of writes are offered in any order, several accesses are under way, responses wait for
// their host; addresses, strobes and data are random. Every cycle is checked: a response comes only to an
// access that was taken, stays as it is until it is taken, comes within kLongest cycles, and has the code
// that the register map says. Registers that cannot change have their values, COMMAND has what was written,
// errors carry no data.

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "Vperle_top.h"
#include "perle_sim_config.h"
#include "verilated.h"

#define PERLE_BUS_API extern "C" __attribute__((visibility("default")))

extern "C" {
struct perle_bus_counts {
  uint64_t cycles, writes, reads, refused, operations;
};
}

namespace {

constexpr uint32_t kLaneBits = 14;
constexpr uint32_t kWordBytes = PERLE_SIM_WORD_BITS / 8;
constexpr uint32_t kRegisters = 0x58;
constexpr uint32_t kCommand = 0x28, kControl = 0x30, kStatus = 0x38, kCyclesLo = 0x40, kLanes = 0x50;
constexpr uint32_t kBanks = 0x1000, kConstants = 0x2000, kBankBytes = 0x400, kResult = 0x3000;
constexpr uint32_t kCommandBits = 0x1fff0033, kStatusBits = 0x7f03;
constexpr unsigned kOkay = 0, kSlvErr = 2, kDecErr = 3;
constexpr uint64_t kDepth = 4;       // accesses under way, in either direction
constexpr uint64_t kLongest = 4096;  // cycles; hosts that are slow to take a response included
constexpr uint64_t kMood = 512;      // cycles for which a host is as quick, or as slow

// Random numbers: SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(Next() % bound); }

 private:
  uint64_t state_;
};

struct Access {
  uint32_t addr;
  uint64_t data, strobes;
  uint64_t begin;  // cycle in which it was first offered
  bool alone;      // no write was under way at any time
};

bool Writable(uint32_t at) {
  return at == kCommand || at == kControl ||
         (at >= kBanks && at < kConstants + PERLE_BUS_CONSTANTS * kBankBytes);
}

bool Readable(uint32_t at) {
  return (at < kRegisters && at % 8 == 0 && at != kControl) || (at >= kResult && at < kResult + kBankBytes);
}

class Host {
 public:
  Host() {
    context_.randReset(2);
    Verilated::threadContextp(&context_);
    top_ = std::make_unique<Vperle_top>(&context_, "board");
    top_->axil_awvalid_i = top_->axil_wvalid_i = top_->axil_arvalid_i = 0;
    top_->axil_bready_i = top_->axil_rready_i = 0;
    top_->rst_ni = 0;
    for (int i = 0; i < 4; ++i) Clock();
    top_->rst_ni = 1;
    Clock();
  }

  bool Run(uint64_t seed, uint64_t accesses) {
    Random random(seed);
    const uint64_t end = counts_.writes + counts_.reads + accesses;
    while (fault_[0] == '\0' && (counts_.writes + counts_.reads < end || UnderWay())) {
      if (counts_.cycles % kMood == 0) Mood(random);
      Cycle(random, counts_.writes + counts_.reads < end);
    }
    return fault_[0] == '\0';
  }

  // One access with all strobes; the code of the response, or -1 after a fault.
  int Single(uint32_t addr, bool write, uint64_t* data) {
    Random random(0);
    mood_.fill(1);
    const uint64_t before = counts_.writes + counts_.reads;
    forced_ = {addr, write ? *data : 0, (1U << kWordBytes) - 1, 0, true};
    force_ = write ? kForceWrite : kForceRead;
    while (fault_[0] == '\0' && (counts_.writes + counts_.reads == before || UnderWay())) Cycle(random, true);
    force_ = kFree;
    if (!write) *data = last_data_;
    return fault_[0] == '\0' ? static_cast<int>(last_response_) : -1;
  }

  const perle_bus_counts& counts() const { return counts_; }
  const char* fault() const { return fault_; }

 private:
  enum Force { kFree, kForceWrite, kForceRead };

  bool UnderWay() const {
    return offered_aw_ != answered_b_ || offered_w_ != answered_b_ || offered_ar_ != answered_r_;
  }

  __attribute__((format(printf, 2, 3))) void Fault(const char* form, ...) {
    if (fault_[0] != '\0') return;
    std::array<char, 160> text{};
    va_list values;
    va_start(values, form);
    std::vsnprintf(text.data(), text.size(), form, values);
    va_end(values);
    std::snprintf(fault_, sizeof fault_, "cycle %llu: %s", static_cast<unsigned long long>(counts_.cycles),
                  text.data());
  }

  void Mood(Random& random) {
    for (uint32_t& one : mood_) one = 1U << (2 * random.Below(3));
  }

  bool Chance(Random& random, int channel) { return random.Below(mood_[channel]) == 0; }

  Access Made(Random& random) {
    constexpr uint32_t kSpace = 1U << PERLE_BUS_ADDR_BITS;
    uint32_t lane = random.Below(32) == 0 ? random.Below(kSpace >> kLaneBits) : random.Below(PERLE_SIM_LANES);
    const uint32_t kind = random.Below(20);
    uint32_t at = random.Below(1U << kLaneBits);
    if (kind < 8) {
      at = 8 * random.Below(12) + (random.Below(8) == 0 ? random.Below(8) : 0);
    } else if (kind < 18) {
      const uint32_t word = random.Below(4) == 0 ? random.Below(kBankBytes) : random.Below(16);
      at = kBanks + kBankBytes * random.Below(10) + word / kWordBytes * kWordBytes;
    }
    const uint64_t all = (1U << kWordBytes) - 1;
    const uint64_t strobes = random.Below(8) == 0 ? random.Next() & all : all;
    uint64_t data = random.Below(4) == 0 ? random.Below(64) : random.Next();
    if (kWordBytes < 8) data &= 0xffffffff;
    return {(lane << kLaneBits) | at, data, strobes, counts_.cycles, false};
  }

  // The n-th write: both of its channels ask for it, in any order.
  Access& Write(Random& random, uint64_t n) {
    if (n == made_writes_) {
      writes_[n % kDepth] = force_ == kForceWrite ? forced_ : Made(random);
      writes_[n % kDepth].begin = counts_.cycles;
      ++made_writes_;
    }
    return writes_[n % kDepth];
  }

  void Offer(Random& random, bool more) {
    const bool write = more && force_ != kForceRead;
    const bool read = more && force_ != kForceWrite;
    const uint64_t deep = force_ == kFree ? kDepth : 1;
    // what one channel has begun the other one ends, even when no more are wanted
    if (!top_->axil_awvalid_i && offered_aw_ - answered_b_ < deep && (write || offered_aw_ < made_writes_) &&
        Chance(random, 0)) {
      top_->axil_awaddr_i = Write(random, offered_aw_++).addr;
      top_->axil_awvalid_i = 1;
    }
    if (!top_->axil_wvalid_i && offered_w_ - answered_b_ < deep && (write || offered_w_ < made_writes_) &&
        Chance(random, 1)) {
      const Access& one = Write(random, offered_w_++);
      top_->axil_wdata_i = one.data;
      top_->axil_wstrb_i = one.strobes;
      top_->axil_wvalid_i = 1;
    }
    if (!top_->axil_arvalid_i && offered_ar_ - answered_r_ < deep && read && Chance(random, 2)) {
      Access& one = reads_[offered_ar_++ % kDepth];
      one = force_ == kForceRead ? forced_ : Made(random);
      one.begin = counts_.cycles;
      one.alone = made_writes_ == answered_b_;
      top_->axil_araddr_i = one.addr;
      top_->axil_arvalid_i = 1;
    }
    if (made_writes_ != answered_b_)
      for (Access& one : reads_) one.alone = false;
    top_->axil_bready_i = Chance(random, 3);
    top_->axil_rready_i = Chance(random, 4);
  }

  void Cycle(Random& random, bool more) {
    Offer(random, more);
    top_->clk_i = 0;
    top_->eval();
    Stable();
    const bool aw = top_->axil_awvalid_i && top_->axil_awready_o,
               w = top_->axil_wvalid_i && top_->axil_wready_o;
    const bool ar = top_->axil_arvalid_i && top_->axil_arready_o;
    if (top_->axil_bvalid_o && (taken_aw_ <= answered_b_ || taken_w_ <= answered_b_))
      Fault("a response to a write that was not taken");
    else if (top_->axil_bvalid_o && top_->axil_bready_i)
      Written(writes_[answered_b_++ % kDepth]);
    if (top_->axil_rvalid_o && taken_ar_ <= answered_r_)
      Fault("a response to a read that was not taken");
    else if (top_->axil_rvalid_o && top_->axil_rready_i)
      Returned(reads_[answered_r_++ % kDepth]);
    taken_aw_ += aw, taken_w_ += w, taken_ar_ += ar;
    if (made_writes_ != answered_b_) Late(writes_[answered_b_ % kDepth], "write");
    if (offered_ar_ != answered_r_) Late(reads_[answered_r_ % kDepth], "read");
    Edge();
    if (aw) top_->axil_awvalid_i = 0;
    if (w) top_->axil_wvalid_i = 0;
    if (ar) top_->axil_arvalid_i = 0;
  }

  // What was offered and not taken in the last cycle is offered as it was.
  void Stable() {
    const bool b_same = top_->axil_bvalid_o && top_->axil_bresp_o == b_resp_;
    const bool r_same = top_->axil_rvalid_o && top_->axil_rresp_o == r_resp_ && top_->axil_rdata_o == r_data_;
    if (b_waits_ && !b_same) Fault("the response to a write changed before it was taken");
    if (r_waits_ && !r_same) Fault("the response to a read changed before it was taken");
    b_waits_ = top_->axil_bvalid_o && !top_->axil_bready_i;
    r_waits_ = top_->axil_rvalid_o && !top_->axil_rready_i;
    b_resp_ = top_->axil_bresp_o, r_resp_ = top_->axil_rresp_o, r_data_ = top_->axil_rdata_o;
  }

  void Late(const Access& one, const char* what) {
    if (counts_.cycles - one.begin > kLongest) Fault("no response to the %s at 0x%x", what, one.addr);
  }

  // The code that an access has to get; `at` becomes the address in its lane, of the word.
  unsigned Expected(uint32_t addr, bool write, uint32_t* at) const {
    *at = addr % (1U << kLaneBits) / kWordBytes * kWordBytes;
    if (addr >> kLaneBits >= PERLE_SIM_LANES) return kDecErr;
    return (write ? Writable(*at) : Readable(*at)) ? kOkay : kSlvErr;
  }

  void Written(const Access& one) {
    uint32_t at = 0;
    const unsigned expected = Expected(one.addr, true, &at);
    ++counts_.writes;
    counts_.refused += expected != kOkay;
    last_response_ = top_->axil_bresp_o;
    if (top_->axil_bresp_o != expected)
      Fault("a write at 0x%x is answered %d, not %u", one.addr, top_->axil_bresp_o, expected);
    if (expected == kOkay && at == kCommand) {
      uint64_t mask = 0;
      for (uint32_t i = 0; i < 4; ++i) mask |= (one.strobes >> i & 1) * (uint64_t{0xff} << (8 * i));
      uint64_t& word = commands_[one.addr >> kLaneBits];
      word = ((word & ~mask) | (one.data & mask)) & kCommandBits;
    }
  }

  void Returned(const Access& one) {
    uint32_t at = 0;
    const unsigned expected = Expected(one.addr, false, &at);
    const uint32_t lane = one.addr >> kLaneBits;
    const uint64_t data = top_->axil_rdata_o;
    ++counts_.reads;
    counts_.refused += expected != kOkay;
    last_response_ = top_->axil_rresp_o, last_data_ = data;
    if (top_->axil_rresp_o != expected)
      Fault("a read at 0x%x is answered %d, not %u", one.addr, top_->axil_rresp_o, expected);
    if (fault_[0] != '\0') return;
    bool good = true;
    if (expected != kOkay)
      good = data == 0;
    else if (at == kCommand)
      good = !one.alone || data == commands_[lane];
    else if (at == kStatus)
      good = (data & ~uint64_t{kStatusBits}) == 0;
    else if (at == kLanes)
      good = data == (PERLE_SIM_LANES | lane << 8);
    else if (at < kCyclesLo) {
      uint64_t& word = fixed_[at / 8];
      if (!known_[at / 8]) word = data, known_[at / 8] = true;
      good = data == word;
    }
    if (!good) Fault("a read at 0x%x gives 0x%llx", one.addr, static_cast<unsigned long long>(data));
  }

  void Edge() {
    top_->clk_i = 1;
    top_->eval();
    const uint64_t irq = top_->irq_o;
    counts_.operations += static_cast<uint64_t>(__builtin_popcountll(irq & ~irq_));
    irq_ = irq;
    ++counts_.cycles;
  }

  void Clock() {
    top_->clk_i = 0;
    top_->eval();
    Edge();
  }

  VerilatedContext context_;
  std::unique_ptr<Vperle_top> top_;
  perle_bus_counts counts_{};
  std::array<Access, kDepth> writes_{}, reads_{};
  uint64_t made_writes_ = 0, offered_aw_ = 0, offered_w_ = 0, taken_aw_ = 0, taken_w_ = 0, answered_b_ = 0;
  uint64_t offered_ar_ = 0, taken_ar_ = 0, answered_r_ = 0;
  bool b_waits_ = false, r_waits_ = false;
  unsigned b_resp_ = 0, r_resp_ = 0, last_response_ = 0;
  uint64_t r_data_ = 0, last_data_ = 0, irq_ = 0;
  std::array<uint64_t, PERLE_SIM_LANES> commands_{};
  std::array<uint64_t, kCyclesLo / 8> fixed_{};
  std::array<bool, kCyclesLo / 8> known_{};
  std::array<uint32_t, 5> mood_{1, 1, 1, 1, 1};
  Access forced_{};
  Force force_ = kFree;
  char fault_[200] = "";
};

}  // namespace

PERLE_BUS_API Host* perle_bus_open() { return new Host; }

PERLE_BUS_API void perle_bus_close(Host* host) { delete host; }

// So many random accesses, and then none under way; 0, or 1 after a fault.
PERLE_BUS_API int perle_bus_run(Host* host, uint64_t seed, uint64_t accesses) {
  return host->Run(seed, accesses) ? 0 : 1;
}

// One access; the code of its response, -1 after a fault.
PERLE_BUS_API int perle_bus_write(Host* host, uint32_t addr, uint64_t data) {
  return host->Single(addr, true, &data);
}
PERLE_BUS_API int perle_bus_read(Host* host, uint32_t addr, uint64_t* data) {
  return host->Single(addr, false, data);
}

PERLE_BUS_API void perle_bus_count(const Host* host, perle_bus_counts* counts) { *counts = host->counts(); }

// What was wrong first; empty where nothing was.
PERLE_BUS_API const char* perle_bus_fault(const Host* host) { return host->fault(); }
