#include "conformance/report/wording.hpp"

#include <fmt/format.h>

#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kWidth = 100;

}  // namespace

std::string place_text(const Place& place, const std::string& column) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (place.row_group >= 0) add(fmt::format("row group {}", place.row_group));
  if (place.leaf >= 0) {
    add(fmt::format("column {} (leaf {})", printable(column), place.leaf));
  } else if (!column.empty()) {
    add("column " + printable(column));
  }
  if (place.page >= 0) add(fmt::format("page {}", place.page));
  return text;
}

std::string with_place(const std::string& at, const std::string& text) {
  return at.empty() ? text : at + ": " + text;
}

std::string bytes_text(const Finding& finding) {
  std::string text = finding.space == Space::file
                         ? fmt::format("byte {}", offset_text(finding.offset))
                         : fmt::format("byte {} of the uncompressed page, whose header is at byte {}",
                                       offset_text(finding.offset), offset_text(finding.page_offset));
  if (finding.length != 0) text += fmt::format(", {}", counted(finding.length, "byte"));
  return text;
}

std::string offset_text(std::uint64_t offset) { return fmt::format("{0} (0x{0:x})", offset); }

std::string labelled(std::string_view label, std::string_view text) {
  std::string out = fmt::format("  {:<{}}", label, kLabelColumns - 2);
  std::size_t column = kLabelColumns;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (column > kLabelColumns && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(kLabelColumns, ' ');
      column = kLabelColumns;
    } else if (column > kLabelColumns) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(space == text.npos ? text.size() : space + 1);
  }
  return out + "\n";
}

std::string counted(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace parqproof
