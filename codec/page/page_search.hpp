#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/page/page_reader.hpp"

namespace parqproof {

/// Sufficient bytes for a page header according to the rule page/header-size.
constexpr std::uint64_t kPageHeaderRoom = std::uint64_t{1} << 16;

/// Thrift field header of an i32 whose id is one more than the previous one; page headers and footers begin
/// with it.
constexpr std::uint8_t kNextI32 = 0x15;

/// Number of bytes that may_be_page_header() examines.
constexpr std::uint64_t kPageHeaderPrefix = 24;

/// A quick test that nearly all bytes fail. Page headers have these fields in ascending order of ids: page
/// type, two sizes, optionally a crc, then the header struct of one page type.
[[nodiscard]] bool may_be_page_header(View bytes);

/// Returns the first offset in [from, to) of a byte kNextI32; `to` if there is none, or if bytes cannot be
/// read.
[[nodiscard]] std::uint64_t find_next_i32(Window& window, std::uint64_t from, std::uint64_t to);

/// Searches for contiguous pages up to `end`, the end of a column chunk. Valid headers and a last body that
/// ends exactly there are the evidence. Returns the offset of the first such page from `from` on. Returns
/// nullopt if there is none in the first 16 MiB, or after 64 candidates without success.
[[nodiscard]] std::optional<std::uint64_t> find_pages_up_to(std::uint64_t end, std::uint64_t from,
                                                            PageReader& reader);

}  // namespace parqproof
