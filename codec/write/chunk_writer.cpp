#include "codec/write/chunk_writer.hpp"

#include <algorithm>
#include <cstddef>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {
namespace {

using Form = ValueBatch::Form;

constexpr std::size_t kGathered = 4096;        // values of a batch of indices that are gathered at once
constexpr std::size_t kMaxIndices = 1U << 24;  // of one page
constexpr std::size_t kMaxSection = INT32_MAX;

bool has_indices(const ValueBatch& batch) {
  return batch.form == Form::indices || batch.form == Form::index_run;
}

std::uint32_t width_of(const Node& leaf) {
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

}  // namespace

ChunkWriter::ChunkWriter(const WriteOptions& options, Compressor& compressor, ChunkRoom& room,
                         const Schema& schema, std::size_t leaf, Order order, bool by_value,
                         std::uint64_t offset, Sink& sink, FileCipher* cipher, std::int32_t row_group)
    : options_(options),
      column_(options.of(leaf)),
      format_{options, column_, compressor, cipher, row_group, static_cast<std::int32_t>(leaf)},
      leaf_(schema.leaf(leaf)),
      order_(order),
      width_(width_of(leaf_)),
      offset_(offset),
      sink_(sink),
      done_(schema, leaf),
      room_(room),
      page_(leaf_, order, width_),
      levels_(format_, leaf_),
      entry_check_(leaf_, schema.repeated_definition_levels(leaf)),
      index_(leaf_, order, column_.size_statistics, column_.nan_counts) {
  // BOOLEAN values take a bit, which an index of a dictionary cannot improve.
  if (column_.dictionary && leaf_.type != Type::BOOLEAN)
    indexed_.dictionary.emplace(leaf_.type, static_cast<std::uint32_t>(std::max(leaf_.type_length, 0)),
                                column_.dictionary_bytes);
  done_.codec = column_.codec;
  done_.values = MinMax(order, leaf_.type, width_);
  if (column_.bloom_filter && leaf_.type != Type::BOOLEAN) done_.bloom_filter.emplace(column_.bloom_bytes);
  const LogicalKind kind = leaf_.logical.kind;
  if (column_.geospatial_statistics && leaf_.type == Type::BYTE_ARRAY &&
      (kind == LogicalKind::GEOMETRY || kind == LogicalKind::GEOGRAPHY))
    done_.geospatial.emplace(kind == LogicalKind::GEOGRAPHY);
  if (options.index_pages == IndexPages::tree) tree_.emplace(leaf_, by_value);
}

/// Says which column a failure is about.
WriteStatus ChunkWriter::named(WriteStatus status) const {
  if (status) return status;
  return std::unexpected("column " + std::string(text_of(leaf_.name)) + ": " + status.error());
}

WriteStatus ChunkWriter::write(std::span<const std::uint8_t> bytes) {
  offset_ += bytes.size();
  return sink_.write(bytes);
}

WriteStatus ChunkWriter::write_page() {
  for (const std::span<const std::uint8_t> part : room_.page.parts()) {
    if (WriteStatus written = write(part); !written) return written;
  }
  return {};
}

bool ChunkWriter::is_full() const noexcept {
  return page_.counts().rows >= options_.page_rows || page_.plain_bytes() >= options_.page_bytes;
}

/// The number of first values with which the current page has its bytes; UINT64_MAX if they are more.
std::uint64_t ChunkWriter::values_for_page(const Entries& entries) const {
  const std::uint64_t room = options_.page_bytes - std::min(options_.page_bytes, page_.plain_bytes());
  if (leaf_.type == Type::BOOLEAN)
    return room > UINT64_MAX / 8
               ? UINT64_MAX
               : options_.page_bytes * 8 - std::min(options_.page_bytes * 8, page_.counts().stored);
  if (width_ != 0) return (room + width_ - 1) / width_;
  const ValueBatch& values = entries.values;
  if (values.form == Form::byte_arrays && total_size(values) + values.count * 4 < room) return UINT64_MAX;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  for (; count < values.count && bytes < room; ++count) {
    const std::uint32_t size = values.form == Form::byte_arrays ? values.byte_arrays[count].size
                               : values.form == Form::indices
                                   ? (*entries.dictionary)[values.indices[count]].size
                                   : (*entries.dictionary)[values.run].size;
    bytes += size + 4;
  }
  return bytes < room ? UINT64_MAX : count;
}

/// The number of first entries that go into the current page: up to the first row that begins when the page
/// has its rows or bytes. It does not depend on how the entries are divided into batches.
std::uint64_t ChunkWriter::entries_for_page(const Entries& entries) const {
  const std::uint64_t rows_left = options_.page_rows - page_.counts().rows;
  const std::uint64_t fit = values_for_page(entries);
  const bool all_stored = entries.definition.values == nullptr && entries.values.count != 0;
  if (leaf_.max_repetition == 0 && entries.definition.values == nullptr)
    return std::min({entries.count, rows_left, all_stored ? fit : UINT64_MAX});
  if (entries.values.count < fit && entries.repetition.count(0, entries.count) <= rows_left)
    return entries.count;
  std::uint64_t rows = 0;
  std::uint64_t stored = 0;
  for (std::uint64_t i = 0; i < entries.count; ++i) {
    if (entries.repetition[i] == 0) {
      // A full page may have the rest of a row.
      if ((i != 0 || is_full()) && (rows >= rows_left || stored >= fit)) return i;
      ++rows;
    }
    stored += entries.definition[i] == leaf_.max_definition ? 1 : 0;
  }
  return entries.count;
}

WriteStatus ChunkWriter::add(const Entries& entries) {
  entry_fault_ = entry_check_.add(entries);
  if (entry_fault_) {
    const std::uint64_t ordinal = done_.counts.entries + page_.counts().entries + entry_fault_->entry;
    return named(std::unexpected("entry " + std::to_string(ordinal) + " breaks " +
                                 std::string(info(entry_fault_->rule).id)));
  }
  if (page_.body()) return add_copied(entries);
  Entries rest = entries;
  while (rest.count != 0) {
    if (page_.is_open() && is_full() && rest.repetition[0] == 0) {
      if (WriteStatus ended = end_page(); !ended) return ended;
    }
    if (!page_.is_open()) {
      if (WriteStatus begun = begin_page(); !begun) return named(std::move(begun));
    }
    Entries part = rest;
    part.count = entries_for_page(rest);
    const std::uint64_t stored = part.count == rest.count
                                     ? rest.values.count
                                     : part.definition.count(leaf_.max_definition, part.count);
    part.values = part_of(rest.values, 0, stored, width_);
    if (WriteStatus added = add_part(part); !added) return named(std::move(added));
    rest.count -= part.count;
    rest.repetition = rest.repetition.from(part.count);
    rest.definition = rest.definition.from(part.count);
    rest.values = part_of(rest.values, stored, rest.values.count - stored, width_);
  }
  return {};
}

WriteStatus ChunkWriter::begin_page() {
  page_.begin();
  indexed_.indices.clear();
  indexed_.entries_before = indexed_.dictionary ? indexed_.dictionary->size() : 0;
  levels_.begin();
  return indexed_.dictionary ? WriteStatus() : begin_values();
}

WriteStatus ChunkWriter::begin_values() {
  room_.section.clear();
  const auto length = static_cast<std::uint32_t>(std::max(leaf_.type_length, 0));
  const EncodeStatus opened =
      room_.encoder.open(column_.encoding, {leaf_.type, length, column_.encode, room_.section});
  if (!opened) return std::unexpected(std::string(opened.error()));
  return {};
}

WriteStatus ChunkWriter::add_part(const Entries& entries) {
  if (entries.count > INT32_MAX - page_.counts().entries)
    return std::unexpected("more than 2147483647 entries in a page");
  levels_.add(entries);
  page_.add(entries);
  print_levels(entries, done_.prints);
  return add_values(entries);
}

WriteStatus ChunkWriter::add_values(const Entries& entries) {
  if (entries.values.count == 0) return {};
  if (has_indices(entries.values)) return add_indexed(entries);
  page_.observe(entries.values, geospatial());
  return indexed_.dictionary ? add_to_dictionary(entries.values) : add_plain(entries.values);
}

WriteStatus ChunkWriter::add_to_dictionary(const ValueBatch& values) {
  const std::uint64_t added = indexed_.dictionary->add(values);
  indexed_.indices.insert(indexed_.indices.end(), indexed_.dictionary->indices().begin(),
                          indexed_.dictionary->indices().end());
  indexed_.dictionary->clear_indices();
  if (added == values.count && indexed_.indices.size() <= kMaxIndices) return {};
  if (WriteStatus left = leave_dictionary(); !left) return left;
  return add_plain(part_of(values, added, values.count - added, width_));
}

WriteStatus ChunkWriter::add_plain(const ValueBatch& values) {
  if (done_.bloom_filter) done_.bloom_filter->insert(values, width_);
  const EncodeStatus added = room_.encoder.add(values);
  if (!added) return std::unexpected(std::string(added.error()));
  if (room_.section.size() > kMaxSection) return std::unexpected("a page of more than 2147483647 bytes");
  return {};
}

/// Adds values that are given as indices of another dictionary.
WriteStatus ChunkWriter::add_indexed(const Entries& entries) {
  const Dictionary& source = *entries.dictionary;
  const ValueBatch& batch = entries.values;
  if (!indexed_.dictionary) {
    std::vector<std::uint32_t> indices;
    for (std::uint64_t done = 0; done < batch.count; done += indices.size()) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count - done, kGathered));
      if (batch.form == Form::index_run) {
        indices.assign(count, batch.run);
      } else {
        indices.assign(batch.indices + done, batch.indices + done + count);
      }
      if (WriteStatus added = add_of_dictionary(indices, &source); !added) return added;
    }
    return {};
  }
  if (indexed_.source != &source || indexed_.source_version != source.version()) {
    indexed_.source = &source;
    indexed_.source_version = source.version();
    indexed_.translated.assign(static_cast<std::size_t>(source.size()), 0);
  }
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const std::uint32_t from = batch.form == Form::index_run ? batch.run : batch.indices[i];
    std::uint32_t& to = indexed_.translated[from];
    if (to == 0) {
      const ByteArray value = source[from];
      const std::optional<std::uint32_t> index = indexed_.dictionary->index_of({value.data, value.size});
      if (!index || indexed_.indices.size() > kMaxIndices) {
        if (WriteStatus left = leave_dictionary(); !left) return left;
        Entries rest = entries;
        rest.values = part_of(batch, i, batch.count - i, width_);
        return add_indexed(rest);
      }
      to = *index + 1;
    }
    indexed_.indices.push_back(to - 1);
    page_.observe(to - 1, indexed_.dictionary->entry(to - 1), geospatial());
  }
  return {};
}

