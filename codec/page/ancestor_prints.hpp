#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codec/kernel/level_print.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A 128-bit fingerprint of a stream of (repetition, definition) pairs, independent of how it is divided into
/// runs: two polynomials modulo 2^64 whose coefficients are the pairs. A run takes time logarithmic in its
/// length.
class LevelFingerprint {
 public:
  using Value = std::pair<std::uint64_t, std::uint64_t>;

  [[nodiscard]] static std::uint64_t code(std::uint32_t repetition, std::uint32_t definition) noexcept {
    return LevelPrint::code(repetition, definition);
  }
  /// Adds one pair `count` times.
  void add(std::uint64_t code, std::uint64_t count) noexcept;
  /// Adds pairs of levels, projected to a shared ancestor.
  void add(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
           const LevelProjection& ancestor) noexcept;
  /// Returns the fingerprint of everything that was added.
  [[nodiscard]] Value value() const noexcept { return {print_.first, print_.second}; }

 private:
  LevelPrint print_;
};

/// The fingerprints of the levels of one leaf, projected to each node that other leaves share: leaves below
/// one ancestor must have the same (README.md#nested-encoding).
class AncestorPrints {
 public:
  /// Max number of shared ancestors that are followed, outermost first; each costs work for every entry.
  static constexpr std::size_t kMaxShared = 64;

  /// `leaf`: ordinal of the leaf.
  AncestorPrints(const Schema& schema, std::size_t leaf);

  /// Nodes between the root and the leaf that other leaves share, outermost first.
  [[nodiscard]] const std::vector<std::uint32_t>& ancestors() const noexcept { return ancestors_; }

  /// Adds entries.
  void add(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count) noexcept;
  /// Adds `count` equal entries.
  void add(std::uint32_t repetition, std::uint32_t definition, std::uint64_t count) noexcept;

  /// Returns the fingerprint of each ancestor over all entries.
  [[nodiscard]] std::vector<LevelFingerprint::Value> values() const;

 private:
  struct Projection {
    LevelProjection ancestor;
    LevelFingerprint print;
  };

  std::vector<std::uint32_t> ancestors_;
  std::vector<Projection> projections_;
};

}  // namespace parqproof
