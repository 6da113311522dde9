#include "conformance/cli/section/section_input.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "codec/encoding/table.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

constexpr std::string_view kLevel = "LEVEL";
constexpr std::uint64_t kMaxCount = INT32_MAX;  // values of a page, bytes of a value

using nlohmann::json;
using Form = ValueBatch::Form;

template <typename Integer>
void append_bytes(std::vector<std::uint8_t>& out, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
}

/// A JSON integer in the range of Integer.
template <typename Integer>
std::optional<Integer> integer_of(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (!std::in_range<Integer>(number)) return std::nullopt;
    return static_cast<Integer>(number);
  }
  const auto number = value.get<std::int64_t>();
  if (!std::in_range<Integer>(number)) return std::nullopt;
  return static_cast<Integer>(number);
}

/// Bits of a JSON number, or of one of the words for NaN and infinities.
template <typename Real, typename Bits>
std::optional<Bits> real_of(const json& value) {
  using Limits = std::numeric_limits<Real>;
  if (value.is_number()) {
    // The parser returns -0 as a signed integer, and 0 as an unsigned one.
    if (value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() == 0)
      return std::bit_cast<Bits>(Real{-0.0F});
    const auto number =
        static_cast<Real>(value.get<double>());  // rounds to nearest: 3.4028235e38 is the largest float
    if (!std::isfinite(number)) return std::nullopt;
    return std::bit_cast<Bits>(number);
  }
  if (!value.is_string()) return std::nullopt;
  const auto& word = value.get_ref<const std::string&>();
  if (word == "NaN") return std::bit_cast<Bits>(Limits::quiet_NaN());
  if (word == "Infinity") return std::bit_cast<Bits>(Limits::infinity());
  if (word == "-Infinity") return std::bit_cast<Bits>(-Limits::infinity());
  constexpr std::string_view kPayload = "nan:0x";
  if (!word.starts_with(kPayload)) return std::nullopt;
  Bits bits = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + kPayload.size(), end, bits, 16);
  if (error != std::errc() || rest != end || !std::isnan(std::bit_cast<Real>(bits))) return std::nullopt;
  return bits;
}

/// Appends the bytes of an optional number; false if it is empty.
template <typename Integer>
bool append_if(std::vector<std::uint8_t>& out, std::optional<Integer> value) {
  if (value) append_bytes(out, *value);
  return value.has_value();
}

bool append_value(const json& value, Type type, std::uint32_t width, ValueList& list) {
  switch (type) {
    case Type::BOOLEAN:
      if (!value.is_boolean()) return false;
      list.bytes.push_back(value.get<bool>() ? 1 : 0);
      return true;
    case Type::INT32:
      return append_if(list.bytes, integer_of<std::int32_t>(value));
    case Type::INT64:
      return append_if(list.bytes, integer_of<std::int64_t>(value));
    case Type::FLOAT:
      return append_if(list.bytes, real_of<float, std::uint32_t>(value));
    case Type::DOUBLE:
      return append_if(list.bytes, real_of<double, std::uint64_t>(value));
    default:
      break;
  }
  if (!value.is_string()) return false;
  const std::size_t before = list.bytes.size();
  if (!read_hex(value.get_ref<const std::string&>(), list.bytes)) return false;
  const std::size_t size = list.bytes.size() - before;
  if (type != Type::BYTE_ARRAY) return size == width;
  if (size > UINT32_MAX) return false;
  list.numbers.push_back(static_cast<std::uint32_t>(size));
  return true;
}

bool append_number(const json& value, ValueList& list) {
  const std::optional<std::uint32_t> number = integer_of<std::uint32_t>(value);
  if (number) list.numbers.push_back(*number);
  return number.has_value();
}

}  // namespace

void declare_section(Subcommand& sub, SectionWords& words) {
  sub.text("--encoding", words.encoding, "E REQUIRED",
           "PLAIN, RLE, DELTA_BINARY_PACKED ...: a name that `parqproof\nencodings` lists", Need::required)
      .text("--type", words.type, "T REQUIRED",
            "BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY,\n"
            "FIXED_LEN_BYTE_ARRAY; INT32 for dictionary indices;\n"
            "LEVEL for levels (RLE without length prefix, BIT_PACKED)",
            Need::required)
      .number("--type-length", words.type_length, "N", "bytes of a FIXED_LEN_BYTE_ARRAY value")
      .number("--bit-width", words.bit_width, "N", "bits of a level, or of a dictionary index")
      .text("--selector", words.selector, "WORD",
            "be (default) or le: byte order of the selectors of INT64 in\nGROUP_VAR_INT");
}

