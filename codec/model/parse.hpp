#pragma once

#include <cstdint>
#include <expected>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/base/source.hpp"
#include "codec/model/model.hpp"

namespace parqproof::model {

/// Reason why there is no model of a file.
struct ParseFailure {
  enum class Why : std::uint8_t {
    no_footer,   ///< the rule of `error` states why the footer cannot be found
    broken,      ///< the footer cannot be read beyond the offset of `error`
    limit,       ///< a limit of the rule of `error` was reached there
    unreadable,  ///< the source could not be read
  };
  Why why = Why::unreadable;
  Error error = {};  ///< unless unreadable
};

/// Parses a file. The caller keeps the source alive as long as the model. Page bodies are not read: memory is
/// about 20 times the footer and the indexes, and 150 bytes for each page.
///
/// Structures that the footer does not lead to, or that cannot be read, become segments of opaque bytes, so
/// the model of any file with a footer that can be read is emitted as the same bytes.
[[nodiscard]] std::expected<Model, ParseFailure> parse(const Source& source, const Limits& limits = {});

}  // namespace parqproof::model
