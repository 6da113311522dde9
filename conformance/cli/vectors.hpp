#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/section_words.hpp"
#include "conformance/cli/value_list.hpp"

namespace parqproof::cli {

/// A finding that a vector expects.
struct ExpectedFinding {
  std::string rule;
  std::uint64_t offset = 0;  ///< in the section

  friend bool operator==(const ExpectedFinding&, const ExpectedFinding&) = default;
};

/// A golden vector (conformance/json-schema/vectors.schema.json).
struct Vector {
  std::string name;
  LoneSection section;
  std::vector<std::uint8_t> bytes;
  std::optional<ExpectedFinding> reject;  ///< why the section is refused; absent: it has values
  ValueList values;
  std::size_t value_count = 0;
  std::vector<ExpectedFinding> warnings;  ///< beside the values
  std::string nonsense;                   ///< where it contradicts itself: how
};

/// The vectors of a file, or in words why these are none.
[[nodiscard]] std::expected<std::vector<Vector>, std::string> read_vectors(std::string_view text);

/// Decodes a vector; empty where all comes out as it says, otherwise what differs.
[[nodiscard]] std::string run_vector(const Vector& vector);

/// A file of corpus/vectors; all of them are built into the program.
struct VectorFile {
  std::string_view name;
  std::span<const std::uint8_t> text;
};
[[nodiscard]] std::span<const VectorFile> built_in_vectors() noexcept;

}  // namespace parqproof::cli
