#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/report/check_report.hpp"
#include "conformance/report/html/html_pieces.hpp"
#include "conformance/report/words/rule_numbers.hpp"

namespace parqproof {

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
  [[nodiscard]] std::string piece(const char* kind) const;

  Out* out_;
  ReportExtent extent_;
  HtmlPieces pieces_;
  RuleNumbers rules_;
  std::vector<std::string> texts_;  // writers and folders, each once
  std::map<std::string, std::size_t> text_index_;
  std::size_t text_bytes_ = 0;
  std::uint64_t files_ = 0;
};

}  // namespace parqproof
