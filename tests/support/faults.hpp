#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <optional>

#include "codec/rules/notes.hpp"

namespace support {

/// Offset at which sections and streams of tests begin, so that offsets are seen to be absolute.
inline constexpr std::uint64_t kBase = 1000;

/// The faults that a decoder reports.
struct Faults {
  std::optional<parqproof::Error> error;  ///< the first
  parqproof::Notes notes;

  /// The note of `rule`.
  [[nodiscard]] std::optional<parqproof::Error> note(parqproof::Rule rule) const {
    const auto at = std::ranges::find(notes.all(), rule, [](const auto& note) { return note.error.rule; });
    return at == notes.all().end() ? std::nullopt : std::optional(at->error);
  }
  /// Returns true if there are no errors and notes.
  [[nodiscard]] bool clean() const { return !error && notes.all().empty(); }
};

/// Checks that an error reports `rule` at `offset`, counted from kBase, and its numbers if
/// `found` and `expected` follow.
#define CHECK_ERROR(error_of, broken_rule, at, ...)                   \
  do {                                                                \
    const std::optional<parqproof::Error> checked_error = (error_of); \
    REQUIRE(checked_error.has_value());                               \
    CHECK(checked_error->rule == (broken_rule));                      \
    CHECK(checked_error->offset == support::kBase + (at));            \
    CHECK(checked_error->space == parqproof::Space::page);            \
    __VA_OPT__(CHECK_NUMBERS(checked_error, __VA_ARGS__);)            \
  } while (false)

/// The same for the note of `rule`.
#define CHECK_NOTE(decoded, noted_rule, ...) CHECK_ERROR((decoded).note(noted_rule), noted_rule, __VA_ARGS__)

/// Checks both numbers of an error.
#define CHECK_NUMBERS(error_of, number_found, number_expected)         \
  CHECK((error_of)->found == static_cast<std::int64_t>(number_found)); \
  CHECK((error_of)->expected == static_cast<std::int64_t>(number_expected))

}  // namespace support
