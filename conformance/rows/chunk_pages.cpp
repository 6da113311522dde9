#include "conformance/rows/chunk_pages.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "codec/compression/format.hpp"
#include "codec/encoding/table.hpp"
#include "codec/file/checksum.hpp"
#include "codec/file/page_content.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
Status Dictionary::open(View bytes, const Node& leaf, std::uint64_t count, const Limits& limits) {
  clear();
  ValueSpec spec;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = count;
  spec.dictionary_page = true;
  width_ = fixed_width(spec.type, spec.type_length);
  bits_ = spec.type == Type::BOOLEAN;
  bytes_ = bytes.data();
  if (count != 0) {
    Notes notes;
    Budget budget(limits.work);
    ValueDecoder decoder;
    if (Status opened = decoder.open(bytes, spec, limits, budget, notes); !opened) return opened;
    if (spec.type == Type::BYTE_ARRAY) {  // the others have their places by their numbers
      for (;;) {
        const Result<ValueBatch> batch = decoder.next();
        if (!batch) return std::unexpected(batch.error());
        if (batch->count == 0) break;
        entries_.insert(entries_.end(), batch->byte_arrays, batch->byte_arrays + batch->count);
      }
      if (Status ended = decoder.end(); !ended) return ended;
    }
  } else if (!bytes.empty()) {
    return std::unexpected(Error{bytes.base, 0, 0, 0, Rule::dictionary_entry_count, bytes.space});
  }
  count_ = count;
  known_ = true;
  return {};
}

void ChunkPages::open(const ChunkPlace& chunk) {
  chunk_ = chunk;
  if (chunk.source != source_) {
    source_ = chunk.source;
    reader_ = PageReader(*source_, context_->limits, ahead_);
  }
  at_ = chunk.start;
  values_ = 0;
  ordinal_ = -1;
  unknown_type_.reset();
  dictionary_.clear();
  budget_ = Budget(context_->limits.work);
  context_->held -= held_page_ + held_dictionary_;
  held_page_ = held_dictionary_ = 0;
}

ChunkPages::Step ChunkPages::next(DataSections& sections) {
  while (values_ < chunk_.num_values) {
    if (at_ >= chunk_.end) {
      if (unknown_type_) {
        ordinal_ = -1;
        (void)chunk_fault(Rule::page_unknown_type, "", seen(*unknown_type_, "0 to 3"));
      } else {
        (void)chunk_fault(Rule::column_chunk_num_values, "meta_data.num_values",
                          seen(chunk_.num_values, values_));
      }
      return Step::trouble;
    }
    if (!read_header()) return Step::trouble;
    at_ = page_.end();
    if (kPageTypeEnum.name_of(static_cast<int>(page_.header.type)).empty()) {
      unknown_type_ = static_cast<std::int32_t>(page_.header.type);
      continue;
    }
    if (page_.is_dictionary()) {
      if (!dictionary_.known() && !read_dictionary()) return Step::trouble;
      continue;
    }
    if (!page_.is_data()) continue;
    View image;
    if (!data_header_is_sound(sections) || !read_body(image, image_) || !cut(image, sections))
      return Step::trouble;
    values_ = saturating_add(values_, page_.num_values());
    if (sections.count != 0) return Step::page;
  }
  return Step::end;
}

bool ChunkPages::fault(Rule rule, std::string_view path, Seen what) {
  context_->trouble.judge().field(rule, place(), page_.header_bytes, PageHeader::kType, path,
                                  std::move(what));
  return false;
}

bool ChunkPages::chunk_fault(Rule rule, std::string_view path, Seen what) {
  const Place chunk{static_cast<std::int32_t>(chunk_.row_group), leaf_, -1};
  const View bytes =
      context_->footer.from(static_cast<std::size_t>(chunk_.struct_offset - context_->footer.base));
  context_->trouble.judge().field(rule, chunk, bytes, ColumnChunk::kType, path, std::move(what));
  return false;
}

