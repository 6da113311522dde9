#include "fuzz/drawn_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "codec/compression/table.hpp"
#include "codec/encoding/table.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/geo/emitter.hpp"
#include "codec/schema/annotate.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/file_type/file_fields.hpp"

namespace parqproof::fuzz {
namespace {

using thrift::set;

using ValueBytes = std::vector<std::uint8_t>;
using enum FieldRepetitionType;

constexpr int kMaxLeaves = 12;
constexpr unsigned kMaxDepth = 4;

/// Kinds of leaves.
enum class Kind : std::uint8_t {
  boolean,
  int32,
  int64,
  floating,
  real,
  bytes,
  fixed,
  text,
  enumeration,
  json,
  date,
  int8,
  uint16,
  uint32,
  uint64,
  decimal32,
  decimal64,
  decimal_fixed,
  timestamp,
  time,
  float16,
  timestamp_96,
  uuid,
  geometry,
  geography,
  count,
};

SchemaElement element_of(Kind kind, std::uint64_t chance) {
  SchemaElement out;
  set(out, SchemaElement::id_type);
  const auto type = [&](Type physical, std::int32_t length = 0) {
    out.type = physical;
    if (length == 0) return;
    set(out, SchemaElement::id_type_length);
    out.type_length = length;
  };
  switch (kind) {
    case Kind::boolean:
      type(Type::BOOLEAN);
      break;
    case Kind::int32:
      type(Type::INT32);
      break;
    case Kind::int64:
      type(Type::INT64);
      break;
    case Kind::floating:
      type(Type::FLOAT);
      break;
    case Kind::real:
      type(Type::DOUBLE);
      break;
    case Kind::bytes:
      type(Type::BYTE_ARRAY);
      break;
    case Kind::fixed:
      type(Type::FIXED_LEN_BYTE_ARRAY, 1 + static_cast<std::int32_t>(chance % 20));
      break;
    case Kind::text:
      type(Type::BYTE_ARRAY);
      annotate(out, LogicalType::id_STRING, ConvertedType::UTF8);
      break;
    case Kind::enumeration:
      type(Type::BYTE_ARRAY);
      annotate(out, LogicalType::id_ENUM, ConvertedType::ENUM);
      break;
    case Kind::json:
      type(Type::BYTE_ARRAY);
      annotate(out, LogicalType::id_JSON, ConvertedType::JSON);
      break;
    case Kind::date:
      type(Type::INT32);
      annotate(out, LogicalType::id_DATE, ConvertedType::DATE);
      break;
    case Kind::int8:
      type(Type::INT32);
      annotate_integer(out, 8, true, ConvertedType::INT_8);
      break;
    case Kind::uint16:
      type(Type::INT32);
      annotate_integer(out, 16, false, ConvertedType::UINT_16);
      break;
    case Kind::uint32:
      type(Type::INT32);
      annotate_integer(out, 32, false, ConvertedType::UINT_32);
      break;
    case Kind::uint64:
      type(Type::INT64);
      annotate_integer(out, 64, false, ConvertedType::UINT_64);
      break;
    case Kind::decimal32:
      type(Type::INT32);
      annotate_decimal(out, 9, 2);
      break;
    case Kind::decimal64:
      type(Type::INT64);
      annotate_decimal(out, 18, 4);
      break;
    case Kind::decimal_fixed:
      type(Type::FIXED_LEN_BYTE_ARRAY, 9);
      annotate_decimal(out, 20, 3);
      break;
    case Kind::timestamp:
      type(Type::INT64);
      annotate(out, LogicalType::id_TIMESTAMP, ConvertedType::TIMESTAMP_MICROS);
      set_unit(out.logicalType.TIMESTAMP, true, TimeUnit::id_MICROS);
      break;
    case Kind::time:
      type(Type::INT32);
      annotate(out, LogicalType::id_TIME, ConvertedType::TIME_MILLIS);
      set_unit(out.logicalType.TIME, true, TimeUnit::id_MILLIS);
      break;
    case Kind::float16:
      type(Type::FIXED_LEN_BYTE_ARRAY, 2);
      annotate(out, LogicalType::id_FLOAT16);
      break;
    case Kind::geometry:
      type(Type::BYTE_ARRAY);
      annotate(out, LogicalType::id_GEOMETRY);
      break;
    case Kind::geography:
      type(Type::BYTE_ARRAY);
      annotate(out, LogicalType::id_GEOGRAPHY);
      break;
    case Kind::timestamp_96:
      type(Type::FIXED_LEN_BYTE_ARRAY, 12);
      annotate(out, LogicalType::id_TIMESTAMP);
      set_unit(out.logicalType.TIMESTAMP, true, TimeUnit::id_NANOS);
      break;
    case Kind::uuid:
    case Kind::count:
      type(Type::FIXED_LEN_BYTE_ARRAY, 16);
      annotate(out, LogicalType::id_UUID);
      break;
  }
  return out;
}

template <typename T>
ValueBytes bytes_of_number(T number) {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(number);
  return {bytes.begin(), bytes.end()};
}

/// A Point, which may be empty, or a LineString of any dimension, in either byte order.
ValueBytes drawn_geometry(Choices& choices) {
  static constexpr std::array<double, 5> kCoordinates = {0, 1, -1.5, 90, -0.0};
  geo::TypeCode type{geo::Shape::point, choices.once_in(2), choices.once_in(2)};
  std::uint32_t count = choices.once_in(4) ? 0 : 1;
  if (choices.once_in(3)) {
    type.shape = geo::Shape::line_string;
    count = choices.once_in(3) ? 0 : 2 + static_cast<std::uint32_t>(choices.below(2));
  }
  ValueBytes coordinates;
  for (std::uint32_t i = 0; i < count * type.axes(); ++i) {
    const ValueBytes coordinate = bytes_of_number(kCoordinates[choices.below(kCoordinates.size())]);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  geo::Emitter emitter(choices.once_in(2));
  emitter.begin(type, count, false);
  emitter.points({coordinates.data(), count, type.axes(), false});
  return {emitter.bytes().begin(), emitter.bytes().end()};
}

std::string drawn_text(Choices& choices) {
  static constexpr std::string_view kParts[] = {"",         "a",          "b",  "gr\u00F6\u00DFe",
                                                "alphabet", "\U0001F642", "zz", "\u0000x"};
  std::string text;
  for (std::uint64_t parts = choices.below(3); parts != 0; --parts) text += kParts[choices.below(7)];
  if (choices.once_in(40)) text.append(70 + choices.below(80), choices.once_in(2) ? '~' : 'q');
  if (choices.once_in(60)) {
    for (int i = 0; i < 40; ++i) text += "\u00E9";
  }
  return text;
}

std::int64_t drawn_integer(Choices& choices, std::int64_t min, std::int64_t max) {
  switch (choices.below(6)) {
    case 0:
      return min;
    case 1:
      return max;
    case 2:
      return std::clamp<std::int64_t>(0, min, max);
    case 3:
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(choices.below(10)), min, max);
    default: {
      const std::uint64_t range = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min);
      const std::uint64_t at = range == UINT64_MAX ? choices.bits() : choices.bits() % (range + 1);
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(min) + at);
    }
  }
}

