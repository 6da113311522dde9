#include "conformance/rewrite/page_fit.hpp"

#include <algorithm>

#include "codec/encoding/table.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Bytes of pages that are decoded, as a multiple of the size of the file.
constexpr std::uint64_t kMaxReadings = 32;
constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kBytesOfATrial = 512;

}  // namespace

PageFit::PageFit(const Source& source, const Schema& schema, const Limits& limits)
    : source_(source),
      schema_(schema),
      limits_(limits),
      context_{schema_, limits_},
      columns_(schema.leaf_count()),
      most_(kFreeBytes + kMaxReadings * source.size()) {}

std::optional<PageFit::Fit> PageFit::fit(const Page& page, std::size_t leaf, const Page* dictionary,
                                         CompressionCodec codec) {
  const std::tuple key{page.offset, leaf, dictionary != nullptr ? dictionary->offset : 0, codec};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (is_exhausted()) return std::nullopt;
  work_ += kBytesOfATrial + page.stored_size();
  return known_[key] = decode(page, leaf, dictionary, codec);
}

std::optional<PageFit::Fit> PageFit::stated(const Page& page, std::size_t leaf) const {
  if (!page.is_data() || !schema_.leaf(leaf).readable || !header_faults(page, schema_.leaf(leaf)).empty())
    return std::nullopt;
  if (page.is_v2())
    return Fit{static_cast<std::uint64_t>(std::max(page.header.data_page_header_v2.num_rows, 0)), false,
               true};
  if (schema_.leaf(leaf).max_repetition != 0) return std::nullopt;
  return Fit{static_cast<std::uint64_t>(page.num_values()), false, true};
}

std::optional<PageFit::Fit> PageFit::decode(const Page& page, std::size_t leaf, const Page* dictionary,
                                            CompressionCodec codec) {
  if (!schema_.leaf(leaf).readable || !page.is_data()) return std::nullopt;
  if (columns_[leaf] == nullptr) columns_[leaf] = std::make_unique<Column>(context_, leaf);
  Column& column = *columns_[leaf];
  StoredChunk chunk;
  chunk.source = &source_;
  chunk.extent = {page.offset, page.end(), page.end(), 0};
  chunk.codec = codec;
  chunk.part = ChunkPart{};
  if (dictionary != nullptr) {
    chunk.part->dictionary = dictionary->offset;
    chunk.part->dictionary_end = dictionary->end();
  }
  column.pages.open(chunk);
  const PageResult<bool> opened = column.pages.next();
  if (!opened) {
    if (opened.error()->rule() == Rule::crc_match) return stated(page, leaf);
    return std::nullopt;
  }
  if (!*opened) return Fit{};  // without entries
  const DataPageParts& parts = column.pages.parts();
  Notes notes;
  column.levels.page_lost();
  const Result<LevelSums> sums = column.levels.read(parts.repetition, parts.definition, parts.count, notes);
  if (!sums || std::ranges::any_of(notes.all(), [](const Notes::Note& note) {
        return info(note.error.rule).severity == Severity::error;
      }))
    return std::nullopt;
  if (page.is_v2() && sums->rows != static_cast<std::uint64_t>(page.header.data_page_header_v2.num_rows))
    return std::nullopt;
  if (!decode_values(column, leaf, sums->stored)) return std::nullopt;
  return Fit{sums->rows, sums->first_repetition != 0, false};
}

bool PageFit::decode_values(Column& column, std::size_t leaf, std::uint64_t stored) {
  const DataPageParts& parts = column.pages.parts();
  const Node& node = schema_.leaf(leaf);
  const bool by_index = is_dictionary_encoding(parts.encoding);
  Notes notes;
  if (stored == 0) return check_empty_section(parts.values, parts.encoding, node.type, notes).has_value();
  if (by_index && !column.pages.dictionary().known()) return false;
  ValueSpec spec;
  spec.encoding = parts.encoding;
  spec.type = node.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(node.type_length, 0));
  spec.count = stored;
  spec.dictionary_size = column.pages.dictionary().size();
  if (!column.values.open(parts.values, spec, limits_, column.pages.budget(), notes)) return false;
  for (std::uint64_t left = stored; left != 0;) {
    const Result<ValueBatch> batch = column.values.next();
    if (!batch || batch->count == 0) return false;
    left -= std::min(left, batch->count);
  }
  // Some writers pad the indices.
  return by_index || column.values.end().has_value();
}

}  // namespace parqproof
