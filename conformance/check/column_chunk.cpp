#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/thrift/reader.hpp"
#include "conformance/check/footer.hpp"
#include "conformance/check/statistics_claims.hpp"

namespace parqproof {
namespace {

/// Numbers, nearly all of them small: those below 64 are bits.
class NumberSet {
 public:
  /// Whether it was not there yet.
  bool insert(std::int64_t number) {
    if (number < 0 || number >= 64) return others_.insert(number).second;
    const std::uint64_t bit = std::uint64_t{1} << number;
    return (std::exchange(bits_, bits_ | bit) & bit) == 0;
  }
  [[nodiscard]] bool contains(std::int64_t number) const {
    if (number < 0 || number >= 64) return others_.contains(number);
    return (bits_ >> number & 1) != 0;
  }

 private:
  std::uint64_t bits_ = 0;
  std::set<std::int64_t> others_;
};

/// The rules of one ColumnChunk struct that the footer alone can judge.
class ChunkRules {
 public:
  ChunkRules(FileCheck& context, const ColumnChunk& chunk, std::uint32_t row_group, std::uint32_t leaf,
             ChunksBefore& before)
      : context_(context),
        before_(before),
        judge_(context.outcome.findings),
        chunk_(chunk),
        meta_(chunk.meta_data),
        place_{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaf), -1},
        bytes_(context.facts.footer_from(chunk.fields.offset)) {
    claim_.struct_offset = chunk.fields.offset;
    claim_.row_group = row_group;
    claim_.leaf = leaf;
  }

  void run() {
    file_path();
    if (chunk_.fields.mentions(ColumnChunk::id_crypto_metadata)) {
      fault(Rule::file_encrypted_column, "crypto_metadata", seen("encrypted", "plain"));
      skip("column chunk", "it is encrypted");
    } else if (!chunk_.fields.mentions(ColumnChunk::id_meta_data)) {
      fault(Rule::column_chunk_meta_data, "meta_data", seen("absent", "ColumnMetaData"));
      lose();
    } else if (!chunk_.has(ColumnChunk::id_meta_data)) {
      lose();
    } else {
      meta_data();
    }
    if (chunk_.has(ColumnChunk::id_file_offset) && chunk_.file_offset != 0) {
      fault(Rule::column_chunk_file_offset, "file_offset", seen(chunk_.file_offset, 0));
    }
    if (claim_.file == 0) indexes();
    context_.facts.chunks.push_back(claim_);
  }

  /// The rest, for a chunk whose bytes are in the file that the context is about: where they are in it.
  void run_in_named(ChunkClaim& claim) {
    claim_ = claim;
    place();
    indexes();
    claim = claim_;
  }

 private:
  void fault(Rule rule, std::string_view path, Seen what) {
    judge_.field(rule, place_, bytes_, ColumnChunk::kType, path, std::move(what));
  }
  void lose() {
    context_.outcome.lost.push_back({"column chunk", place_, {}});
    context_.outcome.regions_known = false;
  }
  void skip(std::string what, std::string why) {
    context_.outcome.not_run.push_back({std::move(what), std::move(why), place_, {}});
    context_.outcome.regions_known = false;
  }

  /// Which file the chunk's bytes are in.
  void file_path() {
    if (!chunk_.has(ColumnChunk::id_file_path)) return;
    const std::string_view path = text_of(chunk_.file_path);
    if (path.empty()) {
      fault(Rule::column_chunk_file_path_empty, "file_path", seen("\"\"", "absent"));
      return;
    }
    const bool relative = path.front() != '/' && path.find('\\') == path.npos &&
                          path.find("://") == path.npos && path != ".." && !path.starts_with("../") &&
                          !path.ends_with("/..") && path.find("/../") == path.npos;
    if (!relative)
      fault(Rule::column_chunk_file_path_relative, "file_path",
            seen(path, "a path below this file's folder"));
    // A file with data between head magic and footer holds its own columns.
    if (!context_.facts.metadata_alone())
      fault(Rule::column_chunk_file_path, "file_path", seen(path, "absent"));
    std::string plain = plain_path(path);
    if (context_.facts.folder != nullptr && plain == context_.facts.folder->own_name()) return;
    const auto [at, fresh] =
        before_.named_by_path.try_emplace(plain, static_cast<std::uint32_t>(context_.facts.named.size() + 1));
    if (fresh) context_.facts.named.push_back({std::move(plain), {}});
    claim_.file = at->second;
    if (!context_.facts.metadata_alone()) return;
    // summary/not-formal: once, at the first path
    if (context_.facts.named.size() == 1 && fresh)
      fault(Rule::summary_not_formal, "file_path", seen(path, "absent"));
    if (claim_.leaf == 0) before_.paths_differ = false;
    if (claim_.leaf == 0 || before_.paths_differ || context_.facts.chunks.empty()) return;
    const ChunkClaim& before = context_.facts.chunks.back();
    if (before.row_group != claim_.row_group || before.file == claim_.file || before.file == 0) return;
    before_.paths_differ = true;
    fault(Rule::summary_file_path_differs, "file_path",
          seen(path, context_.facts.named[before.file - 1].path));
  }

