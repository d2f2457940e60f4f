// SPDX-License-Identifier: Apache-2.0
//
// A device of Linux's userspace I/O. Its first map contains the board's registers; its second map, if there
// is one, those of the design, such as its reset. Accesses are loads and stores of the processor.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "api/error.hpp"
#include "board/process.hpp"
#include "link/link.hpp"

namespace perle {
namespace {

[[noreturn]] void absent(const std::string& device, const std::string& why) {
  throw Error(PERLE_ERR_BOARD_ABSENT, "device " + device + ": " + why);
}

// Size of a map of /dev/uioN, from sysfs; 0: there is no such map. A regular file has only map 0.
std::size_t map_size(int fd, int map) {
  struct stat found{};
  if (::fstat(fd, &found) == 0 && S_ISREG(found.st_mode))
    return map == 0 ? static_cast<std::size_t>(found.st_size) : 0;
  std::ifstream file("/sys/dev/char/" + std::to_string(major(found.st_rdev)) + ":" +
                     std::to_string(minor(found.st_rdev)) + "/maps/map" + std::to_string(map) + "/size");
  std::size_t size = 0;
  file >> std::hex >> size;
  return file ? size : 0;
}

class Map {
 public:
  Map(const std::string& device, int fd, int index) : size_(map_size(fd, index)) {
    if (size_ == 0) return;
    // UIO selects the map by the offset, in pages.
    at_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, index * ::sysconf(_SC_PAGESIZE));
    if (at_ == MAP_FAILED) absent(device, std::string("it cannot be mapped: ") + std::strerror(errno));
    ::madvise(at_, size_, MADV_DONTFORK);  // a child's map would keep the lock on the device
  }
  ~Map() {
    if (size_ != 0) ::munmap(at_, size_);
  }
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

  std::size_t size() const { return size_; }
  template <typename Word>
  volatile Word* word(std::uint32_t addr) const {
    return addr + sizeof(Word) <= size_ ? reinterpret_cast<volatile Word*>(static_cast<char*>(at_) + addr)
                                        : nullptr;
  }

 private:
  std::size_t size_;
  void* at_ = nullptr;
};

// The device, locked for this program.
OwnFile open_device(const std::string& device) {
  OwnFile file([&] { return ::open(device.c_str(), O_RDWR | O_SYNC | O_CLOEXEC); });
  if (!file.is_open())
    absent(device, errno == EACCES ? "no permission to open it (see docs/boards.md)" : std::strerror(errno));
  if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0) absent(device, "another program uses it");
  return file;
}

class Uio final : public Link {
 public:
  explicit Uio(const std::string& device)
      : file_(open_device(device)), registers_(device, file_.fd(), 0), control_(device, file_.fd(), 1) {
    if (registers_.size() < soc::kLaneBytes)
      absent(device, "it has no map of " + std::to_string(soc::kLaneBytes) +
                         " bytes, which a board's registers take");
  }

  ~Uio() override { ::flock(file_.fd(), LOCK_UN); }  // a child may have it open until it calls exec()

  // If wide, words are written in pairs: a 64-bit board accepts no half words (see word_bits and widen).
  bool write(unsigned, std::uint32_t addr, std::span<const std::uint32_t> words) override {
    for (std::size_t i = 0; i < words.size(); i += wide_ ? 2 : 1) {
      const auto to = addr + static_cast<std::uint32_t>(4 * i);
      if (!wide_ ? !put(to, words[i]) : !put(to, std::uint64_t{words[i + 1]} << 32 | words[i])) return false;
    }
    return true;
  }
  bool write_once(unsigned, std::uint32_t addr, std::uint32_t word) override {
    return in_control(addr) || !wide_ ? put(addr, word) : put(addr, std::uint64_t{word});
  }
  bool read(unsigned, std::span<const std::uint32_t> addrs, std::uint32_t* out) override {
    reads_ += addrs.size();
    for (const std::uint32_t addr : addrs) {
      const volatile std::uint32_t* const from = at<std::uint32_t>(addr);
      if (from == nullptr) return false;
      *out++ = *from;
    }
    return true;
  }
  bool has_control() const override { return control_.size() != 0; }
  std::uint64_t round_trips() const override { return reads_; }
  unsigned word_bits() const override { return 64; }
  void widen(bool wide) override { wide_ = wide; }

 private:
  static bool in_control(std::uint32_t addr) { return addr >= soc::kControl; }
  template <typename Word>
  volatile Word* at(std::uint32_t addr) const {
    return in_control(addr) ? control_.word<Word>(addr - soc::kControl)
                            : registers_.word<Word>(addr - soc::kRegisters);
  }
  template <typename Word>
  bool put(std::uint32_t addr, Word word) {
    volatile Word* const to = at<Word>(addr);
    if (to != nullptr) *to = word;
    return to != nullptr;
  }

  OwnFile file_;
  Map registers_, control_;
  bool wide_ = false;
  std::atomic<std::uint64_t> reads_ = 0;
};

}  // namespace

std::unique_ptr<Link> open_uio(const std::string& device) {
  check_device(device);
  return std::make_unique<Uio>(device);
}

}  // namespace perle
