#include "conformance/footer/row_group_rules.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codec/encryption/file_keys.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/footer/proposals.hpp"
#include "conformance/state/sealed_chunk.hpp"

namespace parqproof {
namespace {

/// A set of numbers that are mostly small: those from 0 to 63 are bits of one word.
class NumberSet {
 public:
  /// Returns false if the number was in the set before.
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

/// Lists path parts separately, because names may contain dots.
std::string list_of(const std::vector<View>& names) {
  constexpr std::size_t kLongest = 256;
  std::string text;
  for (const View& name : names) {
    if (!text.empty()) text += ", ";
    text += '"' + std::string(text_of(name).substr(0, kLongest)) + '"';
    if (text.size() > kLongest) return text.substr(0, kLongest) + " ...";
  }
  return text.empty() ? "empty" : text;
}

/// Contents of `encodings` of a chunk.
struct Listed {
  NumberSet all;
  std::optional<std::int64_t> twice;  ///< the first that is listed twice
};

Listed read_encodings(const thrift::List& encodings) {
  Listed listed;
  thrift::for_each_integer(encodings, [&](std::int64_t encoding, std::uint32_t) {
    if (!listed.all.insert(encoding) && !listed.twice) listed.twice = encoding;
  });
  return listed;
}

/// Contents of `encoding_stats` of a chunk.
struct Counted {
  bool twice = false;  ///< two entries have the same page type and encoding
  std::string_view
      unlisted;  ///< the first encoding of data pages that `encodings` does not list; empty: none
};

Counted read_encoding_stats(const thrift::List& encoding_stats, const NumberSet& listed,
                            const Limits& limits) {
  Counted counted;
  std::array<NumberSet, 4> encodings;  // of each page type
  std::set<std::pair<int, int>> of_unknown_types;
  const auto take = [&](const PageEncodingStats& stats, std::uint32_t) {
    const auto type = static_cast<int>(stats.page_type);
    const auto encoding = static_cast<int>(stats.encoding);
    const bool known = type >= 0 && static_cast<std::size_t>(type) < encodings.size();
    counted.twice |= known ? !encodings[static_cast<std::size_t>(type)].insert(encoding)
                           : !of_unknown_types.emplace(type, encoding).second;
    const bool data = stats.page_type == PageType::DATA_PAGE || stats.page_type == PageType::DATA_PAGE_V2;
    if (data && stats.count > 0 && counted.unlisted.empty() && !listed.contains(encoding))
      counted.unlisted = kEncodingEnum.name_of(encoding);  // empty for an unknown encoding
  };
  thrift::for_each<PageEncodingStats>(encoding_stats, limits, take);
  return counted;
}

/// Judges one chunk.
class OneChunk {
 public:
  OneChunk(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim)
      : check_(check), chunk_(chunk), meta_(chunk.meta_data), claim_(claim) {}

  /// Records why the pages of the chunk cannot be read.
  void state(ChunkState state) {
    switch (state) {
      case ChunkState::encrypted:
        encrypted();
        break;
      case ChunkState::without_metadata:
        site().report(Rule::column_chunk_meta_data, "meta_data", contrast(kAbsent, "ColumnMetaData"));
        lose();
        break;
      case ChunkState::unreadable_metadata:
      case ChunkState::damaged_type:
      case ChunkState::incomplete:
        lose();
        break;
      case ChunkState::unknown_type:
        skip("its type or levels are unknown");
        break;
      case ChunkState::unknown_column:
      case ChunkState::usable:
        break;
    }
  }

  void path_in_schema() {
    if (!meta_.has(ColumnMetaData::id_path_in_schema)) return;
    Schema& schema = FooterPhase::of(check_).schema;  // leaf_with() builds its index
    std::uint64_t hash = 0;
    thrift::for_each_string(meta_.path_in_schema,
                            [&](View name, std::uint32_t) { hash = Schema::hash(hash, name); });
    if (hash == schema.leaf(claim_.leaf).path_hash) return;
    const bool other = schema.leaf_with(hash).has_value();
    const Rule rule = other ? Rule::row_group_column_order : Rule::column_chunk_path;
    if (!check_.outcome.findings.wants(rule)) return;
    std::vector<View> stated;
    thrift::for_each_string(meta_.path_in_schema, [&](View name, std::uint32_t) { stated.push_back(name); });
    const std::vector<View> expected = schema.path(schema.leaf_index(claim_.leaf));
    site().report(rule, "meta_data.path_in_schema", contrast(list_of(stated), list_of(expected)));
  }

