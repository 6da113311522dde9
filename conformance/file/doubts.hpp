#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "conformance/chunk/doubts.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Questions of the phases of a check about one file (file/judge_file.cpp), like ChunkDoubts: this class
/// answers as a check without diagnosis does. It has no state, so one object serves all files.
class FileDoubts {
 public:
  virtual ~FileDoubts() = default;

  /// The questions about a file whose last bytes and footer have been read.
  [[nodiscard]] virtual const FileDoubts& about(const FileCheck&) const { return *this; }

  /// Returns the questions about chunks whose pages are in the bytes [begin, end) of the file.
  [[nodiscard]] virtual std::unique_ptr<ChunkDoubts> of_chunks(const RegionMap& regions, std::uint64_t,
                                                               std::uint64_t) const {
    return std::make_unique<ChunkDoubts>(regions);
  }
  /// of_chunks() for check_chunks(); this object outlives the result.
  [[nodiscard]] MakeChunkDoubts make_chunk_doubts() const {
    return [this](const RegionMap& regions, std::uint64_t begin, std::uint64_t end) {
      return of_chunks(regions, begin, end);
    };
  }

  /// Returns true if the footer length is wrong; its finding is then the cause of
  /// all others.
  virtual bool explain_footer_length(FileCheck&) const { return false; }
  /// Returns true, after reporting it, if the file consists of two files, one after the other.
  virtual bool explain_joined_files(FileCheck&) const { return false; }
  /// Attributes findings about columns to a finding about the wrong field of the schema.
  virtual void explain_lengths_of_zero(FileCheck&) const {}
  virtual void explain_schema_names(FileCheck&) const {}
  /// Reports the complete footers in bytes that no structure refers to.
  virtual void report_earlier_footers(FileCheck&, ByteRange) const {}
  /// Searches a file without a footer for pages and footers; returns nothing if no search is made.
  [[nodiscard]] virtual std::optional<Remains> search_remains(FileCheck&) const { return {}; }
};

}  // namespace parqproof
