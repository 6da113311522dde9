#pragma once

#include <string>

#include "codec/base/bytes.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/bytes/annotate.hpp"

namespace parqproof {

/// The runs of the stored body of `page`: levels, then values, single ones if their encoding allows;
/// compressed bytes as one run. `codec` is the name of the codec that compressed the body, or empty.
void annotate_body(const Page& page, const View& stored, const Node& leaf, const std::string& codec,
                   const RunSink& sink);

}  // namespace parqproof
