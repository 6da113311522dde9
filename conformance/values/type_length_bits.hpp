#pragma once

#include <cstdint>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// schema/type-length-bits: the values of an integer column with a type_length fit in that many bits, as
/// two's complement or unsigned numbers.
class TypeLengthBits final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override { values(section, batch); }
  void values(const ValueSection& section, const ValueBatch& batch) override;

 private:
  std::int32_t bits_ = 0;
};

}  // namespace parqproof
