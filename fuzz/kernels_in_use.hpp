#pragma once

#include "codec/kernel/kernels.hpp"

namespace parqproof::fuzz {

/// Sets the kernels that decoders and encoders use during its lifetime, then restores the previous ones.
class KernelsInUse {
 public:
  explicit KernelsInUse(const Kernels& set) noexcept : before_(kernels()) { use_kernels(set); }
  ~KernelsInUse() { use_kernels(before_); }
  KernelsInUse(const KernelsInUse&) = delete;
  KernelsInUse& operator=(const KernelsInUse&) = delete;

 private:
  const Kernels& before_;
};

}  // namespace parqproof::fuzz
