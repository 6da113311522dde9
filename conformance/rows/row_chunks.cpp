#include "conformance/rows/row_chunks.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "codec/compression/decompress.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/state/sealed_chunk.hpp"

namespace parqproof {

bool RowChunks::find(const std::vector<FooterChunk>& chunks, const std::vector<std::size_t>& leaves,
                     std::uint32_t row_group, const std::function<void(std::size_t index)>& lose) {
  chunks_.clear();
  for (std::size_t i = 0; i < chunks.size() && i < leaves.size(); ++i) {
    const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaves[i]), -1};
    if (find(chunks[i], place)) continue;
    if (!lose) return false;
    RowChunk lost;
    lost.metadata = footer_.bytes_from(chunks[i].chunk.fields.offset);
    lost.stored.row_group = row_group;
    lost.stored.source = &source_;
    chunks_.push_back(lost);
    lose(i);
  }
  resolve_overlaps(leaves);
  return true;
}

/// Chunks that overlap, or that overlap an earlier row group: one of their offsets is wrong, and its bytes
/// may decode as pages all the same. The check decides which one.
void RowChunks::resolve_overlaps(const std::vector<std::size_t>& leaves) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const StoredChunk& stored = chunks_[i].stored;
    if (stored.source == &source_ && stored.extent.start < stored.extent.metadata_end) order.push_back(i);
  }
  const auto extent = [&](std::size_t i) -> const ChunkExtent& { return chunks_[i].stored.extent; };
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(extent(i).start, i); });
  std::set<std::size_t> in_doubt;
  std::size_t furthest = order.empty() ? 0 : order.front();  // the chunk so far with the largest end
  for (const std::size_t i : order) {
    const ChunkExtent& claimed = extent(i);
    if (i != furthest && extent(furthest).metadata_end > claimed.start) in_doubt.insert({furthest, i});
    if (claimed.metadata_end > extent(furthest).metadata_end) furthest = i;
    const auto following = claimed_.upper_bound(claimed.start);
    const bool starts_inside = following != claimed_.begin() && std::prev(following)->second > claimed.start;
    const bool reaches_inside = following != claimed_.end() && following->first < claimed.metadata_end;
    if (starts_inside || reaches_inside) in_doubt.insert(i);
  }
  for (const std::size_t i : in_doubt) {
    const std::optional<FoundPages> found = context_.find_pages(chunks_[i].stored, leaves[i]);
    if (found && found->extent) chunks_[i].stored.extent = *found->extent;
  }
  for (const std::size_t i : order) {
    const auto before = claimed_.lower_bound(extent(i).start);
    const bool goes_on = before != claimed_.begin() && std::prev(before)->second >= extent(i).start;
    std::uint64_t& end = goes_on ? std::prev(before)->second : claimed_[extent(i).start];
    end = std::max(end, extent(i).metadata_end);
    auto next = claimed_.upper_bound(extent(i).start);
    for (; next != claimed_.end() && next->first <= end; next = claimed_.erase(next))
      end = std::max(end, next->second);
  }
}

bool RowChunks::fault(const ColumnChunk& chunk, const Place& place, const PageFault& fault) {
  failure_.take(place, footer_.bytes_from(chunk.fields.offset), fault);
  return false;
}

bool RowChunks::find(const FooterChunk& stated, const Place& place) {
  const ColumnChunk& chunk = stated.chunk;
  const ColumnMetaData& meta = chunk.meta_data;
  const auto refuse = [&](Rule rule, std::string_view field, Contrast what) {
    return fault(chunk, place, PageFault::in_chunk(rule, field, std::move(what)));
  };
  if (is_sealed(chunk) && !chunk.is_locked())
    return refuse(Rule::encryption_metadata_form, "crypto_metadata",
                  contrast("no crypto_metadata", "crypto_metadata"));
  if (chunk.is_locked())
    return refuse(Rule::file_encrypted_column, "crypto_metadata",
                  encryption::encrypted_column(source_.keys(), place));
  if (!chunk.fields.mentions(ColumnChunk::id_meta_data))
    return refuse(Rule::column_chunk_meta_data, "meta_data", contrast(kAbsent, "ColumnMetaData"));
  if (!meta.has(ColumnMetaData::id_codec) || !can_decompress(meta.codec))
    return refuse(Rule::thrift_required_field, "meta_data.codec", contrast("none that is known", "codec"));
  RowChunk found;
  found.metadata = footer_.bytes_from(chunk.fields.offset);
  found.stored.row_group = static_cast<std::uint32_t>(place.row_group);
  found.stored.codec = meta.codec;
  found.stored.has_plain_dictionary = lists_defined_encodings(meta);
  found.stored.source = &source_;
  if (!in_named_file(chunk, place, found) || !place_pages(stated, place, found.stored)) return false;
  const Type type = footer_.schema().leaf(static_cast<std::size_t>(place.leaf)).type;
  if (meta.has(ColumnMetaData::id_type) && meta.type != type) {
    // Either may be wrong. Some values of one type decode as another: only a trial shows which is right.
    const std::optional<FoundPages> pages =
        context_.find_pages(found.stored, static_cast<std::size_t>(place.leaf));
    if (pages && pages->other_type)
      return refuse(Rule::column_chunk_type, "meta_data.type",
                    contrast(symbol(kTypeEnum, meta.type), symbol(kTypeEnum, type)));
  }
  chunks_.push_back(std::move(found));
  return true;
}

