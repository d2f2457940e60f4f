// SPDX-License-Identifier: Apache-2.0
//
// A batch for tests, with the expected and the returned results.
#pragma once

#include <deque>

#include "fixture.hpp"

struct BatchBench {
  perle_batch* batch = nullptr;
  std::deque<Bn> expected;  // by tag
  std::deque<Data> outputs;
  std::vector<perle_batch_done> done;  // in the order of their reports
  std::uint64_t cycles = 0;

  BatchBench(perle_boards* set, std::size_t capacity) {
    CHECK_EQ(perle_batch_open(set, capacity, &batch), PERLE_OK);
  }
  ~BatchBench() { close(); }
  BatchBench(const BatchBench&) = delete;
  BatchBench& operator=(const BatchBench&) = delete;
  void close() {
    perle_batch_close(batch);
    batch = nullptr;
  }

  // Submits a random message; its tag is the number of earlier ones.
  void submit(const KeyPtr& key, const RsaKey& rsa, unsigned flags = 0, perle_status wanted = PERLE_OK) {
    const Bn message = random_below(rsa.n);
    const Data in = bytes(message);
    Data out(rsa.n.bytes(), 0xA5);
    outputs.push_back(std::move(out));
    const perle_status status =
        perle_batch_submit(batch, key.get(), flags, in.data(), in.size(), outputs.back().data(),
                           outputs.back().size(), expected.size());
    CHECK_EQ(status, wanted);
    CHECK(outputs.back() == Data(rsa.n.bytes()));
    if (status == PERLE_OK)
      expected.push_back(Arithmetic().modexp(message, rsa.d, rsa.n));
    else
      outputs.pop_back();
  }
  // Polls once; returns the number of reports. Results without an error must be right.
  std::size_t poll(std::size_t room, std::uint64_t milliseconds = 60'000) {
    std::vector<perle_batch_done> found(room);
    std::size_t count = 0;
    CHECK_EQ(perle_batch_poll(batch, milliseconds, found.data(), room, &count), PERLE_OK);
    for (std::size_t i = 0; i < count; ++i) {
      const perle_batch_done& one = found[i];
      const Data& out = outputs[one.tag];
      for (const perle_batch_done& other : done) CHECK(other.tag != one.tag);
      if (one.status == PERLE_OK) {
        CHECK_EQ(one.length, out.size());
        CHECK(Bn(perle::ByteView(out)) == expected[one.tag]);
        CHECK(one.message[0] == '\0' && one.cycles > 0);
      } else {
        CHECK(one.length == 0 && out == Data(out.size()) && one.message[0] != '\0');
      }
      cycles += one.cycles;
      done.push_back(one);
    }
    return count;
  }
  // Polls until all are reported; returns how many were right.
  std::size_t run() {
    std::size_t right = 0;
    while (poll(3) > 0) {
    }
    for (const perle_batch_done& one : done) right += one.status == PERLE_OK ? 1 : 0;
    CHECK_EQ(done.size(), expected.size());
    return right;
  }
  perle_batch_stats stats() const {
    perle_batch_stats out{};
    CHECK_EQ(perle_batch_get_stats(batch, &out), PERLE_OK);
    return out;
  }
};
