#include "conformance/report/words/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <variant>

#include "codec/base/text.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kShort = 4;  // digits of a number that needs no commas
constexpr std::size_t kGroup = 3;

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

/// The digits of a number with commas between groups of three.
std::string with_commas(std::string_view number) {
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  std::string text(number);
  if (number.size() - sign <= kShort) return text;
  for (std::size_t at = number.size() - kGroup; at > sign; at -= std::min(at, kGroup))
    text.insert(at, 1, ',');
  return text;
}

/// Makes the text of what a finding found or expected.
struct ValueWords {
  bool groups;  ///< the digits of long numbers

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(FindingValue::Absent) const { return "absent"; }
  std::string operator()(Integer number) const {
    const std::string digits =
        number.is_negative() ? std::to_string(number.as_signed()) : std::to_string(number.as_unsigned());
    return groups ? with_commas(digits) : digits;
  }
  std::string operator()(const FindingValue::Symbol& symbol) const {
    return symbol.name.empty() ? (*this)(Integer(symbol.number)) : std::string(symbol.name);
  }
  std::string operator()(const FindingValue::Count& count) const {
    return (*this)(Integer(count.number)) + ' ' + std::string(count.noun);
  }
  std::string operator()(const FindingValue::Range& range) const {
    using Form = FindingValue::Range::Form;
    const std::string bound = (*this)(range.min());
    switch (range.form()) {
      case Form::or_more:
        return bound + " or more";
      case Form::or_less:
        return bound + " or less";
      case Form::at_least:
        return "at least " + bound;
      case Form::at_most:
        return "at most " + bound;
      case Form::more_than:
        return "more than " + bound;
      case Form::less_than:
        return "less than " + bound;
      case Form::min_to_max:
        break;
    }
    return bound + " to " + (*this)(range.max());
  }
  std::string operator()(const FindingValue::Bytes& value) const {
    const std::span<const std::uint8_t> bytes(value.bytes.data(), value.size);
    if (!value.is_magic) return "0x" + hex(bytes);
    const bool is_text = std::ranges::all_of(bytes, [](std::uint8_t c) { return c > 0x20 && c < 0x7F; });
    return is_text ? std::string(bytes.begin(), bytes.end()) : hex(bytes, " ");
  }
  std::string operator()(const FindingValue::Literal& literal) const {
    return groups && is_number(literal.text) ? with_commas(literal.text) : literal.text;
  }
  std::string operator()(const FindingValue::Phrase& phrase) const { return phrase.text; }
};

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

std::string grouped(std::uint64_t number) { return with_commas(std::to_string(number)); }

std::string plain_text(const FindingValue& value) {
  return std::visit(ValueWords{false}, value.alternatives());
}

std::string grouped(const FindingValue& value) { return std::visit(ValueWords{true}, value.alternatives()); }

bool is_singular(const FindingValue& value) {
  if (const auto* const number = std::get_if<Integer>(&value.alternatives())) return *number == Integer(1);
  const auto* const range = std::get_if<FindingValue::Range>(&value.alternatives());
  using Form = FindingValue::Range::Form;
  return range != nullptr && range->min() == Integer(1) && range->form() != Form::min_to_max &&
         range->form() != Form::or_more && range->form() != Form::or_less;
}

std::string grouped_words(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::string_view number = word.substr(0, word.find_last_not_of(",;:") + 1);
    if (at != 0) out += ' ';
    out += is_number(number) ? with_commas(number) : std::string(number);
    out += word.substr(number.size());
    at = end + 1;
  }
  return out;
}

std::string with_place(const std::string& at, const std::string& text) {
  return at.empty() ? text : at + ": " + text;
}

std::string bytes_text(const Finding& finding) {
  const std::string length = finding.length == 0 ? "" : ", " + counted(finding.length, "byte");
  if (finding.space == Space::file) return fmt::format("byte {}{}", offset_text(finding.offset), length);
  if (finding.space == Space::module)
    return fmt::format("byte {}{}: in a decrypted module", offset_text(finding.offset), length);
  return fmt::format("page {} + {}{}: in the uncompressed page whose header is at byte {}",
                     finding.page_offset, finding.offset, length, offset_text(finding.page_offset));
}

std::string offset_text(std::uint64_t offset) { return fmt::format("{} (0x{:x})", grouped(offset), offset); }

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

std::string not_run_text(const NotRun& skipped, std::string_view between) {
  return with_place(place_text(skipped.place, skipped.column),
                    fmt::format("{}{}{}", printable(skipped.what), between, printable(skipped.why)));
}

std::string joined(const std::vector<std::string>& texts, std::uint64_t more) {
  return fmt::format("{}{}", fmt::join(texts, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string counted(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace parqproof
