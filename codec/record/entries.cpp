#include "codec/record/entries.hpp"

#include <cstddef>

namespace parqproof {

ValueBatch part_of(const ValueBatch& batch, std::uint64_t first, std::uint64_t count,
                   std::uint32_t width) noexcept {
  ValueBatch part = batch;
  part.count = count;
  const auto skipped = static_cast<std::size_t>(first);
  if (part.fixed != nullptr) part.fixed += skipped * width;
  if (part.byte_arrays != nullptr) part.byte_arrays += skipped;
  if (part.stored != nullptr) part.stored += skipped;
  if (part.booleans != nullptr) part.booleans += skipped;
  if (part.indices != nullptr) part.indices += skipped;
  return part;
}

}  // namespace parqproof
