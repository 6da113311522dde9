#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "conformance/policy/options.hpp"
#include "conformance/state/finding_site.hpp"
#include "conformance/state/outcome.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// The options and the parsed footer, which all parts of a check read. It does not change while several
/// threads check chunks.
struct Context {
  Context(const Source& file, const CheckOptions& asked) : options(asked), input(file) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const CheckOptions& options;
  FileInput input;
  /// Result of the footer phase; const after that phase.
  const ParsedFooter& footer = parsed_;
  /// Regions of this file, in the order of the footer. Each chunk settles its own; the byte map takes all.
  Regions regions;
  /// The leaves that a tried change of the schema affects; empty if none is tried. The first error in them
  /// rejects the change, so the rest of the file is not judged, and the cause of the error is not searched.
  LeafRange tried;

  /// Returns true if one of the findings is an error in the leaves that are tried.
  [[nodiscard]] bool is_rejected_by(const Findings& findings) const {
    return !tried.empty() && std::ranges::any_of(findings.primary(), [this](const Finding& finding) {
      return tried.contains(finding.place.leaf) && is_error(finding);
    });
  }

  [[nodiscard]] bool cancelled() const noexcept {
    return options.cancelled != nullptr && options.cancelled->load(std::memory_order_relaxed);
  }
  /// Returns true if the pages of the chunk were requested.
  [[nodiscard]] bool takes(const ChunkClaim& claim) const noexcept { return takes(claim.row_group); }
  [[nodiscard]] bool takes(std::uint64_t row_group) const noexcept {
    return !options.row_groups || options.row_groups->contain(row_group);
  }

 private:
  friend class FooterPhase;
  ParsedFooter parsed_;
};

/// Write access to the parsed footer, for footer/ and for file/named_files.cpp, which completes the footer of
/// a file that chunks name.
class FooterPhase {
 public:
  [[nodiscard]] static ParsedFooter& of(Context& context) noexcept { return context.parsed_; }
};

/// The check of one file: its context, and the outcome that the parts of the check add to, one after the
/// other. Several threads check chunks: each chunk gets the const Context and its own ChunkOutcome
/// (check_chunk()).
struct FileCheck : Context {
  FileCheck(const Source& file, const CheckOptions& asked, const RuleSet& wanted)
      : Context(file, asked), outcome(wanted, WorkBudget(file.size(), asked.limits)) {}

  /// `chunk`: index in ParsedFooter::chunks.
  [[nodiscard]] ChunkTotal tally(std::size_t chunk) const { return outcome.tallies.tally(footer, chunk); }

  FileOutcome outcome;
};

/// Returns true if a footer was found at the position that the last bytes of the file state.
[[nodiscard]] inline bool has_footer(const FileCheck& check) {
  return check.footer.frame.state == Frame::State::footer && !check.outcome.footer_misread;
}

/// Returns true if the footer cannot be read.
[[nodiscard]] inline bool file_is_lost(const FileCheck& check) {
  return std::ranges::any_of(check.outcome.lost,
                             [](const Lost& lost) { return lost.what == LostPart::file; });
}

}  // namespace parqproof
