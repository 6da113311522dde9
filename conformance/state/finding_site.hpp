#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/page/page_fault.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/rules/finding.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"

namespace parqproof {

/// Returns true if the Thrift path `field` is `outer`, or leads to a part of it.
[[nodiscard]] inline bool is_part_of(std::string_view field, std::string_view outer) noexcept {
  return field.starts_with(outer) &&
         (field.size() == outer.size() || field[outer.size()] == '[' || field[outer.size()] == '.');
}

/// Puts findings at their bytes: at an offset that the caller knows, or at a Thrift field that is looked up
/// again.
class Judge {
 public:
  explicit Judge(Findings& findings) noexcept : findings_(&findings) {}

  [[nodiscard]] Findings& findings() const noexcept { return *findings_; }
  [[nodiscard]] bool wants(Rule rule) const noexcept { return findings_->wants(rule); }

  /// At bytes of the file.
  void at(Rule rule, const Place& place, std::uint64_t offset, std::uint64_t length, Contrast what = {},
          std::string field = {}) const;
  /// At the value of the field at `path` in the struct that begins `bytes`; where the field is absent, at the
  /// innermost struct that lacks it. `prefix` stands before `path` in the finding; `times` in the chunk.
  void field(Rule rule, const Place& place, View bytes, const thrift::StructType& type, std::string_view path,
             Contrast what = {}, std::string_view prefix = {}, std::uint64_t times = 1) const;
  /// An Error or Note of a decoder, in the page whose header is at `page_offset`. Its numbers are put in
  /// words.
  void error(const Place& place, const Error& error, std::uint64_t page_offset, std::uint64_t times = 1,
             std::string detail = {}) const;
  /// At bytes of the body of the page whose header is at `page_offset`, `times` in the page; this is the
  /// first.
  void in_page(Rule rule, const Place& place, View at, std::uint64_t page_offset, Contrast what,
               std::uint64_t times = 1) const;
  /// A fault of `page`, or of the column chunk that it is in. `place`: of the page; a fault of the chunk is
  /// placed at the chunk. `chunk`: bytes of the footer from the ColumnChunk on. PageFault::At::unreadable
  /// breaks no rule and gives no finding.
  void fault(const Place& place, const Page& page, View chunk, const PageFault& fault) const;

 private:
  void add(Rule rule, const Place& place, View at, std::uint64_t length, Contrast what, std::string field,
           std::uint64_t times = 1) const;

  Findings* findings_;
};

}  // namespace parqproof
