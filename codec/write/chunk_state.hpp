#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/encoding/dictionary_builder.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/record/dictionary.hpp"
#include "codec/write/page_buffer.hpp"

/// What ChunkWriter knows while it writes.
namespace parqproof {

/// A page that waits for the dictionary: its place in IndexedValues::kept.
struct KeptPage {
  std::uint64_t bytes = 0;
  std::uint64_t first_row = 0;
};
/// A data page for the index pages: the smallest value, if it has any.
struct PageKey {
  std::vector<std::uint8_t> min;
  std::uint64_t bytes = 0;
  std::uint64_t first_row = 0;
};

/// Values as indices of a dictionary, until a page is written in another encoding.
struct IndexedValues {
  std::optional<DictionaryBuilder> dictionary;
  bool is_worth_it = false;            ///< the first page has become smaller
  const Dictionary* source = nullptr;  ///< dictionary of the last indices that were added
  std::uint64_t source_version = 0;
  std::vector<std::uint32_t> translated;  ///< by index in `source`: index in `dictionary`, plus 1
  std::vector<std::uint32_t> indices;     ///< of the current page
  std::uint32_t entries_before = 0;       ///< of the dictionary before the current page
  std::vector<std::uint8_t> kept;
  std::vector<KeptPage> kept_pages;
};
/// Room that the chunks of a file use one after the other.
struct ChunkRoom {
  std::vector<std::uint8_t> section;  ///< values of the open page
  ValueEncoder encoder;
  StoredPage page;
};

}  // namespace parqproof