template <typename T>
ValueBytes drawn_real(Choices& choices) {
  static constexpr std::array<T, 6> kReals = {
      0, -T{0}, T{1.5}, T{-2.25}, static_cast<T>(0.1), static_cast<T>(123456.789)};
  switch (choices.below(9)) {
    case 0:
      return bytes_of_number(std::numeric_limits<T>::infinity());
    case 1:
      return bytes_of_number(-std::numeric_limits<T>::infinity());
    case 2:
      return bytes_of_number(choices.once_in(4) ? std::numeric_limits<T>::quiet_NaN() : T{3});
    default:
      return bytes_of_number(kReals[choices.below(kReals.size())]);
  }
}

ValueBytes drawn_value(Choices& choices, const Node& leaf) {
  const ResolvedType& logical = leaf.logical;
  const auto int32 = [&](std::int64_t min, std::int64_t max) {
    return bytes_of_number(static_cast<std::int32_t>(drawn_integer(choices, min, max)));
  };
  switch (logical.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM: {
      const std::string text = drawn_text(choices);
      return {text.begin(), text.end()};
    }
    case LogicalKind::JSON: {
      const std::string text = "[" + std::to_string(choices.below(1000)) + ",\"a\"]";
      return {text.begin(), text.end()};
    }
    case LogicalKind::INTEGER:
      if (logical.bit_width == 8) return int32(-128, 127);
      if (logical.bit_width == 16) return int32(0, 65'535);
      break;
    case LogicalKind::DECIMAL:
      if (leaf.type == Type::INT32) return int32(-999'999'999, 999'999'999);
      if (leaf.type == Type::INT64) {
        constexpr std::int64_t kMost = 999'999'999'999'999'999;
        return bytes_of_number(drawn_integer(choices, -kMost, kMost));
      } else {
        const std::int64_t number = drawn_integer(choices, INT64_MIN, INT64_MAX);
        ValueBytes out(9, number < 0 ? 0xFF : 0);
        for (unsigned i = 0; i < 8; ++i)
          out[8 - i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i));
        return out;
      }
    case LogicalKind::GEOMETRY:
    case LogicalKind::GEOGRAPHY:
      return drawn_geometry(choices);
    case LogicalKind::DATE:
      return int32(-700'000, 2'900'000);
    case LogicalKind::TIME:
      return int32(0, 86'399'999);
    case LogicalKind::FLOAT16: {
      static constexpr std::array<std::uint16_t, 6> kHalves = {0, 0x8000, 0x3C00, 0xC000, 0x7C00, 0x7E00};
      return bytes_of_number(kHalves[choices.below(kHalves.size())]);
    }
    default:
      break;
  }
  switch (leaf.type) {
    case Type::BOOLEAN:
      return {static_cast<std::uint8_t>(choices.below(2))};
    case Type::INT32:
      return int32(INT32_MIN, INT32_MAX);
    case Type::INT64:
      return bytes_of_number(drawn_integer(choices, INT64_MIN, INT64_MAX));
    case Type::FLOAT:
      return drawn_real<float>(choices);
    case Type::DOUBLE:
      return drawn_real<double>(choices);
    default:
      break;
  }
  ValueBytes out(leaf.type == Type::BYTE_ARRAY ? choices.below(6)
                                               : static_cast<std::size_t>(leaf.type_length));
  const bool constant = choices.once_in(2);
  for (std::uint8_t& byte : out) byte = constant ? 0xFF : static_cast<std::uint8_t>(choices.below(256));
  return out;
}

/// Adds the values of a field or element: a leaf, or a group with its fields.
void draw_present(Choices& choices, const Schema& schema, std::uint32_t index, Shredder& to);

/// Number of elements of the repeated field of a group. A map has one key, because two might be equal.
std::uint64_t drawn_length(Choices& choices, const Node& group) {
  if (group.logical.kind == LogicalKind::MAP) return choices.below(2);
  return choices.once_in(20) ? choices.below(40) : choices.below(4);
}

/// Adds a field.
void draw_field(Choices& choices, const Schema& schema, std::uint32_t index, Shredder& to) {
  const Node& node = schema.nodes()[index];
  switch (node.repetition) {
    case REQUIRED:
      return draw_present(choices, schema, index, to);
    case OPTIONAL:
      return choices.once_in(4) ? to.null() : draw_present(choices, schema, index, to);
    case REPEATED:
      to.begin_list();
      for (std::uint64_t left = drawn_length(choices, schema.nodes()[node.parent]); left != 0; --left)
        draw_present(choices, schema, index, to);
      return to.end_list();
  }
}

/// Adds a FILE: bytes inline, with their checksum, or a range of a file that a URI names.
void draw_file(Choices& choices, Shredder& to) {
  const auto text = [&to](std::string_view value) { to.value(std::span(view_of(value).bytes)); };
  const auto number = [&to](std::int64_t value) { to.value(bytes_of_number(value)); };
  const bool is_inline = choices.once_in(2);
  ValueBytes content(choices.below(6));
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(choices.below(256));
  const bool is_range = !is_inline && choices.once_in(2);
  to.begin_group();
  is_inline ? to.null() : text(choices.once_in(2) ? "s3://bucket/a%20b" : "parts/1");
  is_range ? number(drawn_integer(choices, 0, INT64_MAX)) : to.null();
  is_range ? number(drawn_integer(choices, 0, INT64_MAX)) : to.null();
  choices.once_in(2) ? to.null() : text(R"(text/plain; charset="utf-8")");
  if (!is_inline || choices.once_in(3)) {
    choices.once_in(2) ? to.null() : text("ETAG:\"1\"");
  } else {
    const bool is_crc = choices.once_in(2);
    const auto algorithm = is_crc ? ChecksumAlgorithm::crc32c : ChecksumAlgorithm::sha256;
    text((is_crc ? "CRC32C:" : "SHA-256:") + digest_of(algorithm, content).value_or(""));
  }
  is_inline ? to.value(content) : to.null();
  to.end_group();
}

void draw_present(Choices& choices, const Schema& schema, std::uint32_t index, Shredder& to) {
  const Node& node = schema.nodes()[index];
  if (node.is_leaf) return to.value(drawn_value(choices, node));
  if (node.logical.kind == LogicalKind::FILE) return draw_file(choices, to);
  to.begin_group();
  for (std::uint32_t child = index + 1; child < node.end; child = schema.nodes()[child].end)
    draw_field(choices, schema, child, to);
  to.end_group();
}

}  // namespace

