#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/report/check_report.hpp"
#include "conformance/report/words/rule_text.hpp"

namespace parqproof {

/// Priority of a piece: if there is too much, the last kinds of this list are dropped first.
enum class HtmlPart : std::uint8_t {
  flawed_file,   ///< the line of a file with findings, or that is not conforming
  causes,        ///< causes of a file that is not conforming, and their first places
  other_file,    ///< the line of any other file
  other_causes,  ///< the same of a conforming file
  first_bytes,   ///< the bytes at fault at the first places of a file
  map,           ///< the byte map of a file with findings
  places,        ///< the places of findings beyond the first
  other_bytes,   ///< the bytes at fault at further places
  map_of_sound,  ///< the byte map of a file without findings
};
inline constexpr std::size_t kHtmlParts = static_cast<std::size_t>(HtmlPart::map_of_sound) + 1;

/// A piece: its name, and its JSON.
struct HtmlPiece {
  std::string name;
  std::string json;
};

/// Keeps pieces of at most `most` bytes in total.
class HtmlPieces {
 public:
  explicit HtmlPieces(std::size_t most) noexcept : most_(most) {}

  void keep(HtmlPart part, std::string name, std::string json);
  /// Changes the limit, and drops pieces that exceed it.
  void keep_within(std::size_t most);
  [[nodiscard]] const std::vector<HtmlPiece>& of(HtmlPart part) const noexcept {
    return pieces_[static_cast<std::size_t>(part)];
  }
  /// Number of dropped pieces of this kind.
  [[nodiscard]] std::uint64_t left_out(HtmlPart part) const noexcept {
    return left_out_[static_cast<std::size_t>(part)];
  }

 private:
  std::size_t most_;
  std::size_t bytes_ = 0;
  std::array<std::vector<HtmlPiece>, kHtmlParts> pieces_;
  std::array<std::uint64_t, kHtmlParts> left_out_{};
};

/// One page of HTML without external resources: an overview, and for each file its byte map, its column
/// chunks, its pages and its findings with their bytes. It has at most kBytes bytes for any number of files;
/// the page shows the number of parts that were left out.
class HtmlReport final : public Report {
 public:
  static constexpr std::size_t kBytes = 5'000'000;

  explicit HtmlReport(Out& out, ReportExtent extent = ReportExtent::files);
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;
  [[nodiscard]] bool shows_bytes() const noexcept override { return extent_ == ReportExtent::files; }

 private:
  void add_line(const FileReport& file, bool flawed);
  void add_bytes_and_map(const FileReport& file, const class HtmlFile& html_file, const Source& source);
  void write_head(JsonWriter& json, const RunSummary& summary) const;
  /// Keeps a piece of the current file; `write` writes the members of its object.
  template <typename Write>
  void keep(HtmlPart part, const char* kind, Write&& write);

  HtmlPieces pieces_;
  RuleNumbers rules_;
  std::vector<std::string> texts_;  // writers and folders, each once
  std::map<std::string, std::size_t> text_index_;
  std::size_t text_bytes_ = 0;
  std::uint64_t files_ = 0;
};

}  // namespace parqproof
