#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "conformance/policy/options.hpp"
#include "conformance/state/finding_site.hpp"
#include "conformance/state/outcome.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// What all parts of a check read: the options, and what the file says. It does not change while chunks are
/// checked by several threads.
struct Context {
  Context(const Source& file, const CheckOptions& asked) : options(asked), input(file) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const CheckOptions& options;
  FileInput input;
  /// What the footer phase has parsed; after it, nothing changes.
  const ParsedFooter& footer = parsed_;
  /// Of this file, in the order of the footer. Chunks settle theirs; the byte map takes all.
  Regions regions;
  /// Where a change of the schema is tried: the leaves that it is about. The first error in them rejects it,
  /// so nothing more of the file is judged, and no field is looked for that would explain the error.
  LeafRange tried;

  /// Whether one of the findings is an error in the leaves that are tried.
  [[nodiscard]] bool is_rejected_by(const Findings& findings) const {
    return !tried.empty() && std::ranges::any_of(findings.all(), [this](const Finding& finding) {
      return tried.contains(finding.place.leaf) && info(finding.rule).severity == Severity::error;
    });
  }

  [[nodiscard]] bool cancelled() const noexcept {
    return options.cancelled != nullptr && options.cancelled->load(std::memory_order_relaxed);
  }
  /// Whether the pages of the chunk were asked for.
  [[nodiscard]] bool takes(const ChunkClaim& claim) const noexcept { return takes(claim.row_group); }
  [[nodiscard]] bool takes(std::uint64_t row_group) const noexcept {
    return !options.row_groups || options.row_groups->contain(row_group);
  }

 private:
  friend class FooterPhase;
  ParsedFooter parsed_;
};

/// Write access to the parsed footer, for the rooms that read a footer: footer/, and file/named_files.cpp,
/// which completes it for a file that chunks name.
class FooterPhase {
 public:
  [[nodiscard]] static ParsedFooter& of(Context& context) noexcept { return context.parsed_; }
};

/// The check of one file: its context, and the outcome that the parts of the check add to, one after the
/// other. Chunks are checked by several threads: they get the Context alone, and a ChunkOutcome each
/// (check_chunk()).
struct FileCheck : Context {
  FileCheck(const Source& file, const CheckOptions& asked, const RuleSet& wanted)
      : Context(file, asked), outcome(wanted, WorkBudget(file.size(), asked.limits)) {}

  /// Of a chunk, by its place in ParsedFooter::chunks.
  [[nodiscard]] ChunkTotal tally(std::size_t chunk) const { return outcome.tallies.tally(footer, chunk); }

  FileOutcome outcome;
};

/// Returns true if a footer was found where the file's last bytes say.
[[nodiscard]] inline bool has_footer(const FileCheck& check) {
  return check.footer.frame.state == Frame::State::footer && !check.outcome.footer_misread;
}

/// Returns true if the footer cannot be read.
[[nodiscard]] inline bool file_is_lost(const FileCheck& check) {
  return std::ranges::any_of(check.outcome.lost,
                             [](const Lost& lost) { return lost.what == LostPart::file; });
}

/// Keeps the findings for which `is_duplicate` is false. `wanted`: the rules that are judged.
template <typename Predicate>
void drop(Findings& findings, const RuleSet& wanted, Predicate&& is_duplicate) {
  Findings kept(wanted);
  for (const Finding& finding : findings.all()) {
    if (!is_duplicate(finding)) kept.add(finding);
  }
  findings = std::move(kept);
}

}  // namespace parqproof