Choices::Choices(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes), state_(bytes.size() + 1) {
  for (const std::uint8_t byte : bytes) state_ = (state_ ^ byte) * 0x100000001B3U;
}

std::uint64_t Choices::bits() noexcept {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
  return mixed ^ mixed >> 31;
}

std::uint64_t Choices::below(std::uint64_t count) noexcept {
  if (bytes_.empty()) return bits() % count;
  const std::uint64_t choice = bytes_.front() % count;
  bytes_ = bytes_.subspan(1);
  return choice;
}

DrawnSchema::DrawnSchema(Choices& choices) {
  const bool is_wide = choices.below(256) == 137;  // rare in inputs of any kind
  const std::uint64_t fields = is_wide ? 1000 : 1 + choices.below(4);
  SchemaElement root;
  set(root, SchemaElement::id_name);
  set(root, SchemaElement::id_num_children);
  root.name = view_of("schema");
  root.num_children = static_cast<std::int32_t>(fields);
  elements_.add(root);
  for (std::uint64_t i = 0; i < fields; ++i) {
    const std::string name = "f" + std::to_string(i);
    const auto repetition = choices.once_in(2) ? OPTIONAL : REQUIRED;
    if (is_wide) {
      add_leaf(choices, repetition, name);
    } else {
      add_field(choices, 0, repetition, name);
    }
  }
  const thrift::List list = elements_.list();
  bytes_.assign(list.bytes.bytes.begin(), list.bytes.bytes.end());
  const Limits limits;
  thrift::for_each<SchemaElement>({{bytes_, 0, Space::file}, list.count, list.element}, limits,
                                  [this](const SchemaElement& one, std::uint32_t) { schema_.add(one); });
  schema_.finish();
}

