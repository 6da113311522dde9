#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace parqproof {

/// The first syntax error of a document, and what is expected there.
struct DocumentFault {
  std::size_t at = 0;  ///< the first wrong byte; the size if bytes are missing at the end
  std::string_view expected;
};

/// Judges texts by the grammar of JSON (RFC 8259). The grammar limits neither the size of numbers nor
/// requires paired surrogates, so it accepts more than most libraries. Not recursive. Memory: one bit per
/// nesting level.
class JsonGrammar {
 public:
  /// Returns nullopt if the text, which must be valid UTF-8, is one JSON document.
  [[nodiscard]] std::optional<DocumentFault> fault(std::span<const std::uint8_t> text);

 private:
  std::vector<bool> in_object_;  // for each level: true for an object, false for an array
};

/// Judges bytes by the grammar of BSON 1.1 (bsonspec.org): lengths, types, terminators, UTF-8 of names and
/// strings. Not recursive. Memory: eight bytes per nesting level; a level has at least seven bytes of input.
class BsonGrammar {
 public:
  /// Returns nullopt if the bytes are one BSON document.
  [[nodiscard]] std::optional<DocumentFault> fault(std::span<const std::uint8_t> bytes);

 private:
  [[nodiscard]] std::optional<DocumentFault> begin_document(std::size_t end, bool to_the_end);
  [[nodiscard]] std::optional<DocumentFault> element(std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> value(std::uint8_t type, std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> c_string(std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> string(std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> binary(std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> code_with_scope(std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> skip(std::size_t count, std::size_t end);
  [[nodiscard]] std::optional<DocumentFault> utf8(std::size_t begin, std::size_t end) const;

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::vector<std::size_t> ends_;  // of the open documents, outermost first
};

}  // namespace parqproof
