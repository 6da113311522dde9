#include "conformance/values/value_legality.hpp"

#include <algorithm>
#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::optional<FindingValue> of_text(Bytes value, const Node& leaf) {
  if (leaf.type != Type::BYTE_ARRAY || utf8_error(value) == value.size()) return {};
  return "well-formed UTF-8";
}

std::optional<FindingValue> of_integer(Bytes value, const Node& leaf) {
  const int width = leaf.logical.bit_width;
  if (leaf.type != Type::INT32 || width <= 0 || width >= 32) return {};
  const auto number = std::int64_t{load_le<std::int32_t>(value.data())};
  const std::int64_t most = (std::int64_t{1} << (leaf.logical.is_signed ? width - 1 : width)) - 1;
  const std::int64_t min = leaf.logical.is_signed ? -most - 1 : 0;
  if (number >= min && number <= most) return {};
  return between(min, most);
}

std::optional<FindingValue> of_decimal(Bytes value, const Node& leaf) {
  ValueStyle style = logical_style(leaf);
  if (style.form != ValueForm::decimal_int && style.form != ValueForm::decimal_bytes) return {};
  style.scale = 0;
  std::string buffer;
  const ValueText text = value_text(value, style, buffer);
  const bool shown = text.kind == ValueText::Kind::words || text.kind == ValueText::Kind::literal;
  const auto digits = std::ranges::count_if(text.text, [](char c) { return c >= '0' && c <= '9'; });
  if (leaf.logical.precision <= 0 || (shown && digits <= leaf.logical.precision)) return {};
  return "at most " + counted(static_cast<std::uint64_t>(leaf.logical.precision), "digit");
}

/// Returns true if JSON text ends inside a string or a bracket.
bool ends_open(std::string_view text) {
  std::size_t open = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      ++open;
    } else if (!in_string && (c == '}' || c == ']')) {
      if (open == 0) return true;
      --open;
    }
  }
  return in_string || open != 0;
}

bool is_json_cut_off(Bytes value) {
  const std::string_view all = text_of(value);
  const std::size_t begin = all.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  const std::string_view text = all.substr(begin, all.find_last_not_of(" \t\r\n") + 1 - begin);
  if (ends_open(text)) return true;
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text.front() == word.front()) return text != word;
  }
  const bool is_number = text.front() == '-' || (text.front() >= '0' && text.front() <= '9');
  return is_number && (text.back() < '0' || text.back() > '9');
}

}  // namespace

bool is_cut_off(Bytes value, const Node& leaf) {
  if (leaf.type != Type::BYTE_ARRAY) return false;
  if (leaf.logical.kind == LogicalKind::JSON) return is_json_cut_off(value);
  if (leaf.logical.kind != LogicalKind::BSON) return false;
  return value.size() < 5 || load_le<std::uint32_t>(value.data()) != value.size() || value.back() != 0;
}

std::optional<FindingValue> violated_requirement(Bytes value, const Node& leaf) {
  switch (leaf.logical.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
    case LogicalKind::JSON:
      return of_text(value, leaf);
    case LogicalKind::INTEGER:
      return of_integer(value, leaf);
    case LogicalKind::DECIMAL:
      return of_decimal(value, leaf);
    default:
      return {};
  }
}

}  // namespace parqproof