void DrawnSchema::add(SchemaElement element, FieldRepetitionType repetition, std::string_view name) {
  set(element, SchemaElement::id_name);
  set(element, SchemaElement::id_repetition_type);
  element.name = view_of(name);
  element.repetition_type = repetition;
  elements_.add(element);
}

void DrawnSchema::add_leaf(Choices& choices, FieldRepetitionType repetition, std::string_view name) {
  ++leaves_;
  add(element_of(static_cast<Kind>(choices.below(static_cast<std::uint64_t>(Kind::count))), choices.bits()),
      repetition, name);
}

void DrawnSchema::add_field(Choices& choices, unsigned depth, FieldRepetitionType repetition,
                            std::string_view name) {
  const std::uint64_t kind = depth == kMaxDepth || leaves_ >= kMaxLeaves ? 0 : choices.below(7);
  SchemaElement group;
  set(group, SchemaElement::id_num_children);
  group.num_children = 1;
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return add_leaf(choices, repetition, name);
    case 3: {
      group.num_children = 1 + static_cast<std::int32_t>(choices.below(3));
      add(group, repetition, name);
      for (std::int32_t i = 0; i < group.num_children; ++i)
        add_field(choices, depth + 1, choices.once_in(2) ? OPTIONAL : REQUIRED, "g" + std::to_string(i));
      return;
    }
    case 4: {
      SchemaElement list = group;
      annotate(list, LogicalType::id_LIST, ConvertedType::LIST);
      add(list, repetition, name);
      add(group, REPEATED, "list");
      return add_field(choices, depth + 1, choices.once_in(2) ? OPTIONAL : REQUIRED, "element");
    }
    case 5: {
      SchemaElement file = group;
      annotate(file, LogicalType::id_FILE);
      file.num_children = 6;
      add(file, repetition, name);
      leaves_ += file.num_children;
      add(element_of(Kind::text, 0), OPTIONAL, "uri");
      for (const char* const field : {"offset", "size"}) add(element_of(Kind::int64, 0), OPTIONAL, field);
      for (const char* const field : {"content_type", "checksum"})
        add(element_of(Kind::text, 0), OPTIONAL, field);
      return add(element_of(Kind::bytes, 0), OPTIONAL, "inline");
    }
    default: {
      SchemaElement map = group;
      annotate(map, LogicalType::id_MAP, ConvertedType::MAP);
      add(map, repetition, name);
      group.num_children = 2;
      add(group, REPEATED, "key_value");
      add(element_of(Kind::int64, 0), REQUIRED, "key");
      ++leaves_;
      return add_field(choices, depth + 1, choices.once_in(2) ? OPTIONAL : REQUIRED, "value");
    }
  }
}

