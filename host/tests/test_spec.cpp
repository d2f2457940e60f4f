// SPDX-License-Identifier: Apache-2.0
//
// Board specifications, and boards out of a shared object.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
