#pragma once

#include <vector>

#include "codec/format/column_chunk.hpp"
#include "codec/rules/editions.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The later encodings that a chunk lists: those of later editions, and of proposals.
[[nodiscard]] std::vector<Addition> later_encodings(const ColumnMetaData& meta, Edition edition);

/// Returns true if only a later edition has the encoding, so that its values are not decoded. An encoding of
/// a proposal has no decoder.
[[nodiscard]] bool is_of_later_edition(Encoding encoding, Edition edition);

/// edition/undefined of a FileMetaData whose extension is a flatbuffer footer. Precondition: the FileMetaData
/// is complete.
void check_flatbuffer_footer(FileCheck& check);

}  // namespace parqproof
