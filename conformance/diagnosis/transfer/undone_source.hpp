#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/source.hpp"

namespace parqproof {

/// The bytes of a file as it was before it was mangled, made of the bytes at hand. Offsets count in the file
/// as it was.
class RestoredSource : public Source {
 public:
  /// Bytes of the file at hand, and how many missing bytes stood behind them.
  struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t missing = 0;
  };

  /// Where the byte that stood at `offset` stands in the file at hand; where it is missing, the byte behind
  /// it.
  [[nodiscard]] virtual std::uint64_t at_hand(std::uint64_t offset) const noexcept = 0;
  /// What the file as it was consists of, in its order; nothing where that is more than a few stretches.
  [[nodiscard]] virtual std::vector<Stretch> stretches() const = 0;
};

/// A file that bytes are missing from, or that has bytes too many.
class ShiftedSource final : public RestoredSource {
 public:
  /// From `begin` on, up to the next piece, bytes stand `shift` behind the place that they had; those of
  /// them that `missing` counts, the last in front of `begin`, are not there, and read as zeros.
  struct Piece {
    std::uint64_t begin = 0;
    std::int64_t shift = 0;
    std::uint64_t missing = 0;
  };

  /// `pieces` begin in ascending order, none with bytes that are missing from the piece before it.
  /// `file` outlives this object.
  ShiftedSource(const Source& file, std::vector<Piece> pieces);

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  [[nodiscard]] std::uint64_t at_hand(std::uint64_t offset) const noexcept override;
  [[nodiscard]] std::vector<Stretch> stretches() const override;

 private:
  /// The piece that the byte at `offset` is in.
  [[nodiscard]] std::size_t piece_of(std::uint64_t offset) const noexcept;
  /// Where the bytes of the piece end that are there.
  [[nodiscard]] std::uint64_t end_of(std::size_t piece) const noexcept;

  const Source& file_;
  std::vector<Piece> pieces_;  // the first begins at 0
  std::uint64_t size_;
};

/// A file of which each line feed got a carriage return in front of it.
class UnixLinesSource final : public RestoredSource {
 public:
  /// `returns`: how many carriage returns were put into the bytes up to each multiple of kBlock of the file
  /// at hand. `file` outlives this object.
  UnixLinesSource(const Source& file, std::vector<std::uint64_t> returns);

  static constexpr std::uint64_t kBlock = std::uint64_t{1} << 16;

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;
  [[nodiscard]] std::uint64_t at_hand(std::uint64_t offset) const noexcept override;
  [[nodiscard]] std::vector<Stretch> stretches() const override { return {}; }

 private:
  /// Hands the bytes of the file as it was to `take(byte, at_hand)`, from `offset` on, until that is false.
  /// False where they cannot be read.
  template <typename Take>
  bool walk(std::uint64_t offset, Take&& take) const noexcept;

  const Source& file_;
  std::vector<std::uint64_t> returns_;  // the first entry is that of byte 0
  std::uint64_t size_;
};

}  // namespace parqproof