/// Adds values of a dictionary without indices of one: those of `source`, which are observed, or entries of
/// the chunk's own that were.
WriteStatus ChunkWriter::add_of_dictionary(const std::vector<std::uint32_t>& indices,
                                           const Dictionary* source) {
  const auto value_of = [&](std::uint32_t index) -> std::span<const std::uint8_t> {
    if (source == nullptr) return indexed_.dictionary->entry(index);
    const ByteArray value = (*source)[index];
    return {value.data, value.size};
  };
  std::vector<ByteArray> windows;
  std::vector<std::uint8_t> gathered;
  for (std::size_t done = 0; done < indices.size();) {
    const std::size_t count = std::min(indices.size() - done, kGathered);
    ValueBatch values;
    values.count = count;
    windows.clear();
    gathered.clear();
    for (std::size_t i = done; i < done + count; ++i) {
      const std::span<const std::uint8_t> value = value_of(indices[i]);
      if (leaf_.type != Type::BYTE_ARRAY) {
        gathered.insert(gathered.end(), value.begin(), value.end());
      } else {
        windows.push_back({value.data(), static_cast<std::uint32_t>(value.size())});
      }
    }
    values.form = leaf_.type == Type::BYTE_ARRAY ? Form::byte_arrays
                  : leaf_.type == Type::BOOLEAN  ? Form::booleans
                                                 : Form::fixed;
    values.fixed = values.booleans = gathered.data();
    values.byte_arrays = windows.data();
    if (source != nullptr) page_.observe(values, geospatial());
    if (WriteStatus added = add_plain(values); !added) return added;
    done += count;
  }
  return {};
}

