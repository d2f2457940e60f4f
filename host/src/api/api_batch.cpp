// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"
#include "api/api_boards.hpp"
#include "batch/batch.hpp"
#include "rsa/rsa.hpp"

using perle::check_argument;
using perle::guard;
using perle::Result;

struct perle_batch {
  perle::Batch batch;
};

perle_status perle_batch_open(perle_boards* set, size_t capacity, perle_batch** batch) {
  return guard([&] {
    Result made(batch);
    check_argument(set != nullptr && batch != nullptr, "null pointer");
    constexpr size_t kMost = 1 << 16;
    check_argument(capacity <= kMost, "a batch takes 1 to 65536 operations");
    set->boards();  // throws for a system
    made.value = new perle_batch{{set->set, capacity}};
  });
}

void perle_batch_close(perle_batch* batch) {
  perle::ErrorQueueMark mark;
  delete batch;
}

perle_status perle_batch_submit(perle_batch* batch, const perle_key* key, unsigned flags, const uint8_t* in,
                                size_t in_len, uint8_t* out, size_t out_size, uint64_t tag) {
  return guard([&] {
    perle::Output output(out, out_size);
    check_argument(batch != nullptr && key != nullptr && out != nullptr, "null pointer");
    batch->batch.check_process();
    perle::check_rsa_flags(flags);
    output.only_asked(key->key->size());
    // Order: read the input, which may overlap `out`; zero `out`; only then may a poll write to it.
    perle::Bn message(perle::view(in, in_len));
    batch->batch.submit(key->key, std::move(message), flags, output.give_away(), tag);
  });
}

perle_status perle_batch_poll(perle_batch* batch, uint64_t milliseconds, perle_batch_done* done, size_t room,
                              size_t* count) {
  return guard([&] {
    Result found(count);
    check_argument(count != nullptr && batch != nullptr && done != nullptr, "null pointer");
    check_argument(room != 0, "room for no operation");
    batch->batch.check_process();
    found.value = batch->batch.poll(milliseconds, done, room);
  });
}

perle_status perle_batch_get_stats(perle_batch* batch, perle_batch_stats* stats) {
  return guard([&] {
    Result found(stats);
    check_argument(batch != nullptr && stats != nullptr, "null pointer");
    batch->batch.check_process();
    found.value = batch->batch.stats();
  });
}