  bool negative(ColumnMetaData::Id id, std::string_view path, std::int64_t value) {
    if (!meta_.has(id) || value >= 0) return false;
    fault(Rule::column_chunk_sizes_negative, path, seen(value, "0 or more"));
    return true;
  }

  void meta_data() {
    using Id = ColumnMetaData::Id;
    bool usable = context_.facts.schema_usable && claim_.leaf < context_.facts.schema.leaf_count();
    if (usable) {
      const Node& leaf = context_.facts.schema.leaf(claim_.leaf);
      path_in_schema();
      if (meta_.has(Id::id_type) && leaf.readable && meta_.type != leaf.type) {
        fault(Rule::column_chunk_type, "meta_data.type",
              seen(kTypeEnum.name_of(static_cast<int>(meta_.type)),
                   kTypeEnum.name_of(static_cast<int>(leaf.type))));
      }
      if (!leaf.readable) {
        usable = false;
        skip("column chunk", "its type or levels are unknown");
      }
    }
    bool sound = true;
    sound &= !negative(Id::id_num_values, "meta_data.num_values", meta_.num_values);
    sound &= !negative(Id::id_total_uncompressed_size, "meta_data.total_uncompressed_size",
                       meta_.total_uncompressed_size);
    sound &= !negative(Id::id_total_compressed_size, "meta_data.total_compressed_size",
                       meta_.total_compressed_size);
    if (sound && meta_.num_values > 0 && meta_.has(Id::id_total_compressed_size) &&
        meta_.total_compressed_size == 0) {
      fault(Rule::column_chunk_sizes_negative, "meta_data.total_compressed_size", seen(0, "more than 0"));
    }
    claim_.has_num_values = meta_.has(Id::id_num_values);
    claim_.num_values = meta_.num_values;
    if (usable && meta_.has(Id::id_statistics)) {
      claim_.statistics = meta_.statistics.fields.offset;
      claim_.sound_statistics =
          sound_statistics(context_.facts.schema.leaf(claim_.leaf), claim_, meta_.statistics);
    }
    claim_.compressed = meta_.total_compressed_size;
    claim_.uncompressed = meta_.total_uncompressed_size;
    for (const Id id : {Id::id_num_values, Id::id_total_compressed_size, Id::id_total_uncompressed_size,
                        Id::id_data_page_offset, Id::id_codec}) {
      if (!meta_.has(id)) sound = false;
    }
    if (usable && !sound) {
      lose();
      usable = false;
    }
    codec();
    encodings();
    if (meta_.has(Id::id_key_value_metadata)) {
      check_keys(context_, place_, meta_.key_value_metadata, "meta_data.key_value_metadata");
    }
    offsets(usable);
  }

  void path_in_schema() {
    if (!meta_.has(ColumnMetaData::id_path_in_schema)) return;
    std::uint64_t hash = 0;
    thrift::for_each_string(meta_.path_in_schema,
                            [&](View name, std::uint32_t) { hash = Schema::hash(hash, name); });
    if (hash == context_.facts.schema.leaf(claim_.leaf).path_hash) return;
    const bool other = context_.facts.schema.leaf_with(hash).has_value();
    if (!judge_.wants(other ? Rule::row_group_column_order : Rule::column_chunk_path)) return;
    std::vector<View> stated;
    thrift::for_each_string(meta_.path_in_schema, [&](View name, std::uint32_t) { stated.push_back(name); });
    const std::vector<View> expected =
        context_.facts.schema.path(context_.facts.schema.leaf_index(claim_.leaf));
    fault(other ? Rule::row_group_column_order : Rule::column_chunk_path, "meta_data.path_in_schema",
          seen(list_of(stated), list_of(expected)));
  }

  /// Path parts one by one, because names may contain dots.
  static std::string list_of(const std::vector<View>& names) {
    constexpr std::size_t kLongest = 256;
    std::string text;
    for (const View& name : names) {
      if (!text.empty()) text += ", ";
      text += '"' + std::string(text_of(name).substr(0, kLongest)) + '"';
      if (text.size() > kLongest) return text.substr(0, kLongest) + " ...";
    }
    return text.empty() ? "nothing" : text;
  }

  void codec() {
    if (!meta_.has(ColumnMetaData::id_codec)) return;
    if (meta_.codec == CompressionCodec::LZ4) {
      fault(Rule::compression_lz4_deprecated, "meta_data.codec", seen("LZ4", "LZ4_RAW"));
    } else if (meta_.codec == CompressionCodec::LZO) {
      fault(Rule::compression_lzo, "meta_data.codec", seen("LZO", ""));
    }
  }

