#pragma once

#include "codec/kernel/kernels.hpp"

namespace parqproof::fuzz {

/// As long as it lives, decoders and encoders use one set of kernels; then that of before again.
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
