#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "conformance/advice/chunk_pages.hpp"
#include "conformance/advice/trial_encoding.hpp"

namespace parqproof {

/// A saving is reported if it is at least this share of the bytes of the column, and so many bytes. A fifth
/// is more than what a sample, another page size or another compression level change, and enough to be
/// noticed in the time of a scan. 8 KB is the smallest page that the specification recommends: reading less
/// than that saves nothing.
inline constexpr double kMinSavedShare = 0.2;
inline constexpr std::uint64_t kMinSavedBytes = 8 * 1024;

/// A column whose chunks can all be read.
struct AdvisedColumn {
  std::size_t first_chunk = 0;  ///< in ParsedFooter::chunks, where the finding is
  std::uint64_t stored = 0;     ///< bytes of the pages of all chunks
};

/// Returns true if a rule about encodings is wanted.
[[nodiscard]] bool wants_encoding_advice(const Findings& findings);

/// An encoding that a finding advises.
struct AdvisedEncoding {
  Encoding encoding{};
  std::uint64_t saved = 0;  ///< bytes of the column, about
};
[[nodiscard]] std::optional<AdvisedEncoding> advised_encoding(const Finding& finding);

/// Encodes samples of the column, from the first, middle and last of `chunks`, in the other encodings of its
/// type, and reports the one that saves bytes, or else a dictionary that costs more than it saves.
void advise_encoding(FileCheck& check, const AdvisedColumn& column, std::span<const ChunkPages> chunks,
                     TrialEncoding& trials);

}  // namespace parqproof
