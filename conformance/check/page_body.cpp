#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "codec/base/text.hpp"
#include "codec/compression/format.hpp"
#include "codec/file/checksum.hpp"
#include "codec/file/page_image.hpp"
#include "codec/schema/order.hpp"
#include "conformance/check/pages.hpp"

namespace parqproof {
namespace {

/// One page body, from its stored bytes to its values.
class BodyRules {
 public:
  BodyRules(ChunkBody& chunk, const Page& page, View stored)
      : chunk_(chunk), page_(page), header_(page.header), stored_(stored) {}

  /// The checksum alone.
  void checksum() { check_crc(false); }

  BodyOutcome run() {
    chunk_.budget.earn(stored_.size());
    const bool expanded = expand();
    check_crc(expanded);
    if (!expanded) {
      out_.lost = true;
      if (page_.is_dictionary()) dictionary_lost();
      return out_;
    }
    if (page_.is_dictionary()) {
      dictionary();
      if (out_.lost) chunk_.dictionary_lost = true;
    } else if (header_.type == PageType::INDEX_PAGE) {
      index();
    } else {
      data();
    }
    return out_;
  }

 private:
  void fault(Rule rule, std::string_view path, Seen what) const {
    chunk_.judge.field(rule, chunk_.place, page_.header_bytes, PageHeader::kType, path, std::move(what));
  }
  /// An Error or Note; what is a StreamFormat in its numbers is put in words.
  void report(const Error& error, std::uint64_t times = 1, std::string detail = {}) const {
    const auto format = [](std::int64_t number) { return to_string(static_cast<StreamFormat>(number)); };
    if (error.rule == Rule::compression_format) {
      chunk_.judge.at(error.rule, chunk_.place, error.offset, error.length,
                      seen(format(error.found), kCompressionCodecEnum.name_of(error.expected)));
    } else if (error.rule == Rule::compression_lz4_layout) {
      chunk_.judge.at(error.rule, chunk_.place, error.offset, error.length,
                      seen(format(error.found), format(error.expected)));
    } else {
      chunk_.judge.error(chunk_.place, error, page_.offset, times, std::move(detail));
    }
  }
  void error(const Error& error) {
    const Class klass = info(error.rule).klass;
    // Where the sizes of a page that is not compressed differ, page/uncompressed-equals-compressed has
    // spoken, of bytes that are missing and of bytes that are left over.
    const bool verbatim = image_.data() == stored_.data();
    const auto claimed = static_cast<std::uint64_t>(header_.uncompressed_page_size);
    const bool left_over = error.rule == Rule::page_trailing_bytes || error.rule == Rule::rle_trailing_bytes;
    const bool missing = verbatim && klass == Class::malformed && stored_.size() < claimed;
    const bool spoken = missing || (verbatim && left_over && stored_.size() > claimed &&
                                    stored_.size() - claimed == error.length);
    if (!spoken) report(error);
    if (left_over && !spoken) out_.surplus = true;
    if (klass == Class::malformed) out_.lost = true;
    if (klass == Class::unsupported) out_.skipped = "their form is not known";
  }
  void flush(Notes& notes) {
    for (const Notes::Note& note : notes.all()) {
      const bool names_entry = note.error.rule == Rule::levels_repetition_needs_defined ||
                               note.error.rule == Rule::levels_repetition_after_empty;
      report(note.error, note.times,
             names_entry ? std::to_string(chunk_.levels.faulty_entry()) : std::string());
    }
    notes.clear();
  }
  [[nodiscard]] bool v2() const { return header_.type == PageType::DATA_PAGE_V2; }

  /// CRC over the stored bytes. A known wrong variant is named, and then the page is as whole as any.
  void check_crc(bool expanded) {
    if (!header_.has(PageHeader::id_crc) || !chunk_.judge.wants(Rule::crc_match)) return;
    const auto stated = static_cast<std::uint32_t>(header_.crc);
    const std::uint32_t computed = crc32(stored_.bytes);
    if (stated == computed) return;
    std::string variant;
    if (stated == crc32c(stored_.bytes)) {
      variant = ", and its CRC-32C is what the header says";
    } else if (expanded && stated == crc32(image_.bytes)) {
      variant = ", and the CRC-32 of its uncompressed bytes is what the header says";
    }
    if (variant.empty()) out_.lost = true;
    fault(Rule::crc_match, "crc", seen(hex_number(stated), hex_number(computed), std::move(variant)));
  }

