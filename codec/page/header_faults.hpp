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

/// Something in a page header that keeps the body of the page from being read.
struct HeaderFault {
  enum class Means : std::uint8_t {
    no_numbers,   ///< sizes or counts are missing or impossible: they may not enter sums either
    no_body,      ///< the body cannot be cut into its parts
    unsupported,  ///< nothing is wrong, but the body cannot be read
  };
  PageFault fault;  ///< thrift/required-field: the strict reader of the header has told what is missing
  Means means;
};

/// The page type whose member the header has, where the header has one member and that is of another type
/// than the header states.
[[nodiscard]] std::optional<PageType> type_by_member(const Page& page) noexcept;

/// What keeps the body of a page from being read by its header, in the order of the fields; nothing for a
/// page of known type whose header is whole. It is a page of the chunk of `leaf` that can be passed.
[[nodiscard]] std::vector<HeaderFault> header_faults(const Page& page, const Node& leaf);

/// limit/page-size, limit/memory: the ceiling that keeps a page without header_faults() from being read. The
/// page's stored and uncompressed bytes, and `more` that go with it, have to fit in memory beside `held`.
[[nodiscard]] std::optional<PageFault> ceiling_fault(const Page& page, const Limits& limits,
                                                     std::uint64_t held = 0, std::uint64_t more = 0);

/// Names of the physical types that an encoding is for; "levels" where it is for none.
[[nodiscard]] std::string types_of(Encoding encoding);

}  // namespace parqproof
