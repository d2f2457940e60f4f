// SPDX-License-Identifier: Apache-2.0
//
// System calls in the place of the C library's (calls.hpp); a network link that is reconnected, and device
// files that are mapped.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>

#include "bridge.hpp"
#include "calls.hpp"
#include "remote.hpp"

constinit thread_local Calls calls;
std::atomic<bool> socket_fails = false;

extern "C" ssize_t write(int fd, const void* data, std::size_t size) {
  calls.longest = std::max(calls.longest, size);
  if (calls.lost != 0 && size >= calls.lost) {
    calls.lost = 0;
    errno = EIO;
    return -1;
  }
  if (!calls.few) return ::syscall(SYS_write, fd, data, size);
  calls.none = !calls.none;
  if (!calls.none) return ::syscall(SYS_write, fd, data, std::min<std::size_t>(size, 1));
  errno = EIO;  // of an earlier call
  return 0;
}

extern "C" ssize_t read(int fd, void* data, std::size_t size) {
  const bool early = (calls.late || calls.hangs_up) && !calls.polled;
  calls.polled = false;
  if (calls.read_error == 0 && !early) return ::syscall(SYS_read, fd, data, size);
  errno = early ? EAGAIN : calls.read_error;
  return -1;
}

extern "C" int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const bool terminal = std::strstr(path, "tty") != nullptr;
  calls.opened += terminal ? 1 : 0;
  if (calls.open_error == 0 || !terminal)
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  errno = calls.open_error;
  return -1;
}

extern "C" int poll(pollfd* fds, nfds_t count, int milliseconds) {
  if (calls.late) {
    calls.late = false;
    fds->revents = 0;
    return 0;
  }
  calls.polled = true;
  timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
  const auto ready =
      static_cast<int>(::syscall(SYS_ppoll, fds, count, milliseconds < 0 ? nullptr : &limit, nullptr, 0));
  if (calls.hangs_up && ready == 1 && (fds->revents & POLLIN) != 0) fds->revents |= POLLHUP;
  return ready;
}

extern "C" ssize_t recv(int fd, void* data, std::size_t size, int flags) {
  if ((flags & MSG_DONTWAIT) == 0 || !socket_fails.exchange(false))
    return ::syscall(SYS_recvfrom, fd, data, size, flags, nullptr, nullptr);
  errno = ENETDOWN;
  return -1;
}

extern "C" int fstat(int fd, struct stat* found) {
  const auto failed = static_cast<int>(::syscall(SYS_newfstatat, fd, "", found, AT_EMPTY_PATH));
  if (failed == 0 && found->st_ino == calls.device) {
    found->st_mode = S_IFCHR;
    found->st_rdev = makedev(kMajor, 0);
  }
  return failed;
}

// Called by std::ifstream, from another library.
extern "C" __attribute__((visibility("default"))) std::FILE* fopen64(const char* path, const char* mode) {
  static const auto next = reinterpret_cast<decltype(&fopen64)>(::dlsym(RTLD_NEXT, "fopen64"));
  if (calls.instead == nullptr || !calls.instead->contains(path)) return next(path, mode);
  return next(calls.instead->at(path).c_str(), mode);
}

namespace {

// A file of what the registers of a board read, mapped.
class Registers {
 public:
  explicit Registers(unsigned word_bits) : fd_(::mkstemp(path_)) {
    CHECK_EQ(::ftruncate(fd_, kBytes), 0);
    memory_ = static_cast<std::uint8_t*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0));
    SoftBoard board({.width = 256, .word_bits = word_bits});
    for (const std::uint32_t addr : {0x00U, 0x08U, 0x10U, 0x18U, 0x20U, 0x50U}) {
      std::uint64_t data = 0;
      board.read(addr, &data);
      put(addr, static_cast<std::uint32_t>(data));
    }
  }
  ~Registers() {
    ::munmap(memory_, kBytes);
    ::close(fd_);
    ::unlink(path_);
  }
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;
  void put(std::uint32_t addr, std::uint32_t word) { std::memcpy(memory_ + addr, &word, 4); }
  std::uint8_t* memory() { return memory_; }
  std::string spec() const { return std::string("uio:") + path_; }
  const char* path() const { return path_; }
  int fd() const { return fd_; }

 private:
  static constexpr std::size_t kBytes = 0x4000;
  char path_[32] = "/tmp/perle-uio-XXXXXX";
  int fd_;
  std::uint8_t* memory_ = nullptr;
};

}  // namespace

// In a program that has closed its standard input, a new socket may be descriptor 0.
TEST(network_is_reconnected) {
  EtherboneBridge net(kSmall);
  const int input = ::dup(0);
  {
    const Remote board(net.spec());
    CHECK_EQ(multiply(board.set).status, PERLE_OK);
    ::close(0);
    socket_fails = true;
    CHECK_EQ(multiply(board.set).status, PERLE_OK);
    CHECK(!socket_fails);
  }
  if (input >= 0) ::dup2(input, 0);
  ::close(input);
}