bool ChunkPages::error(const Error& error) {
  const Judge& judge = context_->trouble.judge();
  if (error.rule == Rule::compression_format) {
    judge.at(error.rule, place(), error.offset, error.length,
             seen(to_string(static_cast<StreamFormat>(error.found)),
                  kCompressionCodecEnum.name_of(error.expected)));
  } else {
    judge.error(place(), error, page_.offset);
  }
  return false;
}

bool ChunkPages::read_header() {
  ++ordinal_;
  Findings found(RuleSet{}.set());
  switch (reader_.read_header(at_, chunk_.end, {&found, place(), {}}, page_)) {
    case PageReader::State::read:
      break;
    case PageReader::State::framing_lost:
      if (!context_->trouble.adopt(found, 0, UINT64_MAX))
        context_->trouble.judge().at(Rule::page_within_chunk, place(), at_, 0,
                                     seen("nothing", "a page header"));
      return false;
    case PageReader::State::limit:
      context_->trouble.judge().at(Rule::limit_page_size, place(), at_, 0,
                                   seen("a page header", context_->limits.page_header_bytes()));
      return false;
    case PageReader::State::unreadable:
      context_->trouble.words("the file could not be read");
      return false;
  }
  if (header_is_sound()) return true;
  // A field that could not be read has its own finding.
  if (context_->trouble.finding() == nullptr && !context_->trouble.adopt(found, 0, UINT64_MAX))
    return fault(Rule::thrift_required_field, "", seen("absent", "the fields of a page header"));
  return false;
}

/// What the page's type calls for is there and in range; a fault without a rule of its own is left to the
/// findings of the Thrift reader.
bool ChunkPages::header_is_sound() {
  const PageHeader& header = page_.header;
  if (!header.has(PageHeader::id_compressed_page_size)) return false;
  if (!page_.can_be_passed())
    return fault(Rule::page_size_negative, "compressed_page_size",
                 seen(header.compressed_page_size, "0 or more"));
  if (page_.end() > chunk_.end)
    return fault(Rule::page_within_chunk, "compressed_page_size",
                 seen(header.compressed_page_size, "at most " + std::to_string(chunk_.end - page_.body)));
  if (!header.has(PageHeader::id_type)) return header.fields.mentions(PageHeader::id_type);
  if (!page_.is_data() && !page_.is_dictionary()) return true;
  if (!page_.has_member())
    return fault(Rule::page_header_member, "",
                 seen("absent", page_.is_dictionary() ? "dictionary_page_header"
                                : at_v2()             ? "data_page_header_v2"
                                                      : "data_page_header"));
  if (!header.has(PageHeader::id_uncompressed_page_size)) return false;
  const bool counted = page_.is_dictionary()
                           ? header.dictionary_page_header.has(DictionaryPageHeader::id_num_values)
                       : at_v2() ? header.data_page_header_v2.has(DataPageHeaderV2::id_num_values)
                                 : header.data_page_header.has(DataPageHeader::id_num_values);
  if (!counted) return false;
  if (page_.num_values() < 0)
    return fault(Rule::page_num_values_negative, "", seen(page_.num_values(), "0 or more"));
  return sizes_are_sound();
}

bool ChunkPages::sizes_are_sound() {
  const Limits& limits = context_->limits;
  if (page_.header.uncompressed_page_size < 0)
    return fault(Rule::page_size_negative, "uncompressed_page_size",
                 seen(page_.header.uncompressed_page_size, "0 or more"));
  const auto claimed = static_cast<std::uint64_t>(page_.header.uncompressed_page_size);
  if (claimed > limits.page_bytes)
    return fault(Rule::limit_page_size, "uncompressed_page_size", seen(claimed, limits.page_bytes));
  // What a codec makes of bytes that it cannot compress is little more than they are.
  if (page_.stored_size() / 2 > std::max<std::uint64_t>(limits.page_bytes, 1024))
    return fault(Rule::limit_page_size, "compressed_page_size", seen(page_.stored_size(), limits.page_bytes));
  std::uint64_t& held = page_.is_dictionary() ? held_dictionary_ : held_page_;
  const std::uint64_t others = context_->held - held;
  std::uint64_t own = claimed + page_.stored_size();
  if (page_.is_dictionary() && leaf().type == Type::BYTE_ARRAY)
    own += std::min(claimed / 4, static_cast<std::uint64_t>(page_.num_values())) * sizeof(ByteArray);
  if (others + own > limits.memory_bytes)
    return fault(Rule::limit_memory, "uncompressed_page_size", seen(others + own, limits.memory_bytes));
  context_->held = others + own;
  held = own;
  return true;
}

