// SPDX-License-Identifier: Apache-2.0
//
// Board specifications, and boards out of a shared object.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "board/board_set.hpp"
#include "fixture.hpp"

namespace {

struct Opened {
  perle_boards* set = nullptr;
  perle_status status;
  explicit Opened(const std::string& spec) : status(perle_boards_open(spec.c_str(), &set)) {}
  ~Opened() { perle_boards_close(set); }
};

std::string softboard() {
  const char* path = std::getenv("SOFTBOARD_SO");
  return path == nullptr ? "" : path;
}

}  // namespace

TEST(boards_in_a_folder) {
  for (const std::string spec :
       {"uart:/dev/ttyUSB0,baud=115200", "etherbone:host:1234", "sim:/somewhere/x.so"})
    CHECK(perle::in_folder(spec, "/folder") == spec);
  const std::string inside = perle::in_folder("sim:orup:w64,boards=3", "/folder");
  CHECK(inside.starts_with("sim:/folder/") && inside.ends_with(",boards=3"));
}

TEST(specifications_refused) {
  for (const char* spec : {"",
                           "sim",
                           "sim:",
                           "orup:w64",
                           "usb:orup:w64",
                           "sim:orup",
                           "sim:orup:",
                           "sim::w64",
                           "sim:../x:w64",
                           "sim:orup:w64/..",
                           "sim:orup:w64,",
                           "sim:orup:w64,boards=",
                           "sim:orup:w64,boards=0",
                           "sim:orup:w64,boards=65",
                           "sim:orup:w64,boards=2x",
                           "sim:orup:w64,boards=-1",
                           "sim:orup:w64,cards=1",
                           "sim:orup:w64,boards=1,boards=1",
                           "sim:orup:w64,lanes=0",
                           "sim:orup:w64,lanes=65",
                           "sim:orup:w64,lanes=2,lanes=2",
                           "sim:orup:w64,lanes",
                           "sim:/x.so,lanes=2"})
    CHECK_EQ(Opened(spec).status, PERLE_ERR_SPEC);
  CHECK_EQ(perle_boards_open(nullptr, nullptr), PERLE_ERR_ARGUMENT);
}

