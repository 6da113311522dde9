#pragma once

#include <memory>
#include <optional>

#include "conformance/file/doubts.hpp"

namespace parqproof {

/// Searches for a single wrong field, and for what is left of a file without a footer. The functions are in
/// the sources of their subjects.
class Diagnosis final : public FileDoubts {
 public:
  /// No questions about a file that is decrypted: hypotheses read the bytes of pages, which show nothing
  /// while they are encrypted.
  [[nodiscard]] const FileDoubts& about(const FileCheck& check) const override;
  [[nodiscard]] std::unique_ptr<ChunkDoubts> of_chunks(const RegionMap& regions, std::uint64_t begin,
                                                       std::uint64_t end) const override;
  /// file/footer-length: a FileMetaData of another length ends at the footer length.
  bool explain_footer_length(FileCheck& check) const override;
  /// file/joined: half of the column chunks or more begin with no page, and all do if offsets count from
  /// where a second file begins. Only then is the file lost.
  bool explain_joined_files(FileCheck& check) const override;
  /// schema/type-length: a FIXED_LEN_BYTE_ARRAY(0) has bytes in its pages or bounds.
  void explain_lengths_of_zero(FileCheck& check) const override;
  /// schema/name: all column chunks below an element agree on another name. The finding replaces
  /// column-chunk/path of these chunks. A single chunk is no evidence, because its path may be wrong, unless
  /// it has the name that LIST or MAP requires there.
  void explain_schema_names(FileCheck& check) const override;
  /// recovery/earlier-footer: the consecutive intact footers at the end of the gap.
  void report_earlier_footers(FileCheck& check, ByteRange gap) const override;
  /// Finds runs of pages with intact headers, and every complete FileMetaData. Page bodies are skipped if
  /// another page follows; all other bytes are visited once. The search is given up if false headers cost
  /// more than a few times the size of the file.
  [[nodiscard]] std::optional<Remains> search_remains(FileCheck& check) const override;
};

[[nodiscard]] const FileDoubts& diagnosis() noexcept;
/// Returns true if the caller has keys for the footer of the file, or for columns in it.
[[nodiscard]] bool is_decrypted(const FileCheck& check);

}  // namespace parqproof
