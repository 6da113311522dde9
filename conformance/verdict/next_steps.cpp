#include "conformance/verdict/next_steps.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/encoding/table.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/advice/encoding_advice.hpp"
#include "conformance/verdict/intact_pages.hpp"

namespace parqproof {
namespace {

/// Contains only printable characters.
bool is_shown(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (!character.valid || is_control(character.code)) return false;
    at += character.length;
  }
  return true;
}

/// The text as one word of a shell.
std::string quoted(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Three octal digits for printf.
std::string octal(std::uint8_t byte) {
  std::string text = "\\";
  for (const unsigned shift : {6U, 3U, 0U}) text += static_cast<char>('0' + (byte >> shift & 7U));
  return text;
}

/// Finds the steps for one file.
class Steps {
 public:
  Steps(const FileCheck& check, const FileReport& report, std::string file)
      : check_(check), report_(report), file_(std::move(file)) {}

  std::vector<NextStep> find() {
    const bool is_lost =
        std::ranges::any_of(report_.lost, [](const Lost& lost) { return lost.what == LostPart::file; });
    look_at_causes();
    if (is_lost) {
      without_footer();
    } else if (std::ranges::any_of(report_.lost, &Lost::is_of_data) || !untrusted_.empty()) {
      with_damaged_rows();
    } else if (!report_.lost.empty()) {
      add("all rows; only indexes or filters are lost", cat({}));
    } else if (!report_.footer_at) {
      with_advised_encodings();
    }
    if (!is_lost && lacks_head_ && !report_.footer_at) {
      if (const auto copy = name_of_copy(report_.path))
        add("a copy with the magic at the start", "{ printf PAR1; tail -c +5 " + file_ + "; } > " + *copy);
    }
    return std::move(steps_);
  }

 private:
  void add(std::string what, std::string command) {
    if (command.size() <= kLongestCommand + 2 * file_.size())
      steps_.push_back({std::move(what), std::move(command)});
  }
  [[nodiscard]] std::string parqproof(std::string_view subcommand) const {
    return parqproof_command(check_.input.source, subcommand);
  }
  [[nodiscard]] std::string at_footer() const {
    return report_.footer_at ? "--footer-at " + std::to_string(*report_.footer_at) + " " : "";
  }
  [[nodiscard]] std::string cat(const std::string& options) const {
    return parqproof("cat") + at_footer() + options + (options.empty() ? "" : " ") + file_;
  }
  void look_at_causes() {
    for (const Cause& cause : report_.causes) {
      lacks_head_ = lacks_head_ || cause.rule() == Rule::file_head_magic;
      if (cause.rule() == Rule::file_joined) second_file_ = cause.first.front().finding.offset;
      if (cause.severity() != Severity::error) continue;
      const bool is_checksum = cause.rule() == Rule::crc_match;
      for (const Cause::Column& column : cause.columns) {
        if (column.leaf >= 0) {
          damaged_.insert(static_cast<std::size_t>(column.leaf));
          if (is_checksum) untrusted_.insert(static_cast<std::size_t>(column.leaf));
        } else {
          is_of_file_ = is_of_file_ || cause.first.front().klass == Class::malformed;
        }
      }
    }
    for (const Lost& lost : report_.lost) {
      if (lost.place.leaf >= 0) {
        damaged_.insert(static_cast<std::size_t>(lost.place.leaf));
      } else {
        is_of_file_ = true;
      }
    }
  }

  /// Returns true if a trial has shown that all rows of the footer can be read.
  [[nodiscard]] static bool can_be_read(const CompleteFooter& footer) {
    return footer.trial && footer.trial->is_intact(footer.row_groups);
  }

  void without_footer() {
    if (!report_.remains) return;
    const std::vector<CompleteFooter>& footers = report_.remains->footers;
    const std::optional<std::string> copy = name_of_copy(report_.path);
    const auto rows = [](const CompleteFooter& footer) {
      return counted(static_cast<std::uint64_t>(footer.rows), "row");
    };
    const auto framed = [](const CompleteFooter& footer) { return footer.footer_at.has_value(); };
    const auto footer = std::ranges::find_if(footers.rbegin(), footers.rend(), framed);
    if (footer != footers.rend()) {
      const std::string end = std::to_string(*footer->footer_at);
      add(second_file_ ? "judges the first of the two files, of " + rows(*footer)
                       : "judges the file that ends with its earlier footer, of " + rows(*footer),
          parqproof("check") + "--footer-at " + end + " " + file_);
      if (copy && can_be_read(*footer))
        add(second_file_ ? "the first file alone" : "that file alone",
            "head -c " + end + " " + file_ + " > " + *copy);
      else if (footer->trial && footer->trial->has_intact_rows)
        add("the intact rows of that file",
            parqproof("cat") + "--footer-at " + end + " --skip-damaged " + file_);
    }
    const std::optional<std::string> second = name_of_copy(report_.path, ".second");
    if (second_file_ && second)
      add("the second file alone",
          "tail -c +" + std::to_string(*second_file_ + 1) + " " + file_ + " > " + *second);
    if (!copy || report_.footer_at || footers.empty() || footers.back().footer_at) return;
    const CompleteFooter& last = footers.back();
    if (!last.trial || (!can_be_read(last) && !last.trial->has_intact_rows)) return;
    std::string tail;
    for (unsigned i = 0; i < 4; ++i) tail += octal(static_cast<std::uint8_t>(last.length >> (8 * i)));
    const std::string end = std::to_string(last.offset + last.length);
    add(can_be_read(last) ? "a file of " + rows(last) + ", with the missing footer length and magic"
                          : "a copy with the missing footer length and magic, some rows of which are intact",
        "head -c " + end + " " + file_ + " > " + *copy + "; printf '" + tail + "PAR1' >> " + *copy);
  }

  void with_damaged_rows() {
    const bool has_rows = has_intact_rows(check_, report_.lost);
    const bool has_intact_columns = damaged_.size() < check_.footer.schema.leaf_count();
    if (has_rows) add("the intact rows", cat("--skip-damaged"));
    if (const std::string columns = intact_columns(); !columns.empty())
      add("all rows of the intact columns", cat("--columns=" + columns));
    if (has_rows || (has_intact_columns && !is_of_file_))
      add("all rows, with null for lost values", cat("--skip-damaged=null"));
    if (!std::ranges::any_of(report_.lost, &Lost::is_of_data))
      add("all rows, ignoring wrong checksums", cat("--ignore-crc"));
  }

  /// Writes the file with the encodings that were advised, those that save most first.
  void with_advised_encodings() {
    const std::optional<std::string> copy = name_of_copy(report_.path, ".rewritten");
    if (!copy) return;
    struct Advised {
      AdvisedEncoding encoding;
      std::string column;
    };
    std::vector<Advised> all;
    const Schema& schema = check_.footer.schema;
    for (const Finding& finding : check_.outcome.findings.primary()) {
      const std::optional<AdvisedEncoding> advised = advised_encoding(finding);
      if (!advised) continue;
      std::string column =
          schema.dotted_path(schema.leaf_index(static_cast<std::size_t>(finding.place.leaf)));
      if (!column.empty() && is_shown(column)) all.push_back({*advised, std::move(column)});
    }
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const Advised& one) { return one.encoding.saved; });
    constexpr std::size_t kOther = 50;  // characters of the command that are no option
    std::string options;
    std::uint64_t saved = 0;
    for (const Advised& one : all) {
      const std::string option =
          "--encoding " +
          quoted(one.column + "=" +
                 std::string(kEncodingEnum.name_of(static_cast<int>(one.encoding.encoding)))) +
          " ";
      if (options.size() + option.size() > kLongestCommand - kOther) break;
      options += option;
      saved += one.encoding.saved;
    }
    if (!options.empty())
      add("a copy in the advised encodings, about " + counted(saved, "byte") + " smaller",
          parqproof("rewrite") + options + file_ + " " + *copy);
  }