TEST(absent_boards_name_the_command) {
  const std::string folder =
      std::filesystem::temp_directory_path() / ("perle-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder + "/boards");
  setenv("PERLE_CACHE", folder.c_str(), 1);
  CHECK_EQ(Opened("sim:orup:w64").status, PERLE_ERR_BOARD_ABSENT);
  const std::string text = perle_last_error();
  CHECK(text.find("perle build sim:orup:w64") != std::string::npos);
  CHECK(text.find(folder + "/boards/orup-w64.so") != std::string::npos);
  CHECK_EQ(Opened("sim:orup:w64,boards=2,lanes=4").status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("perle build sim:orup:w64,lanes=4") != std::string::npos);
  CHECK(std::string(perle_last_error()).find("/boards/orup-w64-l4.so") != std::string::npos);
  CHECK_EQ(Opened("sim:/nowhere/x.so").status, PERLE_ERR_BOARD_ABSENT);
  if (!softboard().empty()) {
    std::filesystem::create_symlink(softboard(), folder + "/boards/soft-w512.so");
    CHECK_EQ(Opened("sim:soft:w512,boards=2").status, PERLE_OK);
  }
  std::ofstream(folder + "/boards/orup-w64.so") << "no library";
  CHECK_EQ(Opened("sim:orup:w64").status, PERLE_ERR_BOARD_LOAD);
  std::filesystem::remove_all(folder);
  unsetenv("PERLE_CACHE");
}

// What is loaded becomes part of the process: nobody but root and the user may have a say in it.
TEST(libraries_of_others_are_not_loaded) {
  if (!CHECK(!softboard().empty())) return;
  namespace fs = std::filesystem;
  using fs::perms;
  std::string folder = (fs::temp_directory_path() / "perle-trust-XXXXXX").string();
  if (!CHECK(::mkdtemp(folder.data()) != nullptr)) return;
  fs::create_directories(folder + "/in/deep");
  const std::string board = folder + "/in/deep/board.so", link = folder + "/link.so";
  fs::copy_file(softboard(), board);
  fs::permissions(board, perms(0755));
  fs::create_symlink("in/../in/deep/board.so", link);
  const auto refused = [](const std::string& path, const std::string& why, const std::string& at) {
    CHECK_EQ(Opened("sim:" + path).status, PERLE_ERR_BOARD_LOAD);
    const std::string said = perle_last_error();
    if (said.find(why) == std::string::npos || said.find(at) == std::string::npos)
      CHECK_EQ(said, why + " " + at);
  };
  CHECK_EQ(Opened("sim:" + board).status, PERLE_OK);
  CHECK_EQ(Opened("sim:" + link).status, PERLE_OK);
  for (const perms bit : {perms::group_write, perms::others_write})
    for (const std::string& open : {board, folder + "/in/deep", folder + "/in", folder}) {
      fs::permissions(open, bit, fs::perm_options::add);
      refused(board, "can be written by others: chmod go-w ", open);
      refused(link, "can be written by others", open);
      fs::permissions(open, bit, fs::perm_options::remove);
    }
  if (::geteuid() == 0)  // only root can give files away
    for (const std::string& other : {board, folder + "/in", link}) {
      CHECK_EQ(::lchown(other.c_str(), 12345, 0), 0);
      refused(link, "belongs to user 12345, neither to root nor to this user: chown 0 ", other);
      CHECK_EQ(::lchown(other.c_str(), 0, 0), 0);
    }
  // Somebody else, who trusts root, but not all that root has left open.
  if (::geteuid() == 0) {
    fs::permissions(folder, perms(0755));
    fs::permissions(board, perms::others_write, fs::perm_options::add);
    if (CHECK_EQ(::seteuid(12345), 0)) {
      refused(board, "can be written by others: chmod go-w ", board);
      CHECK_EQ(::seteuid(0), 0);
    }
    fs::permissions(board, perms::others_write, fs::perm_options::remove);
  }
  CHECK_EQ(Opened("sim:" + link).status, PERLE_OK);
  refused(folder, "is no file", folder);
  fs::remove_all(folder);
}

TEST(folders_of_boards_are_absolute) {
  const auto said = [](const char* name, const char* value) {
    setenv(name, value, 1);
    CHECK_EQ(Opened("sim:orup:w64").status, PERLE_ERR_SPEC);
    return std::string(perle_last_error());
  };
  CHECK(said("PERLE_CACHE", "here").find("PERLE_CACHE names") != std::string::npos);
  unsetenv("PERLE_CACHE");
  const char* const xdg = std::getenv("XDG_CACHE_HOME");
  const std::string before = xdg == nullptr ? "" : xdg;
  CHECK(said("XDG_CACHE_HOME", "./here").find("is no absolute path: ./here") != std::string::npos);
  unsetenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::string mine = home == nullptr ? "" : home;
  CHECK(said("HOME", "here").find("(HOME)") != std::string::npos);
  unsetenv("HOME");  // that of the account, which is absolute
  const Opened opened("sim:nobody:has_it");
  CHECK_EQ(opened.status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("(no /") != std::string::npos);
  if (home != nullptr) setenv("HOME", mine.c_str(), 1);
  if (xdg != nullptr) setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

TEST(shared_objects) {
  if (!CHECK(!softboard().empty())) return;
  CHECK_EQ(Opened("sim:/proc/self/exe").status, PERLE_ERR_BOARD_LOAD);
  setenv("SOFTBOARD", "width=512", 1);
  const Opened opened("sim:" + softboard() + ",boards=3");
  CHECK_EQ(opened.status, PERLE_OK);
  perle_board_info info{};
  CHECK_EQ(perle_boards_info(opened.set, &info), PERLE_OK);
  CHECK(std::string(info.family) == "orup");
  CHECK_EQ(info.count, 3U);
  CHECK_EQ(info.width, 512U);
  CHECK_EQ(info.operand_bits, 544U);
  CHECK_EQ(info.exponent_bits, 576U);
  CHECK_EQ(info.word_bits, 64U);
  CHECK_EQ(info.simulated, 1U);
  const std::uint8_t m = 101, x = 7, e = 5;
  perle_mod* mod = nullptr;
  std::uint8_t out = 0;
  std::size_t length = 0;
  perle_cost cost{};
  CHECK_EQ(perle_mod_new(opened.set, &m, 1, &mod), PERLE_OK);
  CHECK_EQ(perle_modexp(opened.set, mod, &x, 1, &e, 1, 0, PERLE_MODE_WINDOW, &out, 1, &length, &cost),
           PERLE_OK);
  CHECK_EQ(out, 16807 % 101);
  CHECK(cost.cycles > 0);
  perle_mod_free(mod);
  CHECK_EQ(perle_board_snapshot(opened.set, 2, nullptr, 0, &length), PERLE_OK);
  std::string json(length, '\0');
  CHECK_EQ(perle_board_snapshot(opened.set, 2, json.data(), json.size(), &length), PERLE_OK);
  CHECK(json.starts_with("{"));
  CHECK_EQ(perle_board_trace(opened.set, 0, "/tmp/x.vcd"), PERLE_ERR_UNSUPPORTED);
  setenv("SOFTBOARD", "width=512,fault=slverr", 1);
  CHECK_EQ(Opened("sim:" + softboard()).status, PERLE_ERR_BUS);
  setenv("SOFTBOARD", "abi=2", 1);
  CHECK_EQ(Opened("sim:" + softboard()).status, PERLE_ERR_BOARD_LOAD);
  CHECK(std::string(perle_last_error()).find("speaks version 2 of perle_sim.h") != std::string::npos);
  unsetenv("SOFTBOARD");
}

// Another program has the line locked: what it has not read yet, and its exclusive mode, stay.
TEST(a_refused_line_is_left_alone) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  CHECK(master >= 0 && ::grantpt(master) == 0 && ::unlockpt(master) == 0);
  const std::string path = ::ptsname(master);
  const int owner = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK);
  termios mode{};
  CHECK(::tcgetattr(owner, &mode) == 0);
  ::cfmakeraw(&mode);
  CHECK(::tcsetattr(owner, TCSANOW, &mode) == 0 && ::flock(owner, LOCK_EX | LOCK_NB) == 0);
  CHECK_EQ(::write(master, "abc", 3), 3);
  CHECK_EQ(Opened("uart:" + path).status, PERLE_ERR_BOARD_ABSENT);
  CHECK(std::string(perle_last_error()).find("another program uses it") != std::string::npos);
  char kept[4] = "";
  CHECK_EQ(::read(owner, kept, 3), 3);
  CHECK_EQ(std::string(kept), "abc");
  ::close(owner);
  ::close(master);
}