  /// Makes `image_` the uncompressed page: the stored bytes themselves, or what comes out of the codec.
  bool expand() {
    const CompressionCodec codec = chunk_.meta.codec;
    std::size_t plain = 0;  // bytes in front that are not compressed
    bool compressed = codec != CompressionCodec::UNCOMPRESSED;
    if (v2()) {
      const DataPageHeaderV2& data = header_.data_page_header_v2;
      plain = static_cast<std::size_t>(data.repetition_levels_byte_length) +
              static_cast<std::size_t>(data.definition_levels_byte_length);
      // A flag that lies is found out by the sizes; the bytes are then taken for what they turn out to be.
      const bool mislabelled =
          compressed && !data.is_compressed && header_.uncompressed_page_size != header_.compressed_page_size;
      compressed = compressed && (data.is_compressed || (mislabelled && expands(plain)));
    } else if (header_.type == PageType::INDEX_PAGE) {
      // Whether index pages are compressed is not said.
      compressed = compressed && header_.uncompressed_page_size != header_.compressed_page_size;
    }
    if (!compressed) {
      image_ = stored_;
      return true;
    }
    const auto claimed = static_cast<std::size_t>(header_.uncompressed_page_size);
    const View section = stored_.from(plain);
    std::size_t produced = 0;
    Buffer& out = chunk_.scratch.image;
    if (!out.resize(plain)) return memory();
    std::memcpy(out.data(), stored_.data(), plain);
    if (!section.empty()) {
      Notes notes;
      const Result<std::size_t> result =
          chunk_.scratch.decompressor.expand(codec, section, claimed - std::min(claimed, plain), out, plain,
                                             chunk_.context.options.limits, notes);
      flush(notes);
      if (!result) {
        if (result.error().rule == Rule::page_uncompressed_size) {
          fault(Rule::page_uncompressed_size, "uncompressed_page_size",
                seen(claimed, "more than " + std::to_string(claimed)));
        } else {
          error(result.error());
        }
        return false;
      }
      produced = *result;
    }
    if (plain + produced != claimed) {
      fault(Rule::page_uncompressed_size, "uncompressed_page_size", seen(claimed, plain + produced));
      return false;
    }
    image_ = {{out.data(), claimed}, 0, Space::page};
    chunk_.budget.earn(claimed);
    return true;
  }
  /// Whether the bytes behind `plain` are what the codec makes of as many bytes as the header claims.
  bool expands(std::size_t plain) {
    const auto claimed = static_cast<std::size_t>(header_.uncompressed_page_size);
    if (claimed < plain || stored_.size() < plain) return false;
    Notes notes;
    const Result<std::size_t> result =
        chunk_.scratch.decompressor.expand(chunk_.meta.codec, stored_.from(plain), claimed - plain,
                                           chunk_.scratch.image, plain, chunk_.context.options.limits, notes);
    return result && *result == claimed - plain;
  }
  bool memory() {
    fault(Rule::limit_memory, "uncompressed_page_size", seen(header_.uncompressed_page_size, "less"));
    return false;
  }

  /// The body of an index page is judged once all pages were seen.
  void index() {
    if (chunk_.index->body(image_)) return;
    fault(Rule::limit_memory, "uncompressed_page_size",
          seen(image_.size(), "less for all index pages of a column chunk"));
  }

  void dictionary_lost() {
    chunk_.has_dictionary = chunk_.dictionary_lost = true;
    chunk_.dictionary_size = UINT64_MAX;
  }

