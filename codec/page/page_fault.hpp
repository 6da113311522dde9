#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "codec/base/result.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// A fault of a page as data: the checker makes a finding of it and continues, a reader of rows stops with
/// it.
struct PageFault {
  enum class At : std::uint8_t {
    bytes,       ///< at the offset of `error`, with its numbers
    header,      ///< at `field` of the PageHeader
    chunk,       ///< at `field` of the ColumnChunk
    unreadable,  ///< the source cannot be read; no rule is violated
  };

  At at = At::bytes;
  std::string_view field;  ///< a Thrift path in static storage
  Error error;             ///< the rule; with At::bytes also the offset and the numbers
  Contrast contrast;       ///< found and expected; with At::bytes only if `error` has no numbers

  [[nodiscard]] Rule rule() const noexcept { return error.rule; }

  [[nodiscard]] static PageFault in_bytes(const Error& error, Contrast contrast = {}) {
    return {At::bytes, {}, error, std::move(contrast)};
  }
  [[nodiscard]] static PageFault in_header(Rule rule, std::string_view field, Contrast contrast) {
    return {At::header, field, Error{.rule = rule}, std::move(contrast)};
  }
  [[nodiscard]] static PageFault in_chunk(Rule rule, std::string_view field, Contrast contrast) {
    return {At::chunk, field, Error{.rule = rule}, std::move(contrast)};
  }
  [[nodiscard]] static PageFault source_unreadable() { return {At::unreadable, {}, {}, {}}; }
};

/// A Result for functions that are called for each entry of a column; small, because the fault is allocated
/// separately.
template <typename T>
using PageResult = std::expected<T, std::unique_ptr<PageFault>>;

[[nodiscard]] inline std::unexpected<std::unique_ptr<PageFault>> page_fault(PageFault fault) {
  return std::unexpected(std::make_unique<PageFault>(std::move(fault)));
}

}  // namespace parqproof
