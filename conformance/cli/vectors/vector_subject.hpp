#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/rules/finding.hpp"

namespace parqproof::cli {

/// What the bytes of a golden vector are, and what comes out of them.
class VectorSubject {
 public:
  virtual ~VectorSubject() = default;

  struct Outcome {
    Findings findings;       ///< offsets from the first byte
    std::string difference;  ///< from what should come out, in words; empty: none. Asked of sound bytes alone
  };
  [[nodiscard]] virtual Outcome decode(std::span<const std::uint8_t> bytes) const = 0;
};

/// A subject, or in words how the vector contradicts itself.
using MadeSubject = std::expected<std::unique_ptr<VectorSubject>, std::string>;

/// A JSON object of which each member that is asked for is of its type; `missing` names the first that is
/// not.
class Members {
 public:
  explicit Members(const nlohmann::json& object) : object_(&object) {}

  std::string text(const char* key, bool required = true);
  std::optional<std::uint64_t> number(const char* key, bool required = true);
  bool flag(const char* key);  ///< false where it is missing
  const nlohmann::json* find(const char* key, bool required = true);
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }

 private:
  void note(const char* key);

  const nlohmann::json* object_;
  std::string missing_;
};

/// Appends the bytes of a list of segments; false where they are no hex digits.
[[nodiscard]] bool read_segments(const nlohmann::json& segments, std::vector<std::uint8_t>& bytes);

/// A section of one encoding: `encoding`, and its `values`.
[[nodiscard]] MadeSubject section_subject(Members& members);
/// A compressed stream: `codec`, the `size` that the page header claims, and the `image`.
[[nodiscard]] MadeSubject stream_subject(Members& members);

/// A structure of the Thrift compact protocol: `struct`, its name, and its `fields`.
[[nodiscard]] MadeSubject struct_subject(Members& members);
/// All pages of a column chunk: facts of the `column`, its `entries`, and the bytes `before` and `after` that
/// make the pages a file.
[[nodiscard]] MadeSubject page_subject(Members& members);
/// A Bloom filter, header and bitset: its `filter`, which says what is asked, and the `answers`.
[[nodiscard]] MadeSubject filter_subject(Members& members);

}  // namespace parqproof::cli
