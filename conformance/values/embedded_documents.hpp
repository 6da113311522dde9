#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace parqproof {

/// Where bytes cease to be a document, and what is due there.
struct DocumentFault {
  std::size_t at = 0;  ///< the first byte at fault; behind the last one where bytes are missing
  std::string_view expected;
};

/// Judges texts by the grammar of JSON (RFC 8259), which is wider than what libraries take: it bounds neither
/// the size of numbers nor the pairing of surrogates. No text makes it call itself. Memory: a bit for each
/// level of nesting.
class JsonGrammar {
 public:
  /// Nothing where well-formed UTF-8 is one JSON document.
  [[nodiscard]] std::optional<DocumentFault> fault(std::span<const std::uint8_t> text);

 private:
  std::vector<bool> in_object_;  // for each level: an object, or an array
};

/// Judges bytes by the grammar of BSON 1.1 (bsonspec.org): lengths, types, terminators, UTF-8 of names and
/// strings. No document makes it call itself. Memory: eight bytes for each level of nesting, which takes
/// seven bytes at least.
class BsonGrammar {
 public:
  /// Nothing where the bytes are one BSON document.
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
  std::vector<std::size_t> ends_;  // of the documents that are open, outermost first
};

}  // namespace parqproof
