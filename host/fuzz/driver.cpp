// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without libFuzzer: all inputs of a file of seeds, then mutated ones for some seconds,
// without coverage feedback. The input that ends a run is printed in hexadecimal, as a line for the file: one
// that violates a property, or the one that is being run when SIGTERM or SIGALRM says that it takes too long.
//
//   TARGET SEEDS [SECONDS [SEED]]
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "target.hpp"

using Data = std::vector<std::uint8_t>;

namespace {

constexpr std::size_t kLongest = 4096;
Data current;
// Whether `current` is whole and being run: leaks are reported after all inputs, and are not the last one's.
std::atomic<bool> running = false;

void put(const char* text, std::size_t size) { (void)!::write(STDERR_FILENO, text, size); }

// Called by signal handlers too, so it only writes.
void tell() {
  if (!running) return;
  constexpr char kDigits[] = "0123456789abcdef";
  put("input: ", 7);
  for (const std::uint8_t byte : current) {
    const char two[] = {kDigits[byte >> 4], kDigits[byte & 15]};
    put(two, sizeof two);
  }
  put("\n", 1);
}

void stop(int signal) {
  tell();
  ::_exit(128 + signal);
}

// One input per line; comments begin with #.
std::vector<Data> read(const char* path) {
  std::vector<Data> out;
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "no file %s\n", path);
    std::exit(2);
  }
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    Data data;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2)
      data.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(i, 2), nullptr, 16)));
    out.push_back(std::move(data));
  }
  return out;
}

void change(Data& data, const Data& other, std::mt19937& random) {
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  const std::size_t at = below(data.size()), length = 1 + below(1U << below(6));
  switch (below(8)) {
    case 0:
      if (!data.empty()) data[at] ^= static_cast<std::uint8_t>(1U << below(8));
      break;
    case 1:
      if (!data.empty()) data[at] = static_cast<std::uint8_t>(random());
      break;
    case 2:
      if (!data.empty())
        data[at] = std::vector<std::uint8_t>{0, 1, 0x7F, 0x80, 0xFF, '\n', ',', ':'}[below(8)];
      break;
    case 3:
      data.insert(data.begin() + static_cast<std::ptrdiff_t>(at), length,
                  static_cast<std::uint8_t>(random()));
      break;
    case 4:
      data.erase(data.begin() + static_cast<std::ptrdiff_t>(at),
                 data.begin() + static_cast<std::ptrdiff_t>(std::min(data.size(), at + length)));
      break;
    case 5: {  // some of it again
      const Data piece(data.begin() + static_cast<std::ptrdiff_t>(at),
                       data.begin() + static_cast<std::ptrdiff_t>(std::min(data.size(), at + length)));
      data.insert(data.begin() + static_cast<std::ptrdiff_t>(below(data.size() + 1)), piece.begin(),
                  piece.end());
      break;
    }
    case 6:  // the end of another one
      data.resize(at);
      data.insert(data.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size())), other.end());
      break;
    default:
      data.resize(at);
  }
  if (data.size() > kLongest) data.resize(kLongest);
}

void run(const Data& data) {
  current = data;
  running = true;
  LLVMFuzzerTestOneInput(current.data(), current.size());
  running = false;
}

}  // namespace

// Aborts are reported, as other errors are; for the rest, tests/sanitizer.cpp. Visible, or the sanitizer's
// own function, which has no options, is called instead.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "handle_abort=1:intercept_tls_get_addr=0";
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  __sanitizer_set_death_callback(tell);
  for (const int signal : {SIGTERM, SIGALRM}) std::signal(signal, stop);
  const std::vector<Data> seeds = read(argv[1]);
  for (const Data& seed : seeds) run(seed);
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(argc > 2 ? static_cast<long>(1000 * std::atof(argv[2])) : 0);
  std::mt19937 random(argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1U);
  std::size_t changed = 0;
  for (; std::chrono::steady_clock::now() < end; ++changed) {
    Data data = seeds[random() % seeds.size()];
    for (unsigned i = 0; i <= random() % 4; ++i) change(data, seeds[random() % seeds.size()], random);
    run(data);
  }
  std::printf("%zu seeds, %zu changed\n", seeds.size(), changed);
  return seeds.empty() ? 1 : 0;
}
