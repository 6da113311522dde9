#pragma once

#include <optional>
#include <string>

#include "codec/file/levels.hpp"
#include "codec/file/page_reader.hpp"
#include "conformance/check/context.hpp"

namespace parqproof {

/// What the rules of a page header look at besides the header.
struct HeaderScene {
  const Context& context;
  const ColumnMetaData& meta;
  const Node& leaf;
  const Judge& judge;
  Place place;
  const LevelReader& levels;
  std::int32_t pages_before = 0;
  std::optional<Encoding> dictionary;  ///< the label of the chunk's dictionary page, once that was met
};

struct HeaderJudgement {
  bool body = true;      ///< the body can be judged by this header
  bool sums = true;      ///< the numbers of the header may enter sums
  bool damaged = false;  ///< the body cannot be judged because the header is wrong
  std::string why_not;   ///< the body is passed over for another reason than damage
};

/// The rules of one page header (page/*, dictionary/page-*, rle/allowed-data).
[[nodiscard]] HeaderJudgement judge_page_header(const HeaderScene& scene, const Page& page);

}  // namespace parqproof
