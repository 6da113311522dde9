#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/rows/reading_failure.hpp"

namespace parqproof {

/// The parts of a footer that rows depend on: the schema, and the location of the row groups. The reason why
/// it cannot be read goes to the ReadingFailure.
class RowFooter {
 public:
  /// All arguments outlive the footer.
  RowFooter(const Source& source, const Limits& limits, ReadingFailure& failure)
      : source_(source), limits_(limits), failure_(failure) {}

  /// Reads the footer and the schema; false if no rows can be read.
  [[nodiscard]] bool read();

  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] const FileMetaData& meta() const noexcept { return meta_; }
  /// The encrypted column metadata that was decrypted; may be null.
  [[nodiscard]] const OpenedMetadata* opened() const noexcept { return frame_.opened.get(); }
  [[nodiscard]] FindingSite site() const {
    return {failure_.findings(), {}, frame_.footer, FileMetaData::kType};
  }
  /// The bytes of the footer from an offset in the file on.
  [[nodiscard]] View bytes_from(std::uint64_t offset) const noexcept {
    return frame_.footer.from(static_cast<std::size_t>(offset - frame_.footer.base));
  }
  /// Offset of the footer, at which the data ends.
  [[nodiscard]] std::uint64_t offset() const noexcept { return frame_.footer_offset; }

  /// Returns true if the values of the leaf can be read: their type and length are known.
  [[nodiscard]] bool leaf_is_readable(std::size_t leaf);
  /// Reports that something that rows depend on is missing in the bytes [from, to). Returns false for the
  /// caller to return.
  bool lacks(std::uint64_t from, std::uint64_t to, std::string_view what);

 private:
  [[nodiscard]] bool read_meta();
  [[nodiscard]] bool read_schema();
  bool no_tree();
  [[nodiscard]] FindingSite element_site(std::uint32_t index) const;

  const Source& source_;
  const Limits& limits_;
  ReadingFailure& failure_;
  Frame frame_;
  FileMetaData meta_;
  Schema schema_;
  std::map<std::uint32_t, std::string> without_length_;  // FIXED_LEN_BYTE_ARRAY nodes, and their type_length
  std::set<std::uint32_t> without_repetition_;           // nodes below the root
};

}  // namespace parqproof