  void dictionary() {
    const DictionaryPageHeader& dictionary = header_.dictionary_page_header;
    chunk_.has_dictionary = true;
    chunk_.dictionary_size = static_cast<std::uint64_t>(dictionary.num_values);
    ValueSpec spec;
    spec.encoding = Encoding::PLAIN;
    spec.type = chunk_.leaf.type;
    spec.type_length = static_cast<std::uint32_t>(std::max(chunk_.leaf.type_length, 0));
    spec.count = chunk_.dictionary_size;
    spec.dictionary_page = true;
    Notes notes;
    if (!chunk_.doubt.empty()) {
      out_.skipped = chunk_.doubt;
      return;
    }
    const Status status = spec.count == 0 ? empty_dictionary() : dictionary_entries(spec, notes);
    flush(notes);
    const bool plain =
        dictionary.encoding == Encoding::PLAIN || dictionary.encoding == Encoding::PLAIN_DICTIONARY;
    if (!status) {
      if (!plain) {
        // dictionary/page-encoding has spoken, and the entries may be in that encoding
      } else if (status.error().rule == Rule::dictionary_entry_count) {
        fault(Rule::dictionary_entry_count, "dictionary_page_header.num_values",
              seen(dictionary.num_values, status.error().expected));
      } else {
        chunk_.judge.error(chunk_.place, status.error(), page_.offset);
      }
      out_.lost = true;
      dictionary_lost();
      return;
    }
    chunk_.statistics.keep_dictionary(image_, chunk_.scratch.image, spec);
  }

  [[nodiscard]] Status empty_dictionary() const {
    if (image_.empty()) return {};
    return std::unexpected(Error{image_.base, 0, 0, 0, Rule::dictionary_entry_count, image_.space});
  }

  /// The order that the file states for the column, else that of its type.
  [[nodiscard]] Order column_order() const {
    const auto leaf = static_cast<std::size_t>(chunk_.place.leaf);
    const std::vector<Order>& orders = chunk_.context.orders;
    return leaf < orders.size() && orders[leaf] != Order::none ? orders[leaf] : order_of(chunk_.leaf);
  }

  Status dictionary_entries(const ValueSpec& spec, Notes& notes) {
    ValueDecoder& decoder = chunk_.scratch.values;
    if (Status opened = decoder.open(image_, spec, chunk_.context.options.limits, chunk_.budget, notes);
        !opened)
      return opened;
    const bool sorted = header_.dictionary_page_header.is_sorted;
    const bool distinct = chunk_.judge.wants(Rule::dictionary_entries_distinct);
    BoundsObserver* const observer = bounds_observer();
    const Order order = column_order();
    const std::uint32_t width = fixed_width(spec.type, spec.type_length);
    std::vector<std::uint8_t> previous;
    std::unordered_set<std::string> entries;
    bool has_previous = false;
    bool sorted_reported = false;
    const auto look = [&](const std::uint8_t* data, std::size_t size, std::uint64_t offset) {
      const std::span<const std::uint8_t> value(data, size);
      if (observer != nullptr) observer->dictionary_entry(value);
      if (sorted && !sorted_reported && order != Order::none) {
        if (has_previous && compare(order, previous, value) == Comparison::greater) {
          sorted_reported = true;
          chunk_.judge.error(
              chunk_.place,
              {offset, 0, 0, static_cast<std::uint32_t>(size), Rule::dictionary_sorted, image_.space},
              page_.offset);
        }
        previous.assign(value.begin(), value.end());
        has_previous = true;
      }
      if (distinct && !entries.emplace(reinterpret_cast<const char*>(data), size).second) {
        chunk_.judge.error(
            chunk_.place,
            {offset, 0, 0, static_cast<std::uint32_t>(size), Rule::dictionary_entries_distinct, image_.space},
            page_.offset);
      }
    };
    for (;;) {
      const Result<ValueBatch> batch = decoder.next();
      if (!batch) return std::unexpected(batch.error());
      if (batch->count == 0) break;
      value_bits(*batch, spec, notes, image_);
      chunk_.statistics.see_entries(*batch);
      if (!sorted && !distinct && observer == nullptr) continue;
      if (batch->form == ValueBatch::Form::fixed) {
        for (std::uint64_t i = 0; i < batch->count; ++i)
          look(batch->fixed + i * width, width, batch->offset + i * width);
      } else if (batch->form == ValueBatch::Form::byte_arrays) {
        std::uint64_t offset = batch->offset;
        for (std::uint64_t i = 0; i < batch->count; ++i) {
          look(batch->byte_arrays[i].data, batch->byte_arrays[i].size, offset);
          offset += 4 + batch->byte_arrays[i].size;
        }
      } else if (batch->form == ValueBatch::Form::booleans) {
        for (std::uint64_t i = 0; i < batch->count; ++i) look(batch->booleans + i, 1, batch->offset);
      }
    }
    return decoder.end();
  }

