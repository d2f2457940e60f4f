// SPDX-License-Identifier: Apache-2.0
//
// A serial line whose system calls give less than requested, or fail; the length and number of its commands.
#include <algorithm>
#include <cerrno>

#include "bridge.hpp"
#include "calls.hpp"
#include "remote.hpp"

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

// An answer that does not come in time is asked for again, on the same line.
TEST(serial_line_with_a_late_answer_is_kept) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  CHECK_EQ(multiply(board.set).status, PERLE_OK);
  const OtherCalls slow({.late = true});
  std::uint64_t word = 0;
  CHECK_EQ(perle_board_read(board.set, 0, 0x00, &word), PERLE_OK);
  CHECK_EQ(word, 0x5045524CU);
  CHECK(!calls.late);
  CHECK_EQ(calls.opened, 0);
}

// What came before a line was unplugged can still be read.
TEST(serial_line_that_hangs_up_gives_what_it_has) {
  UartBridge line(kSmall);
  const Remote board(line.spec());
  const OtherCalls gone({.hangs_up = true});
  const Product one = multiply(board.set);
  CHECK_EQ(one.status, PERLE_OK);
  CHECK(one.right);
  CHECK_EQ(calls.opened, 0);
}
