#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/locate.hpp"

namespace parqproof {

/// Totals over the page headers of a chunk, to compare with the column metadata.
struct PageHeaderTally {
  struct DictionaryPage {
    std::uint64_t offset = 0;
    Encoding label{};
    Place place;
    thrift::Extent label_at;  ///< of the field in the page header
  };
  struct HeaderPlace {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    Place place;
  };
  using PageCounts = std::map<std::pair<PageType, Encoding>, std::int64_t>;

  std::optional<DictionaryPage> dictionary;  ///< the first one
  std::optional<std::uint64_t> first_data;   ///< offset of the first data page
  std::optional<PageType> data_type;         ///< type of the first data page
  std::optional<HeaderPlace> without_crc;    ///< the first header without a checksum
  std::set<std::uint64_t> index_pages;       ///< offsets of index pages
  std::set<std::uint64_t> unknown_pages;     ///< offsets of pages of unknown type
  std::set<Encoding> level_encodings;        ///< of levels that v1 pages store
  PageCounts pages;                          ///< by type and encoding
  std::uint64_t with_crc = 0;                ///< headers with a checksum
  std::uint64_t unknown = 0;                 ///< pages of an unknown type or encoding
  std::uint64_t count = 0;                   ///< pages
  bool labels_known = true;                  ///< no encoding in a header is known to be wrong

  /// Adds the next page of the chunk of `leaf`.
  void add(const Page& page, const Node& leaf);
  /// Encoding of the dictionary page, once it was read.
  [[nodiscard]] std::optional<Encoding> dictionary_label() const noexcept {
    return dictionary ? std::optional(dictionary->label) : std::nullopt;
  }
  /// Known encodings of values in data pages.
  [[nodiscard]] std::set<Encoding> data_encodings() const;
  /// Encodings of levels and of dictionary pages.
  [[nodiscard]] std::set<Encoding> other_encodings() const;
};

/// State of the page that is being judged.
struct CurrentPage {
  bool readable = false;            ///< all its values can be read, and are those of their rows
  bool faulty = false;              ///< it breaks a rule
  bool verified = false;            ///< its bytes match a checksum
  bool damaged = false;             ///< it is lost
  bool untrusted = false;           ///< its checksum is wrong
  bool is_left_out = false;         ///< its checksum is wrong, and no other error makes it lost
  bool too_much = false;            ///< its header exceeds a limit, so it is not read
  std::size_t reported_before = 0;  ///< findings before it
};

/// Pages and values missing so far in the sums over the pages of a chunk.
struct Gaps {
  std::string why;                  ///< the first reason why the sums are incomplete
  bool sums_known = true;           ///< no page is missing in the sums
  bool values_known = true;         ///< all values were judged
  bool last_page_lost = false;      ///< the body of the last page is damaged
  bool last_page_verified = false;  ///< its bytes match a checksum
  bool last_page_is_dictionary = false;
  bool surplus = false;  ///< a page has bytes after its values
  bool at_end = false;   ///< the walk has reached the end of the chunk
};

}  // namespace parqproof
