#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/base/source.hpp"

namespace parqproof {

/// Bytes of the file at hand, and how many missing bytes stood behind them.
struct Stretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t missing = 0;
};

/// The bytes of a file as it was before it was mangled, made of the bytes at hand. Offsets count in the file
/// as it was.
class RestoredSource : public Source {
 public:
  /// Where the byte that stood at `offset` stands in the file at hand; where it is missing, the byte behind
  /// it.
  [[nodiscard]] virtual std::uint64_t at_hand(std::uint64_t offset) const noexcept = 0;
  /// What the file as it was consists of, in its order; empty if filter() restores it.
  [[nodiscard]] virtual std::vector<Stretch> stretches() const { return {}; }
  /// A shell command that, followed by the name of the file at hand, prints the file as it was; empty if
  /// stretches() describes it.
  [[nodiscard]] virtual std::string filter() const = 0;
};

/// Returns the file that is made of stretches of `file`, which outlives it: one or more, each inside it;
/// those without bytes are left out. Missing bytes are read as zeros. `filter`: see RestoredSource::filter().
[[nodiscard]] std::shared_ptr<const RestoredSource> made_of(const Source& file,
                                                            std::vector<Stretch> stretches,
                                                            std::string filter = {});

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
  [[nodiscard]] std::string filter() const override { return "LC_ALL=C sed 's/\\r$//'"; }

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
