// SPDX-License-Identifier: Apache-2.0
#include "status_page.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <sstream>
#include <string_view>

namespace perle::provider {
namespace {

std::atomic<unsigned> pages{0};

// Start time of a process, field 22 of /proc/PID/stat; the name before it may contain spaces and brackets. 0:
// no such process.
std::uint64_t start_of(const std::string& process) {
  std::ifstream in("/proc/" + process + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream rest(text.substr(name + 1));
  std::string word;
  for (int field = 3; field < 22; ++field) rest >> word;
  std::uint64_t ticks = 0;
  rest >> ticks;
  return ticks;
}

// The PID namespace of this process; 0: unknown.
std::uint64_t own_space() {
  struct stat found{};
  return ::stat("/proc/self/ns/pid", &found) == 0 ? found.st_ino : 0;
}

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Opens a folder that belongs to the user of this process and that nobody else can write to; creates it if
// necessary.
int own_folder(const std::string& folder) {
  ::mkdir(folder.c_str(), 0700);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat found{};
  if (fd >= 0 && ::fstat(fd, &found) == 0 && found.st_uid == ::geteuid() && (found.st_mode & 022) == 0)
    return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

// Whether the process of a page has ended and the page need not be kept. False for processes of another PID
// namespace, such as a container that shares the folder, because they are not visible.
bool left_behind(int folder, const char* name, std::uint64_t space) {
  const File file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  StatusHead head{};
  if (file.get() < 0 || ::read(file.get(), &head, sizeof head) != static_cast<ssize_t>(sizeof head))
    return false;
  return std::memcmp(head.magic, kMagic, sizeof head.magic) == 0 && (head.flags & kKept) == 0 &&
         head.space == space && start_of(std::to_string(head.pid)) != head.started;
}

// Removes the pages of processes that were killed.
void clean(int folder) {
  const std::uint64_t space = own_space();
  if (start_of("self") == 0 || space == 0)
    return;  // without /proc no process is visible: all might still run
  const int copy = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
  DIR* const entries = copy < 0 ? nullptr : ::fdopendir(copy);
  if (entries == nullptr) {
    if (copy >= 0) ::close(copy);
    return;
  }
  constexpr std::string_view kEnd = ".status";
  while (const dirent* const entry = ::readdir(entries))
    if (std::string_view(entry->d_name).ends_with(kEnd) && left_behind(folder, entry->d_name, space))
      ::unlinkat(folder, entry->d_name, 0);
  ::closedir(entries);
}

}  // namespace

void* StatusPage::map(const std::string& folder) {
  if (folder.empty()) return MAP_FAILED;
  const File place(own_folder(folder));
  if (place.get() < 0) return MAP_FAILED;
  clean(place.get());
  const std::string name = std::to_string(::getpid()) + "-" + std::to_string(pages++) + ".status";
  ::unlinkat(place.get(), name.c_str(), 0);  // of an earlier process with the same id
  const File file(
      ::openat(place.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.get() < 0) return MAP_FAILED;
  void* data = MAP_FAILED;
  // Allocate blocks now: otherwise a full disk would cause SIGBUS later.
  if (::posix_fallocate(file.get(), 0, sizeof(StatusData)) == 0)
    data = ::mmap(nullptr, sizeof(StatusData), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED)
    ::unlinkat(place.get(), name.c_str(), 0);
  else
    path_ = folder + "/" + name;
  return data;
}

StatusPage::StatusPage(const Settings& settings) : keep_(settings.keep_status) {
  void* data = map(settings.status_folder);
  if (data == MAP_FAILED)
    data = ::mmap(nullptr, sizeof(StatusData), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = new (data) StatusData{};
  data_->pid = static_cast<std::uint32_t>(::getpid());
  data_->rows = static_cast<std::uint32_t>(settings.boards.size());
  data_->queue = settings.queue;
  data_->fallback = settings.fallback ? 1 : 0;
  data_->blind_exponent = settings.blind_exponent ? 1 : 0;
  data_->flags = keep_ ? kKept : 0;
  data_->started = start_of("self");
  data_->space = own_space();
  data_->opened = static_cast<std::uint64_t>(std::time(nullptr));
  for (std::size_t i = 0; i < settings.boards.size(); ++i)
    settings.boards[i].copy(data_->row[i].spec, kLongestSpec);
  // Written last, so that readers ignore incomplete pages.
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(data_->magic, kMagic, sizeof data_->magic);
}

StatusPage::~StatusPage() {
  if (!path_.empty() && !keep_) ::unlink(path_.c_str());
  ::munmap(data_, sizeof(StatusData));
}

}  // namespace perle::provider