bool ChunkPages::encoding_is_known(Encoding encoding) {
  const std::string_view path = at_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding";
  const Type type = leaf().type;
  if (can_decode(encoding, type)) return true;
  const EncodingInfo* const row = find_encoding(encoding);
  if (row == nullptr || !row->type_rule)
    return fault(Rule::page_unknown_encoding, path,
                 seen(static_cast<int>(encoding), "an encoding that is supported"));
  return fault(*row->type_rule, path,
               seen(kTypeEnum.name_of(static_cast<int>(type)), "a type of the encoding"));
}

bool ChunkPages::level_encoding_is_known(Encoding encoding, std::uint32_t max, std::string_view path) {
  if (max == 0 || encoding == Encoding::RLE || encoding == Encoding::BIT_PACKED) return true;
  const std::string_view name = kEncodingEnum.name_of(static_cast<int>(encoding));
  if (name.empty())
    return fault(Rule::page_unknown_level_encoding, path, seen(static_cast<int>(encoding), "RLE"));
  return fault(Rule::page_level_encoding, path, seen(name, "RLE or BIT_PACKED"));
}

bool ChunkPages::data_header_is_sound(DataSections& sections) {
  const auto incomplete = [&](std::string_view path) {
    return fault(Rule::thrift_required_field, path, seen("absent", path));
  };
  sections.count = static_cast<std::uint64_t>(page_.num_values());
  if (!at_v2()) {
    const DataPageHeader& data = page_.header.data_page_header;
    sections.encoding = data.encoding;
    return (data.has(DataPageHeader::id_encoding) || incomplete("data_page_header.encoding")) &&
           encoding_is_known(data.encoding) &&
           level_encoding_is_known(data.definition_level_encoding, leaf().max_definition,
                                   "data_page_header.definition_level_encoding") &&
           level_encoding_is_known(data.repetition_level_encoding, leaf().max_repetition,
                                   "data_page_header.repetition_level_encoding");
  }
  const DataPageHeaderV2& data = page_.header.data_page_header_v2;
  sections.encoding = data.encoding;
  if (!data.has(DataPageHeaderV2::id_encoding)) return incomplete("data_page_header_v2.encoding");
  if (!encoding_is_known(data.encoding)) return false;
  std::int64_t room = std::min(page_.header.compressed_page_size, page_.header.uncompressed_page_size);
  const auto fits = [&](DataPageHeaderV2::Id id, std::string_view path, std::int32_t length) {
    if (!data.has(id)) return incomplete(path);
    if (length < 0 || length > room)
      return fault(Rule::page_v2_level_lengths, path, seen(length, "0 to " + std::to_string(room)));
    room -= length;
    return true;
  };
  return fits(DataPageHeaderV2::id_repetition_levels_byte_length,
              "data_page_header_v2.repetition_levels_byte_length", data.repetition_levels_byte_length) &&
         fits(DataPageHeaderV2::id_definition_levels_byte_length,
              "data_page_header_v2.definition_levels_byte_length", data.definition_levels_byte_length);
}

bool ChunkPages::crc_is_right(View stored, View image) {
  if (!page_.header.has(PageHeader::id_crc)) return true;
  const auto stated = static_cast<std::uint32_t>(page_.header.crc);
  const std::uint32_t computed = crc32(stored.bytes);
  // Two other checksums are known from writers; what they cover is as whole.
  if (stated == computed || stated == crc32c(stored.bytes) || stated == crc32(image.bytes)) return true;
  return fault(Rule::crc_match, "crc", seen(stated, computed));
}

