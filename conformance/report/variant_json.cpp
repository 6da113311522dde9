#include "conformance/report/variant_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof {
namespace {

using variant::Item;
using variant::Kind;
using variant::Unreadable;

/// The style of the column that the logical view shows like values of this type.
ValueStyle style_of(Kind kind) noexcept {
  constexpr unsigned kMicros = 6;
  constexpr unsigned kNanos = 9;
  switch (kind) {
    case Kind::real32:
    case Kind::real64:
      return {ValueForm::real};
    case Kind::date:
      return {ValueForm::date};
    case Kind::time:
      return {ValueForm::time, 0, kMicros};
    case Kind::timestamp:
      return {ValueForm::timestamp, 0, kMicros, true};
    case Kind::timestamp_ntz:
      return {ValueForm::timestamp, 0, kMicros};
    case Kind::timestamp_nanos:
      return {ValueForm::timestamp, 0, kNanos, true};
    case Kind::timestamp_ntz_nanos:
      return {ValueForm::timestamp, 0, kNanos};
    case Kind::string:
      return {ValueForm::text};
    case Kind::uuid:
      return {ValueForm::uuid};
    default:
      return {ValueForm::hex};
  }
}

bool is_integer_in_tags(Kind kind) noexcept {
  return kind == Kind::date || kind == Kind::time || kind == Kind::timestamp || kind == Kind::timestamp_ntz ||
         kind == Kind::timestamp_nanos || kind == Kind::timestamp_ntz_nanos;
}

std::int64_t integer_of(std::span<const std::uint8_t> data) noexcept {
  std::uint64_t bits = (data.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = data.size(); i-- > 0;) bits = bits << 8 | data[i];
  return static_cast<std::int64_t>(bits);
}

/// Appends a NaN with its bits, for its payload is part of the value.
void append_nan(std::string& out, std::span<const std::uint8_t> data) {
  out += "\"nan:0x";
  std::array<std::uint8_t, 8> bytes{};
  std::ranges::reverse_copy(data, bytes.begin());
  append_hex(out, std::span(bytes).first(data.size()));
  out += '"';
}

bool is_quiet_nan(std::span<const std::uint8_t> data) noexcept {
  return data.size() == 4 ? load_le<std::uint32_t>(data.data()) == 0x7FC00000
                          : load_le<std::uint64_t>(data.data()) == 0x7FF8000000000000;
}

}  // namespace

void VariantJson::decimal(std::string& out, std::span<const std::uint8_t> data) {
  std::array<std::uint8_t, 16> number{};
  std::ranges::reverse_copy(data.subspan(1), number.begin());
  append_value(out, std::span(number).first(data.size() - 1), {ValueForm::decimal_bytes, data[0]}, buffer_);
}

/// Appends a value that is no container, without a tag.
void VariantJson::leaf(std::string& out, const Item& item) {
  const std::span<const std::uint8_t> data = item.data();
  switch (item.kind) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean_true:
      out += "true";
      return;
    case Kind::boolean_false:
      out += "false";
      return;
    case Kind::int8:
    case Kind::int16:
    case Kind::int32:
    case Kind::int64:
      out += std::to_string(integer_of(data));
      return;
    case Kind::decimal4:
    case Kind::decimal8:
    case Kind::decimal16:
      return decimal(out, data);
    default:
      break;
  }
  if (form_ == VariantForm::tagged) {
    if (is_integer_in_tags(item.kind)) {
      out += std::to_string(integer_of(data));
      return;
    }
    const bool is_nan = (item.kind == Kind::real32 && std::isnan(load_le<float>(data.data()))) ||
                        (item.kind == Kind::real64 && std::isnan(load_le<double>(data.data())));
    if (is_nan && !is_quiet_nan(data)) return append_nan(out, data);
  }
  append_value(out, data, style_of(item.kind), buffer_);
}

bool VariantJson::begin(std::string& out, std::span<const std::uint8_t> bytes) {
  Item item;
  if (bytes.empty() || variant::read_item(bytes, item).reason != Unreadable::Reason::none) return false;
  if (is_container(item.kind)) {
    if (item.kind == Kind::object && form_ == VariantForm::tagged) out += R"({"object":)";
    out += item.kind == Kind::object ? '{' : '[';
    frames_.push_back({item, bytes, 0});
    return frames_.size() <= most_depth_;
  }
  const bool is_tagged =
      form_ == VariantForm::tagged && item.kind > Kind::boolean_false && item.kind != Kind::string;
  if (is_tagged) ((out += "{\"") += name_of(item.kind)) += "\":";
  leaf(out, item);
  if (is_tagged) out += '}';
  return true;
}

bool VariantJson::append(std::string& out, const variant::Metadata& metadata,
                         std::span<const std::uint8_t> value, std::size_t most) {
  frames_.clear();
  if (!begin(out, value)) return false;
  while (!frames_.empty()) {
    Frame& top = frames_.back();
    const bool is_object = top.item.kind == Kind::object;
    if (top.next == top.item.count) {
      out += is_object ? '}' : ']';
      if (is_object && form_ == VariantForm::tagged) out += '}';
      frames_.pop_back();
      continue;
    }
    if (top.next != 0) out += ',';
    const std::uint32_t i = top.next++;
    if (is_object) {
      const std::uint32_t id = top.item.id(i);
      if (id >= metadata.size()) return false;
      out += json_string(metadata.name(id));
      out += ':';
    }
    const std::uint64_t start = std::uint64_t{top.item.values} + top.item.offset(i);
    if (start >= top.bytes.size() || !has_room_for(out, 0, most)) return false;
    if (!begin(out, top.bytes.subspan(static_cast<std::size_t>(start)))) return false;
  }
  return out.size() <= most;
}

std::optional<std::string> variant_json(std::span<const std::uint8_t> bytes, const Limits& limits) {
  const std::optional<std::size_t> size = variant::Metadata::extent(bytes);
  variant::NoFaults ignored;
  variant::Metadata metadata;
  std::string text;
  VariantJson json(VariantForm::tagged, static_cast<std::uint32_t>(limits.schema_depth));
  if (!size || !metadata.read({bytes.first(*size)}, ignored) ||
      !json.append(text, metadata, bytes.subspan(*size), static_cast<std::size_t>(limits.row_bytes())))
    return std::nullopt;
  return text;
}

}  // namespace parqproof
