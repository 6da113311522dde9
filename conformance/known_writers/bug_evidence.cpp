#include "conformance/known_writers/bug_evidence.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace parqproof::bug_evidence {
namespace {

std::int64_t number_of(Integer number) {
  if (number.is_negative()) return number.as_signed();
  return number.as_unsigned() > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(number.as_unsigned());
}

/// The number of a value; nullopt for anything else than an integer or a count.
std::optional<std::int64_t> number_of(const FindingValue& value) {
  if (const Integer* const integer = value.integer()) return number_of(*integer);
  if (const auto* const count = std::get_if<FindingValue::Count>(&value.alternatives()))
    return number_of(Integer(count->number));
  return std::nullopt;
}

/// Found minus expected, or minus the nearest bound of what is expected; 0 if it is inside, or no number.
std::int64_t surplus(const BugClues& clues) {
  const std::optional<std::int64_t> found = number_of(clues.finding.found);
  if (!found) return 0;
  if (const std::optional<std::int64_t> expected = number_of(clues.finding.expected))
    return *found - *expected;
  const auto* const range = std::get_if<FindingValue::Range>(&clues.finding.expected.alternatives());
  if (range == nullptr) return 0;
  const std::int64_t low = number_of(range->min());
  const std::int64_t high = number_of(range->max());
  if (*found < low) return *found - low;
  return *found > high ? *found - high : 0;
}

bool is_found(const BugClues& clues, std::int64_t number) { return number_of(clues.finding.found) == number; }

/// The text of a value that is no integer, without quotation marks or the prefix of hex.
std::string_view text_of(const FindingValue& value) {
  std::string_view text;
  if (const auto* const phrase = std::get_if<FindingValue::Phrase>(&value.alternatives()))
    text = phrase->text;
  if (const auto* const literal = std::get_if<FindingValue::Literal>(&value.alternatives()))
    text = literal->text;
  if (text.starts_with("0x")) return text.substr(2);
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
    return text.substr(1, text.size() - 2);
  return text;
}

bool is_negative(const FindingValue& value) {
  const Integer* const integer = value.integer();
  return integer != nullptr ? integer->is_negative() : text_of(value).starts_with('-');
}

/// The digits of a decimal, regardless of its scale.
std::optional<std::int64_t> unscaled(const FindingValue& value) {
  if (const std::optional<std::int64_t> integer = number_of(value)) return integer;
  std::string digits(text_of(value));
  std::erase(digits, '.');
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// The number that a value shows.
std::optional<double> shown_number(const FindingValue& value) {
  if (const std::optional<std::int64_t> integer = number_of(value)) return static_cast<double>(*integer);
  const std::string_view text = text_of(value);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

bool the_rule(const BugClues&) { return true; }

bool less(const BugClues& clues) { return surplus(clues) < 0; }
bool more(const BugClues& clues) { return surplus(clues) > 0; }
bool one_more(const BugClues& clues) { return surplus(clues) == 1; }
bool two_more(const BugClues& clues) { return surplus(clues) == 2; }
bool zero(const BugClues& clues) { return is_found(clues, 0); }
bool minus_one(const BugClues& clues) { return is_found(clues, -1); }
bool negative(const BugClues& clues) { return number_of(clues.finding.found).value_or(0) < 0; }
bool four_bytes(const BugClues& clues) { return is_found(clues, 4); }
bool bits_33(const BugClues& clues) { return is_found(clues, 33); }

bool less_a_header(const BugClues& clues) { return surplus(clues) <= -8 && surplus(clues) >= -64; }
bool less_a_page(const BugClues& clues) { return surplus(clues) <= -8; }

bool absent_expected(const BugClues& clues) {
  return std::holds_alternative<FindingValue::Absent>(clues.finding.expected.alternatives());
}

bool equal_offsets(const BugClues& clues) { return clues.has_equal_offsets; }

bool compressed_total(const BugClues& clues) { return !clues.finding.detail.empty(); }

bool split_rows(const BugClues& clues) { return clues.finding.rule != Rule::page_v2_num_rows || more(clues); }

bool of_first_batch(const BugClues& clues) {
  return clues.finding.rule != Rule::statistics_null_count || less(clues);
}

bool unsigned_order(const BugClues& clues) {
  return is_negative(clues.finding.found) != is_negative(clues.finding.expected);
}

bool same_sign(const BugClues& clues) { return !unsigned_order(clues); }

bool empty_bound(const BugClues& clues) {
  return text_of(clues.finding.found).empty() || text_of(clues.finding.expected).empty();
}

bool cut_bound(const BugClues& clues) {
  const std::string_view found = text_of(clues.finding.found);
  const std::string_view expected = text_of(clues.finding.expected);
  return !found.empty() && found.size() < expected.size() && expected.starts_with(found);
}

bool ordered_by_length(const BugClues& clues) {
  const std::size_t found = text_of(clues.finding.found).size();
  const std::size_t expected = text_of(clues.finding.expected).size();
  return clues.finding.field.contains("max") ? found > expected : found < expected;
}

bool float_bits(const BugClues& clues) {
  constexpr double kTolerance = 1e-6;
  const std::optional<std::int64_t> bits = unscaled(clues.finding.found);
  if (!bits || *bits < INT32_MIN || *bits > INT32_MAX) return false;
  const double number = std::bit_cast<float>(static_cast<std::int32_t>(*bits));
  const auto is_near = [&](double other) { return std::abs(number - other) <= kTolerance * std::abs(other); };
  const std::optional<double> shown = shown_number(clues.finding.expected);
  const std::optional<std::int64_t> digits = unscaled(clues.finding.expected);
  return (shown && is_near(*shown)) || (digits && is_near(static_cast<double>(*digits)));
}

bool dictionary_page(const BugClues& clues) {
  return clues.has_dictionary_page_offset && clues.finding.place.page == 0;
}

bool bound_in_statistics(const BugClues& clues) { return clues.finding.field.ends_with("_value"); }

/// A run of 256 values in bit width w has one byte of header and 32 * w bytes of values.
bool one_run(const BugClues& clues) {
  const std::int64_t bytes = number_of(clues.finding.found).value_or(0);
  return bytes % 32 == 1;
}

bool optional_key(const BugClues& clues) {
  const auto* const symbol = std::get_if<FindingValue::Symbol>(&clues.finding.found.alternatives());
  return (symbol != nullptr && symbol->name == "OPTIONAL") || text_of(clues.finding.found) == "OPTIONAL";
}

bool with_map_key_value(const BugClues& clues) {
  return text_of(clues.finding.found).ends_with("MAP_KEY_VALUE");
}

bool no_dictionary_offset(const BugClues& clues) { return !clues.has_dictionary_page_offset; }

bool no_encoding_stats(const BugClues& clues) {
  return no_dictionary_offset(clues) && !clues.has_encoding_stats;
}

bool in_some_order(const BugClues& clues) { return !clues.has_false_bound; }

}  // namespace parqproof::bug_evidence
