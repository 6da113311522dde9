#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/page/value_bytes.hpp"
#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// A value of a data page, found by reading the page again.
struct FoundValue {
  std::vector<std::uint8_t> value;  ///< PLAIN bytes, of a BYTE_ARRAY without length word
  std::int32_t page = -1;           ///< ordinal of the page in its chunk
  std::optional<std::int64_t> row;  ///< in the row group, from 0

  /// The value and its row, and with `with_page` its page: `3 in page 2, row 17 of the row group`.
  [[nodiscard]] std::string text(const Node& leaf, bool with_page) const;
};

/// The first value of the page for which `is_it` returns true. Only for findings, because levels and values
/// are decoded a second time. `dictionary` has the values that indices refer to.
[[nodiscard]] std::optional<FoundValue> find_value(
    const ChunkScope& scope, const PageEnd& end, const DictionaryView& dictionary,
    const std::function<bool(std::span<const std::uint8_t>)>& is_it);

}  // namespace parqproof
