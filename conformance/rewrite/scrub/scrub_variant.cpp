#include "conformance/rewrite/scrub/scrub_variant.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "codec/variant/faults.hpp"
#include "codec/variant/metadata.hpp"

namespace parqproof {
namespace {

using variant::Kind;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kSmallIntBytes = 4;  // of the column for an int8 or int16
constexpr std::int32_t kDecimal16Bytes = 16;
constexpr std::int32_t kUuidBytes = 16;

/// The leaf of a column for values of a kind (VariantShredding.md#shredded-value-types).
Node leaf_for(Kind kind) {
  Node leaf;
  leaf.is_leaf = true;
  const auto decimal = [&leaf](Type type, std::int32_t precision) {
    leaf.type = type;
    leaf.logical.kind = LogicalKind::DECIMAL;
    leaf.logical.precision = precision;
  };
  switch (kind) {
    case Kind::int8:
    case Kind::int16:
    case Kind::int32:
    case Kind::date:
      leaf.type = Type::INT32;
      break;
    case Kind::real32:
      leaf.type = Type::FLOAT;
      break;
    case Kind::real64:
      leaf.type = Type::DOUBLE;
      break;
    case Kind::decimal4:
      decimal(Type::INT32, 9);
      break;
    case Kind::decimal8:
      decimal(Type::INT64, 18);
      break;
    case Kind::decimal16:
      decimal(Type::FIXED_LEN_BYTE_ARRAY, 38);
      leaf.type_length = kDecimal16Bytes;
      break;
    case Kind::time:
      leaf.type = Type::INT64;
      leaf.logical.kind = LogicalKind::TIME;
      leaf.logical.unit = SecondUnit::MICROS;
      break;
    case Kind::string:
      leaf.type = Type::BYTE_ARRAY;
      leaf.logical.kind = LogicalKind::STRING;
      break;
    case Kind::binary:
      leaf.type = Type::BYTE_ARRAY;
      break;
    case Kind::uuid:
      leaf.type = Type::FIXED_LEN_BYTE_ARRAY;
      leaf.type_length = kUuidBytes;
      leaf.logical.kind = LogicalKind::UUID;
      break;
    default:
      leaf.type = Type::INT64;
  }
  return leaf;
}

/// The data of a primitive in the form of a column, and back: an int8 or int16 with its sign in more bytes, a
/// decimal without its scale, one of 16 bytes big-endian.
class ColumnForm {
 public:
  ColumnForm(Kind kind, std::span<const std::uint8_t> data) : kind_(kind) {
    if (is_decimal(kind)) data = data.subspan(1);
    bytes.assign(data.begin(), data.end());
    if (kind == Kind::decimal16) std::ranges::reverse(bytes);
    if ((kind == Kind::int8 || kind == Kind::int16) && !bytes.empty())
      bytes.resize(kSmallIntBytes, (bytes.back() & 0x80U) != 0 ? 0xFF : 0);
  }

  void store(std::span<std::uint8_t> data) {
    if (is_decimal(kind_)) data = data.subspan(1);
    if (kind_ == Kind::decimal16) std::ranges::reverse(bytes);
    std::copy_n(bytes.begin(), data.size(), data.begin());
  }

  Bytes bytes;

 private:
  Kind kind_;
};

bool has_data(Kind kind) {
  return kind != Kind::null && kind != Kind::boolean_true && kind != Kind::boolean_false &&
         !variant::is_container(kind);
}

/// A range of bytes.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The primitives of a value, each once, and the bytes that are parts of it.
struct Parts {
  struct Primitive {
    Kind kind = Kind::null;
    Run data;
  };
  std::vector<Primitive> primitives;
  std::vector<Run> read;
};

/// Each value of a container takes at least one byte, so more than there are bytes are not followed: offsets
/// overlap then.
Parts parts_of(std::span<const std::uint8_t> value) {
  Parts parts;
  std::vector<std::size_t> open{0};
  std::vector<bool> seen(value.size());
  std::size_t left = value.size();
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= value.size() || seen[at]) continue;
    seen[at] = true;
    variant::Item item;
    const std::span<const std::uint8_t> rest = value.subspan(at);
    if (read_item(rest, item).reason != variant::Unreadable::Reason::none) continue;
    if (!variant::is_container(item.kind)) {
      const std::size_t begin = at + item.payload;
      parts.read.push_back({at, at + static_cast<std::size_t>(item.size)});
      if (has_data(item.kind)) parts.primitives.push_back({item.kind, {begin, parts.read.back().end}});
      continue;
    }
    parts.read.push_back({at, at + std::min(item.values, rest.size())});
    for (std::uint32_t i = 0; i < item.count && left != 0; ++i, --left) {
      const std::uint64_t begin = std::uint64_t{item.values} + item.offset(i);
      if (begin < rest.size()) open.push_back(at + static_cast<std::size_t>(begin));
    }
  }
  return parts;
}

