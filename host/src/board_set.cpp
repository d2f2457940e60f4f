// SPDX-License-Identifier: Apache-2.0
#include "board_set.hpp"

namespace perle {

BoardSet::BoardSet(std::vector<std::unique_ptr<Board>> boards) {
  if (boards.empty()) throw Error(PERLE_ERR_SPEC, "a set of no boards");
  for (const auto& board : boards)
    if (!(board->shape() == boards.front()->shape()))
      throw Error(PERLE_ERR_BOARD_ID, "the boards of a set have to be equal");
  slots_.reserve(boards.size());
  for (auto& board : boards) slots_.push_back({std::move(board)});
}

BoardSet::~BoardSet() {
  for (Slot& slot : slots_) {
    try {
      slot.board->wipe();
    } catch (...) {
      // A board that does not answer cannot be wiped, and there is nobody left to tell.
    }
  }
}

std::size_t BoardSet::pick(std::uint64_t preferred) const {
  std::size_t best = count();
  const auto rank = [&](const Slot& slot) {
    const std::uint64_t resident = slot.board->resident();
    return resident == preferred && preferred != 0 ? 0 : resident == 0 ? 1 : 2;
  };
  for (std::size_t i = 0; i < count(); ++i) {
    if (slots_[i].busy) continue;
    if (best == count() || rank(slots_[i]) < rank(slots_[best]) ||
        (rank(slots_[i]) == rank(slots_[best]) && slots_[i].last_used < slots_[best].last_used))
      best = i;
  }
  return best;
}

BoardSet::Lease BoardSet::lease(std::uint64_t preferred) {
  std::unique_lock lock(mutex_);
  const std::uint64_t ticket = next_ticket_++;
  std::size_t index = count();
  idle_.wait(lock, [&] { return ticket == serving_ && (index = pick(preferred)) != count(); });
  slots_[index].busy = true;
  slots_[index].last_used = ++uses_;
  ++serving_;
  idle_.notify_all();
  return {*this, index};
}

BoardSet::Lease BoardSet::lease_index(std::size_t index) {
  std::unique_lock lock(mutex_);
  check_argument(index < count(), "no board of that index");
  const std::uint64_t ticket = next_ticket_++;
  idle_.wait(lock, [&] { return ticket == serving_ && !slots_[index].busy; });
  slots_[index].busy = true;
  ++serving_;
  idle_.notify_all();
  return {*this, index};
}

std::unique_ptr<BoardSet::Lease> BoardSet::try_lease(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  if (next_ticket_ != serving_ || slots_[index].busy) return nullptr;
  auto out = std::make_unique<Lease>(*this, index);
  slots_[index].busy = true;
  slots_[index].last_used = ++uses_;
  return out;
}

void BoardSet::await_idle(std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  idle_.wait_for(lock, longest);
}

void BoardSet::release(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  slots_[index].busy = false;
  idle_.notify_all();
}

void BoardSet::check_shape(const Shape& other) const {
  check_argument(other == shape(), "a modulus made for boards of another shape");
}

Limits BoardSet::limits() const {
  const std::scoped_lock lock(mutex_);
  return limits_;
}

void BoardSet::set_limits(const Limits& limits) {
  const std::scoped_lock lock(mutex_);
  limits_ = limits;
}

perle_check BoardSet::check() const {
  const std::scoped_lock lock(mutex_);
  return check_;
}

void BoardSet::set_check(perle_check check) {
  const std::scoped_lock lock(mutex_);
  check_ = check;
}

}  // namespace perle