  void data() {
    const Result<DataPageParts> parts = split_data_page(page_, image_, chunk_.leaf);
    if (!parts) return error(parts.error());
    const std::uint64_t count = parts->count;
    LevelSection repetition = parts->repetition;
    LevelSection definition = parts->definition;
    LevelSums sums;
    if (!levels(repetition, definition, count, sums)) return;
    out_.rows = static_cast<std::int64_t>(sums.rows);
    if (count != 0 && sums.first_repetition != 0 && (chunk_.first_data_page || v2())) {
      const Rule rule =
          chunk_.first_data_page ? Rule::page_first_repetition_level : Rule::page_v2_row_boundary;
      error({repetition.bytes.base, sums.first_repetition, 0, 1, rule, repetition.bytes.space});
    }
    chunk_.statistics.see_levels(count, sums);
    if (v2()) v2_claims(count, sums);
    values(parts->values, sums.stored);
  }

  bool levels(LevelSection& repetition, LevelSection& definition, std::uint64_t count, LevelSums& sums) {
    Notes notes;
    LevelSection after_repetition = repetition;
    LevelSection after_definition = definition;
    const bool prefixed_repetition = v2() && strip_prefix(after_repetition.bytes);
    const bool prefixed_definition = v2() && strip_prefix(after_definition.bytes);
    std::optional<LevelReader> before;
    if (prefixed_repetition || prefixed_definition) before = chunk_.levels;
    Result<LevelSums> read = chunk_.levels.read(repetition, definition, count, notes);
    if (before && !(read && clean(chunk_.levels, notes))) {
      // A writer that puts the length word of v1 before v2 levels: they make sense only behind it.
      LevelReader again = *before;
      Notes other;
      const Result<LevelSums> retried = again.read(after_repetition, after_definition, count, other);
      if (retried && clean(again, other)) {
        const View& at = prefixed_repetition ? repetition.bytes : definition.bytes;
        error({at.base, static_cast<std::int64_t>(at.size() - 4), 0, 4, Rule::levels_v2_prefix, at.space});
        chunk_.levels = again;
        read = retried;
        notes = other;
        repetition = after_repetition;
        definition = after_definition;
      }
    }
    flush(notes);
    if (!read) {
      error(read.error());
      out_.lost = true;
      return false;
    }
    for (const View& left : {chunk_.levels.max_repetition() > 0 ? chunk_.levels.repetition_rest() : View{},
                             chunk_.levels.max_definition() > 0 ? chunk_.levels.definition_rest() : View{}}) {
      if (left.empty()) continue;
      error({left.base, static_cast<std::int64_t>(left.size()), 0, static_cast<std::uint32_t>(left.size()),
             Rule::levels_section_consumed, left.space});
    }
    sums = *read;
    return true;
  }
  /// The levels were read without a word about them, to their last byte.
  static bool clean(const LevelReader& levels, const Notes& notes) {
    return notes.all().empty() && (levels.max_repetition() == 0 || levels.repetition_rest().empty()) &&
           (levels.max_definition() == 0 || levels.definition_rest().empty());
  }
  static bool strip_prefix(View& levels) {
    if (levels.size() < 4 || load_le<std::uint32_t>(levels.data()) != levels.size() - 4) return false;
    levels = levels.from(4);
    return true;
  }

  void v2_claims(std::uint64_t count, const LevelSums& sums) {
    const DataPageHeaderV2& data = header_.data_page_header_v2;
    const auto nulls = static_cast<std::int64_t>(count - sums.stored);
    const std::int32_t most = chunk_.levels.max_definition() == 0 ? 0 : data.num_values;
    if (data.has(DataPageHeaderV2::id_num_nulls) && data.num_nulls >= 0 && data.num_nulls <= most &&
        data.num_nulls != nulls) {
      fault(Rule::page_v2_num_nulls, "data_page_header_v2.num_nulls", seen(data.num_nulls, nulls));
    }
    const auto rows = static_cast<std::int64_t>(sums.rows);
    const bool flat = chunk_.levels.max_repetition() == 0;
    if (data.has(DataPageHeaderV2::id_num_rows) && !flat && data.num_rows >= 0 &&
        data.num_rows <= data.num_values && data.num_rows != rows) {
      fault(Rule::page_v2_num_rows, "data_page_header_v2.num_rows", seen(data.num_rows, rows));
    }
  }