  /// The columns without an error, as a shell word; empty if there are none, or if a name cannot be written
  /// in a comma-separated list.
  [[nodiscard]] std::string intact_columns() const {
    const Schema& schema = check_.footer.schema;
    if (is_of_file_ || !check_.footer.schema_usable) return {};
    std::vector<std::string> lost;
    for (const std::size_t leaf : damaged_) {
      if (leaf < schema.leaf_count()) lost.push_back(schema.dotted_path(schema.leaf_index(leaf)));
    }
    std::string list;
    for (std::uint32_t top = 1; top < schema.nodes().size(); top = schema.nodes()[top].end) {
      const std::size_t first = schema.nodes()[top].leaf;
      const auto damaged = damaged_.lower_bound(first);
      if (schema.leaves_below(top) == 0) continue;
      if (damaged != damaged_.end() && *damaged < first + schema.leaves_below(top)) continue;
      const std::string name(text_of(schema.nodes()[top].name));
      const auto is_meant = [&](const std::string& path) {
        return path == name || path.starts_with(name + ".");
      };
      if (name.empty() || name.find(',') != name.npos || !is_shown(name) ||
          std::ranges::any_of(lost, is_meant)) {
        return {};
      }
      list += (list.empty() ? "" : ",") + name;
      if (list.size() > kLongestCommand) return {};
    }
    return list.empty() ? list : quoted(list);
  }

  const FileCheck& check_;
  const FileReport& report_;
  std::string file_;  // path as a shell word
  std::vector<NextStep> steps_;
  std::set<std::size_t> damaged_;    // leaves with an error
  std::set<std::size_t> untrusted_;  // leaves with a wrong checksum
  bool is_of_file_ = false;          // an error or a loss is not in a column
  bool lacks_head_ = false;
  std::optional<std::uint64_t> second_file_;  // offset of the second file, if two are concatenated
};

}  // namespace

std::optional<std::string> shell_word(const std::string& path) {
  const bool is_url = path.contains("://");  // which no command opens
  if (!is_shown(path) || is_url) return std::nullopt;
  return quoted(path.starts_with('-') ? "./" + path : path);
}

std::string parqproof_command(const Source& source, std::string_view subcommand) {
  std::string start = "parqproof " + std::string(subcommand) + " ";
  if (source.keys() == nullptr || source.keys()->ring().origin.empty()) return start;
  const std::optional<std::string> keys = shell_word(source.keys()->ring().origin);
  return keys ? start + "--keys " + *keys + " " : std::string();
}

std::optional<std::string> name_of_copy(std::string path, const char* mark) {
  constexpr std::string_view kEnd = ".parquet";
  if (path.ends_with(kEnd)) path.resize(path.size() - kEnd.size());
  return shell_word(path + mark + std::string(kEnd));
}

std::vector<NextStep> next_steps(const FileCheck& check, const FileReport& report) {
  if (report.path.empty() || report.path == "-" || check.input.metadata_elsewhere) return {};
  std::optional<std::string> file = shell_word(report.path);
  if (!file || parqproof_command(check.input.source, "cat").empty()) return {};
  return Steps(check, report, std::move(*file)).find();
}

}  // namespace parqproof
