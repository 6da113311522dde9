#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/rules/rule.hpp"

namespace parqproof {

struct Contrast;

/// Editions of the format by which a file can be judged, oldest first; then `proposed`, by which none can.
enum class Edition : std::uint8_t {
#define PARQPROOF_EDITION(edition, name, described) edition,
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
  proposed,
};

/// Those by which a file can be judged.
inline constexpr Edition kJudgedEditions[] = {
#define PARQPROOF_EDITION(edition, name, described) Edition::edition,
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
};

/// The newest edition that is released.
inline constexpr Edition kReleasedEdition = Edition::v2_14;

struct EditionInfo {
  std::string_view name;       ///< as on the command line: 2.13, 2.14, next
  std::string_view described;  ///< as in a sentence: `edition 2.14`, `the edition after 2.14`, `a proposal`
};
/// One for each Edition, in its order.
inline constexpr EditionInfo kEditions[] = {
#define PARQPROOF_EDITION(edition, name, described) {name, described},
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
    {"proposed", "a proposal"}};
[[nodiscard]] constexpr const EditionInfo& info(Edition edition) noexcept {
  return kEditions[static_cast<std::size_t>(edition)];
}
[[nodiscard]] constexpr std::string_view to_string(Edition edition) noexcept { return info(edition).name; }

/// What a file can use that an edition added.
enum class Addition : std::uint8_t {
#define PARQPROOF_ADDITION(addition, since, name) addition,
#include "codec/rules/editions.def"
#undef PARQPROOF_ADDITION
};

struct AdditionInfo {
  Edition since;          ///< the first edition that has it
  std::string_view name;  ///< as in a message: `the encoding ALP`
};
/// One for each Addition, in its order.
inline constexpr AdditionInfo kAdditions[] = {
#define PARQPROOF_ADDITION(addition, since, name) {Edition::since, name},
#include "codec/rules/editions.def"
#undef PARQPROOF_ADDITION
};
[[nodiscard]] constexpr const AdditionInfo& info(Addition addition) noexcept {
  return kAdditions[static_cast<std::size_t>(addition)];
}
[[nodiscard]] constexpr bool is_defined(Addition addition, Edition edition) noexcept {
  return info(addition).since <= edition;
}
/// Found and expected of edition/undefined.
[[nodiscard]] Contrast undefined(Addition addition);

/// A rule that the editions before `since` do not have.
struct EditionRow {
  Edition since;
  Rule rule;
};
/// The rows of all rules that an edition added, sorted by rule.
[[nodiscard]] std::span<const EditionRow> edition_rows() noexcept;

}  // namespace parqproof
