#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/encoding/values.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/format/page_index.hpp"
#include "codec/page/page_content.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/metadata/metadata.hpp"
#include "conformance/report/words/field_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// Max pages of a chunk that are listed; further ones are counted.
constexpr std::uint32_t kPagesListed = 1000;

/// A readable number of bytes: "488 B", "13.3 KiB".
std::string size_text(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string number_text(std::int64_t number) {
  return number < 0 ? std::to_string(number) : grouped(static_cast<std::uint64_t>(number));
}

std::string count_text(std::int64_t count, const char* noun) {
  return number_text(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Text for is_max_value_exact or is_min_value_exact.
const char* exact_text(bool stated, bool exact) { return !stated ? "" : exact ? " (exact)" : " (not exact)"; }

/// Table of the page indexes of a chunk: a row for each page, a column for each field.
class PageTable {
 public:
  /// Begins a further column; set() fills its cells.
  void column(std::string name) { heading_.push_back(std::move(name)); }
  void set(std::uint32_t page, std::string text) {
    if (page >= kPagesListed) return;
    for (auto i = static_cast<std::uint32_t>(rows_.size()); i <= page; ++i)
      rows_.push_back({std::to_string(i)});
    rows_[page].resize(heading_.size() - 1);
    rows_[page].push_back(std::move(text));
  }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  /// Columns are as wide as their cells.
  void write(Out& out) const {
    std::vector<std::size_t> widths(heading_.size());
    const auto widen = [&](const std::vector<std::string>& row) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    };
    const auto line = [&](const std::vector<std::string>& row) {
      out << "     ";
      for (std::size_t i = 0; i < row.size(); ++i)
        out << fmt::format(" {:<{}}", row[i], i + 1 == row.size() ? 0 : widths[i] + 1);
      out << "\n";
    };
    widen(heading_);
    std::ranges::for_each(rows_, widen);
    line(heading_);
    std::ranges::for_each(rows_, line);
  }

 private:
  std::vector<std::string> heading_ = {"page"};
  std::vector<std::vector<std::string>> rows_;
};

class ValuesReading final : public FooterVisitor {
 public:
  /// `opened`: the column metadata that was decrypted; may be null.
  ValuesReading(const Source& source, const OpenedMetadata* opened, Out& out)
      : FooterVisitor({.columns = false}),
        source_(source),
        opened_(opened),
        out_(out),
        pages_(source, limits_, 0) {}

 private:
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (at.complete) schema_.add(element);
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (at.index == 0) schema_.finish();
    write_row_group(group, at.index);
    return !out_.closed();
  }

  void write_row_group(const RowGroup& group, std::uint32_t index) {
    out_ << fmt::format("\nrow group {}: {}, {} stored, {} uncompressed\n", index,
                        count_text(group.num_rows, "row"), size_text(stored_size(group)),
                        size_text(group.total_byte_size));
    thrift::for_each<SortingColumn>(
        group.sorting_columns, limits_, [&](const SortingColumn& column, std::uint32_t) {
          out_ << labelled("sorted by", fmt::format("leaf {}{}{}", column.column_idx,
                                                    column.descending ? ", descending" : "",
                                                    column.nulls_first ? ", nulls first" : ""));
        });
    if (schema_.fault() != Schema::Fault::none) return;
    thrift::for_each<ColumnChunk>(group.columns, limits_, [&](const ColumnChunk& one, std::uint32_t leaf) {
      if (leaf >= schema_.leaf_count() || out_.closed()) return;
      ColumnChunk opened = one;
      open_metadata(opened, opened_, limits_);
      pages_.enter({static_cast<std::int32_t>(index), static_cast<std::int32_t>(leaf)});
      chunk(opened, leaf);
    });
  }

  /// total_compressed_size of a row group or, if absent, the sum over its chunks.
  [[nodiscard]] std::int64_t stored_size(const RowGroup& group) const {
    if (group.has(RowGroup::id_total_compressed_size)) return group.total_compressed_size;
    std::int64_t sum = 0;
    thrift::for_each<ColumnChunk>(group.columns, limits_, [&](const ColumnChunk& one, std::uint32_t) {
      const std::int64_t size = one.meta_data.total_compressed_size;
      if (size > 0 && size <= INT64_MAX - sum) sum += size;
    });
    return sum;
  }

  void chunk(const ColumnChunk& chunk, std::uint32_t ordinal) {
    const ColumnMetaData& meta = chunk.meta_data;
    const Node& leaf = schema_.leaf(ordinal);
    const std::string annotation = annotation_text(schema_, schema_.leaf_index(ordinal));
    out_ << fmt::format("\n  column {} (leaf {}): {}{}{}\n",
                        printable(schema_.dotted_path(schema_.leaf_index(ordinal))), ordinal,
                        kTypeEnum.name_of(static_cast<int>(leaf.type)),
                        leaf.type == Type::FIXED_LEN_BYTE_ARRAY ? fmt::format("({})", leaf.type_length) : "",
                        annotation.empty() ? "" : " " + printable(annotation));
    if (!chunk.has(ColumnChunk::id_meta_data)) {
      out_ << labelled("metadata", chunk.is_locked() ? "encrypted" : "absent");
      return;
    }
    if (chunk.has(ColumnChunk::id_file_path)) out_ << labelled("file", printable(text_of(chunk.file_path)));
    statistics(meta, leaf);
    const std::string_view codec = kCompressionCodecEnum.name_of(static_cast<int>(meta.codec));
    out_ << labelled(
        "stored",
        fmt::format("{} from byte {} on, {} uncompressed, {}", size_text(meta.total_compressed_size),
                    number_text(chunk_start(meta).offset), size_text(meta.total_uncompressed_size), codec));
    std::string encodings;
    thrift::for_each_integer(meta.encodings, [&](std::int64_t number, std::uint32_t i) {
      encodings += (i == 0 ? "" : ", ") + name_of(static_cast<Encoding>(number));
    });
    out_ << labelled("encodings", encodings);
    if (meta.has(ColumnMetaData::id_bloom_filter_offset)) {
      const std::string size =
          meta.has(ColumnMetaData::id_bloom_filter_length) ? size_text(meta.bloom_filter_length) + " " : "";
      out_ << labelled("filter", fmt::format("{}at byte {}", size, number_text(meta.bloom_filter_offset)));
    }
    const bool encrypted = chunk.is_locked();
    if (encrypted) out_ << labelled("pages", "encrypted");
    const bool here = !encrypted && (!chunk.has(ColumnChunk::id_file_path) || chunk.file_path.empty());
    if (here && meta.has(ColumnMetaData::id_dictionary_page_offset)) dictionary(meta, leaf);
    if (here) indexes(chunk, leaf);
  }

  void statistics(const ColumnMetaData& meta, const Node& leaf) {
    const Statistics& statistics = meta.statistics;
    std::string values = count_text(meta.num_values, "value");
    if (statistics.has(Statistics::id_null_count)) values += ", " + count_text(statistics.null_count, "null");
    if (statistics.has(Statistics::id_nan_count)) values += ", " + number_text(statistics.nan_count) + " NaN";
    if (statistics.has(Statistics::id_distinct_count))
      values += ", " + number_text(statistics.distinct_count) + " different";
    out_ << labelled("values", values);
    if (statistics.has(Statistics::id_min_value))
      out_ << labelled("min_value", bound_text(statistics.min_value, leaf) +
                                        exact_text(statistics.has(Statistics::id_is_min_value_exact),
                                                   statistics.is_min_value_exact));
    if (statistics.has(Statistics::id_max_value))
      out_ << labelled("max_value", bound_text(statistics.max_value, leaf) +
                                        exact_text(statistics.has(Statistics::id_is_max_value_exact),
                                                   statistics.is_max_value_exact));
    deprecated_bounds(statistics, leaf);
    if (meta.size_statistics.has(SizeStatistics::id_unencoded_byte_array_data_bytes))
      out_ << labelled(
          "bytes", size_text(meta.size_statistics.unencoded_byte_array_data_bytes) + " of values, unencoded");
  }

  void deprecated_bounds(const Statistics& statistics, const Node& leaf) {
    const auto has = [&statistics](auto id) { return statistics.has(id); };
    if (has(Statistics::id_min) && has(Statistics::id_max) && has(Statistics::id_min_value) &&
        has(Statistics::id_max_value) &&
        std::ranges::equal(statistics.min.bytes, statistics.min_value.bytes) &&
        std::ranges::equal(statistics.max.bytes, statistics.max_value.bytes)) {
      out_ << labelled("min, max", "the same as min_value and max_value (deprecated)");
      return;
    }
    if (has(Statistics::id_min)) out_ << labelled("min", bound_text(statistics.min, leaf) + " (deprecated)");
    if (has(Statistics::id_max)) out_ << labelled("max", bound_text(statistics.max, leaf) + " (deprecated)");
  }

  /// Bytes of a structure in the file; empty if they cannot be read.
  [[nodiscard]] View bytes_at(std::int64_t offset, std::int64_t length) {
    const bool inside =
        offset >= 0 && length > 0 && static_cast<std::uint64_t>(length) <= limits_.memory_bytes &&
        static_cast<std::uint64_t>(offset) < source_.size() &&
        static_cast<std::uint64_t>(length) <= source_.size() - static_cast<std::uint64_t>(offset);
    return inside ? pages_.read(static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(length))
                  : View();
  }

  void dictionary(const ColumnMetaData& meta, const Node& leaf) {
    Page page;
    Notes notes;
    const bool inside = meta.dictionary_page_offset > 0 &&
                        static_cast<std::uint64_t>(meta.dictionary_page_offset) < source_.size();
    if (!inside ||
        pages_.read_header(static_cast<std::uint64_t>(meta.dictionary_page_offset), source_.size(), {},
                           page) != PageReader::State::read ||
        !page.is_dictionary() || !page.has_member() || !page.can_be_skipped() ||
        page.end() > source_.size() || page.header.uncompressed_page_size < 0 ||
        static_cast<std::uint64_t>(page.header.uncompressed_page_size) > limits_.page_bytes ||
        page.stored_size() > limits_.page_bytes) {
      out_ << labelled("entries", "no dictionary page can be read at dictionary_page_offset");
      return;
    }
    PageContent content(decompressor_, limits_);
    if (content.open(pages_, page, meta.codec, false, room_, notes) != PageContent::State::open) {
      out_ << labelled("entries", "the dictionary page cannot be uncompressed");
      return;
    }
    out_ << labelled("entries", entries_text(content.image(), leaf, page.num_values()));
  }

  /// The min and the max entry of a dictionary, in the order of the type.
  [[nodiscard]] std::string entries_text(const View& image, const Node& leaf, std::int64_t stated) const {
    const Order order = order_of(leaf);
    const std::uint32_t width =
        fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
    std::optional<View> least;
    std::optional<View> max;
    View left = image;
    std::int64_t count = 0;
    for (; count < stated && !left.empty(); ++count) {
      std::size_t length = width;
      if (leaf.type == Type::BYTE_ARRAY) {
        if (left.size() < sizeof(std::uint32_t)) break;
        length = load_le<std::uint32_t>(left.data());
        left = left.from(sizeof(std::uint32_t));
      } else if (width == 0) {
        break;
      }
      if (length > left.size()) break;
      const View entry = left.part(0, length);
      left = left.from(length);
      if (is_nan(order, entry.bytes)) continue;
      if (!least || compare(order, entry.bytes, least->bytes) == Comparison::less) least = entry;
      if (!max || compare(order, entry.bytes, max->bytes) == Comparison::greater) max = entry;
    }
    std::string text = number_text(stated) + " in the dictionary";
    if (count < stated) text += fmt::format(", of which {} can be read", number_text(count));
    if (order == Order::none || !least) return text;
    return text + ": " + bound_text(*least, leaf) + " to " + bound_text(*max, leaf);
  }

  void indexes(const ColumnChunk& chunk, const Node& leaf) {
    PageTable table;
    OffsetIndex locations;
    ColumnIndex bounds;
    std::uint32_t count = 0;
    std::string order;
    if (chunk.has(ColumnChunk::id_offset_index_offset) &&
        read_whole(bytes_at(chunk.offset_index_offset, chunk.offset_index_length),
                   encryption::ModuleType::offset_index, locations)) {
      count = locations.page_locations.count;
      add_locations(locations, table);
    }
    if (chunk.has(ColumnChunk::id_column_index_offset) &&
        read_whole(bytes_at(chunk.column_index_offset, chunk.column_index_length),
                   encryption::ModuleType::column_index, bounds)) {
      count = std::max(count, bounds.min_values.count);
      order = fmt::format(", bounds {}", kBoundaryOrderEnum.name_of(static_cast<int>(bounds.boundary_order)));
      add_bounds(bounds, leaf, table);
    }
    if (table.empty()) return;
    out_ << labelled("pages", count_text(count, "page") + order);
    table.write(out_);
    if (count > kPagesListed) out_ << fmt::format("      and {} more\n", count - kPagesListed);
  }

  void add_locations(const OffsetIndex& index, PageTable& table) const {
    const auto column = [&](const char* name, auto&& text) {
      table.column(name);
      thrift::for_each<PageLocation>(
          index.page_locations, limits_,
          [&](const PageLocation& page, std::uint32_t i) { table.set(i, text(page)); });
    };
    column("first row", [](const PageLocation& page) { return number_text(page.first_row_index); });
    column("at byte", [](const PageLocation& page) { return number_text(page.offset); });
    column("stored", [](const PageLocation& page) { return size_text(page.compressed_page_size); });
  }

  static void add_bounds(const ColumnIndex& index, const Node& leaf, PageTable& table) {
    if (index.has(ColumnIndex::id_null_counts)) {
      table.column("nulls");
      thrift::for_each_integer(index.null_counts, [&](std::int64_t number, std::uint32_t i) {
        table.set(i, number_text(number));
      });
    }
    const auto column = [&](const char* name, const thrift::List& list) {
      table.column(name);
      thrift::for_each_string(list, [&](const View& bound, std::uint32_t i) {
        const View& null_pages = index.null_pages.bytes;  // a byte each, 1 for true
        const bool none = i < null_pages.size() && null_pages.bytes[i] == 1;
        table.set(i, none ? "(nulls alone)" : bound_text(bound, leaf));
      });
    };
    column("min", index.min_values);
    column("max", index.max_values);
  }

  /// Reads a structure, which is decrypted if the column is encrypted; false if its bytes are invalid.
  template <typename Struct>
  [[nodiscard]] bool read_whole(const View& bytes, encryption::ModuleType type, Struct& structure) {
    if (bytes.empty()) return false;
    const auto opened = pages_.open_structure(bytes, type);
    if (!opened) return false;
    thrift::Reader reader(*opened, {}, limits_);
    return reader.read(structure);
  }

  const Source& source_;
  const OpenedMetadata* opened_;
  Out& out_;
  Limits limits_;
  PageReader pages_;
  Decompressor decompressor_;
  Buffer room_;
  Schema schema_;
};

}  // namespace

ShownFooter write_footer_values(const Source& source, const std::string& path, Out& out) {
  std::vector<std::uint8_t> encrypted;
  FooterBytes footer = find_footer(source, encrypted);
  if (footer.end != DumpEnd::complete) return shown(footer);
  FileMetaData meta;
  Findings findings(framing_rules());
  const Limits limits;
  (void)thrift::Reader(footer.bytes, {}, limits).read(meta);
  out << fmt::format("{}: {}", printable(path), size_text(static_cast<std::int64_t>(source.size())));
  if (meta.has(FileMetaData::id_num_rows)) out << ", " << count_text(meta.num_rows, "row");
  if (meta.has(FileMetaData::id_row_groups)) out << ", " << count_text(meta.row_groups.count, "row group");
  if (meta.has(FileMetaData::id_created_by)) out << ", written by " << printable(text_of(meta.created_by));
  out << "\n";
  ValuesReading values(source, footer.frame.opened.get(), out);
  thrift::Reader reader(footer.bytes, {&findings, {}, {}}, limits);
  if (!values.visit(reader, meta) && !out.closed()) {
    footer.end = DumpEnd::stopped;
    footer.stop = stop_of(findings);
  }
  return shown(footer);
}

}  // namespace parqproof
