#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// Editions of the format by which a file can be judged, oldest first; then `proposed`, by which none can.
enum class Edition : std::uint8_t {
#define PARQPROOF_EDITION(edition, name, described) edition,
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
  proposed,
};

/// The newest edition that is released.
inline constexpr Edition kReleasedEdition = Edition::v2_14;

/// What a file can use that an edition added.
enum class Addition : std::uint8_t {
#define PARQPROOF_ADDITION(addition, edition, name) addition,
#include "codec/rules/editions.def"
#undef PARQPROOF_ADDITION
};

/// The first edition that has it.
[[nodiscard]] constexpr Edition since(Addition addition) noexcept {
  constexpr Edition kSince[] = {
#define PARQPROOF_ADDITION(addition, edition, name) Edition::edition,
#include "codec/rules/editions.def"
#undef PARQPROOF_ADDITION
  };
  return kSince[static_cast<std::size_t>(addition)];
}
/// Its name in a message: `the encoding ALP`.
[[nodiscard]] std::string_view name_of(Addition addition) noexcept;

/// The name as on the command line: 2.13, 2.14, next; `proposed`.
[[nodiscard]] std::string_view to_string(Edition edition) noexcept;
/// What the edition is called in a sentence: `edition 2.14`, `the edition after 2.14`, `a proposal`.
[[nodiscard]] std::string_view described(Edition edition) noexcept;

/// A rule that the editions before `since` do not have.
struct EditionRow {
  Edition since;
  Rule rule;
};
/// The rows of all rules that an edition added, sorted by rule.
[[nodiscard]] std::span<const EditionRow> edition_rows() noexcept;

}  // namespace parqproof
