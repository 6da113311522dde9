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

/// What the headers of a chunk's pages say, for the claims of the chunk's metadata to be held against.
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
  std::optional<HeaderPlace> without_crc;    ///< the first header that states no checksum
  std::set<std::uint64_t> index_pages;       ///< their offsets
  std::set<std::uint64_t> unknown_pages;     ///< offsets of pages of which the type is not known
  std::set<Encoding> level_encodings;        ///< of levels that v1 pages store
  PageCounts pages;                          ///< by type and encoding
  std::uint64_t with_crc = 0;                ///< headers that state a checksum
  std::uint64_t unknown = 0;                 ///< pages of an unknown type or encoding
  std::uint64_t count = 0;                   ///< pages
  bool labels_known = true;                  ///< no label of an encoding is known to be wrong

  /// The next page of the chunk of `leaf`.
  void add(const Page& page, const Node& leaf);
  /// The label of the dictionary page, once that was met.
  [[nodiscard]] std::optional<Encoding> dictionary_label() const noexcept {
    return dictionary ? std::optional(dictionary->label) : std::nullopt;
  }
  /// Encodings of values in data pages, those that the specification knows.
  [[nodiscard]] std::set<Encoding> data_encodings() const;
  /// Encodings of levels and of dictionary pages.
  [[nodiscard]] std::set<Encoding> other_encodings() const;
};

/// What is known of the page that is judged.
struct PageAtHand {
  bool readable = false;            ///< all its values can be read
  bool faulty = false;              ///< it breaks a rule
  bool damaged = false;             ///< it is lost
  bool untrusted = false;           ///< its checksum is wrong
  bool is_left_out = false;         ///< it is not to be trusted, and not lost by another error
  bool too_much = false;            ///< a limit keeps its header from being read
  std::size_t reported_before = 0;  ///< findings before it
};

/// What is missing in the sums over the pages of a chunk so far.
struct Gaps {
  std::string why;              ///< the first reason why they are not whole
  bool whole = true;            ///< no page is lost
  bool values_known = true;     ///< all values were judged
  bool last_page_lost = false;  ///< the body of the last page is damaged
  bool surplus = false;         ///< there are bytes behind the values of a page
};

}  // namespace parqproof
