#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// What a schema in text says beside names and types.
enum class SchemaDetail : std::uint8_t {
  message,  ///< nothing: the message syntax as parquet-java prints and parses it
  levels,   ///< behind each node its largest levels, and behind a leaf its ordinal, as comments
};

/// The annotation of a node as the message syntax has it, with its parameters; empty where there is none.
[[nodiscard]] std::string annotation_text(const Schema& schema, std::uint32_t index);

/// How the schema could be shown.
struct SchemaEnd {
  DumpEnd end = DumpEnd::whole;
  std::string why;  ///< where it is not whole, in words
};

/// The schema of a file, as far as its footer can be read: the message syntax of parquet-java.
[[nodiscard]] SchemaEnd write_schema_text(const Source& source, SchemaDetail detail, Out& out);
/// The same as JSON: each node with its repetition, type, logical type, field id, levels, and the offset of
/// its SchemaElement; a leaf with its ordinal and path.
[[nodiscard]] SchemaEnd write_schema_json(const Source& source, const std::string& path, Out& out);

}  // namespace parqproof
