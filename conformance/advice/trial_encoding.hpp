#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/compression/compress.hpp"
#include "codec/record/data_pages.hpp"
#include "conformance/advice/chunk_pages.hpp"

namespace parqproof {

/// What entries of a column take in the file and in other encodings, in bytes of pages with their headers.
struct TrialCosts {
  std::uint64_t entries = 0;
  std::uint64_t pages = 0;  ///< of the file that have them
  double stored = 0;
  std::vector<double> bytes;  ///< by the order of the encodings
};

/// Encodes entries of column chunks as `rewrite` writes them: pages, levels, compression.
class TrialEncoding {
 public:
  /// Entries, and bytes of their values in PLAIN, at which a run of entries ends: a page of `rewrite`, or two
  /// of them if values are long.
  static constexpr std::uint64_t kRunEntries = 20'000;
  static constexpr std::uint64_t kRunBytes = std::uint64_t{2} << 20;
  /// The same for a dictionary, which is built for the entries of a chunk from the first on.
  static constexpr std::uint64_t kDictionaryEntries = std::uint64_t{4} << 20;
  static constexpr std::uint64_t kDictionaryBytes = std::uint64_t{64} << 20;

  /// `check` outlives this object.
  explicit TrialEncoding(const FileCheck& check)
      : check_(check), context_{check.footer.schema, check.options.limits} {}

  /// Encodes kRunEntries entries from `begin` on in each encoding, none of which has a dictionary. Returns
  /// nullopt if they cannot be read or encoded.
  [[nodiscard]] std::optional<TrialCosts> encode(const ChunkPages& chunk, std::uint64_t begin,
                                                 std::span<const Encoding> encodings);
  /// Writes the chunk with a dictionary. Returns nullopt if the dictionary would be given up.
  [[nodiscard]] std::optional<TrialCosts> encode_with_dictionary(const ChunkPages& chunk);

  /// Bytes that were encoded so far, before compression.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

 private:
  struct Room {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  class Trial;

  template <typename Take>
  [[nodiscard]] std::optional<EntryRange> read(const ChunkPages& chunk, std::uint64_t begin, Room room,
                                               Take take);

  const FileCheck& check_;
  ReadingContext context_;
  Compressor compressor_;
  std::uint64_t work_ = 0;
};

}  // namespace parqproof
