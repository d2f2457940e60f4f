// SPDX-License-Identifier: Apache-2.0
//
// A serial line to LiteX's UARTBone. A command is its code, the number of words, the word address of the
// first word, and the data, all big-endian. Reads are answered by the data alone, writes not at all. The
// bridge drops a command that is not complete within a tenth of a second.
//
// Lost or corrupted bytes are not detected here, except that an answer is too short: results are checked
// where they are used. After a short answer nothing is sent until the bridge has dropped any partial command;
// then the command is repeated, so that a late answer is not taken for that of another command.
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "api/error.hpp"
#include "board/process.hpp"
#include "link/big_endian.hpp"
#include "link/link.hpp"

namespace perle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::uint8_t kWrite = 1, kRead = 2;
constexpr std::size_t kMostWords = 128;
constexpr milliseconds kRest{130};      // longer than the bridge keeps a partial command
constexpr milliseconds kPatience{300};  // timeout of an answer, in addition to its transmission time
constexpr milliseconds kBurst{40};      // transmission time of one command, well below the bridge's limit
constexpr int kTries = 3;
constexpr int kMostDrops = 32;
constexpr const char* kInUse = "another program uses it";

struct Rate {
  unsigned baud;
  speed_t code;
};
constexpr std::array kRates = {
    Rate{300, B300},         Rate{600, B600},         Rate{1200, B1200},       Rate{2400, B2400},
    Rate{4800, B4800},       Rate{9600, B9600},       Rate{19200, B19200},     Rate{38400, B38400},
    Rate{57600, B57600},     Rate{115200, B115200},   Rate{230400, B230400},   Rate{460800, B460800},
    Rate{500000, B500000},   Rate{576000, B576000},   Rate{921600, B921600},   Rate{1000000, B1000000},
    Rate{1152000, B1152000}, Rate{1500000, B1500000}, Rate{2000000, B2000000}, Rate{2500000, B2500000},
    Rate{3000000, B3000000}, Rate{3500000, B3500000}, Rate{4000000, B4000000},
};

// Throws PERLE_ERR_SPEC if the rate is not supported.
const Rate& rate_of(unsigned baud) {
  const auto* const rate =
      std::find_if(kRates.begin(), kRates.end(), [&](const Rate& one) { return one.baud == baud; });
  if (rate != kRates.end()) return *rate;
  std::string known;
  for (const Rate& one : kRates) known += (known.empty() ? "" : ", ") + std::to_string(one.baud);
  throw Error(PERLE_ERR_SPEC, "serial lines have no " + std::to_string(baud) + " baud, but " + known);
}

[[noreturn]] void absent(const std::string& device, const std::string& why) {
  throw Error(PERLE_ERR_BOARD_ABSENT, "serial line " + device + ": " + why);
}

class Uart final : public Link {
 public:
  Uart(std::string device, const Rate& rate)
      : device_(std::move(device)),
        rate_(rate),
        burst_(std::clamp<std::size_t>(rate.baud / 40 * kBurst.count() / 1000, 1, kMostWords)) {
    if (!connect()) absent(device_, why_);
  }
  ~Uart() override { disconnect(); }

  bool write(unsigned lane, std::uint32_t addr, std::span<const std::uint32_t> words) override {
    const std::lock_guard lock(mutex_);
    if (!silence_.may(lane) || (!file_.is_open() && !connect())) return false;
    if (!sound_) rest();  // let the bridge drop a partial command, or it would take this one for its rest
    for (std::size_t at = 0; at < words.size(); at += burst_) {
      const auto part = words.subspan(at, std::min(burst_, words.size() - at));
      std::vector<std::uint8_t> command =
          head(kWrite, part.size(), addr + static_cast<std::uint32_t>(4 * at));
      for (const std::uint32_t word : part) put32(command, word);
      const bool sent = send(command);
      explicit_bzero(command.data(), command.size());
      if (!sent) return sound_ = failed(lane);
    }
    return true;
  }

  bool write_once(unsigned lane, std::uint32_t addr, std::uint32_t word) override {
    return write(lane, addr, {&word, 1});
  }

  bool read(unsigned lane, std::span<const std::uint32_t> addrs, std::uint32_t* out) override {
    const std::lock_guard lock(mutex_);
    if (!silence_.may(lane)) return false;
    for (std::size_t at = 0; at < addrs.size();) {
      std::size_t count = 1;
      while (count < burst_ && at + count < addrs.size() && addrs[at + count] == addrs[at] + 4 * count)
        ++count;
      if (!read_burst(addrs[at], count, out + at)) return failed(lane);
      at += count;
    }
    silence_.note(lane, true);
    return true;
  }

  bool checked() const override { return false; }
  std::uint64_t round_trips() const override { return round_trips_; }

 private:
  static std::vector<std::uint8_t> head(std::uint8_t code, std::size_t words, std::uint32_t addr) {
    std::vector<std::uint8_t> command = {code, static_cast<std::uint8_t>(words)};
    command.reserve(6 + 4 * words);
    put32(command, addr / 4);
    return command;
  }

