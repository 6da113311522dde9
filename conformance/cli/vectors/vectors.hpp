#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/vectors/vector_subject.hpp"

namespace parqproof::cli {

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
