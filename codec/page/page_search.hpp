#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/page/page_reader.hpp"

namespace parqproof {

/// Bytes that are enough for a page header, by the rule page/header-size.
constexpr std::uint64_t kPageHeaderRoom = std::uint64_t{1} << 16;

/// The Thrift header of an i32 whose field id is one above that of the field before it. Page headers and
/// footers begin with it.
constexpr std::uint8_t kNextI32 = 0x15;

/// Bytes that may_be_page_header() looks at.
constexpr std::uint64_t kPageHeaderPrefix = 24;

/// A quick test that nearly all bytes fail. A page header has these fields in the order of their ids: page
/// type, two sizes, perhaps a crc, and then the header struct of one page type.
[[nodiscard]] bool may_be_page_header(View bytes);

/// Looks for pages that stand one behind the other up to `end`, which is the end of a column chunk: their
/// headers are sound, and the body of the last one ends there. Returns the offset of the first of them, from
/// `from` on; nothing where there are none, or none begins in the first 16 MiB, or where many places look
/// like a page header and are none.
[[nodiscard]] std::optional<std::uint64_t> find_pages_up_to(std::uint64_t end, std::uint64_t from,
                                                            PageReader& reader);

}  // namespace parqproof