  void type() {
    const Node& leaf = check_.footer.schema.leaf(claim_.leaf);
    if (!meta_.has(ColumnMetaData::id_type) || !leaf.readable || meta_.type == leaf.type) return;
    site().report(Rule::column_chunk_type, "meta_data.type",
                  contrast(symbol(kTypeEnum, meta_.type), symbol(kTypeEnum, leaf.type)));
  }

  void sizes() {
    using Id = ColumnMetaData::Id;
    const bool may_be_negative =
        std::min({meta_.num_values, meta_.total_uncompressed_size, meta_.total_compressed_size}) < 0;
    if (may_be_negative && any_negative()) return;
    if (meta_.num_values > 0 && meta_.has(Id::id_total_compressed_size) && meta_.total_compressed_size == 0) {
      site().report(Rule::column_chunk_sizes_negative, "meta_data.total_compressed_size",
                    contrast(0, more_than(0)));
    }
  }

  void codec() {
    if (!meta_.has(ColumnMetaData::id_codec)) return;
    if (meta_.codec == CompressionCodec::LZ4) {
      site().report(Rule::compression_lz4_deprecated, "meta_data.codec", contrast("LZ4", "LZ4_RAW"));
    } else if (meta_.codec == CompressionCodec::LZO) {
      site().report(Rule::compression_lzo, "meta_data.codec", contrast("LZO", ""));
    }
  }

  /// Returns the bytes of `encodings` and `encoding_stats`.
  [[nodiscard]] std::array<std::span<const std::uint8_t>, 2> encoding_lists() const {
    const auto bytes_of = [this](ColumnMetaData::Id id, const thrift::List& list) {
      return meta_.has(id) ? list.bytes.bytes : std::span<const std::uint8_t>();
    };
    return {bytes_of(ColumnMetaData::id_encodings, meta_.encodings),
            bytes_of(ColumnMetaData::id_encoding_stats, meta_.encoding_stats)};
  }

  /// edition/undefined of an encoding
  void undefined_encodings() {
    for (const Addition addition : later_encodings(meta_, check_.options.edition))
      site().report(Rule::edition_undefined, "meta_data.encodings", undefined(addition));
  }

  /// Judges `encodings` and `encoding_stats`, and returns true if both are valid.
  bool encodings() {
    const bool has_list = meta_.has(ColumnMetaData::id_encodings);
    const Listed listed = has_list ? read_encodings(meta_.encodings) : Listed();
    if (listed.twice) {
      site().report(Rule::column_chunk_encodings_duplicate, "meta_data.encodings",
                    contrast(std::string(kEncodingEnum.name_of(*listed.twice)) + " twice", "once"));
    }
    if (!meta_.has(ColumnMetaData::id_encoding_stats)) return !listed.twice;
    const Counted counted = read_encoding_stats(meta_.encoding_stats, listed.all, check_.options.limits);
    if (counted.twice) {
      site().report(Rule::column_chunk_encoding_stats_unique, "meta_data.encoding_stats",
                    contrast("a page type and encoding twice", "once"));
    }
    // If pages are read, `encodings` is compared with them instead.
    if (!counted.unlisted.empty() && check_.options.tier == Tier::footer && has_list) {
      site().report(Rule::column_chunk_encoding_stats_subset, "meta_data.encoding_stats",
                    contrast(counted.unlisted, "one of encodings"));
    }
    return !listed.twice && !counted.twice && counted.unlisted.empty();
  }

  void keys() {
    if (!meta_.has(ColumnMetaData::id_key_value_metadata)) return;
    check_keys(check_, place_of(claim_), meta_.key_value_metadata, "meta_data.key_value_metadata");
  }