  void values(View section, std::uint64_t stored) {
    const Encoding encoding = v2() ? header_.data_page_header_v2.encoding : header_.data_page_header.encoding;
    const bool dictionary = encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
    if (stored == 0) {
      Notes notes;
      const Status status = check_empty_section(section, encoding, chunk_.leaf.type, notes);
      flush(notes);
      if (!status) error(status.error());
      return;
    }
    if (!chunk_.doubt.empty()) {
      out_.skipped = chunk_.doubt;
      return;
    }
    if (dictionary && !chunk_.has_dictionary) {
      fault(Rule::page_dictionary_missing,
            v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding",
            seen(kEncodingEnum.name_of(static_cast<int>(encoding)), "a dictionary page before it"));
      out_.lost = true;
      return;
    }
    if (dictionary && chunk_.dictionary_lost) out_.lost = true;  // its indices lead nowhere, but are judged
    ValueSpec spec;
    spec.encoding = encoding;
    spec.type = chunk_.leaf.type;
    spec.type_length = static_cast<std::uint32_t>(std::max(chunk_.leaf.type_length, 0));
    spec.count = stored;
    spec.dictionary_size = chunk_.dictionary_size;
    Notes notes;
    const Status status = run_decoder(section, spec, notes);
    flush(notes);
    if (!status) error(status.error());
  }

  Status run_decoder(View section, const ValueSpec& spec, Notes& notes) {
    ValueDecoder& decoder = chunk_.scratch.values;
    if (Status opened = decoder.open(section, spec, chunk_.context.options.limits, chunk_.budget, notes);
        !opened) {
      return opened;
    }
    for (;;) {
      const Result<ValueBatch> batch = decoder.next();
      if (!batch) return std::unexpected(batch.error());
      if (batch->count == 0) break;
      value_bits(*batch, spec, notes, section);
      if (BoundsObserver* const observer = bounds_observer()) observer->add(*batch);
      chunk_.statistics.see_values(*batch);
    }
    return decoder.end();
  }

  /// schema/type-length-bits: every value fits in so many bits, as two's complement or as an unsigned number.
  /// A value without bytes of its own is reported at the section.
  void value_bits(const ValueBatch& batch, const ValueSpec& spec, Notes& notes, const View& section) const {
    if (spec.type != Type::INT32 && spec.type != Type::INT64) return;
    const unsigned width = spec.type == Type::INT32 ? 4 : 8;
    const std::int32_t bits = chunk_.leaf.type_length;
    if (bits <= 0 || bits >= static_cast<std::int32_t>(8 * width) || batch.form != ValueBatch::Form::fixed)
      return;
    const bool plain = spec.encoding == Encoding::PLAIN;
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      const std::int64_t value = width == 4 ? std::int64_t{load_le<std::int32_t>(batch.fixed + i * 4)}
                                            : load_le<std::int64_t>(batch.fixed + i * 8);
      const std::int64_t top = value >> (bits - 1);
      const bool fits = top == 0 || top == -1 || (value >> bits) == 0;
      if (!fits) {
        notes.add({plain ? batch.offset + i * width : section.base, value, static_cast<std::int64_t>(bits),
                   plain ? width : 0, Rule::schema_type_length_bits, section.space});
      }
    }
  }

  /// Who wants to see the values, if the chunk is indexed by them.
  [[nodiscard]] BoundsObserver* bounds_observer() const {
    return chunk_.index == nullptr ? nullptr : chunk_.index->observer();
  }

  ChunkBody& chunk_;
  const Page& page_;
  const PageHeader& header_;
  View stored_;
  View image_;
  BodyOutcome out_;
};

}  // namespace

void check_checksum(ChunkBody& chunk, const Page& page, View stored) {
  BodyRules(chunk, page, stored).checksum();
}

BodyOutcome check_body(ChunkBody& chunk, const Page& page, View stored) {
  return BodyRules(chunk, page, stored).run();
}

}  // namespace parqproof
