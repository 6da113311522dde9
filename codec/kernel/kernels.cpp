#include "codec/kernel/kernels.hpp"

#include <array>
#include <atomic>

namespace parqproof {
namespace {

std::atomic<const Kernels*>& chosen() noexcept {
  static std::atomic<const Kernels*> set{all_kernels().back()};
  return set;
}

}  // namespace

std::span<const Kernels* const> all_kernels() noexcept {
  static const std::array<const Kernels*, 1> sets{&reference_kernels()};
  return sets;
}

const Kernels& kernels() noexcept { return *chosen().load(std::memory_order_relaxed); }

void use_kernels(const Kernels& set) noexcept { chosen().store(&set, std::memory_order_relaxed); }

}  // namespace parqproof
