// SPDX-License-Identifier: Apache-2.0
//
// Links whose system calls give less than requested, or fail; and device files that are mapped.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>

#include "bridge.hpp"
#include "remote.hpp"

namespace {

// What the functions below do, which replace the C library's. A constant at the start of every thread: they
// are called where nothing may be locked or allocated, such as in a child process.
struct Calls {
  bool few = false;         // every other write() takes nothing, the others one byte
  bool none = false;        // whether the next one takes nothing
  std::size_t lost = 0;     // the next write() of as many bytes fails
  int open_error = 0;       // of a terminal
  int opened = 0;           // how often one was to be opened
  std::size_t longest = 0;  // bytes of the longest write()
  int read_error = 0;
  ino_t device = 0;                                             // a file that fstat() says is a device
  const std::map<std::string, std::string>* instead = nullptr;  // files to be opened for those of the kernel
};
constinit thread_local Calls calls;
std::atomic<bool> socket_fails = false;  // the next recv() of a socket that has data

constexpr unsigned kMajor = 4000;  // of no device

}  // namespace

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
  if (calls.read_error == 0) return ::syscall(SYS_read, fd, data, size);
  errno = calls.read_error;
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

const SoftConfig kSmall = {.width = 256, .cycles_per_bit = 0};

struct OtherCalls {
  explicit OtherCalls(const Calls& other) { calls = other; }
  ~OtherCalls() { calls = {}; }
  OtherCalls(const OtherCalls&) = delete;
  OtherCalls& operator=(const OtherCalls&) = delete;
};

bool told(const char* text) { return std::string(perle_last_error()).find(text) != std::string::npos; }

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

std::string snapshot(perle_boards* set) {
  char text[256];
  std::size_t size = 0;
  CHECK_EQ(perle_board_snapshot(set, 0, text, sizeof text, &size), PERLE_OK);
  return text;
}

}  // namespace

TEST(serial_line_takes_a_byte_at_a_time) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  if (!CHECK_EQ(board.status, PERLE_OK)) return;
  Product one{};
  {
    const OtherCalls slow({.few = true});
    one = multiply(board.set);
  }
  CHECK_EQ(one.status, PERLE_OK);
  CHECK(one.right);
  perle_board_stats stats{};
  CHECK_EQ(perle_boards_stats(board.set, 0, &stats), PERLE_OK);
  CHECK_EQ(stats.faults, 0U);
}

TEST(serial_line_that_cannot_be_opened) {
  UartBridge line(kSmall);
  const struct {
    int error;
    const char* text;
  } all[] = {{EBUSY, "another program uses it"}, {EACCES, "no permission"}, {EIO, "Input/output error"}};
  for (const auto& each : all) {
    const OtherCalls refused({.open_error = each.error});
    CHECK_EQ(Remote(line.spec()).status, PERLE_ERR_BOARD_ABSENT);
    CHECK(told(each.text));
  }
  CHECK_EQ(Remote(line.spec()).status, PERLE_OK);
}

// What a read of a line that is gone would return is not taken for data.
TEST(serial_line_that_is_gone_reads_nothing) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  std::uint64_t word = 0;
  CHECK_EQ(perle_board_read(board.set, 0, 0x00, &word), PERLE_OK);
  {
    const OtherCalls gone({.read_error = EIO});
    CHECK_EQ(perle_board_read(board.set, 0, 0x00, &word), PERLE_ERR_BUS);
    CHECK(calls.opened > 1);
    calls.opened = 0;
    CHECK_EQ(perle_board_read(board.set, 0, 0x00, &word), PERLE_ERR_BUS);
    CHECK_EQ(calls.opened, 1);  // known to be gone: no more than one try
  }
  CHECK_EQ(perle_board_read(board.set, 0, 0x00, &word), PERLE_OK);
  CHECK_EQ(word, 0x5045524CU);
}

// Operands that were not sent are none: the operation ends there, and its board is recovered.
TEST(serial_line_that_loses_a_write) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  {
    const OtherCalls broken({.lost = kSmall.width / 8});
    CHECK_EQ(multiply(board.set).status, PERLE_ERR_BUS);
    CHECK(told("write of 0x"));
    CHECK_EQ(calls.lost, 0U);
  }
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
}

// A command must arrive in time: on a slow line it is short.
TEST(slow_serial_line_has_short_commands) {
  UartBridge line(kSmall);
  std::size_t longest[2] = {};
  for (const bool fast : {false, true}) {
    const Remote board(line.spec() + (fast ? ",baud=1000000" : ",baud=9600"));
    const OtherCalls counted({});
    CHECK_EQ(multiply(board.set).status, PERLE_OK);
    longest[fast] = calls.longest;
  }
  const std::size_t line_bytes = (kSmall.operand_bits() + 31) / 32 * 4, head = 6;
  CHECK_EQ(longest[1], line_bytes + head);
  CHECK(longest[0] <= 9600 / 10 * 40 / 1000 + head);  // sent within 40 ms
}

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

TEST(a_result_is_read_in_one_command) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  const auto trips = [&] {
    const std::string text = snapshot(board.set), name = "\"round_trips\": \"";
    return std::stoi(text.substr(text.find(name) + name.size()));
  };
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  const int before = trips();
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  CHECK(trips() - before <= 4);  // the status, perhaps twice, and the result with its cycles
}

// A result is read ahead with the cycles that it took; what lies behind it is not.
TEST(what_lies_behind_a_result_is_read_from_the_board) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  const std::uint32_t words = (kSmall.operand_bits() + 31) / 32;
  std::uint64_t word = 0;
  CHECK_EQ(perle_board_read(board.set, 0, 0x3000 + 4 * words, &word), PERLE_OK);
  CHECK_EQ(word, 0xFFFFFFFFU);  // no register
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