std::expected<LoneSection, std::string> section_of(const SectionWords& words) {
  LoneSection section;
  const EncodingInfo* const row = find_encoding(words.encoding);
  if (row == nullptr) {
    return std::unexpected("no encoding is named '" + words.encoding + "'; `parqproof encodings` lists them");
  }
  section.encoding = row->encoding;
  section.levels = words.type == kLevel;
  const auto type = std::ranges::find(kTypeEnum.values, words.type, &thrift::EnumValue::name);
  if (!section.levels) {
    if (type == kTypeEnum.values.end()) return std::unexpected("no type is named '" + words.type + "'");
    section.type = static_cast<Type>(type->value);
  }
  if (words.count > kMaxCount)
    return std::unexpected("a page has at most " + std::to_string(kMaxCount) + " values");
  section.count = words.count;

  const bool fixed = !section.levels && section.type == Type::FIXED_LEN_BYTE_ARRAY;
  if (fixed && !words.type_length) return std::unexpected("FIXED_LEN_BYTE_ARRAY needs the type length");
  if (!fixed && words.type_length) return std::unexpected("only FIXED_LEN_BYTE_ARRAY has a type length");
  if (words.type_length.value_or(0) > kMaxCount) return std::unexpected("the type length is too large");
  section.type_length = static_cast<std::uint32_t>(words.type_length.value_or(0));

  if (section.levels && !words.bit_width) return std::unexpected("levels need the bit width");
  if (!section.levels && !section.indices() && words.bit_width) {
    return std::unexpected("only levels and dictionary indices have a bit width");
  }
  const std::uint64_t width = words.bit_width.value_or(0);
  section.bit_width =
      static_cast<unsigned>(std::min<std::uint64_t>(width, std::numeric_limits<unsigned>::max()));

  if (!words.selector.empty()) {
    if (words.selector != "be" && words.selector != "le") {
      return std::unexpected("the selector is be or le, not '" + words.selector + "'");
    }
    if (section.encoding != Encoding::GROUP_VAR_INT || section.type != Type::INT64) {
      return std::unexpected("only INT64 in GROUP_VAR_INT has a selector");
    }
    section.selector_little_endian = words.selector == "le";
  }
  if (const std::string_view why = why_impossible(section); !why.empty()) {
    return std::unexpected(words.encoding + " of " + words.type + ": " + std::string(why));
  }
  return section;
}

void ValueList::append(const ValueBatch& batch, std::uint32_t width, std::uint64_t most) {
  const auto taken = static_cast<std::size_t>(std::min(batch.count, most));
  count += taken;
  switch (batch.form) {
    case Form::fixed:
      bytes.insert(bytes.end(), batch.fixed, batch.fixed + taken * width);
      break;
    case Form::byte_arrays:
      for (std::size_t i = 0; i < taken; ++i) {
        const ByteArray& value = batch.byte_arrays[i];
        bytes.insert(bytes.end(), value.data, value.data + value.size);
        numbers.push_back(value.size);
      }
      break;
    case Form::booleans:
      bytes.insert(bytes.end(), batch.booleans, batch.booleans + taken);
      break;
    case Form::boolean_run:
      bytes.insert(bytes.end(), taken, static_cast<std::uint8_t>(batch.run));
      break;
    case Form::indices:
      numbers.insert(numbers.end(), batch.indices, batch.indices + taken);
      break;
    case Form::index_run:
      numbers.insert(numbers.end(), taken, batch.run);
      break;
  }
}

ValueBatch ValueList::batch(Type type, std::uint32_t type_length, bool indices,
                            std::vector<ByteArray>& windows) const {
  ValueBatch batch;
  if (indices) {
    batch.form = Form::indices;
    batch.count = numbers.size();
    batch.indices = numbers.data();
  } else if (type == Type::BYTE_ARRAY) {
    windows.clear();
    const std::uint8_t* data = bytes.data();
    for (const std::uint32_t size : numbers) {
      windows.push_back({data, size});
      data += size;
    }
    batch.form = Form::byte_arrays;
    batch.count = windows.size();
    batch.byte_arrays = windows.data();
  } else if (type == Type::BOOLEAN) {
    batch.form = Form::booleans;
    batch.count = bytes.size();
    batch.booleans = bytes.data();
  } else {
    const std::uint32_t width = fixed_width(type, type_length);
    batch.count = width == 0 ? count : bytes.size() / width;
    batch.fixed = bytes.data();
  }
  return batch;
}

std::expected<ValueList, std::string> read_values(const json& array, Type type, std::uint32_t type_length,
                                                  bool numbers) {
  if (!array.is_array()) return std::unexpected("the values are not an array");
  const std::uint32_t width = fixed_width(type, type_length);
  ValueList list;
  list.count = array.size();
  for (std::size_t i = 0; i < array.size(); ++i) {
    const json& value = array[i];
    if (!(numbers ? append_number(value, list) : append_value(value, type, width, list))) {
      return std::unexpected("value " + std::to_string(i) + " does not fit the type");
    }
  }
  return list;
}

}  // namespace parqproof::cli
