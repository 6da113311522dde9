#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/report/json_writer.hpp"
#include "conformance/result/file_report.hpp"

/// Text about damage, its consequences and next steps, shared by all forms of a report.
namespace parqproof {

/// Text about one loss.
struct LossText {
  std::string where;  ///< row group, column, pages; empty: the file
  std::string rows;   ///< rows that lack a value, and their share of the column; empty if unknown
  std::string what;   ///< extent of the loss, and what is intact
};

/// Text about all losses; consecutive pages of one column chunk are merged.
[[nodiscard]] std::vector<LossText> loss_texts(const FileReport& file);

/// "row group 0, column a (leaf 0), page 1 (rows 10 to 19, 33 % of the column): this page; the other ..."
[[nodiscard]] std::string loss_line(const LossText& loss);

/// Consequences of a cause, whose message has their number: "4 errors of page/header-size" for each of the
/// most frequent rules.
[[nodiscard]] std::vector<std::string> follow_texts(const std::vector<Consequence>& all);

/// The same in one line; empty without consequences.
[[nodiscard]] std::string follow_line(const Cause& cause);

/// Losses for forms that have only lines: "Lost: ...", at most `most` of them; others are counted.
[[nodiscard]] std::vector<std::string> loss_lines(const FileReport& file, std::size_t most);

/// Next steps, likewise: "Next, WHAT: COMMAND".
[[nodiscard]] std::vector<std::string> next_lines(const FileReport& file);
/// Next steps, as the member `next` of a JSON object.
void write_next(JsonWriter& json, const std::vector<NextStep>& steps);

/// Readable parts of a file whose footer is lost, and next steps: one sentence for each element.
[[nodiscard]] std::vector<std::string> remains_text(const Remains& remains);

}  // namespace parqproof