  /// Chunks list the same encodings again and again: bytes that nothing was said of are not judged twice.
  void encodings() {
    const auto bytes_of = [this](ColumnMetaData::Id id, const thrift::List& list) {
      return meta_.has(id) ? list.bytes.bytes : std::span<const std::uint8_t>();
    };
    const std::array lists{bytes_of(ColumnMetaData::id_encodings, meta_.encodings),
                           bytes_of(ColumnMetaData::id_encoding_stats, meta_.encoding_stats)};
    const auto same = [](const auto& one, const auto& other) { return std::ranges::equal(one, other); };
    if (std::ranges::equal(lists, before_.sound_encodings, same)) return;
    if (judge_encodings()) before_.sound_encodings = lists;
  }

  /// Whether there was nothing to say.
  bool judge_encodings() {
    NumberSet listed;
    bool twice = false;
    if (meta_.has(ColumnMetaData::id_encodings)) {
      std::int64_t which = 0;
      thrift::for_each_integer(meta_.encodings, [&](std::int64_t encoding, std::uint32_t) {
        if (!listed.insert(encoding) && !twice) {
          twice = true;
          which = encoding;
        }
      });
      if (twice) {
        fault(Rule::column_chunk_encodings_duplicate, "meta_data.encodings",
              seen(std::string(kEncodingEnum.name_of(which)) + " twice", "once"));
      }
    }
    if (!meta_.has(ColumnMetaData::id_encoding_stats)) return !twice;
    std::array<NumberSet, 4> pairs;  // a set for each page type
    std::set<std::pair<int, int>> unknown_pairs;
    bool pair_twice = false;
    std::string missing;
    thrift::for_each<PageEncodingStats>(
        meta_.encoding_stats, context_.options.limits, [&](const PageEncodingStats& stats, std::uint32_t) {
          const auto type = static_cast<int>(stats.page_type);
          const auto encoding = static_cast<int>(stats.encoding);
          const bool known = type >= 0 && static_cast<std::size_t>(type) < pairs.size();
          pair_twice |= known ? !pairs[static_cast<std::size_t>(type)].insert(encoding)
                              : !unknown_pairs.emplace(type, encoding).second;
          const bool data =
              stats.page_type == PageType::DATA_PAGE || stats.page_type == PageType::DATA_PAGE_V2;
          if (data && stats.count > 0 && !listed.contains(static_cast<int>(stats.encoding)) &&
              missing.empty()) {
            missing = kEncodingEnum.name_of(static_cast<int>(stats.encoding));
          }
        });
    if (pair_twice) {
      fault(Rule::column_chunk_encoding_stats_unique, "meta_data.encoding_stats",
            seen("a page type and encoding twice", "once"));
    }
    // With pages at hand `encodings` is compared with them instead.
    if (!missing.empty() && context_.options.tier == Tier::footer &&
        meta_.has(ColumnMetaData::id_encodings)) {
      fault(Rule::column_chunk_encoding_stats_subset, "meta_data.encoding_stats",
            seen(missing, "one of encodings"));
    }
    return !twice && !pair_twice && missing.empty();
  }

  void offsets(bool usable) {
    using Id = ColumnMetaData::Id;
    std::int64_t dictionary = 0;
    if (meta_.has(Id::id_dictionary_page_offset)) {
      dictionary = meta_.dictionary_page_offset;
      if (dictionary <= 0) {
        fault(Rule::column_chunk_dictionary_offset_zero, "meta_data.dictionary_page_offset",
              seen(dictionary, "absent"));
        dictionary = 0;
      } else if (meta_.has(Id::id_data_page_offset) && meta_.data_page_offset > 0 && meta_.num_values > 0 &&
                 dictionary >= meta_.data_page_offset) {
        fault(Rule::column_chunk_dictionary_before_data, "meta_data.dictionary_page_offset",
              seen(dictionary, meta_.data_page_offset));
      }
    }
    if (!usable) return;
    claim_.placeable = claim_.file != 0;
    if (!claim_.placeable) place();
  }