/// Writes the pages so far with their dictionary, and the values of the current page without one.
WriteStatus ChunkWriter::leave_dictionary() {
  if (WriteStatus begun = begin_values(); !begun) return begun;
  if (WriteStatus added = add_of_dictionary(indexed_.indices, nullptr); !added) return added;
  indexed_.indices.clear();
  indexed_.dictionary->truncate(indexed_.entries_before);
  return put_dictionary();
}

/// Writes the dictionary page and the pages that waited for it. There is no dictionary without them; it is
/// empty if they have only nulls (Encodings.md#dictionary-encoding has it before any page of indices).
WriteStatus ChunkWriter::put_dictionary() {
  if (!indexed_.kept_pages.empty()) {
    const PageHeader header = dictionary_page_header(format_, indexed_.dictionary->size());
    const std::vector<std::uint8_t> entries = indexed_.dictionary->plain();
    if (WriteStatus made = room_.page.make(format_, header, {}, entries); !made) return made;
    if (WriteStatus written = write_dictionary(header); !written) return written;
    if (done_.bloom_filter) {
      for (std::uint32_t i = 0; i < indexed_.dictionary->size(); ++i)
        done_.bloom_filter->insert(indexed_.dictionary->entry(i));
    }
  }
  indexed_.dictionary.reset();
  std::span<const std::uint8_t> kept(indexed_.kept);
  for (const KeptPage& page : indexed_.kept_pages) {
    const auto bytes = static_cast<std::size_t>(page.bytes);
    place_page(bytes, page.first_row);
    if (WriteStatus written = write(kept.first(bytes)); !written) return written;
    kept = kept.subspan(bytes);
  }
  indexed_.kept = {};
  indexed_.kept_pages = {};
  return {};
}

