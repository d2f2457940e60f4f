// SPDX-License-Identifier: Apache-2.0
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness.hpp"

using namespace perle::provider::testing;
using perle::provider::StatusData;

TEST(settings_that_are_refused) {
  const std::string board = std::string("sim:") + std::getenv("SOFTBOARD_SO");
  const struct {
    Pairs settings;
    const char* said;
  } all[] = {{{{"boards", "sim:"}}, "no configuration is named"},
             {{{"boards", "orup:w64"}}, "unknown kind of board"},
             {{{"boards", board + ",boards=65"}}, "1 to 64"},
             {{{"boards", board + " " + board + ",lanes=2"}}, "has the lanes that it was built with"},
             {{{"boards", "system:reg_straight"}}, "constant time"},
             {{{"boards", "sim:/nowhere.so"}, {"fallback", "fail"}}, "there is no file /nowhere.so"},
             {{{"fallback", "perhaps"}}, "software or fail"},
             {{{"queue", "-1"}}, "a number from 0 to 65536"},
             {{{"queue", "12x"}}, "a number from 0 to 65536"},
             {{{"timeout", "0"}}, "a number from 1 to"},
             {{{"retire_after", "0"}}, "a number from 1 to"},
             {{{"retry", "none"}}, "a number from 1 to"},
             {{{"blind_exponent", "1"}}, "yes or no"},
             {{{"keep_status", "maybe"}}, "yes or no"},
             {{{"status", "here"}}, "an absolute path"},
             {{{"secure_heap", "3000"}}, "a power of two"},
             {{{"cache", "here"}}, "an absolute path"},
             {{{"boards", "sim:orup:w64"}}, "the folder of boards by name is not said"},
             {{{"boards", "sim:orup:w64"}, {"cache", "/nowhere"}, {"fallback", "fail"}},
              "/nowhere/boards/orup-w64.so"},
             {{{"inject", "0.1"}}, "PERLE_PROVIDER_INJECT=1"}};
  for (const auto& one : all) {
    const Host host(one.settings);
    CHECK(!host.working());
    const auto own = moved(made(1024), host.ctx());
    error_queue();
    CHECK(sign(own.get(), host.ctx(), {}, {1}).empty());
    const std::string said = error_queue();
    if (said.find(one.said) == std::string::npos) CHECK_EQ(said, std::string(one.said));
    CHECK(said.find("setting not understood: perle: ") != std::string::npos);
    // Not in software either: nobody knows whether that was wanted.
    CHECK(sign_digest(own.get(), host.ctx(), {"SHA256", RSA_X931_PADDING}, random(32)).empty());
  }
  const Host absent(Pairs{{"boards", "sim:/nowhere.so"}});  // with a fallback, a board may be away
  CHECK(absent.working());
}

// The environment does not say which boards a name stands for; the configuration does.
TEST(named_boards_are_in_the_folder_of_the_configuration) {
  const Host folders;
  std::filesystem::create_directory(folders.folder() + "/boards");
  std::filesystem::create_symlink(std::getenv("SOFTBOARD_SO"), folders.folder() + "/boards/soft-w512.so");
  ::setenv("PERLE_CACHE", folders.folder().c_str(), 1);
  CHECK(!Host(Pairs{{"boards", "sim:soft:w512"}}).working());
  ::unsetenv("PERLE_CACHE");
  const Host host(
      Pairs{{"boards", "sim:soft:w512,boards=2"}, {"cache", folders.folder()}, {"fallback", "fail"}});
  const auto own = moved(made(1024), host.ctx());
  CHECK(!sign(own.get(), host.ctx(), {}, {1}).empty());
  CHECK_EQ(host.count(&StatusData::boards), 1U);
}

TEST(no_board_is_no_configuration) {
  const Host host(Pairs{{"boards", ""}});
  CHECK(!host.working());
}

// A worker that was killed could not remove its page: the next one does; what is kept, or of others, stays.
TEST(pages_left_behind) {
  const Host host;
  const std::string place = host.folder() + "/pages";
  const auto killed = [&](const char* keep) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Host other(Pairs{{"status", place}, {"keep_status", keep}});
      const auto own = moved(made(1024), other.ctx());
      sign(own.get(), other.ctx(), {}, {1});
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    return place + "/" + std::to_string(child) + "-";
  };
  const auto there = [&](const std::string& prefix) {
    for (const auto& entry : std::filesystem::directory_iterator(place))
      if (entry.path().string().rfind(prefix, 0) == 0) return true;
    return false;
  };
  const std::string kept = killed("yes"), left = killed("no");
  std::ofstream(place + "/other.status") << "not a page";
  CHECK(there(kept) && there(left));
  const Host next(Pairs{{"status", place}});
  const auto own = moved(made(1024), next.ctx());
  CHECK(!sign(own.get(), next.ctx(), {}, {1}).empty());
  CHECK(there(kept) && !there(left) && there(place + "/other.status"));
  CHECK(there(place + "/" + std::to_string(::getpid()) + "-"));
}

// A folder that others can write to, or that is not the user's, is not used; operations do not suffer.
TEST(folders_of_status) {
  const Host host;
  const std::string open = host.folder() + "/open", link = host.folder() + "/link";
  std::filesystem::create_directory(open);
  ::chmod(open.c_str(), 0777);
  std::filesystem::create_directory_symlink(host.folder(), link);
  for (const std::string& folder : {open, link, host.folder() + "/a/b"}) {
    const Host other(Pairs{{"status", folder}});
    const auto own = moved(made(1024), other.ctx());
    CHECK(!sign(own.get(), other.ctx(), {}, {1}).empty());
    CHECK(!std::filesystem::exists(folder) || std::filesystem::is_empty(folder) || folder == link);
    for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
      CHECK(entry.path().extension() != ".status");
  }
  struct stat found{};
  const auto own = moved(made(1024), host.ctx());
  CHECK(!sign(own.get(), host.ctx(), {}, {1}).empty());
  CHECK(host.page() != nullptr);
  const std::string file = host.folder() + "/" + std::to_string(::getpid()) + "-";
  for (const auto& entry : std::filesystem::directory_iterator(host.folder()))
    if (entry.path().string().rfind(file, 0) == 0)
      CHECK(::stat(entry.path().c_str(), &found) == 0 && (found.st_mode & 077) == 0);
}
