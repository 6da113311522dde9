#include "codec/kernel/kernels.hpp"

#include <array>

#include "codec/kernel/fast.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMaxSets = 4;

struct Sets {
  std::array<const Kernels*, kMaxSets> list{};
  std::size_t size = 0;

  Sets() noexcept {
    add(reference_kernels());
    add(kernel::kPortable);
#if defined(__x86_64__)
    if (kernel::has_avx2()) add(kernel::kAvx2);
    if (kernel::has_avx512()) add(kernel::kAvx512);
#endif
  }
  void add(const Kernels& set) noexcept { list[size++] = &set; }
};

}  // namespace

std::span<const Kernels* const> all_kernels() noexcept {
  static const Sets sets;
  return {sets.list.data(), sets.size};
}

constinit std::atomic<const Kernels*> chosen_kernels{nullptr};

void use_kernels(const Kernels& set) noexcept { chosen_kernels.store(&set, std::memory_order_relaxed); }

}  // namespace parqproof