/// Notes where a data page is, which is written next.
void ChunkWriter::place_page(std::uint64_t bytes, std::uint64_t first_row) {
  if (done_.data_page_offset == 0) done_.data_page_offset = offset_;
  index_.add_location(offset_, bytes, first_row);
}

/// Completes the values of the current page in room_.section. A dictionary that does not make the first page
/// smaller is left.
WriteStatus ChunkWriter::finish_values() {
  if (indexed_.dictionary) {
    room_.section.clear();
    ValueBatch batch;
    batch.form = Form::indices;
    batch.count = indexed_.indices.size();
    batch.indices = indexed_.indices.data();
    const EncodeStatus encoded =
        encode_values(Encoding::RLE_DICTIONARY, {leaf_.type, 0, column_.encode, room_.section}, batch);
    if (!encoded) return std::unexpected(std::string(encoded.error()));
    if (indexed_.is_worth_it || page_.counts().stored == 0) return {};
    indexed_.is_worth_it = true;
    if (indexed_.dictionary->plain_bytes() + room_.section.size() < page_.plain_bytes()) return {};
    if (WriteStatus left = leave_dictionary(); !left) return left;
  }
  const EncodeStatus finished = room_.encoder.finish();
  if (!finished) return std::unexpected(std::string(finished.error()));
  return {};
}

/// Makes room_.page of the entries so far, with values in `encoding`.
WriteStatus ChunkWriter::make_page(const Bounds& bounds, Encoding& encoding) {
  const Statistics statistics = statistics_of(bounds, page_.counts(), page_.values(), order_, column_);
  if (const std::optional<CopiedBody>& body = page_.body()) {
    encoding = body->encoding;
    return room_.page.make(format_,
                           data_page_header(format_, page_.counts(), encoding, body->repetition_bytes,
                                            body->definition_bytes, statistics),
                           *body, page_.ordinal());
  }
  levels_.finish();
  if (WriteStatus finished = finish_values(); !finished) return finished;
  encoding = indexed_.dictionary ? encoding_of_indices() : column_.encoding;
  return room_.page.make(format_,
                         data_page_header(format_, page_.counts(), encoding, levels_.repetition_bytes(),
                                          levels_.definition_bytes(), statistics),
                         levels_.bytes(), room_.section, page_.ordinal());
}

