// SPDX-License-Identifier: Apache-2.0
#include "status_page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <sstream>

namespace perle::provider {
namespace {

std::atomic<unsigned> pages{0};

// Field 22 of /proc/self/stat; the name before it may hold spaces and brackets.
std::uint64_t start_of_process() {
  std::ifstream in("/proc/self/stat");
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

// A folder that only its owner, who is the user of this process, can write to.
bool own_folder(const std::string& folder) {
  ::mkdir(folder.c_str(), 0700);
  struct stat found{};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
         (found.st_mode & 022) == 0;
}

}  // namespace

void* StatusPage::map(const std::string& folder) {
  if (folder.empty() || !own_folder(folder)) return MAP_FAILED;
  path_ = folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(pages++) + ".status";
  ::unlink(path_.c_str());  // of an earlier process of this number
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    path_.clear();
    return MAP_FAILED;
  }
  void* data = MAP_FAILED;
  // Blocks now: a full disk must not end the process with SIGBUS later.
  if (::posix_fallocate(fd, 0, sizeof(StatusData)) == 0)
    data = ::mmap(nullptr, sizeof(StatusData), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (data == MAP_FAILED) {
    ::unlink(path_.c_str());
    path_.clear();
  }
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
  data_->started = start_of_process();
  data_->opened = static_cast<std::uint64_t>(std::time(nullptr));
  for (std::size_t i = 0; i < settings.boards.size(); ++i)
    settings.boards[i].copy(data_->row[i].spec, kLongestSpec);
  // Last: a reader takes no page for one that is not complete.
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(data_->magic, "PERLEST2", sizeof data_->magic);
}

StatusPage::~StatusPage() {
  if (!path_.empty() && !keep_) ::unlink(path_.c_str());
  ::munmap(data_, sizeof(StatusData));
}

}  // namespace perle::provider