std::unique_ptr<Source> source_of(std::span<const std::uint8_t> file, const WriteOptions& options,
                                  const Schema& schema) {
  auto memory = std::make_unique<MemorySource>(file);
  if (!options.encryption) return memory;
  const EncryptionOptions& encryption = *options.encryption;
  auto ring = std::make_shared<encryption::KeyRing>();
  ring->footer_key = encryption.footer_key.bytes;
  for (const auto& [leaf, key] : encryption.column_keys)
    ring->column_keys[schema.dotted_path(schema.leaf_index(leaf))] = key.bytes;
  if (!encryption.store_aad_prefix) ring->aad_prefix = encryption.aad_prefix;
  return std::make_unique<encryption::KeyedSource>(std::move(memory), std::move(ring));
}

void draw_row(Choices& choices, const Schema& schema, Shredder& to) {
  to.begin_row();
  const Node& root = schema.nodes().front();
  for (std::uint32_t child = 1; child < root.end; child = schema.nodes()[child].end)
    draw_field(choices, schema, child, to);
}

namespace {

/// Keys of all lengths, of the footer and of some columns.
EncryptionOptions drawn_encryption(Choices& choices, const Schema& schema) {
  const auto key = [&choices](const std::string& metadata) {
    WriteKey out{ValueBytes(16 + 8 * choices.below(3)), choices.once_in(2) ? metadata : std::string()};
    for (std::uint8_t& byte : out.bytes) byte = static_cast<std::uint8_t>(choices.bits());
    return out;
  };
  EncryptionOptions out;
  out.page_mode = choices.once_in(2) ? encryption::Mode::gcm : encryption::Mode::ctr;
  out.encrypted_footer = choices.once_in(2);
  out.footer_key = key("footer");
  out.other_columns = !choices.once_in(3);
  for (std::size_t i = 0; i < schema.leaf_count(); ++i) {
    if (choices.once_in(3)) out.column_keys[i] = key("column " + std::to_string(i));
  }
  if (choices.once_in(2)) out.aad_prefix = "prefix";
  out.store_aad_prefix = out.aad_prefix.empty() || choices.once_in(2);
  out.seed = choices.bits();
  return out;
}

}  // namespace

