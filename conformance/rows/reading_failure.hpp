#pragma once

#include <string>
#include <utility>

#include "codec/record/column_cursor.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// What keeps the rows of a file from being read on: a finding, or words where no rule is broken.
class ReadingFailure {
 public:
  ReadingFailure() : findings_(RuleSet{}.set()) {}
  ReadingFailure(const ReadingFailure&) = delete;
  ReadingFailure& operator=(const ReadingFailure&) = delete;

  /// Where the finding that ends the reading is reported.
  [[nodiscard]] Findings& findings() noexcept { return findings_; }
  /// The file cannot be read, or its rows lie elsewhere.
  void words(std::string why) { why_ = std::move(why); }
  /// Takes the fault that a cursor has ended with. `chunk`: bytes of the footer from the ColumnChunk on.
  void take(const ColumnCursor& cursor, View chunk, const PageFault& fault);
  /// Takes a fault of `page`, which is at `place`, or of its column chunk.
  void take(const Place& place, View chunk, const PageFault& fault, const Page& page = {});
  /// What ended the reading, which goes on without what is lost by it.
  [[nodiscard]] DamageCause release();
  /// Takes another finding instead, which is the cause of the one so far.
  void blame(Finding cause);

  /// The finding that ended the reading, or null.
  [[nodiscard]] const Finding* finding() const noexcept {
    return findings_.all().empty() ? nullptr : &findings_.all().back();
  }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// The input is at fault, rather than a limit, a missing key, an unknown feature or the medium.
  [[nodiscard]] bool broken() const noexcept;

 private:
  Findings findings_;
  std::string why_;
};

}  // namespace parqproof
