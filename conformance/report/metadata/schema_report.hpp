#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Detail of a schema as text.
enum class SchemaDetail : std::uint8_t {
  message,  ///< names and types, in the message syntax that parquet-java prints and parses
  levels,   ///< also the max levels of each node and the ordinal of each leaf, as comments
};

/// Annotation of a node in the message syntax, with its parameters; empty if there is none.
[[nodiscard]] std::string annotation_text(const Schema& schema, std::uint32_t index);

/// Result of showing a schema.
struct SchemaEnd {
  DumpEnd end = DumpEnd::complete;
  std::string why;  ///< reason, if the schema is incomplete
};

/// The schema of a file, as far as its footer can be read, in the message syntax of parquet-java.
[[nodiscard]] SchemaEnd write_schema_text(const Source& source, SchemaDetail detail, Out& out);
/// The same as JSON: each node with its repetition, type, logical type, field id, levels, and the offset of
/// its SchemaElement; a leaf with its ordinal and path.
[[nodiscard]] SchemaEnd write_schema_json(const Source& source, const std::string& path, Out& out);

}  // namespace parqproof