WriteOptions drawn_options(Choices& choices, const Schema& schema, bool encrypted) {
  static constexpr std::array<std::uint64_t, 5> kSizes = {1, 64, 1000, 20'000, std::uint64_t{1} << 20};
  WriteOptions out;
  out.page_version = 1 + static_cast<unsigned>(choices.below(2));
  out.page_bytes = kSizes[choices.below(kSizes.size())];
  out.page_rows = kSizes[choices.below(kSizes.size())];
  out.checksums = !choices.once_in(4);
  out.page_index = !choices.once_in(4);
  out.footer_every = static_cast<std::uint32_t>(choices.below(3));
  if (choices.once_in(8)) out.metadata_copies = true;
  if (choices.once_in(8) && out.page_version == 1) out.level_encoding = Encoding::BIT_PACKED;
  if (choices.once_in(8)) out.index_pages = IndexPages::tree;
  if (choices.once_in(3)) out.key_values = {{"key", "value"}, {"empty", std::nullopt}};
  for (std::size_t i = 0; i < schema.leaf_count(); ++i) {
    const Type type = schema.leaf(i).type;
    ColumnOptions& column = out.columns[i];
    column.dictionary = choices.once_in(2);
    column.dictionary_bytes = kSizes[choices.below(kSizes.size())];
    column.plain_dictionary = choices.once_in(16);
    const EncodingInfo& encoding = all_encodings()[choices.below(all_encodings().size())];
    if (!is_dictionary_encoding(encoding.encoding) && encoding.codec(type).exists())
      column.encoding = encoding.encoding;
    column.codec = all_compression_codecs()[choices.below(all_compression_codecs().size())].codec;
    column.total_order = choices.once_in(3);
    column.statistics = !choices.once_in(6);
    column.page_statistics = choices.once_in(4);
    column.deprecated_statistics = choices.once_in(8);
    column.nan_counts = !choices.once_in(8);
    column.bound_bytes = choices.once_in(2) ? 64 : 1 + static_cast<std::uint32_t>(choices.below(8));
    column.size_statistics = !choices.once_in(4);
    column.geospatial_statistics = !choices.once_in(4);
    column.encoding_stats = !choices.once_in(4);
    column.bloom_filter = type != Type::BOOLEAN && choices.once_in(4);
    column.bloom_bytes = choices.once_in(2) ? 1U << 16 : 32;
  }
  if (encrypted) {
    out.footer_every = 0;
    out.metadata_copies = false;
    out.index_pages = IndexPages::none;
  }
  const bool may_encrypt =
      out.footer_every == 0 && !out.metadata_copies && out.index_pages == IndexPages::none;
  if (encrypted || (may_encrypt && choices.once_in(2))) out.encryption = drawn_encryption(choices, schema);
  return out;
}

}  // namespace parqproof::fuzz
