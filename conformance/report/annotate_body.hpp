#pragma once

#include <string>

#include "codec/base/bytes.hpp"
#include "codec/format/page_header.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/annotate.hpp"

namespace parqproof {

/// The runs of a page body as it is stored: levels, then values down to single ones where their encoding
/// allows; compressed bytes as one run. `codec`: the name of the codec that compressed the body, empty where
/// the bytes stand as they are.
void annotate_body(const View& bytes, const PageHeader& header, const Node& leaf, const std::string& codec,
                   const RunSink& sink);

}  // namespace parqproof
