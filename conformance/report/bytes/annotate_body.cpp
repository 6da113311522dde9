#include <fmt/format.h>

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/base/cursor.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/encoding/rle/bit_packed.hpp"
#include "codec/encoding/values.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/page/page_content.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/annotate_variant.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/field_text.hpp"

namespace parqproof {
namespace {

/// Max values shown of a bit-packed run; the bytes themselves are listed next to them.
constexpr std::size_t kShownValues = 16;
/// Max bytes shown of a value.
constexpr std::size_t kShownBytes = 40;

std::string encoding_text(Encoding encoding) {
  return enumerator_text(kEncodingEnum, static_cast<int>(encoding), "encoding");
}

/// Unpacks bits, least significant first.
std::uint64_t unpack(const View& bytes, unsigned width, std::size_t index) {
  std::uint64_t value = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    const std::size_t at = index * width + bit;
    value |= static_cast<std::uint64_t>(bytes.bytes[at / 8] >> (at % 8) & 1U) << bit;
  }
  return value;
}

/// The first of `count` numbers, `number(i)` each.
template <typename Number>
std::string list_text(std::uint64_t count, Number&& number) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(count, kShownValues); ++i)
    text += (i == 0 ? "" : " ") + std::to_string(number(i));
  return count > kShownValues ? text + " ..." : text;
}

std::string list_text(const View& bytes, unsigned width) {
  return list_text(width == 0 ? 0 : bytes.size() * 8 / width,
                   [&](std::size_t i) { return unpack(bytes, width, i); });
}

std::string fixed_text(const View& bytes, Type type) {
  std::string buffer;
  const ValueText text = value_text(bytes.bytes, physical_style(type), buffer);
  if (text.kind == ValueText::Kind::bytes)
    return hex(bytes.part(0, std::min(bytes.size(), kShownBytes)).bytes);
  return buffer;
}

std::string bytes_text(const View& bytes) {
  const View shown = bytes.part(0, std::min(bytes.size(), kShownBytes));
  const std::string rest = shown.size() < bytes.size() ? "..." : "";
  if (utf8_error(bytes.bytes) == bytes.size()) return "\"" + printable(text_of(shown)) + "\"" + rest;
  return hex(shown.bytes) + rest;
}

/// Splits a page body into runs. After the first run that does not fit, the rest is one run with the reason.
class BodyRuns {
 public:
  BodyRuns(View bytes, variant::Role role, const RunSink& sink) : left_(bytes), role_(role), sink_(sink) {}

  [[nodiscard]] std::size_t left() const { return going_ ? left_.size() : 0; }
  [[nodiscard]] bool done() const { return left() == 0; }

  /// The next `length` bytes as one run; an empty view if there are fewer.
  View take(std::uint64_t length, std::string name, std::string value = {}, unsigned depth = 0) {
    if (length > left()) {
      rest("too few bytes for: " + name);
      return {};
    }
    return emit(static_cast<std::size_t>(length), std::move(name), std::move(value), depth);
  }

  void rest(std::string name) {
    if (!done()) emit(left(), std::move(name), {}, 0);
    going_ = false;
  }

  /// The next bytes without consuming them.
  [[nodiscard]] View peek(std::uint64_t length) const {
    return left_.part(0, static_cast<std::size_t>(std::min<std::uint64_t>(length, left())));
  }

  [[nodiscard]] Varint varint() const {
    Cursor cursor(left_, {});
    const Result<Varint> number = cursor.uleb<std::uint64_t>(Cursor::kAnyLength);
    return number ? *number : Varint{0, 0, true};
  }

  void levels(const char* name, std::uint64_t length, std::uint32_t max) {
    const std::uint64_t end = left() - std::min<std::uint64_t>(length, left());
    hybrid(name, bit_width_for(max), end);
  }

  /// BIT_PACKED levels, which have neither a length nor runs.
  void packed_levels(const char* name, std::uint64_t length, std::uint64_t count, std::uint32_t max) {
    BitPackedDecoder decoder;
    Notes notes;
    std::string text;
    if (decoder.open(peek(length), bit_width_for(max), count, notes)) {
      const HybridDecoder::Batch levels = decoder.next();
      for (std::size_t i = 0; i < std::min<std::uint64_t>(levels.count, kShownValues); ++i) {
        text += (i == 0 ? "" : " ") + std::to_string(levels.values[i]);
      }
      if (count > kShownValues) text += " ...";
    }
    take(length, fmt::format("{}: bit-packed", name), std::move(text));
  }

