#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/compression/compress.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/format/enums.hpp"
#include "codec/write/encryption_options.hpp"

namespace parqproof {

/// How the chunks of one column are written.
struct ColumnOptions {
  /// Values are written as indices of a dictionary, until `dictionary_bytes`, or if the first page does not
  /// get smaller by it; then as `encoding`.
  bool dictionary = true;
  std::uint64_t dictionary_bytes = std::uint64_t{1} << 20;  ///< max size of a dictionary, PLAIN
  Encoding encoding = Encoding::PLAIN;  ///< of values that are not indices: any with a codec for the type
  /// PLAIN_DICTIONARY for dictionary and data pages, as before the second edition of the format.
  bool plain_dictionary = false;
  EncodeOptions encode = {};
  CompressionCodec codec = CompressionCodec::SNAPPY;
  CompressOptions compress = {};
  /// IEEE_754_TOTAL_ORDER of FLOAT, DOUBLE and FLOAT16, INT96_TIMESTAMP_ORDER of INT96; false: TYPE_ORDER.
  bool total_order = false;
  bool statistics = true;              ///< Statistics of the chunk
  bool page_statistics = false;        ///< Statistics in page headers
  bool deprecated_statistics = false;  ///< also min and max, where their order is that of signed bytes
  bool nan_counts = true;
  /// Max bytes of a bound of byte arrays in Statistics and in the page index; longer ones are truncated.
  std::uint32_t bound_bytes = 64;
  bool size_statistics = true;
  bool geospatial_statistics = true;  ///< of GEOMETRY and GEOGRAPHY
  bool encoding_stats = true;
  bool bloom_filter = false;
  double bloom_false_positives = 0.01;                 ///< probability, above 0 and below 1
  std::uint32_t bloom_bytes = std::uint32_t{1} << 20;  ///< max size of a filter
};

/// The index pages of the 2013 edition of the format.
enum class IndexPages : std::uint8_t {
  none,
  /// Of the first sorting column by its values, of the others by the ordinals of rows.
  tree,
};

/// What the specification leaves to a writer of files. The defaults are current and undeprecated.
struct WriteOptions {
  ColumnOptions column = {};                          ///< of all columns but those in `columns`
  std::map<std::size_t, ColumnOptions> columns = {};  ///< by ordinal of the leaf

  unsigned page_version = 1;                          ///< 1: DATA_PAGE, 2: DATA_PAGE_V2
  std::uint64_t page_bytes = std::uint64_t{1} << 20;  ///< of values, as in PLAIN, at which a page ends
  std::uint64_t page_rows = 20'000;                   ///< rows at which a page ends
  bool checksums = true;
  bool page_index = true;
  Encoding level_encoding = Encoding::RLE;    ///< BIT_PACKED only in pages of version 1
  IndexPages index_pages = IndexPages::none;  ///< retired
  bool metadata_copies = false;               ///< a copy of its metadata after each chunk; deprecated
  /// A footer for all row groups so far follows after this many of them; 0: one at the end.
  std::uint32_t footer_every = 0;
  /// Not with index pages, copies of metadata or footers before the last.
  std::optional<EncryptionOptions> encryption = std::nullopt;
  std::string created_by = {};  ///< empty: parqproof and its version
  std::vector<std::pair<std::string, std::optional<std::string>>> key_values = {};

  [[nodiscard]] const ColumnOptions& of(std::size_t leaf) const {
    const auto own = columns.find(leaf);
    return own == columns.end() ? column : own->second;
  }
};

}  // namespace parqproof
