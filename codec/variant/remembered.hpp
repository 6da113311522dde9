#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/variant/metadata.hpp"
#include "codec/variant/shredding.hpp"

namespace parqproof::variant {

/// The metadata of a row, and what was found in it.
struct NamesOfRow {
  enum class Named : std::uint8_t { unknown, yes, no };

  Metadata metadata;
  std::vector<std::uint8_t> bytes = {};  ///< to which it refers, unless those are in a dictionary page
  std::vector<Rule> faults = {};         ///< for further rows that have it
  std::vector<Named> named = {};         ///< by Part::ordinal: its name is in the dictionary
  std::uint64_t id = 0;                  ///< of these bytes; 0 before they are read
};

/// A value of a dictionary page as a part, under a metadata.
struct JudgedValue {
  std::uint64_t metadata = 0;    ///< NamesOfRow::id; or the number of names, where no more of them matters
  bool is_any_metadata = false;  ///< with that number of names in order
  const std::uint8_t* entry = nullptr;
  const Part* part = nullptr;
  bool has_typed = false;

  friend bool operator==(const JudgedValue&, const JudgedValue&) = default;
};

/// What the judgment of a value gave.
struct Outcome {
  std::vector<Rule> faults = {};          ///< the broken rules
  std::vector<std::uint32_t> names = {};  ///< ids that it uses, if they are counted
};

struct HashOfJudged {
  [[nodiscard]] std::size_t operator()(const JudgedValue& judged) const noexcept {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
    std::uint64_t hash = judged.metadata;
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(judged.entry)) * kFactor;
    hash = (hash ^ hash >> 32 ^ reinterpret_cast<std::uintptr_t>(judged.part)) * kFactor;
    return static_cast<std::size_t>(hash ^ hash >> 32 ^ (judged.has_typed ? 1U : 0U) ^
                                    (judged.is_any_metadata ? 2U : 0U));
  }
};

/// What entries of dictionary pages gave, so that further rows that have them take no work.
struct Remembered {
  static constexpr std::size_t kMost = std::size_t{1} << 16;  ///< entries of each table
  static constexpr std::size_t kMostRead = std::size_t{1} << 20;
  static constexpr std::size_t kMostIds = std::size_t{1} << 20;  ///< in all values

  std::unordered_map<const std::uint8_t*, NamesOfRow> names = {};
  std::unordered_map<JudgedValue, Outcome, HashOfJudged> judged = {};
  std::unordered_set<const std::uint8_t*> read = {};  ///< entries that were judged once
  std::size_t ids = 0;                                ///< in `judged`
  std::uint64_t last_id = 0;                          ///< of a NamesOfRow

  void forget_judged() noexcept {
    judged.clear();
    ids = 0;
  }
  /// Returns true if the entry is judged for the first time. It was read then, so that takes no work that is
  /// out of proportion.
  [[nodiscard]] bool is_first(const std::uint8_t* entry) {
    return read.size() < kMostRead && read.insert(entry).second;
  }
  void forget() noexcept {
    names.clear();
    read.clear();
    forget_judged();
  }
};

}  // namespace parqproof::variant