  /// Runs of the RLE/bit-packing hybrid until only `end` bytes are left.
  void hybrid(const char* name, unsigned width, std::uint64_t end) {
    while (left() > end) {
      const Varint header = varint();
      const std::uint64_t room = left() - end;
      if (header.length == 0 || header.length > room) {
        take(room, fmt::format("{}: no run", name));
        return;
      }
      const std::uint64_t count = header.value >> 1;
      const bool packed = (header.value & 1) != 0;
      const std::uint64_t length =
          packed ? (width == 0 ? 0 : std::min(count, room) * width) : (width + 7) / 8;
      take(header.length, fmt::format("{}: run", name),
           packed ? fmt::format("bit-packed, {} x 8 values of {}", count, counted(width, "bit"))
                  : "repeated " + counted(count, "time"));
      if (length > left() - std::min<std::uint64_t>(end, left())) {
        take(left() - end, fmt::format("{}: cut short", name), {}, 1);
        return;
      }
      if (length == 0) continue;
      const View bytes = peek(length);
      take(length, packed ? "values" : "value",
           packed ? list_text(bytes, width)
                  : std::to_string(unpack(bytes, static_cast<unsigned>(length * 8), 0)),
           1);
    }
  }

  void plain(const char* name, Type type, std::int32_t type_length) {
    if (type == Type::BOOLEAN) {
      const View bytes = peek(left());
      take(left(), fmt::format("{}s", name), list_text(bytes, 1));
      return;
    }
    const std::uint32_t width = fixed_width(type, static_cast<std::uint32_t>(std::max(type_length, 0)));
    if (type != Type::BYTE_ARRAY && width == 0) return rest("values of no width");
    for (std::uint64_t i = 0; !done(); ++i) {
      if (type != Type::BYTE_ARRAY) {
        const View bytes = peek(width);
        take(width, fmt::format("{} {}", name, i), bytes.size() == width ? fixed_text(bytes, type) : "");
        continue;
      }
      const View word = peek(4);
      const std::uint32_t length = word.size() == 4 ? load_le<std::uint32_t>(word.data()) : 0;
      take(4, "length", std::to_string(length));
      if (length == 0) continue;
      const View bytes = peek(length);
      if (role_ != variant::Role::none && bytes.size() == length) {
        left_ = left_.from(length);
        going_ = annotate_variant(bytes, role_, sink_);
        continue;
      }
      take(length, fmt::format("{} {}", name, i), bytes.size() == length ? bytes_text(bytes) : "", 1);
    }
  }

  /// One DELTA_BINARY_PACKED sequence (Encodings.md#DELTAENC).
  void delta(const char* name) {
    const std::uint64_t block = number("block size", false);
    const std::uint64_t miniblocks = number("miniblocks in a block", false);
    const std::uint64_t count = number("values", false);
    number("first value", true);
    if (miniblocks == 0 || block / miniblocks % 32 != 0 || block == 0)
      return rest(fmt::format("{}: no such blocks", name));
    const std::uint64_t each = block / miniblocks;
    for (std::uint64_t have = 1; have < count && !done();) {
      number("smallest delta", true);
      const View widths = take(miniblocks, "bit widths", list_text(peek(miniblocks), 8), 1);
      for (std::size_t i = 0; i < widths.size() && have < count && !done(); ++i, have += each) {
        const std::uint64_t length = each / 8 * widths.bytes[i];
        if (length != 0)
          take(length, fmt::format("miniblock {}", i),
               list_text(peek(length), std::min<unsigned>(widths.bytes[i], 64)), 2);
      }
    }
  }

  void streams(std::uint32_t width) {
    if (width == 0 || left() % width != 0) return rest("values, BYTE_STREAM_SPLIT");
    const std::size_t count = left() / width;
    for (std::uint32_t k = 0; k < width && count != 0; ++k)
      take(count, fmt::format("byte {} of each value", k));
  }

  void values(Encoding encoding, const Node& leaf) {
    if (done()) return;
    switch (encoding) {
      case Encoding::PLAIN:
        return plain("value", leaf.type, leaf.type_length);
      case Encoding::PLAIN_DICTIONARY:
      case Encoding::RLE_DICTIONARY: {
        const unsigned width = peek(1).bytes[0];
        take(1, "bit width", std::to_string(width));
        if (width > 32) return rest("indices with an invalid width");
        return hybrid("indices", width, 0);
      }
      case Encoding::RLE: {
        const View word = peek(4);
        take(4, "length of the runs",
             word.size() == 4 ? std::to_string(load_le<std::uint32_t>(word.data())) : "");
        return hybrid("booleans", 1, 0);
      }
      case Encoding::DELTA_BINARY_PACKED:
        delta("values");
        return rest("after the last block");
      case Encoding::DELTA_LENGTH_BYTE_ARRAY:
        delta("lengths");
        return rest("bytes of the values");
      case Encoding::DELTA_BYTE_ARRAY:
        delta("prefix lengths");
        delta("suffix lengths");
        return rest("bytes of the suffixes");
      case Encoding::BYTE_STREAM_SPLIT:
        return streams(fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0))));
      default:
        return rest("values, " + encoding_text(encoding));
    }
  }

 private:
  View emit(std::size_t length, std::string name, std::string value, unsigned depth) {
    const View part = left_.part(0, length);
    left_ = left_.from(length);
    if (length != 0 && !sink_({part.base, length, depth, std::move(name), std::move(value)})) going_ = false;
    return part;
  }

  std::uint64_t number(const char* name, bool zigzag) {
    if (done()) return 0;
    const Varint read = varint();
    if (read.length == 0) {
      rest(fmt::format("{}: no number", name));
      return 0;
    }
    take(read.length, name, zigzag ? std::to_string(unzigzag(read.value)) : std::to_string(read.value), 1);
    return read.value;
  }

  View left_;
  variant::Role role_;
  const RunSink& sink_;
  bool going_ = true;
};

