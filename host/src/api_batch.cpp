// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"
#include "api_boards.hpp"
#include "batch.hpp"
#include "rsa.hpp"

using perle::check_argument;
using perle::guard;

struct perle_batch {
  perle::Batch batch;
};

perle_status perle_batch_open(perle_boards* set, size_t capacity, perle_batch** batch) {
  return guard([&] {
    check_argument(set != nullptr && batch != nullptr, "null pointer");
    *batch = nullptr;
    constexpr size_t kMost = 1 << 16;
    check_argument(capacity <= kMost, "a batch takes 1 to 65536 operations");
    set->boards();  // none of a system
    *batch = new perle_batch{{set->set, capacity}};
  });
}

void perle_batch_close(perle_batch* batch) {
  perle::ErrorQueueMark mark;
  delete batch;
}

perle_status perle_batch_submit(perle_batch* batch, const perle_key* key, unsigned flags, const uint8_t* in,
                                size_t in_len, uint8_t* out, size_t out_size, uint64_t tag) {
  return guard([&] {
    size_t length = 0;
    perle::Output output(out, out_size, &length);
    check_argument(batch != nullptr && key != nullptr && out != nullptr, "null pointer");
    batch->batch.check_process();
    perle::check_rsa_flags(flags);
    output.only_asked(key->key->size());
    batch->batch.submit(key->key, perle::Bn(perle::view(in, in_len)), flags, out, tag);
  });
}

perle_status perle_batch_poll(perle_batch* batch, uint64_t milliseconds, perle_batch_done* done, size_t room,
                              size_t* count) {
  return guard([&] {
    check_argument(count != nullptr, "null pointer");
    *count = 0;
    check_argument(batch != nullptr && done != nullptr, "null pointer");
    check_argument(room != 0, "room for no operation");
    batch->batch.check_process();
    *count = batch->batch.poll(milliseconds, done, room);
  });
}

perle_status perle_batch_get_stats(perle_batch* batch, perle_batch_stats* stats) {
  return guard([&] {
    check_argument(batch != nullptr && stats != nullptr, "null pointer");
    batch->batch.check_process();
    *stats = batch->batch.stats();
  });
}