/// Blanks the text in bytes outside of `read`.
void blank_others(std::span<std::uint8_t> bytes, std::vector<Run> read) {
  std::ranges::sort(read, {}, &Run::begin);
  std::size_t at = 0;
  for (const Run& run : read) {
    if (run.begin > at) blank_text_runs(bytes.subspan(at, run.begin - at));
    at = std::max(at, run.end);
  }
  if (at < bytes.size()) blank_text_runs(bytes.subspan(at));
}

/// The places of the names of a dictionary, and the end of its offsets; nothing if it cannot be read.
std::vector<Run> names_of(std::span<const std::uint8_t> metadata, std::size_t* offsets_end = nullptr) {
  variant::NoFaults ignored;
  variant::Metadata names;
  std::vector<Run> runs;
  if (!names.read({metadata}, ignored)) return runs;
  if (offsets_end != nullptr) *offsets_end = names.strings_begin();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const View name = names.name_bytes(i);
    const auto begin = static_cast<std::size_t>(name.base);
    if (!name.empty()) runs.push_back({begin, begin + name.size()});
  }
  return runs;
}

}  // namespace

void VariantMap::collect_name(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kOfGroups = {"element", "list", "metadata", "typed_value",
                                                                "value"};
  BytesMap::Key key{std::string(name), {}};
  if (std::ranges::find(kOfGroups, name) == kOfGroups.end()) {
    key.ranges = byte_ranges(bytes_of(name), TextForm::text);
  } else {
    for (const char c : name)
      key.ranges.push_back({static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c)});
  }
  names_.collect(std::move(key));
}

void VariantMap::collect_metadata(std::span<const std::uint8_t> metadata) {
  for (const Run& run : names_of(metadata))
    collect_name(text_of(metadata.subspan(run.begin, run.end - run.begin)));
}

void VariantMap::collect_value(std::span<const std::uint8_t> value) {
  for (const auto& [kind, data] : parts_of(value).primitives) {
    ValueMap& map = primitives_.try_emplace(kind, leaf_for(kind)).first->second;
    map.collect(ColumnForm(kind, value.subspan(data.begin, data.end - data.begin)).bytes);
  }
}

void VariantMap::finish() {
  names_.finish();
  for (auto& [kind, map] : primitives_) map.finish();
}

std::uint64_t VariantMap::memory() const noexcept {
  std::uint64_t bytes = names_.memory();
  for (const auto& [kind, map] : primitives_) bytes += map.memory();
  return bytes;
}

void VariantMap::replace_metadata(std::span<std::uint8_t> metadata) const {
  std::size_t offsets_end = 0;
  std::vector<Run> names = names_of(metadata, &offsets_end);
  for (const Run& run : names) {
    const std::span<std::uint8_t> bytes = metadata.subspan(run.begin, run.end - run.begin);
    if (const std::string* const fresh = name({bytes.begin(), bytes.end()}))
      std::ranges::copy(*fresh, bytes.begin());
  }
  names.push_back({0, offsets_end});
  blank_others(metadata, std::move(names));
}

void VariantMap::replace_value(std::span<std::uint8_t> value) const {
  const Parts parts = parts_of(value);
  for (const auto& [kind, run] : parts.primitives) {
    const auto map = primitives_.find(kind);
    const std::span<std::uint8_t> data = value.subspan(run.begin, run.end - run.begin);
    if (map == primitives_.end()) continue;
    ColumnForm form(kind, data);
    map->second.replace(form.bytes);
    form.store(data);
  }
  blank_others(value, parts.read);
}

}  // namespace parqproof
