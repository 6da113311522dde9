#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"

namespace parqproof::cli {

/// Meaning of the bytes of a golden vector, with the expected result.
class VectorSubject {
 public:
  virtual ~VectorSubject() = default;

  struct Outcome {
    Findings findings;       ///< offsets from the first byte
    std::string difference;  ///< from the expected result, in words; empty: none. Set only for sound bytes
  };
  [[nodiscard]] virtual Outcome decode(std::span<const std::uint8_t> bytes) const = 0;
};

/// A subject, or a message about a contradiction in the vector.
using MadeSubject = std::expected<std::unique_ptr<VectorSubject>, std::string>;

/// Accessors for a JSON object; `missing` is the first requested member that is absent or of another type.
class Members {
 public:
  explicit Members(const nlohmann::json& object) : object_(&object) {}

  std::string text(const char* key, bool required = true);
  std::optional<std::uint64_t> number(const char* key, bool required = true);
  bool flag(const char* key);  ///< false if it is missing
  const nlohmann::json* find(const char* key, bool required = true);
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }

 private:
  void note(const char* key);

  const nlohmann::json* object_;
  std::string missing_;
};

/// Appends the bytes of a list of segments; false if they are not hex digits.
[[nodiscard]] bool read_segments(const nlohmann::json& segments, std::vector<std::uint8_t>& bytes);

/// A section of one encoding: `encoding` and its `values`.
[[nodiscard]] MadeSubject section_subject(Members& members);
/// A compressed stream: `codec`, the `size` in the page header, and the `image`.
[[nodiscard]] MadeSubject stream_subject(Members& members);

/// A Variant, metadata and value: `values` has the only one, as JSON with type tags.
[[nodiscard]] MadeSubject variant_subject(Members& members);
/// A structure of the Thrift compact protocol: its name in `struct`, and its `fields`.
[[nodiscard]] MadeSubject struct_subject(Members& members);
/// All pages of a column chunk: properties of the `column`, its `entries`, and the bytes `before` and `after`
/// that make the pages a file.
[[nodiscard]] MadeSubject page_subject(Members& members);
/// A Bloom filter, header and bitset: its `filter`, with the lookups, and the `answers`.
[[nodiscard]] MadeSubject filter_subject(Members& members);

/// A finding that a vector expects.
struct ExpectedFinding {
  std::string rule;
  std::uint64_t offset = 0;  ///< from the first byte of the vector
  std::string severity;

  friend bool operator==(const ExpectedFinding&, const ExpectedFinding&) = default;
};

/// A golden vector (conformance/json-schema/vectors.schema.json).
struct Vector {
  std::string id;
  std::vector<std::uint8_t> bytes;
  bool sound = true;                      ///< the result of decoding is defined
  std::vector<ExpectedFinding> findings;  ///< findings of a checker, without advice
  std::unique_ptr<VectorSubject> subject;
  std::string nonsense;  ///< contradiction in the vector; empty: none
};

/// The vectors of a file, or a message about what is wrong with it.
[[nodiscard]] std::expected<std::vector<Vector>, std::string> read_vectors(std::string_view text);

/// Decodes a vector; returns the difference from its expected result, or nothing.
[[nodiscard]] std::string run_vector(const Vector& vector);

/// A file of corpus/vectors; all of them are built into the program.
struct VectorFile {
  std::string_view name;
  std::span<const std::uint8_t> text;
};
[[nodiscard]] std::span<const VectorFile> built_in_vectors() noexcept;

}  // namespace parqproof::cli
