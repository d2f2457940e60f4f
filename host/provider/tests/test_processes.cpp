// SPDX-License-Identifier: Apache-2.0
//
// Forks: before the first operation, and while threads are at work.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::StatusData;

namespace {

const Data kMessage = {'t', 'h', 'r', 'e', 'a', 'd'};

std::string boards(int count) {
  return std::string("sim:") + std::getenv("SOFTBOARD_SO") + ",boards=" + std::to_string(count);
}

bool good(EVP_PKEY* key, const Host& host, unsigned bits) {
  return verifies(made(bits), nullptr, {}, kMessage, sign(key, host.ctx(), {}, kMessage));
}

// Runs `body` in a child that must end well within 30 s.
template <typename Body>
bool in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

// The child of a process whose threads are at work: its own boards, its own page, no lock of its parent's.
TEST(fork_in_mid_operation) {
  const Host host(Pairs{{"boards", boards(1)}}, "width=1024,delay=150");
  const auto own = moved(made(1024), host.ctx());
  CHECK(good(own.get(), host, 1024));
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back([&] { CHECK(good(own.get(), host, 1024)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  for (int i = 0; i < 3; ++i)
    CHECK(in_child([&] {
      ::setenv("SOFTBOARD", "width=1024", 1);
      const bool done = good(own.get(), host, 1024) && good(own.get(), host, 1024);
      // The parent's page is another file.
      int pages = 0;
      for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
        if (entry.path().extension() == ".status") ++pages;
      return done && pages >= 2;
    }));
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(host.count(&StatusData::boards), 4U);
  // The children did not tidy up: _exit.
  for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
    if (entry.path().extension() == ".status" &&
        entry.path().filename().string().rfind(std::to_string(::getpid()) + "-", 0) != 0)
      std::filesystem::remove(entry.path());
}

// Masters load keys and fork; their children sign; and a child that ends leaves its parent's page alone.
TEST(fork_before_the_first_operation) {
  Host host;
  const auto own = moved(made(1024), host.ctx());
  for (int i = 0; i < 2; ++i)
    CHECK(in_child([&] { return good(own.get(), host, 1024) && host.page() != nullptr; }));
  for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
    if (entry.path().extension() == ".status") std::filesystem::remove(entry.path());
  CHECK(good(own.get(), host, 1024));
  CHECK_EQ(host.count(&StatusData::boards), 1U);
}