/// Makes `image` the uncompressed page: the stored bytes themselves, or what comes out of the codec into
/// `room`.
bool ChunkPages::read_body(View& image, Buffer& room) {
  const View stored = reader_.read_body(page_);
  if (stored.size() != page_.stored_size()) {
    context_->trouble.words("the file could not be read");
    return false;
  }
  budget_.earn(stored.size());
  std::size_t plain = 0;  // bytes in front that are not compressed
  bool compressed = chunk_.codec != CompressionCodec::UNCOMPRESSED;
  if (at_v2()) {
    const DataPageHeaderV2& data = page_.header.data_page_header_v2;
    plain = static_cast<std::size_t>(data.repetition_levels_byte_length) +
            static_cast<std::size_t>(data.definition_levels_byte_length);
    compressed = compressed && data.is_compressed;
  }
  const auto claimed = static_cast<std::size_t>(page_.header.uncompressed_page_size);
  if (!compressed) {
    // Under a codec two sizes contradict is_compressed, and what the bytes are is anybody's guess.
    if (chunk_.codec != CompressionCodec::UNCOMPRESSED && stored.size() != claimed)
      return fault(Rule::page_uncompressed_equals_compressed, "uncompressed_page_size",
                   seen(claimed, stored.size()));
    image = stored;
    return crc_is_right(stored, image);
  }
  if (!room.resize(plain)) return fault(Rule::limit_memory, "uncompressed_page_size", seen(claimed, "less"));
  if (plain != 0) std::memcpy(room.data(), stored.data(), plain);
  std::size_t produced = 0;
  if (const View section = stored.from(plain); !section.empty()) {
    Notes notes;
    const Result<std::size_t> expanded = context_->decompressor.expand(chunk_.codec, section, claimed - plain,
                                                                       room, plain, context_->limits, notes);
    if (!expanded && expanded.error().rule == Rule::page_uncompressed_size) {
      return fault(Rule::page_uncompressed_size, "uncompressed_page_size",
                   seen(claimed, "more than " + std::to_string(claimed)));
    }
    if (!expanded) return error(expanded.error());
    produced = *expanded;
  }
  if (plain + produced != claimed)
    return fault(Rule::page_uncompressed_size, "uncompressed_page_size", seen(claimed, plain + produced));
  budget_.earn(claimed);
  image = {{room.data(), claimed}, 0, Space::page};
  return crc_is_right(stored, image);
}

bool ChunkPages::read_dictionary() {
  const DictionaryPageHeader& header = page_.header.dictionary_page_header;
  if (header.has(DictionaryPageHeader::id_encoding) &&
      kEncodingEnum.name_of(static_cast<int>(header.encoding)).empty()) {
    return fault(Rule::page_unknown_encoding, "dictionary_page_header.encoding",
                 seen(static_cast<int>(header.encoding), "PLAIN"));
  }
  View image;
  if (!read_body(image, dictionary_bytes_)) return false;
  if (image.data() != dictionary_bytes_.data()) {  // it outlives the window over the file
    if (!dictionary_bytes_.resize(image.size()))
      return fault(Rule::limit_memory, "uncompressed_page_size", seen(image.size(), "less"));
    if (!image.empty()) std::memcpy(dictionary_bytes_.data(), image.data(), image.size());
    image.bytes = {dictionary_bytes_.data(), image.size()};
  }
  const Status opened =
      dictionary_.open(image, leaf(), static_cast<std::uint64_t>(header.num_values), context_->limits);
  if (opened) return true;
  if (opened.error().rule != Rule::dictionary_entry_count) return error(opened.error());
  return fault(Rule::dictionary_entry_count, "dictionary_page_header.num_values",
               seen(header.num_values, opened.error().expected));
}

bool ChunkPages::cut(View image, DataSections& sections) {
  const Result<DataPageParts> parts = split_data_page(page_, image, leaf());
  if (!parts) return error(parts.error());
  sections.repetition = parts->repetition;
  sections.definition = parts->definition;
  sections.values = parts->values;
  return true;
}

}  // namespace parqproof
