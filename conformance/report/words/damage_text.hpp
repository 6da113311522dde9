#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/result/file_report.hpp"

/// What damage has done to a file, what follows from it, and what can be done: the sentences that all forms
/// of a report share.
namespace parqproof {

/// Something that is lost, in words.
struct LossText {
  std::string where;  ///< row group, column, pages; empty: the file
  std::string
      rows;  ///< those that lack a value, and their share of the column; empty where they are not known
  std::string what;  ///< is lost, and what still stands beside it
};

/// What is lost; pages of one column chunk that stand one behind the other are one.
[[nodiscard]] std::vector<LossText> loss_texts(const FileReport& file);

/// "row group 0, column a (leaf 0), page 1 (rows 10 to 19, 33 % of the column): this page, and no other ..."
[[nodiscard]] std::string loss_line(const LossText& loss);

/// What follows from a cause, whose message has their number: "4 errors of page/header-size" each, of the
/// most frequent rules.
[[nodiscard]] std::vector<std::string> follow_texts(const std::vector<Consequence>& all);

/// The same in one line; empty where nothing follows.
[[nodiscard]] std::string follow_line(const Cause& cause);

/// What is lost, for forms that have lines alone: "Lost: ...", at most `most` of them; others are counted.
[[nodiscard]] std::vector<std::string> loss_lines(const FileReport& file, std::size_t most);

/// What can be done, likewise: "Next, WHAT: COMMAND".
[[nodiscard]] std::vector<std::string> next_lines(const FileReport& file);

}  // namespace parqproof
