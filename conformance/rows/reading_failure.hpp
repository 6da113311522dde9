#pragma once

#include <string>
#include <utility>

#include "codec/record/column_cursor.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// Reason why the rows of a file cannot be read further: a finding, or words if no rule is broken.
class ReadingFailure {
 public:
  ReadingFailure() : findings_(RuleSet{}.set()) {}
  ReadingFailure(const ReadingFailure&) = delete;
  ReadingFailure& operator=(const ReadingFailure&) = delete;

  /// Receives the finding that ends the reading.
  [[nodiscard]] Findings& findings() noexcept { return findings_; }
  /// Records that the file cannot be read, or that its rows are in another file.
  void words(std::string why) { why_ = std::move(why); }
  /// Records the fault that ended a cursor. `chunk` has the bytes of the footer from the ColumnChunk on.
  void take(const ColumnCursor& cursor, View chunk, const PageFault& fault);
  /// Records a fault of `page` at `place`, or of its column chunk.
  void take(const Place& place, View chunk, const PageFault& fault, const Page& page = {});
  /// Returns the reason and clears it, so that the reading can continue without the lost data.
  [[nodiscard]] DamageCause release();
  /// Replaces the finding by its cause.
  void replace(Finding cause);

  /// The finding that ended the reading, or null.
  [[nodiscard]] const Finding* finding() const noexcept {
    return findings_.all().empty() ? nullptr : &findings_.all().back();
  }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// Returns true if the input is at fault, not a limit, a missing key, an unsupported feature or the medium.
  [[nodiscard]] bool broken() const noexcept;

 private:
  Findings findings_;
  std::string why_;
};

}  // namespace parqproof
