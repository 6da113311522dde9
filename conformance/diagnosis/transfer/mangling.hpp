#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/diagnosis/transfer/undone_source.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// What happened to a file as a whole after it was written, and how it can be undone. What is wrong with the
/// file as it is follows from it, but for what is wrong with the file as it was.
struct Mangling {
  /// Bytes that are whole or not: which of the two, the rest of the chunk they are in tells.
  struct Suspect {
    ByteRange bytes;  ///< in the file as it was
    std::int32_t row_group = -1;
    std::int32_t leaf = -1;
  };

  Finding cause;  ///< its offset is one in the file at hand; its detail has the evidence
  /// The same where all suspects turn out to be whole.
  std::optional<Finding> exact;
  /// The file as it was; null where nothing of it can be judged.
  std::unique_ptr<RestoredSource> undone;
  std::vector<ByteRange> gone;  ///< FileInput::gone of the file as it was
  std::vector<Suspect> suspects;
  std::uint64_t least = 1;  ///< errors that have to vanish with it; else they have other causes
  bool is_exact = false;    ///< accepted only if the file as it was has no error
};

/// What may have happened to a file that breaks rules, the most specific first. `as_is` is the whole check of
/// the file. Reads the file a bounded number of times.
[[nodiscard]] std::vector<Mangling> find_manglings(const FileCheck& as_is);

/// Whether the rule is about what happened to a file as a whole.
[[nodiscard]] bool is_mangling(Rule rule) noexcept;

/// A finding about the bytes [begin, end) of a file at hand.
[[nodiscard]] Finding mangling_finding(Rule rule, ByteRange bytes, Contrast what);

}  // namespace parqproof