void data_page(BodyRuns& runs, const DataPageHeader& header, const Node& leaf) {
  const auto count = static_cast<std::uint64_t>(std::max(header.num_values, 0));
  const auto levels = [&](const char* name, const char* length_name, std::uint32_t max, Encoding encoding) {
    if (max == 0 || runs.done()) return;
    if (encoding != Encoding::RLE && encoding != Encoding::BIT_PACKED)
      return runs.rest(fmt::format("{} in {}, and values", name, encoding_text(encoding)));
    View rest = runs.peek(runs.left());
    const Result<LevelSection> section = cut_v1_levels(rest, max, encoding, count);
    if (encoding == Encoding::BIT_PACKED) {
      if (!section) return runs.rest(fmt::format("too few bytes for: {}: bit-packed", name));
      return runs.packed_levels(name, section->bytes.size(), count, max);
    }
    const std::uint64_t length =
        section ? section->bytes.size() : static_cast<std::uint64_t>(section.error().found);
    runs.take(sizeof(std::uint32_t), length_name, std::to_string(length));
    runs.levels(name, length, max);
  };
  levels("repetition levels", "length of the repetition levels", leaf.max_repetition,
         header.repetition_level_encoding);
  levels("definition levels", "length of the definition levels", leaf.max_definition,
         header.definition_level_encoding);
  runs.values(header.encoding, leaf);
}

void data_page_v2(BodyRuns& runs, const DataPageHeaderV2& header, const Node& leaf,
                  const std::string& codec) {
  const auto length_of = [](std::int32_t length) { return static_cast<std::uint64_t>(std::max(length, 0)); };
  runs.levels("repetition levels", length_of(header.repetition_levels_byte_length), leaf.max_repetition);
  runs.levels("definition levels", length_of(header.definition_levels_byte_length), leaf.max_definition);
  if (!codec.empty()) return runs.rest("values, compressed with " + codec);
  runs.values(header.encoding, leaf);
}

/// The entries of an index page and their keys, in the layout of the 2013 format.
void index_tree_node(BodyRuns& runs, const View& body, const Node& leaf) {
  const auto type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  const Limits limits;
  const IndexTreeForm form = IndexTreeNode::likely_form(body, leaf.type, type_length, limits);
  const Result<IndexTreeNode> node = IndexTreeNode::open(body, form, leaf.type, type_length, limits);
  if (!node) return runs.rest("not index entries");
  const bool values = form == IndexTreeForm::values;
  for (std::size_t i = 0; i < node->size() && !runs.done(); ++i) {
    const IndexTreeEntry entry = node->entry(i);
    runs.take(4, fmt::format("entry {}: {}", i, values ? "key at" : "first row"), std::to_string(entry.key));
    runs.take(4, "page offset", std::to_string(entry.page_offset), 1);
    runs.take(4, "page length", std::to_string(entry.page_length), 1);
  }
  if (leaf.type != Type::BOOLEAN) return runs.plain("key", leaf.type, leaf.type_length);
  for (std::size_t i = 0; !runs.done(); ++i)
    runs.take(1, fmt::format("key {}", i), runs.peek(1).bytes[0] == 0 ? "false" : "true");
}

}  // namespace

void annotate_body(const Page& page, const View& stored, const Node& leaf, const std::string& codec,
                   variant::Role role, const RunSink& sink) {
  BodyRuns runs(stored, role, sink);
  if (page.is_v2()) {
    data_page_v2(runs, page.header.data_page_header_v2, leaf, codec);
  } else if (!codec.empty()) {
    runs.rest("page body, compressed with " + codec);
  } else if (page.is_data()) {
    data_page(runs, page.header.data_page_header, leaf);
  } else if (page.is_dictionary()) {
    runs.plain("entry", leaf.type, leaf.type_length);
  } else if (page.is_index()) {
    index_tree_node(runs, stored, leaf);
  }
  runs.rest("not a part of the page's values");
}

}  // namespace parqproof