  void dictionary_offset() {
    if (!meta_.has(ColumnMetaData::id_dictionary_page_offset) || meta_.dictionary_page_offset > 0) return;
    site().report(Rule::column_chunk_dictionary_offset_zero, "meta_data.dictionary_page_offset",
                  contrast(meta_.dictionary_page_offset, kAbsent));
  }

  void file_offset() {
    if (!chunk_.has(ColumnChunk::id_file_offset) || chunk_.file_offset == 0) return;
    site().report(Rule::column_chunk_file_offset, "file_offset", contrast(chunk_.file_offset, 0));
  }

 private:
  [[nodiscard]] FindingSite site() const { return FindingSite::of_chunk(check_, claim_); }
  /// encryption/module-length: encrypted_column_metadata is one module. With another length no key opens it.
  [[nodiscard]] std::optional<Contrast> wrong_module_length() const {
    if (!chunk_.has(ColumnChunk::id_encrypted_column_metadata)) return std::nullopt;
    const View field = chunk_.encrypted_column_metadata;
    const Result<encryption::Module> module = encryption::cut_module(field, encryption::Mode::gcm);
    if (!module) return encryption::length_fault(module.error()).contrast;
    if (module->length == field.size()) return std::nullopt;
    return contrast(module->length - encryption::kModuleLengthBytes,
                    field.size() - encryption::kModuleLengthBytes);
  }
  void encrypted() {
    if (!chunk_.fields.mentions(ColumnChunk::id_crypto_metadata)) {
      site().report(Rule::encryption_metadata_form, "crypto_metadata",
                    contrast("no crypto_metadata", "crypto_metadata"));
      skip("it is encrypted");
      return skip_structures_of_encrypted();
    }
    if (std::optional<Contrast> wrong = wrong_module_length()) {
      site().report(Rule::encryption_module_length, "encrypted_column_metadata", std::move(*wrong));
      return lose();
    }
    const encryption::FileKeys* const keys = check_.input.source.keys();
    const encryption::ModuleFault* const fault = encryption::metadata_fault(keys, place_of(claim_));
    if (fault == nullptr) {
      site().report(Rule::file_encrypted_column, "crypto_metadata",
                    encryption::encrypted_column(keys, place_of(claim_)));
      skip("it is encrypted");
      return skip_structures_of_encrypted();
    }
    // encryption/tag, encryption/module-place, encryption/key
    site().report(fault->error.rule, "encrypted_column_metadata", fault->contrast);
    if (fault->is_of_module()) return lose();
    skip("its metadata does not authenticate");
    skip_structures_of_encrypted();
  }
  void lose() {
    check_.outcome.lost.push_back({LostPart::column_chunk, place_of(claim_)});
    check_.outcome.regions_known = false;
  }
  void skip(std::string why) {
    check_.outcome.not_run.push_back({"column chunk", std::move(why), place_of(claim_), {}});
    check_.outcome.regions_known = false;
  }
  /// The indexes and the filter of an encrypted column are encrypted too.
  void skip_structures_of_encrypted() {
    const auto leave_out = [this](LostPart part, bool is_there) {
      if (is_there)
        check_.outcome.not_run.push_back({to_string(part), "it is encrypted", place_of(claim_), {}});
    };
    leave_out(LostPart::offset_index, chunk_.has(ColumnChunk::id_offset_index_offset));
    leave_out(LostPart::column_index, chunk_.has(ColumnChunk::id_column_index_offset));
    leave_out(LostPart::bloom_filter,
              chunk_.has(ColumnChunk::id_meta_data) && meta_.has(ColumnMetaData::id_bloom_filter_offset));
  }
  bool any_negative() {
    using Id = ColumnMetaData::Id;
    const auto is_negative = [&](Id id, std::string_view path, std::int64_t value) {
      if (!meta_.has(id) || value >= 0) return false;
      site().report(Rule::column_chunk_sizes_negative, path, contrast(value, or_more(0)));
      return true;
    };
    bool any = is_negative(Id::id_num_values, "meta_data.num_values", meta_.num_values);
    any |= is_negative(Id::id_total_uncompressed_size, "meta_data.total_uncompressed_size",
                       meta_.total_uncompressed_size);
    any |= is_negative(Id::id_total_compressed_size, "meta_data.total_compressed_size",
                       meta_.total_compressed_size);
    return any;
  }