WriteStatus ChunkWriter::end_page() {
  if (!page_.is_open()) return {};
  const Bounds bounds = bounds_of(page_.values(), order_, leaf_, column_.bound_bytes);
  Encoding encoding{};
  if (WriteStatus made = make_page(bounds, encoding); !made) return named(std::move(made));
  const std::uint64_t bytes = room_.page.bytes();
  index_.add(page_.counts(), bounds, page_.values().nan_count());
  if (tree_) keys_.push_back({bounds.min, bytes, done_.counts.rows});
  const std::uint64_t first_row = done_.counts.rows;
  done_.counts.add(page_.counts());
  done_.values.add(page_.values());
  done_.uncompressed_bytes += room_.page.uncompressed_bytes();
  done_.compressed_bytes += bytes;
  ++done_.pages[{options_.page_version == 1 ? PageType::DATA_PAGE : PageType::DATA_PAGE_V2, encoding}];
  page_.end();
  if (!indexed_.dictionary) {
    place_page(bytes, first_row);
    return named(write_page());
  }
  room_.page.append_to(indexed_.kept);
  indexed_.kept_pages.push_back({bytes, first_row});
  return indexed_.kept.size() > kKeptBytes ? named(put_dictionary()) : WriteStatus();
}

WriteStatus ChunkWriter::copy_dictionary(const CopiedBody& body) {
  const PageHeader header = dictionary_page_header(format_, body.entries);
  if (WriteStatus made = room_.page.make(format_, header, body); !made) return named(std::move(made));
  indexed_.dictionary.reset();
  return named(write_dictionary(header));
}

/// Writes the dictionary page that was made.
WriteStatus ChunkWriter::write_dictionary(const PageHeader& header) {
  done_.dictionary_page_offset = offset_;
  done_.uncompressed_bytes += room_.page.uncompressed_bytes();
  done_.compressed_bytes += room_.page.bytes();
  ++done_.pages[{PageType::DICTIONARY_PAGE, header.dictionary_page_header.encoding}];
  return write_page();
}

WriteStatus ChunkWriter::copy_page(CopiedBody body) {
  if (WriteStatus ended = end_page(); !ended) return ended;
  if (indexed_.dictionary) {
    if (WriteStatus put = named(put_dictionary()); !put) return put;
  }
  if (is_dictionary_encoding(body.encoding)) body.encoding = encoding_of_indices();
  page_.begin();
  page_.set_body(body);
  return {};
}

/// Counts entries of the page that is copied, and writes it after the last one.
WriteStatus ChunkWriter::add_copied(const Entries& entries) {
  page_.add(entries);
  print_levels(entries, done_.prints);
  BloomFilterBuilder* const filter = done_.bloom_filter ? &*done_.bloom_filter : nullptr;
  if (has_indices(entries.values)) {
    page_.observe(entries.values, *entries.dictionary, {filter, geospatial()});
  } else if (entries.values.count != 0) {
    page_.observe(entries.values, geospatial());
    if (filter != nullptr) filter->insert(entries.values, width_);
  }
  return page_.counts().entries < page_.body()->entries ? WriteStatus() : end_page();
}

std::expected<WrittenChunk, std::string> ChunkWriter::finish() {
  WriteStatus status = end_page();
  if (status && indexed_.dictionary) status = named(put_dictionary());
  if (status && tree_) status = named(put_index_pages());
  if (!status) return std::unexpected(status.error());
  done_.bounds = bounds_of(done_.values, order_, leaf_, column_.bound_bytes);
  if (leaf_.max_definition != 0 || leaf_.max_repetition != 0) done_.level_encoding = options_.level_encoding;
  if (options_.page_index && index_.pages() != 0) {
    if (!index_.emit_column_index(done_.column_index)) done_.column_index.clear();
    index_.emit_offset_index(done_.offset_index);
  }
  return std::move(done_);
}

WriteStatus ChunkWriter::put_index_pages() {
  std::uint64_t offset = 0;
  for (const PageKey& key : keys_) {
    tree_->add(offset, key.bytes, key.first_row, key.min);
    offset += key.bytes;
  }
  std::vector<std::uint8_t> pages;
  std::uint64_t root = 0;
  const auto bytes = tree_->emit(format_, offset, pages, root);
  if (!bytes) return std::unexpected(bytes.error());
  if (pages.empty()) return {};
  done_.uncompressed_bytes += *bytes;
  done_.compressed_bytes += pages.size();
  done_.index_page_offset = done_.data_page_offset + root;
  return write(pages);
}

}  // namespace parqproof
