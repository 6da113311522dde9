#include "conformance/cli/section/variant_input.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/limits.hpp"
#include "codec/variant/builder.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;
using variant::Builder;
using variant::Kind;

constexpr unsigned kMaxScale = 255;  // the scale is a byte

/// A number of 128 bits in decimal digits, as little-endian two's complement.
class Digits {
 public:
  /// Takes another digit; false if the number does not fit.
  bool add(unsigned digit) {
    unsigned carry = digit;
    for (std::uint8_t& byte : bytes_) {
      carry += unsigned{byte} * 10;
      byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    return carry == 0;
  }
  void negate() {
    unsigned carry = 1;
    for (std::uint8_t& byte : bytes_) {
      carry += static_cast<std::uint8_t>(~byte);
      byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
  }
  [[nodiscard]] std::span<const std::uint8_t, 16> bytes() const { return bytes_; }

 private:
  std::uint8_t bytes_[16] = {};
};

/// The scale and the unscaled number of `text` in `bytes` bytes; nullopt if it is no such decimal.
std::optional<std::vector<std::uint8_t>> decimal_of(std::string_view text, std::size_t bytes) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t scale = text.size() - std::min(point + 1, text.size());
  if (point == 0 || (point < text.size() && scale == 0) || scale > kMaxScale) return std::nullopt;
  Digits number;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (text[i] < '0' || text[i] > '9' || !number.add(static_cast<unsigned>(text[i] - '0')))
      return std::nullopt;
  }
  const bool is_zero = std::ranges::all_of(number.bytes(), [](std::uint8_t byte) { return byte == 0; });
  if (negative) number.negate();
  // The sign of the number is that of its bytes, and the bytes that are left out repeat it.
  const std::uint8_t sign = negative && !is_zero ? 0xFF : 0;
  const auto left_out = number.bytes().subspan(bytes);
  if ((number.bytes()[bytes - 1] & 0x80) != (sign & 0x80) ||
      !std::ranges::all_of(left_out, [&](std::uint8_t byte) { return byte == sign; }))
    return std::nullopt;
  std::vector<std::uint8_t> data{static_cast<std::uint8_t>(scale)};
  data.insert(data.end(), number.bytes().begin(),
              number.bytes().begin() + static_cast<std::ptrdiff_t>(bytes));
  return data;
}

/// A JSON integer of `bytes` bytes.
std::optional<std::vector<std::uint8_t>> integer_of(const json& value, unsigned bytes) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  const std::int64_t most = bytes == 8 ? INT64_MAX : (std::int64_t{1} << (8 * bytes - 1)) - 1;
  if (number > most || number < -most - 1) return std::nullopt;
  std::vector<std::uint8_t> data;
  append_le(data, static_cast<std::uint64_t>(number), bytes);
  return data;
}

std::optional<std::vector<std::uint8_t>> uuid_of(std::string text) {
  constexpr std::size_t kDashes[] = {23, 18, 13, 8};
  constexpr std::size_t kUuidText = 36;
  if (text.size() != kUuidText) return std::nullopt;
  for (const std::size_t dash : kDashes) {
    if (text[dash] != '-') return std::nullopt;
    text.erase(dash, 1);
  }
  std::vector<std::uint8_t> data;
  if (!read_hex(text, data)) return std::nullopt;
  return data;
}

/// The data of a primitive with a tag; nullopt if the value does not suit the type.
std::optional<std::vector<std::uint8_t>> data_of(Kind kind, const json& value) {
  switch (kind) {
    case Kind::int8:
      return integer_of(value, 1);
    case Kind::int16:
      return integer_of(value, 2);
    case Kind::int32:
    case Kind::date:
      return integer_of(value, 4);
    case Kind::int64:
    case Kind::time:
    case Kind::timestamp:
    case Kind::timestamp_ntz:
    case Kind::timestamp_nanos:
    case Kind::timestamp_ntz_nanos:
      return integer_of(value, 8);
    case Kind::real32:
    case Kind::real64: {
      const Type type = kind == Kind::real32 ? Type::FLOAT : Type::DOUBLE;
      auto list = read_values(json::array({value}), type, 0, false);
      if (!list) return std::nullopt;
      return std::move(list->bytes);
    }
    default:
      break;
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (kind == Kind::decimal4) return decimal_of(text, 4);
  if (kind == Kind::decimal8) return decimal_of(text, 8);
  if (kind == Kind::decimal16) return decimal_of(text, 16);
  if (kind == Kind::uuid) return uuid_of(text);
  std::vector<std::uint8_t> data;
  if (kind != Kind::binary || !read_hex(text, data)) return std::nullopt;
  return data;
}

std::optional<Kind> kind_named(std::string_view name) {
  for (unsigned i = static_cast<unsigned>(Kind::int8); i <= variant::kLastPrimitive; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (name_of(kind) == name && kind != Kind::string) return kind;
  }
  return std::nullopt;
}

class DocumentReader {
 public:
  explicit DocumentReader(Builder& builder) : builder_(builder) {}

  /// Encodes a document; false if it is none, see error().
  bool read(const json& document, std::uint64_t depth) {
    if (depth > Limits().schema_depth) return fail("the document is nested too deep");
    if (document.is_null()) {
      builder_.null();
    } else if (document.is_boolean()) {
      builder_.boolean(document.get<bool>());
    } else if (document.is_string()) {
      builder_.string(document.get_ref<const std::string&>());
    } else if (document.is_array()) {
      builder_.begin_array();
      for (const json& element : document) {
        if (!read(element, depth + 1)) return false;
      }
      builder_.end();
    } else {
      return tagged(document, depth);
    }
    return true;
  }

  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }

  bool tagged(const json& document, std::uint64_t depth) {
    if (!document.is_object() || document.size() != 1)
      return fail("a value is null, a boolean, a string, an array, or an object of one member, its type");
    const std::string& tag = document.begin().key();
    const json& value = document.begin().value();
    if (tag == name_of(Kind::object)) {
      if (!value.is_object()) return fail("the fields of an object are no JSON object");
      builder_.begin_object();
      for (const auto& [name, field] : value.items()) {
        builder_.key(name);
        if (!read(field, depth + 1)) return false;
      }
      builder_.end();
      return true;
    }
    const std::optional<Kind> kind = kind_named(tag);
    if (!kind) return fail("no type is named '" + tag + "'");
    const std::optional<std::vector<std::uint8_t>> data = data_of(*kind, value);
    if (!data) return fail("a value does not suit its type " + tag);
    builder_.primitive(*kind, *data);
    return true;
  }

  Builder& builder_;
  std::string error_;
};

}  // namespace

std::expected<std::vector<std::uint8_t>, std::string> encode_variant(const json& document) {
  Builder builder;
  DocumentReader reader(builder);
  if (!reader.read(document, 1)) return std::unexpected(reader.error());
  std::vector<std::uint8_t> metadata;
  std::vector<std::uint8_t> value;
  if (!builder.finish(metadata, value)) return std::unexpected("the value has more than 4 GiB");
  metadata.insert(metadata.end(), value.begin(), value.end());
  return metadata;
}

}  // namespace parqproof::cli
