#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/encoding/table.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/options.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/source_chunks.hpp"

namespace parqproof {

/// Returns true if rewritten files have pages of this encoding. `historical`: RewriteOptions::historical.
[[nodiscard]] bool is_written(const EncodingInfo& encoding, bool historical) noexcept;

/// The reason why a file with these leaves alone has other values: some columns of a VARIANT are missing, or
/// those of a FILE by which it refers to bytes. Empty if none is.
[[nodiscard]] std::string divided_group(const Schema& schema, const std::vector<std::size_t>& leaves);

/// The elements of the schema that leaves need, with the groups above them.
[[nodiscard]] thrift::ListBuilder<SchemaElement> schema_of(const RowFooter& footer,
                                                           const std::vector<std::size_t>& leaves,
                                                           const Limits& limits);

/// How the file is written: in the form of the source, in current forms unless RewriteOptions::historical,
/// with the changes that were asked for. nullopt if one does not fit, and `why` names it. `written`: the
/// schema that is written; `forms`: of its columns.
[[nodiscard]] std::optional<WriteOptions> write_options_of(const RowFooter& footer, const Schema& written,
                                                           const std::vector<ChunkForm>& forms,
                                                           const RewriteOptions& options, std::string& why);

}  // namespace parqproof
