#include "codec/model/page_image.hpp"

#include <utility>

#include "codec/base/append.hpp"
#include "codec/compression/compress.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/format/page_header.hpp"
#include "codec/page/checksum.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/page/page_content.hpp"
#include "codec/page/page_reader.hpp"

namespace parqproof::model {
namespace {

std::vector<std::uint8_t> copy_of(View view) { return {view.bytes.begin(), view.bytes.end()}; }

void append(std::vector<std::uint8_t>& out, const std::vector<std::uint8_t>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

/// Header and body of a page as they would be emitted now; empty if they cannot be read.
std::vector<std::uint8_t> page_bytes(Model& model, SegmentId id) {
  std::vector<std::uint8_t> bytes;
  Tree* const header = model.tree(id);
  const auto body = model.body(id);
  if (header == nullptr || !body) return bytes;
  header->write(bytes);
  append(bytes, *body);
  return bytes;
}

/// Reads the header; false if it has a fault that prevents the body from being read.
bool read_page(PageReader& reader, std::uint64_t size, const Node& leaf, Page& page) {
  return size != 0 && reader.read_header(0, size, {}, page) == PageReader::State::read &&
         page.can_be_skipped() && page.end() <= size && header_faults(page, leaf).empty() &&
         !ceiling_fault(page, reader.limits());
}

std::int64_t number(const Tree& header, std::string_view path) { return header.number(path).value_or(0); }

void set_number(Tree& header, std::string_view path, std::uint64_t value) {
  if (const auto node = header.find(path)) header.set_number(*node, static_cast<std::int64_t>(value));
}

/// Appends the levels of a v1 page, with their length unless they are BIT_PACKED.
void append_v1_levels(const Tree& header, std::string_view encoding, std::uint32_t max,
                      const std::vector<std::uint8_t>& levels, std::vector<std::uint8_t>& out) {
  if (max == 0) return;
  if (number(header, encoding) == static_cast<std::int64_t>(Encoding::RLE)) append_le(out, levels.size(), 4);
  append(out, levels);
}

/// Appends bytes, compressed unless the page is not.
bool append_stored(CompressionCodec codec, const std::vector<std::uint8_t>& bytes,
                   std::vector<std::uint8_t>& out) {
  if (codec == CompressionCodec::UNCOMPRESSED) {
    append(out, bytes);
    return true;
  }
  return Compressor().compress(codec, bytes, {}, out).has_value();
}

bool set_v2_image(Model& model, SegmentId id, CompressionCodec codec, PageImage& image) {
  Tree& header = *model.tree(id);
  std::vector<std::uint8_t> stored = image.repetition;
  append(stored, image.definition);
  image.size = stored.size() + image.values.size();
  const bool is_compressed = header.number("data_page_header_v2.is_compressed").value_or(1) != 0;
  if (!append_stored(is_compressed ? codec : CompressionCodec::UNCOMPRESSED, image.values, stored))
    return false;
  set_number(header, "data_page_header_v2.repetition_levels_byte_length", image.repetition.size());
  set_number(header, "data_page_header_v2.definition_levels_byte_length", image.definition.size());
  set_number(header, "uncompressed_page_size", image.size);
  set_stored_body(model, id, std::move(stored));
  return true;
}

}  // namespace

std::optional<PageImage> open_image(Model& model, SegmentId id, const Node& leaf, CompressionCodec codec,
                                    const Limits& limits) {
  const std::vector<std::uint8_t> bytes = page_bytes(model, id);
  const MemorySource source(bytes);
  PageReader reader(source, limits, 0);
  Page page;
  if (!read_page(reader, bytes.size(), leaf, page)) return std::nullopt;
  Decompressor decompressor;
  PageContent content(decompressor, limits);
  Buffer room;
  Notes notes;
  if (content.open(reader, page, codec, false, room, notes) != PageContent::State::open) return std::nullopt;
  PageImage image;
  image.size = content.image().size();
  if (!page.is_data()) {
    image.values = copy_of(content.image());
    return image;
  }
  const auto parts = split_data_page(page, content.image(), leaf);
  if (!parts) return std::nullopt;
  image.repetition = copy_of(parts->repetition.bytes);
  image.definition = copy_of(parts->definition.bytes);
  image.values = copy_of(parts->values);
  return image;
}

bool set_image(Model& model, SegmentId id, const Node& leaf, CompressionCodec codec, PageImage& image) {
  Tree& header = *model.tree(id);
  if (number(header, "type") == static_cast<std::int64_t>(PageType::DATA_PAGE_V2))
    return set_v2_image(model, id, codec, image);
  std::vector<std::uint8_t> bytes;
  if (number(header, "type") == static_cast<std::int64_t>(PageType::DATA_PAGE)) {
    append_v1_levels(header, "data_page_header.repetition_level_encoding", leaf.max_repetition,
                     image.repetition, bytes);
    append_v1_levels(header, "data_page_header.definition_level_encoding", leaf.max_definition,
                     image.definition, bytes);
  }
  append(bytes, image.values);
  image.size = bytes.size();
  std::vector<std::uint8_t> stored;
  if (!append_stored(codec, bytes, stored)) return false;
  set_number(header, "uncompressed_page_size", image.size);
  set_stored_body(model, id, std::move(stored));
  return true;
}

void set_stored_body(Model& model, SegmentId id, std::vector<std::uint8_t> bytes) {
  Tree* const header = model.tree(id);
  const auto crc = header == nullptr ? std::nullopt : header->field(kRoot, PageHeader::id_crc);
  if (crc) header->set_number(*crc, static_cast<std::int32_t>(crc32(bytes)));
  model.set_body(id, std::move(bytes));
}

}  // namespace parqproof::model