// A mapped device with words of 32 and of 64 bits. It answers with the product in RESULT, and shows what was
// written where.
TEST(a_mapped_device_is_read_and_written) {
  for (const unsigned word_bits : {32U, 64U}) {
    Registers device(word_bits);
    const Remote board(device.spec());
    if (!CHECK_EQ(board.status, PERLE_OK)) continue;
    const Bn m = random_odd(256), x = random_below(m), y = random_below(m);
    const Data ms = bytes(m), xs = bytes(x), ys = bytes(y);
    const Data z = bytes(Arithmetic().mulmod(x, y, m));
    const auto little = [](Data big) { return std::reverse(big.begin(), big.end()), big; };
    const Data zs = little(z);
    std::memcpy(device.memory() + 0x3000, zs.data(), zs.size());
    device.put(0x38, 2);  // done
    perle_mod* mod = nullptr;
    CHECK_EQ(perle_mod_new(board.set, ms.data(), ms.size(), &mod), PERLE_OK);
    Data out(32);
    std::size_t size = 0;
    CHECK_EQ(perle_mulmod(board.set, mod, xs.data(), xs.size(), ys.data(), ys.size(), out.data(), out.size(),
                          &size, nullptr),
             PERLE_OK);
    perle_mod_free(mod);
    // Nothing tells the clock of a device without registers of its design.
    CHECK(snapshot(board.set).find("\"core_clock_hz\": \"0\"") != std::string::npos);
    CHECK_EQ(std::memcmp(device.memory() + 0x1000, little(xs).data(), xs.size()), 0);
    CHECK_EQ(std::memcmp(device.memory() + 0x1400, little(ys).data(), ys.size()), 0);
    CHECK_EQ(std::memcmp(device.memory() + 0x2000, little(ms).data(), ms.size()), 0);
    CHECK_EQ(device.memory()[0x30], 1);  // the start
  }
}

// A program has ended without closing its board, and left a child that does not use it.
TEST(an_idle_child_keeps_no_device) {
  const UartBridge line(kSmall);
  const EtherboneBridge net(kSmall);
  const Registers device(32);
  for (const std::string& spec : {line.spec(), net.spec(), device.spec()}) {
    int child[2];
    CHECK_EQ(::pipe(child), 0);
    const pid_t program = ::fork();
    if (program == 0) {
      perle_boards* set = nullptr;
      const perle_status status = perle_boards_open(spec.c_str(), &set);
      if (::fork() == 0) {
        const pid_t idle = ::getpid();
        (void)!::write(child[1], &idle, sizeof idle);
        for (;;) ::pause();
      }
      ::_exit(status == PERLE_OK ? 0 : 1);
    }
    int ended = 1;
    CHECK_EQ(::waitpid(program, &ended, 0), program);
    CHECK_EQ(ended, 0);
    pid_t idle = 0;
    CHECK_EQ(::read(child[0], &idle, sizeof idle), static_cast<ssize_t>(sizeof idle));
    CHECK_EQ(Remote(spec).status, PERLE_OK);
    ::kill(idle, SIGKILL);
    ::close(child[0]);
    ::close(child[1]);
  }
}

// A board that was used is in order: it is zeroized when it is opened, and not taken for a failed one.
TEST(a_used_board_is_opened) {
  UartBridge line(kSmall);
  for (int i = 0; i < 2; ++i) {
    const Remote board(line.spec());
    perle_board_stats stats{};
    CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
    CHECK(stats.resets == 0 && stats.recoveries == 0);
    CHECK_EQ(multiply(board.set).status, PERLE_OK);
  }
  CHECK_EQ(line.resets(), 0U);
}

TEST(an_address_of_another_lane_is_refused) {
  UartBridge line(kSmall, 2);
  const Remote board(line.spec());
  std::uint64_t data = 0;
  CHECK_EQ(perle_board_read(board.set, 0, 0x3FF8, &data), PERLE_OK);
  CHECK_EQ(perle_board_read(board.set, 0, 0x4000, &data), PERLE_ERR_ARGUMENT);
  CHECK_EQ(perle_board_write(board.set, 0, 0x4000, 0), PERLE_ERR_ARGUMENT);
}

// The second map of a device, from the second page on, has the registers of the design.
TEST(a_mapped_device_tells_its_design) {
  constexpr std::uint32_t kMap = 0x1000;
  Registers device(32), size_0(32), size_1(32);
  const auto say = [](const Registers& file, const char* size) {
    CHECK_EQ(::ftruncate(file.fd(), 0), 0);
    CHECK_EQ(::pwrite(file.fd(), size, std::strlen(size), 0), static_cast<ssize_t>(std::strlen(size)));
  };
  say(size_0, "0x4000\n");
  say(size_1, "0x1000\n");
  struct stat found{};
  CHECK_EQ(::fstat(device.fd(), &found), 0);
  const std::string maps = "/sys/dev/char/" + std::to_string(kMajor) + ":0/maps/map";
  const std::map<std::string, std::string> sizes = {{maps + "0/size", size_0.path()},
                                                    {maps + "1/size", size_1.path()}};
  const OtherCalls uio({.device = found.st_ino, .instead = &sizes});
  const std::uint32_t design[] = {0x5045524C, 1, 0, 100'000'000, 1, 0x4000, ~0U};
  for (std::uint32_t i = 0; i < std::size(design); ++i) device.put(kMap + 4 * i, design[i]);
  {
    const Remote board(device.spec());
    CHECK_EQ(board.status, PERLE_OK);
    CHECK(snapshot(board.set).find("\"core_clock_hz\": \"100000000\"") != std::string::npos);
  }
  device.put(kMap, 0x4C495445);
  CHECK_EQ(Remote(device.spec()).status, PERLE_ERR_BOARD_ID);
  CHECK(told("is no Perle design"));
}

// A program that this one starts must not have the device open.
TEST(a_mapped_device_is_closed_in_other_programs) {
  const Registers device(32);
  const Remote board(device.spec());
  int open = 0;
  for (int fd = 3; fd < 1024; ++fd) {
    struct stat one{}, other{};
    if (fd == device.fd() || ::fstat(fd, &one) != 0 || ::fstat(device.fd(), &other) != 0) continue;
    if (one.st_ino != other.st_ino || one.st_dev != other.st_dev) continue;
    ++open;
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK_EQ(open, 1);
}
