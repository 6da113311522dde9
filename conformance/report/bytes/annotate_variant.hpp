#pragma once

#include "codec/base/bytes.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/report/bytes/annotate.hpp"

namespace parqproof {

/// The runs of the metadata or of a value of a Variant, in order, covering it exactly. Bytes that cannot be
/// read are one run. Returns false if the sink ended the annotation.
[[nodiscard]] bool annotate_variant(const View& bytes, variant::Role role, const RunSink& sink);

}  // namespace parqproof
