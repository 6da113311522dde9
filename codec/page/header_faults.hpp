#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A fault of a page header that prevents the body of the page from being read.
struct HeaderFault {
  enum class Means : std::uint8_t {
    no_numbers,   ///< sizes or counts are missing or impossible and must not be added to sums
    no_body,      ///< the body cannot be split into its parts
    unsupported,  ///< the header is valid, but the body cannot be read
  };
  PageFault fault;  ///< thrift/required-field: the strict reader of the header has reported the missing field
  Means means;
};

/// Returns the page type of the header's only member if that differs from the type in the header.
[[nodiscard]] std::optional<PageType> type_by_member(const Page& page) noexcept;

/// Returns the faults that prevent the body of a page from being read by its header, in the order of the
/// fields; empty for a valid header of a known type. The page belongs to a chunk of `leaf` and
/// can_be_skipped().
[[nodiscard]] std::vector<HeaderFault> header_faults(const Page& page, const Node& leaf);

/// Returns limit/page-size or limit/memory for a page without header_faults() that exceeds a limit. The
/// stored and uncompressed bytes of the page, `more` bytes that it needs, and `held` bytes that are in use
/// must fit in memory.
[[nodiscard]] std::optional<PageFault> ceiling_fault(const Page& page, const Limits& limits,
                                                     std::uint64_t held = 0, std::uint64_t more = 0);

/// Returns the names of the physical types that an encoding supports; "levels" if it supports none.
[[nodiscard]] std::string types_of(Encoding encoding);

}  // namespace parqproof