  /// Where in its file the chunk is.
  void place() {
    using Id = ColumnMetaData::Id;
    const std::int64_t dictionary = meta_.has(Id::id_dictionary_page_offset)
                                        ? std::max<std::int64_t>(meta_.dictionary_page_offset, 0)
                                        : 0;
    const std::int64_t data = meta_.data_page_offset;
    const bool at_dictionary = dictionary > 0 && (data <= 0 || dictionary < data);
    const std::int64_t start = at_dictionary ? dictionary : data;
    const std::string_view field =
        at_dictionary ? "meta_data.dictionary_page_offset" : "meta_data.data_page_offset";
    if (meta_.num_values == 0 && start == 0 && meta_.total_compressed_size == 0) {
      claim_.no_pages = claim_.judged = true;
      bloom_filter();
      return;
    }
    if (claim_.file == 0 && context_.facts.metadata_alone() && meta_.num_values > 0) {
      fault(Rule::summary_file_path, "file_path",
            seen("absent", "the path of the file that holds the chunk"));
      skip("column chunk", "no file_path says where it is");
      return;
    }
    const auto begin = static_cast<std::int64_t>(context_.facts.data_begin);
    const auto footer = static_cast<std::int64_t>(context_.facts.frame.footer_offset);
    if (start < begin || start >= footer) {
      fault(Rule::file_region_inside, field, seen(start, room()));
      lose();
      return;
    }
    if (meta_.total_compressed_size > footer - start && context_.options.tier == Tier::footer) {
      fault(Rule::file_region_inside, "meta_data.total_compressed_size",
            seen(meta_.total_compressed_size, "at most " + std::to_string(footer - start)));
    }
    claim_.start = static_cast<std::uint64_t>(start);
    claim_.judged = true;
    claim_.has_region = meta_.total_compressed_size > 0;
    if (claim_.has_region) add_region(Region::Kind::column_chunk, start, meta_.total_compressed_size, true);
    bloom_filter();
  }

  void bloom_filter() {
    using Id = ColumnMetaData::Id;
    if (!meta_.has(Id::id_bloom_filter_offset)) return;
    region(Region::Kind::bloom_filter, "meta_data.bloom_filter_offset", meta_.bloom_filter_offset,
           meta_.has(Id::id_bloom_filter_length), "meta_data.bloom_filter_length", meta_.bloom_filter_length);
  }

  /// The offsets that data can have.
  [[nodiscard]] std::string room() const {
    return std::to_string(context_.facts.data_begin) + " to " +
           std::to_string(static_cast<std::int64_t>(context_.facts.frame.footer_offset) - 1);
  }

  void indexes() {
    if (chunk_.has(ColumnChunk::id_offset_index_offset)) {
      region(Region::Kind::offset_index, "offset_index_offset", chunk_.offset_index_offset,
             chunk_.has(ColumnChunk::id_offset_index_length), "offset_index_length",
             chunk_.offset_index_length);
    }
    if (chunk_.has(ColumnChunk::id_column_index_offset)) {
      region(Region::Kind::column_index, "column_index_offset", chunk_.column_index_offset,
             chunk_.has(ColumnChunk::id_column_index_length), "column_index_length",
             chunk_.column_index_length);
    }
  }

  void region(Region::Kind kind, std::string_view offset_field, std::int64_t offset, bool has_length,
              std::string_view length_field, std::int64_t length) {
    const auto footer = static_cast<std::int64_t>(context_.facts.frame.footer_offset);
    if (offset < static_cast<std::int64_t>(context_.facts.data_begin) || offset > footer ||
        (offset == footer && !has_length)) {
      fault(Rule::file_region_inside, offset_field, seen(offset, room()));
      context_.outcome.regions_known = false;
      return;
    }
    if (has_length && (length < 0 || length > footer - offset)) {
      fault(Rule::file_region_inside, length_field, seen(length, "0 to " + std::to_string(footer - offset)));
      context_.outcome.regions_known = false;
      return;
    }
    add_region(kind, offset, has_length ? length : 0, has_length);
  }

  void add_region(Region::Kind kind, std::int64_t offset, std::int64_t length, bool known) {
    Region region;
    region.offset = static_cast<std::uint64_t>(offset);
    region.length = static_cast<std::uint64_t>(length);
    region.row_group = claim_.row_group;
    region.leaf = claim_.leaf;
    region.kind = kind;
    region.encrypted = chunk_.fields.mentions(ColumnChunk::id_crypto_metadata);
    region.length_known = known;
    context_.facts.regions.push_back(region);
  }

  FileCheck& context_;
  ChunksBefore& before_;
  Judge judge_;
  const ColumnChunk& chunk_;
  const ColumnMetaData& meta_;
  Place place_;
  View bytes_;
  ChunkClaim claim_;
};

}  // namespace

void check_column_chunk(FileCheck& context, const ColumnChunk& chunk, std::uint32_t row_group,
                        std::uint32_t leaf, ChunksBefore& before) {
  ChunkRules(context, chunk, row_group, leaf, before).run();
}

void place_column_chunk(FileCheck& context, const ColumnChunk& chunk, ChunkClaim& claim) {
  ChunksBefore none;
  ChunkRules(context, chunk, claim.row_group, claim.leaf, none).run_in_named(claim);
}

}  // namespace parqproof
