#pragma once

#include <optional>
#include <string>

#include "codec/page/page_reader.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

struct HeaderJudgement {
  bool body = true;      ///< the body can be judged by this header
  bool sums = true;      ///< the numbers of the header may enter sums
  bool damaged = false;  ///< the body cannot be judged because the header is wrong
  std::string why_not;   ///< the body is passed over for another reason than damage
};

/// The rules of one page header (page/*, dictionary/page-*, rle/allowed-data). `dictionary`: the label of the
/// chunk's dictionary page, once that was met.
[[nodiscard]] HeaderJudgement judge_page_header(const ChunkScope& chunk, std::optional<Encoding> dictionary,
                                                const Page& page);

/// column-chunk/mixed-page-versions, where the page is no data page of type `first`, as that of the chunk
/// which came first.
void judge_page_type(const ChunkScope& chunk, std::optional<PageType> first, const Page& page);

/// Whether data pages may refer to a page that cannot be read.
[[nodiscard]] bool may_be_dictionary(const Page& page) noexcept;

}  // namespace parqproof