  FileCheck& check_;
  const ColumnChunk& chunk_;
  const ColumnMetaData& meta_;
  const ChunkClaim& claim_;
};

/// Returns true if a path stays below the folder of the file: no absolute path, no URI, no backslash, no
/// `..`.
bool is_relative(std::string_view path) {
  return path.front() != '/' && path.find('\\') == path.npos && path.find("://") == path.npos &&
         path != ".." && !path.starts_with("../") && !path.ends_with("/..") && path.find("/../") == path.npos;
}

}  // namespace

void FilePaths::take(const ColumnChunk& chunk, ChunkClaim& claim) {
  if (!chunk.has(ColumnChunk::id_file_path)) return;
  judge(chunk, claim);
  if (chunk.file_path.empty()) return;
  claim.file = number_of(text_of(chunk.file_path));
  if (claim.file != 0 && check_.footer.metadata_alone()) judge_in_summary(chunk, claim);
}

/// Returns the number of the file at `path`, which is assigned if it has none yet. 0 is this file.
std::uint32_t FilePaths::number_of(std::string_view path) {
  ParsedFooter& footer = FooterPhase::of(check_);
  std::string normal = normal_path(path);
  if (check_.input.folder != nullptr && normal == check_.input.folder->own_name()) return 0;
  const auto [at, fresh] = numbers_.try_emplace(normal, static_cast<std::uint32_t>(footer.named.size() + 1));
  if (fresh) footer.named.push_back({std::move(normal), {}});
  return at->second;
}

void FilePaths::judge(const ColumnChunk& chunk, const ChunkClaim& claim) const {
  if (chunk.file_path.empty()) {
    fault(Rule::column_chunk_file_path_empty, chunk, claim, "absent");
    return;
  }
  if (!is_relative(text_of(chunk.file_path)))
    fault(Rule::column_chunk_file_path_relative, chunk, claim, "a path below this file's folder");
  // A file with data between head magic and footer holds its own columns.
  if (!check_.footer.metadata_alone()) fault(Rule::column_chunk_file_path, chunk, claim, "absent");
}

/// Rules of a file that only summarizes other files.
void FilePaths::judge_in_summary(const ColumnChunk& chunk, const ChunkClaim& claim) {
  // summary/not-formal: once, at the first path
  if (!std::exchange(any_, true)) fault(Rule::summary_not_formal, chunk, claim, "absent");
  if (claim.leaf == 0) differ_ = false;
  if (claim.leaf == 0 || differ_ || check_.footer.chunks.empty()) return;
  const ChunkClaim& before = check_.footer.chunks.back();
  if (before.row_group != claim.row_group || before.file == claim.file || before.file == 0) return;
  differ_ = true;
  fault(Rule::summary_file_path_differs, chunk, claim, check_.footer.named[before.file - 1].path);
}

void FilePaths::fault(Rule rule, const ColumnChunk& chunk, const ChunkClaim& claim,
                      std::string expected) const {
  const std::string_view path = text_of(chunk.file_path);
  FindingSite::of_chunk(check_, claim)
      .report(rule, "file_path", contrast(path.empty() ? "\"\"" : path, std::move(expected)));
}

void ColumnChunkRules::offsets(const ColumnChunk& chunk, const ChunkClaim& claim) {
  if (claim.readable && check_.options.tier != Tier::footer) return;
  if (const std::optional<Contrast> wrong = dictionary_after_data(chunk.meta_data)) {
    FindingSite::of_chunk(check_, claim)
        .report(Rule::column_chunk_dictionary_before_data, "meta_data.dictionary_page_offset", *wrong);
  }
}

void ColumnChunkRules::judge(const ColumnChunk& chunk, ChunkState state, const ChunkClaim& claim,
                             bool own_path) {
  OneChunk rules(check_, chunk, claim);
  rules.state(state);
  if (has_metadata(state) || is_visible(check_.footer, chunk, state, claim.leaf)) {
    if (state != ChunkState::unknown_column) {
      if (own_path) {
        rules.type();
      } else {
        rules.path_in_schema();
      }
    }
    rules.sizes();
    rules.codec();
    rules.undefined_encodings();
    // Most chunks list the same encodings as the one before.
    const std::array lists = rules.encoding_lists();
    const auto same = [](const auto& one, const auto& other) { return std::ranges::equal(one, other); };
    if (!std::ranges::equal(lists, sound_encodings_, same) && rules.encodings()) sound_encodings_ = lists;
    rules.keys();
    rules.dictionary_offset();
  }
  if (state != ChunkState::unreadable_metadata) rules.file_offset();
}

void RowGroupFields::judge(const RowGroup& group, std::uint32_t index, const RowGroupClaim& claim) {
  const ParsedFooter& footer = check_.footer;
  const std::int64_t in_own_file = next_in_own_file(claim);
  if (group.fields.misread) return;
  const FindingSite site = FindingSite::of_row_group(check_, index, claim);
  if (group.has(RowGroup::id_columns) && footer.schema_usable &&
      group.columns.count != footer.schema.leaf_count()) {
    site.report(Rule::row_group_column_count, "columns",
                contrast(group.columns.count, footer.schema.leaf_count()));
  }
  if (claim.has_num_rows && claim.num_rows < 0) {
    site.report(Rule::row_group_num_rows_negative, "num_rows", contrast(claim.num_rows, or_more(0)));
  } else if (claim.has_num_rows && claim.num_rows == 0 && !has_values(claim)) {
    site.report(Rule::row_group_empty, "num_rows", contrast(0, or_more(1)));
  }
  if (group.has(RowGroup::id_ordinal) && group.ordinal != static_cast<std::int64_t>(index) &&
      group.ordinal != in_own_file) {
    site.report(Rule::row_group_ordinal, "ordinal", contrast(group.ordinal, in_own_file));
  }
  if (group.fields.mentions(RowGroup::id_ordinal)) {
    ++ordinals_;
  } else if (!without_ordinal_) {
    without_ordinal_ = footer.row_groups.size();
  }
}

void RowGroupFields::judge_all() const {
  // encryption/row-group-ordinal judges those of encrypted files.
  if (ordinals_ == 0 || !without_ordinal_ || check_.footer.is_encrypted()) return;
  FindingSite::of_row_group(check_, *without_ordinal_, check_.footer.row_groups[*without_ordinal_])
      .report(Rule::row_group_ordinal_consistent, "ordinal",
              contrast(kAbsent, "an ordinal, as other row groups have"));
}

/// row-group/ordinal: returns the position of the next row group in the file that holds its pages. Other
/// writers of summaries count all row groups of the summary, so both positions are valid.
std::int64_t RowGroupFields::next_in_own_file(const RowGroupClaim& claim) {
  const bool has_chunks = claim.chunk_count != 0 && claim.first_chunk < check_.footer.chunks.size();
  const std::uint32_t file = has_chunks ? check_.footer.chunks[claim.first_chunk].file : 0;
  if (file >= groups_of_file_.size()) groups_of_file_.resize(std::size_t{file} + 1);
  return groups_of_file_[file]++;
}

/// row-group/num-rows: returns true if columns of the row group claim values, so that it must have rows.
bool RowGroupFields::has_values(const RowGroupClaim& claim) const {
  const auto chunks = std::span(check_.footer.chunks).subspan(claim.first_chunk, claim.chunk_count);
  return std::ranges::any_of(chunks, [](const ChunkClaim& chunk) { return chunk.num_values > 0; });
}

void check_keys(FileCheck& check, const Place& place, const thrift::List& pairs, std::string_view path) {
  std::unordered_set<std::string_view> keys;
  thrift::for_each<KeyValue>(pairs, check.options.limits, [&](const KeyValue& pair, std::uint32_t i) {
    if (!pair.has(KeyValue::id_key) || keys.insert(text_of(pair.key)).second) return;
    const FindingSite site{check.outcome.findings, place, check.footer.footer_from(pair.fields.offset),
                           KeyValue::kType, std::string(path) + "[" + std::to_string(i) + "]"};
    site.report(Rule::footer_key_unique, "key", contrast(text_of(pair.key), "a key of its own"));
  });
}

}  // namespace parqproof