  // After a failure only one try is made, so that calls on a dead board fail quickly.
  bool read_burst(std::uint32_t addr, std::size_t count, std::uint32_t* out) {
    for (int tries = sound_ ? kTries : 1; tries > 0; --tries) {
      if (!file_.is_open() && !connect()) continue;
      if (!sound_) rest();
      ++round_trips_;
      drop_input();
      std::array<std::uint8_t, 4 * kMostWords> data;
      sound_ = send(head(kRead, count, addr)) && receive({data.data(), 4 * count});
      if (sound_)
        for (std::size_t i = 0; i < count; ++i) out[i] = get32(&data[4 * i]);
      explicit_bzero(data.data(), data.size());
      if (sound_) return true;
    }
    return false;
  }

  // An access has failed. A device that is gone is not silent: that takes no time to see.
  bool failed(unsigned lane) {
    if (file_.is_open()) silence_.note(lane, false);
    return false;
  }

  bool connect() {
    file_ = OwnFile([&] { return ::open(device_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); });
    if (!file_.is_open())
      return refuse(errno == EACCES  ? "no permission to open it (is the user in its group, often dialout?)"
                    : errno == EBUSY ? kInUse
                                     : std::strerror(errno));
    // flock for programs that use it; TIOCEXCL below for those that do not.
    own_ = ::flock(file_.fd(), LOCK_EX | LOCK_NB) == 0;
    if (!own_) return refuse(kInUse);
    termios mode{};
    if (::tcgetattr(file_.fd(), &mode) != 0) return refuse("it is no terminal device");
    ::ioctl(file_.fd(), TIOCEXCL);
    ::cfmakeraw(&mode);
    mode.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
    mode.c_cflag |= CLOCAL | CREAD;
    ::cfsetispeed(&mode, rate_.code);
    ::cfsetospeed(&mode, rate_.code);
    if (::tcsetattr(file_.fd(), TCSANOW, &mode) != 0)
      return refuse("it does not take " + std::to_string(rate_.baud) + " baud");
    sound_ = false;  // a previous user may have left a partial command
    return true;
  }

  bool refuse(const std::string& why) {
    why_ = why;
    disconnect();
    return false;
  }

  void disconnect() {
    if (!file_.is_open()) return;
    // Do not discard the bytes, or release the lock, of another program.
    if (std::exchange(own_, false)) {
      // Flush, because close() waits for output that a hanging device never takes; unlock, because a child
      // may have the file open until it calls exec().
      ::tcflush(file_.fd(), TCIOFLUSH);
      ::ioctl(file_.fd(), TIOCNXCL);
      ::flock(file_.fd(), LOCK_UN);
    }
    file_.close();
  }

  void rest() {
    ::tcflush(file_.fd(), TCOFLUSH);
    std::this_thread::sleep_for(kRest);
    busy_until_ = Clock::now();
  }

  // Bounded: a device that sends all the time would never be empty.
  void drop_input() {
    std::array<std::uint8_t, 512> lost;
    for (int i = 0; i < kMostDrops && ::read(file_.fd(), lost.data(), lost.size()) > 0; ++i) {
    }
    ::explicit_bzero(lost.data(), lost.size());
  }

  Clock::duration on_the_line(std::size_t bytes) const {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(10.0 * static_cast<double>(bytes) / rate_.baud));
  }

  bool send(const std::vector<std::uint8_t>& bytes) {
    busy_until_ = std::max(busy_until_, Clock::now()) + on_the_line(bytes.size());
    const auto deadline = busy_until_ + kPatience;
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t done = ::write(file_.fd(), &bytes[at], bytes.size() - at);
      if (done > 0) at += static_cast<std::size_t>(done);
      if (done < 0 && errno != EAGAIN && errno != EINTR) return disconnect(), false;
      if (at < bytes.size() && !await(POLLOUT, deadline)) return false;
    }
    return true;
  }

  bool receive(std::span<std::uint8_t> bytes) {
    const auto deadline = busy_until_ + on_the_line(bytes.size()) + kPatience;
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t done = ::read(file_.fd(), &bytes[at], bytes.size() - at);
      if (done > 0) at += static_cast<std::size_t>(done);
      if (done == 0 || (done < 0 && errno != EAGAIN && errno != EINTR)) return disconnect(), false;
      if (at < bytes.size() && !await(POLLIN, deadline)) return false;
    }
    return true;
  }

  // Waits until the line is ready; false after a timeout, or if the device has disappeared.
  bool await(short event, Clock::time_point deadline) {
    pollfd one{file_.fd(), event, 0};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready < 0) return errno == EINTR;
    if ((one.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0 && (one.revents & event) == 0)
      return disconnect(), false;
    return ready > 0;
  }

  std::mutex mutex_;
  std::atomic<std::uint64_t> round_trips_ = 0;
  std::string device_, why_;
  Rate rate_;
  std::size_t burst_;  // words
  OwnFile file_;
  bool own_ = false;  // this program has locked it
  bool sound_ = false;
  Silence silence_;
  Clock::time_point busy_until_{};  // when all sent bytes have been transmitted
};

}  // namespace

void check_device(const std::string& device) {
  struct stat found{};
  if (::stat(device.c_str(), &found) != 0)
    throw Error(PERLE_ERR_BOARD_ABSENT, "there is no device " + device + " (" + std::strerror(errno) + ")");
}

std::unique_ptr<Link> open_uart(const std::string& device, unsigned baud) {
  check_device(device);
  return std::make_unique<Uart>(device, rate_of(baud));
}

void check_baud(unsigned baud) { rate_of(baud); }

}  // namespace perle
