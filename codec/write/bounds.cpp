#include "codec/write/bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "codec/base/utf8.hpp"
#include "codec/page/levels.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

bool is_text(const Node& leaf) {
  switch (leaf.logical.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
      return true;
    default:
      return false;
  }
}

bool is_utf8(const Bytes& bytes) { return utf8_error(bytes) == bytes.size(); }

bool continues_character(std::uint8_t byte) { return (byte & 0xC0U) == 0x80; }

/// Bytes of the longest prefix of `most` bytes that ends between two characters.
std::size_t text_prefix(std::span<const std::uint8_t> text, std::size_t most) {
  std::size_t size = std::min(text.size(), most);
  while (size != 0 && size != text.size() && continues_character(text[size])) --size;
  return size;
}

/// Makes text greater than all texts that begin with it; false if no character can be increased.
bool increase_text(Bytes& text) {
  while (!text.empty()) {
    std::size_t first = text.size() - 1;
    while (first != 0 && continues_character(text[first])) --first;
    std::uint32_t character = 0;
    const std::size_t size = text.size() - first;
    if (size == 1) {
      character = text[first];
    } else {
      character = text[first] & (0x7FU >> size);
      for (std::size_t i = first + 1; i < text.size(); ++i) character = character << 6 | (text[i] & 0x3FU);
    }
    text.resize(first);
    character = character == 0xD7FF ? 0xE000 : character + 1;  // there are no surrogates in UTF-8
    if (character > 0x10FFFF) continue;
    if (character < 0x80) {
      text.push_back(static_cast<std::uint8_t>(character));
    } else {
      constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
      const unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
      text.push_back(static_cast<std::uint8_t>(kFirst[more] | character >> (6 * more)));
      for (unsigned i = more; i-- > 0;)
        text.push_back(static_cast<std::uint8_t>(0x80U | (character >> (6 * i) & 0x3FU)));
    }
    return true;
  }
  return false;
}

bool increase_bytes(Bytes& bytes) {
  while (!bytes.empty() && bytes.back() == 0xFF) bytes.pop_back();
  if (bytes.empty()) return false;
  ++bytes.back();
  return true;
}

/// Shortens the bounds of byte arrays that are compared byte by byte.
void truncate(Bounds& bounds, const Node& leaf, std::size_t most) {
  const bool text = is_text(leaf) && is_utf8(bounds.min) && is_utf8(bounds.max);
  const auto prefix = [&](const Bytes& bytes) {
    return text ? text_prefix(bytes, most) : std::min(bytes.size(), most);
  };
  if (bounds.min.size() > most) {
    bounds.min.resize(prefix(bounds.min));
    bounds.min_is_exact = false;
  }
  if (bounds.max.size() > most) {
    Bytes shorter(bounds.max.begin(), bounds.max.begin() + static_cast<std::ptrdiff_t>(prefix(bounds.max)));
    if (!(text ? increase_text(shorter) : increase_bytes(shorter))) return;  // no shorter bound exists
    bounds.max = std::move(shorter);
    bounds.max_is_exact = false;
  }
}

/// Sets the sign bit of a zero.
void sign_zero(Bytes& number, bool negative) {
  if (std::any_of(number.begin(), number.end() - 1, [](std::uint8_t byte) { return byte != 0; })) return;
  if ((number.back() & 0x7FU) == 0) number.back() = negative ? 0x80 : 0;
}

View view_of_bound(const Bytes& bytes) { return {bytes, 0, Space::file}; }

/// The deprecated bounds were compared as signed numbers.
bool is_signed_order(Order order) {
  return order == Order::signed_int || order == Order::floating || order == Order::boolean;
}

}  // namespace

Bounds bounds_of(const MinMax& values, Order order, const Node& leaf, std::uint32_t most) {
  Bounds out;
  if (order == Order::none || values.empty() || (values.only_nans() && !is_total(order))) return out;
  const PlainBytes min = values.min();
  const PlainBytes max = values.max();
  out.exist = true;
  out.min.assign(min.begin(), min.end());
  out.max.assign(max.begin(), max.end());
  if (order == Order::floating || order == Order::float16) {
    sign_zero(out.min, true);
    sign_zero(out.max, false);
  }
  // A truncated document is none.
  const bool is_document = leaf.logical.kind == LogicalKind::JSON || leaf.logical.kind == LogicalKind::BSON;
  if (order == Order::unsigned_bytes && leaf.type == Type::BYTE_ARRAY && !is_document)
    truncate(out, leaf, most);
  return out;
}

PageCounts::PageCounts(const Node& leaf)
    : repetitions(leaf.max_repetition == 0 ? 0 : std::size_t{leaf.max_repetition} + 1),
      definitions(leaf.max_definition == 0 ? 0 : std::size_t{leaf.max_definition} + 1) {}

void PageCounts::add(const PageCounts& more) {
  entries += more.entries;
  rows += more.rows;
  stored += more.stored;
  byte_array_bytes += more.byte_array_bytes;
  for (std::size_t i = 0; i < repetitions.size(); ++i) repetitions[i] += more.repetitions[i];
  for (std::size_t i = 0; i < definitions.size(); ++i) definitions[i] += more.definitions[i];
}

void PageCounts::add(const Entries& more, const Node& leaf) {
  entries += more.count;
  stored += more.values.count;
  rows += more.repetition.count(0, more.count);
  if (leaf.max_repetition == 0 && leaf.max_definition == 1) {
    definitions[1] += more.values.count;
    definitions[0] += more.count - more.values.count;
    return;
  }
  LevelBatch batch;
  batch.repetition = more.repetition.values;
  batch.definition = more.definition.values;
  batch.run_repetition = more.repetition.repeated;
  batch.run_definition = more.definition.repeated;
  batch.count = more.count;
  if (leaf.max_repetition != 0) batch.add_repetition_histogram(repetitions);
  if (leaf.max_definition != 0) batch.add_definition_histogram(definitions);
}

Statistics statistics_of(const Bounds& bounds, const PageCounts& counts, const MinMax& values, Order order,
                         const ColumnOptions& options) {
  Statistics out;
  thrift::set(out, Statistics::id_null_count);
  out.null_count = static_cast<std::int64_t>(counts.nulls());
  if (options.nan_counts && is_floating(order)) {
    thrift::set(out, Statistics::id_nan_count);
    out.nan_count = static_cast<std::int64_t>(values.nan_count());
  }
  if (!bounds.exist) return out;
  thrift::set(out, Statistics::id_min_value, Statistics::id_max_value, Statistics::id_is_min_value_exact,
              Statistics::id_is_max_value_exact);
  out.min_value = view_of_bound(bounds.min);
  out.max_value = view_of_bound(bounds.max);
  out.is_min_value_exact = bounds.min_is_exact;
  out.is_max_value_exact = bounds.max_is_exact;
  if (!options.deprecated_statistics || !is_signed_order(order)) return out;
  thrift::set(out, Statistics::id_min, Statistics::id_max);
  out.min = out.min_value;
  out.max = out.max_value;
  return out;
}

}  // namespace parqproof