/// Finds the file that contains the chunk, if that is another one.
bool RowChunks::in_named_file(const ColumnChunk& chunk, const Place& place, RowChunk& found) {
  if (!chunk.has(ColumnChunk::id_file_path) || chunk.file_path.empty()) return true;
  const std::string group =
      "the data of row group " + std::to_string(place.row_group) + " is in another file";
  if (folder_ == nullptr) {
    failure_.set_message(group);
    return false;
  }
  const std::string path = normal_path(text_of(chunk.file_path));
  if (path == folder_->own_name()) return true;
  std::string why;
  found.stored.source = folder_->share(path, why);
  found.file = folder_->sibling_path(path);
  if (found.stored.source == nullptr) failure_.set_message(group + ", " + found.file + ": " + why);
  return found.stored.source != nullptr;
}

/// Finds the bytes of the chunk in its file.
bool RowChunks::place_pages(const FooterChunk& stated, const Place& place, StoredChunk& stored) {
  const ColumnChunk& chunk = stated.chunk;
  const ColumnMetaData& meta = chunk.meta_data;
  // An empty chunk without bytes may be at any offset.
  const bool is_empty = meta.has(ColumnMetaData::id_num_values) && meta.num_values == 0;
  if (!stated.in_doubt && is_empty && meta.total_compressed_size <= 0) return true;
  std::optional<PageFault> wrong = misplaced(meta, stored);
  if (!wrong && stated.in_doubt)
    wrong = PageFault::in_chunk(Rule::thrift_field_type, "meta_data", contrast("misread", "ColumnMetaData"));
  if (!wrong) {
    const std::uint64_t end = stored.source == &source_ ? footer_.offset() : stored.source->size();
    stored.extent = chunk_extent(static_cast<std::uint64_t>(chunk_start(meta).offset),
                                 meta.total_compressed_size, meta.num_values, end);
    return true;
  }
  const std::optional<FoundPages> found = context_.find_pages(stored, static_cast<std::size_t>(place.leaf));
  if (!found || !found->extent) return fault(chunk, place, *wrong);
  stored.extent = *found->extent;
  return true;
}

/// Fault of the metadata that should locate the pages.
std::optional<PageFault> RowChunks::misplaced(const ColumnMetaData& meta, const StoredChunk& stored) const {
  struct Number {
    ColumnMetaData::Id id;
    std::int64_t value;
    std::string_view field;
  };
  for (const Number& number : {Number{ColumnMetaData::id_num_values, meta.num_values, "meta_data.num_values"},
                               Number{ColumnMetaData::id_total_compressed_size, meta.total_compressed_size,
                                      "meta_data.total_compressed_size"}}) {
    if (!meta.has(number.id))
      return PageFault::in_chunk(Rule::thrift_required_field, number.field, contrast(kAbsent, number.field));
    if (number.value < 0)
      return PageFault::in_chunk(Rule::column_chunk_sizes_negative, number.field,
                                 contrast(number.value, or_more(0)));
  }
  const ChunkStart start = chunk_start(meta);
  const bool here = stored.source == &source_;
  const auto begin = static_cast<std::int64_t>(here ? kMagicBytes : 0);
  const auto end = static_cast<std::int64_t>(here ? footer_.offset() : stored.source->size());
  if (start.offset >= begin && start.offset < end) return std::nullopt;
  return PageFault::in_chunk(
      Rule::file_region_inside, start.field,
      contrast(start.offset,
               begin == end ? "no bytes of data" : std::to_string(begin) + " to " + std::to_string(end - 1)));
}

}  // namespace parqproof
