#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/source.hpp"

namespace parqproof {

/// A file made of parts, one after the other: ranges of other files, which outlive this object, bytes in
/// memory, and zeros.
class ComposedSource final : public Source {
 public:
  /// Adds the bytes [begin, end) of a file.
  ComposedSource& add(const Source& file, std::uint64_t begin, std::uint64_t end);
  ComposedSource& add(std::span<const std::uint8_t> bytes);
  ComposedSource& add_zeros(std::uint64_t count);

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  /// The keys for the file that its first bytes come from.
  [[nodiscard]] encryption::FileKeys* keys() const noexcept override {
    return parts_.empty() || parts_.front().file == nullptr ? nullptr : parts_.front().file->keys();
  }

  /// Returns the offset of a byte in the file that it is read from; of other bytes, and after the last one,
  /// the end of the range before it.
  [[nodiscard]] std::uint64_t in_file(std::uint64_t offset) const noexcept;

 private:
  struct Part {
    enum class Kind : std::uint8_t { file, memory, zeros };

    std::uint64_t start = 0;  ///< of the part in this file
    std::uint64_t begin = 0;  ///< of its range
    const Source* file = nullptr;
    std::size_t index = 0;  ///< in `memory_`
    Kind kind = Kind::file;
  };

  void add(Part part, std::uint64_t count);
  /// The part that has the byte; the last one at the end.
  [[nodiscard]] std::size_t part_of(std::uint64_t offset) const noexcept;

  std::vector<Part> parts_;
  std::vector<std::uint8_t> memory_;
  std::uint64_t size_ = 0;
  std::uint64_t range_end_ = 0;  // of the last range of a file
};

}  // namespace parqproof
