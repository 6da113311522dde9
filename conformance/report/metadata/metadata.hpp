#pragma once

#include <cstdint>
#include <string>

#include "codec/base/source.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

/// The metadata of a file for people and programs. It checks no rules, and stops at the first byte that
/// cannot be read.
namespace parqproof {

/// Prints the footer as stored: every field in the order of the bytes with its name, value and offset,
/// including unknown fields.
[[nodiscard]] ShownFooter dump_footer_text(const Source& source, const std::string& path, Out& out);
[[nodiscard]] ShownFooter dump_footer_json(const Source& source, const std::string& path, Out& out);

/// Prints readable row groups and column chunks: sizes with units; bounds of statistics, of page indexes and
/// of dictionaries by logical type. Everything is as stated in the file, except dictionary entries, which are
/// read.
[[nodiscard]] ShownFooter write_footer_values(const Source& source, const std::string& path, Out& out);

/// Detail of a schema as text.
enum class SchemaDetail : std::uint8_t {
  message,  ///< names and types, in the message syntax that parquet-java prints and parses
  levels,   ///< also the max levels of each node and the ordinal of each leaf, as comments
};

/// The schema of a file, as far as its footer can be read, in the message syntax of parquet-java.
[[nodiscard]] ShownFooter write_schema_text(const Source& source, SchemaDetail detail, Out& out);
/// The same as JSON: each node with its repetition, type, logical type, field id, levels, and the offset of
/// its SchemaElement; a leaf with its ordinal and path.
[[nodiscard]] ShownFooter write_schema_json(const Source& source, const std::string& path, Out& out);

/// Annotation of a node in the message syntax, with its parameters; empty if there is none.
[[nodiscard]] std::string annotation_text(const Schema& schema, std::uint32_t index);

}  // namespace parqproof
