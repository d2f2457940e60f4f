// SPDX-License-Identifier: Apache-2.0
//
// The parts of the drivers of modular product units that need no board: chains of products, and programs.
#include "fixture.hpp"
#include "pam/modular_unit.hpp"

using perle::Bn;
using perle::Program;

namespace {

constexpr std::uint32_t kSquare = 8, kMultB1 = 12, kMultB3 = 16;

// What a chain computes, as an exponent: its first product loads.
std::uint64_t exponent_of(const perle::Chain& chain) {
  std::uint64_t done = 0;
  for (const std::uint32_t product : chain.products)
    done = product == kSquare ? 2 * done : done + (product == kMultB3 ? 3 : 1);
  return done;
}

// A board that answers with the address, and notes all of them.
struct Notes {
  std::vector<std::uint32_t> addresses;
};

int note_read(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  static_cast<Notes*>(ctx)->addresses.push_back(addr);
  *data = addr;
  return 0;
}
int note_write(void* ctx, std::uint32_t addr, std::uint64_t) {
  static_cast<Notes*>(ctx)->addresses.push_back(addr);
  return 0;
}
int note_advance(void*, std::uint64_t, int, std::uint64_t*) { return 0; }
std::uint64_t note_cycles(void*) { return 0; }
constexpr perle_backend kNotes = {sizeof(perle_backend),
                                  note_read,
                                  note_write,
                                  note_advance,
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  note_cycles};

Program writes(std::initializer_list<std::uint32_t> addresses) {
  Program program;
  for (const std::uint32_t addr : addresses) program.write(0, addr);
  return program;
}

struct Player {
  Notes notes;
  perle_system_time time{};
  explicit Player(const Program& program, std::uint64_t loop = 0) {
    std::vector<perle::System::Member> members;
    members.push_back({std::make_unique<perle::Backend>(kNotes, &notes), 1'000});
    perle::System system(std::move(members), {1'000, 1'000, 10});
    program.run(system, loop);
    time = system.time();
  }
};

using Addresses = std::vector<std::uint32_t>;

}  // namespace

TEST(a_chain_of_products_is_its_exponent) {
  for (std::uint64_t e = 1; e < 4096; ++e) CHECK_EQ(exponent_of(perle::chain_of(Bn(e))), e);
  // 11 0 11 1 0 1: threes at places 6 and 3
  const perle::Chain chain = perle::chain_of(Bn(0b11011101));
  CHECK(chain.thirds == Bn(0b1001000));
  CHECK(chain.products.front() == kMultB3);
  CHECK(chain.products.back() == kMultB1);
}

TEST(programs_are_interleaved_in_order) {
  const Program many = writes({1, 2, 3, 4, 5, 6}), few = writes({10, 11});
  CHECK(Player(Program::spread(many, few)).notes.addresses == (Addresses{1, 10, 2, 3, 4, 11, 5, 6}));
  CHECK(Player(Program::spread(Program(), few)).notes.addresses == (Addresses{10, 11}));
  CHECK(Player(Program::spread(few, many)).notes.addresses == (Addresses{10, 1, 2, 3, 11, 4, 5, 6}));
  CHECK(Player(Program::alternate(few, many)).notes.addresses == (Addresses{10, 1, 11, 2, 3, 4, 5, 6}));
  CHECK(Player(many.part(4, 9)).notes.addresses == (Addresses{5, 6}));
  CHECK(many.part(7, 3).size() == 0);
}

TEST(work_takes_its_time_and_has_its_effect_in_the_end) {
  std::uint32_t got = 0, chosen = 0;
  Program program;
  program.work(25, [&] { chosen = 64; });
  program.write_chosen(0, &chosen);
  program.read(0, 4, &got);
  const Player player(program, 3);
  CHECK(player.notes.addresses == (Addresses{64, 4}));
  CHECK_EQ(got, 4U);
  CHECK_EQ(player.time.host_ps, std::uint64_t{(25 + 2 * 3) * 10});
  CHECK_EQ(program.size(), std::size_t{3 + 2});
}
