#pragma once

#include <string>

#include "codec/base/bytes.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/bytes/annotate.hpp"

namespace parqproof {

/// The runs of the body of `page` as it is stored: levels, then values down to single ones where their
/// encoding allows; compressed bytes as one run. `codec`: the name of the codec that compressed the body,
/// empty where the bytes stand as they are.
void annotate_body(const Page& page, const View& stored, const Node& leaf, const std::string& codec,
                   const RunSink& sink);

}  // namespace parqproof
