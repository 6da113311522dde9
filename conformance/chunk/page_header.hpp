#pragma once

#include <optional>
#include <string>

#include "codec/page/page_reader.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

struct HeaderJudgement {
  bool body = true;      ///< the body can be judged by this header
  bool sums = true;      ///< the fields of the header may enter sums
  bool damaged = false;  ///< the body cannot be judged because the header is wrong
  std::string why_not;   ///< why the body is skipped, if not because of damage
};

/// Judges one page header (page/*, dictionary/page-*, rle/allowed-data). `dictionary`: the encoding of the
/// dictionary page of the chunk, once it was read.
[[nodiscard]] HeaderJudgement judge_page_header(const ChunkScope& chunk, std::optional<Encoding> dictionary,
                                                const Page& page);

/// column-chunk/mixed-page-versions, for a data page whose type differs from `first`, the type of the first
/// data page of the chunk.
void judge_page_type(const ChunkScope& chunk, std::optional<PageType> first, const Page& page);

/// Returns true if data pages may refer to this page, which cannot be read.
[[nodiscard]] bool may_be_dictionary(const Page& page) noexcept;

}  // namespace parqproof
