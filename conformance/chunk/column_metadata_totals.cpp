#include "conformance/chunk/column_metadata_totals.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace parqproof {
namespace {

using PageCounts = PageHeaderTally::PageCounts;

std::string text_of(const PageCounts& counts) {
  std::string out;
  for (const auto& [key, count] : counts) {
    if (!out.empty()) out += ", ";
    const auto type = static_cast<int>(key.first);
    const std::string_view known = kPageTypeEnum.name_of(type);
    out += std::to_string(count) + " x " +
           (known.empty() ? "page type " + std::to_string(type) : std::string(known)) + " " +
           name_of(key.second);
  }
  return out.empty() ? std::string("no page") : out;
}

/// Returns the same counts with both versions of data pages under one type.
PageCounts without_versions(const PageCounts& counts) {
  PageCounts out;
  for (const auto& [key, count] : counts) {
    const PageType type = key.first == PageType::DATA_PAGE_V2 ? PageType::DATA_PAGE : key.first;
    out[{type, key.second}] += count;
  }
  return out;
}

class ClaimRules {
 public:
  ClaimRules(const ChunkScope& chunk, const PageHeaderTally& evidence, const ChunkTotal& tally,
             bool last_page_lost)
      : chunk_(chunk),
        meta_(chunk.meta()),
        evidence_(evidence),
        tally_(tally),
        last_page_lost_(last_page_lost) {}

  void run() const {
    num_values();
    sizes();
    data_page_offset();
    dictionary_page_offset();
    index_page_offset();
    if (is_dictionary_mislabelled()) {
      dictionary_label();
    } else {
      if (evidence_.labels_known) encodings();
      if (evidence_.labels_known && all_known()) encoding_stats();
    }
    if (evidence_.count == 0)
      chunk_.site.report(Rule::column_chunk_no_page, "meta_data.num_values",
                         contrast("no page", "one or more"));
    if (evidence_.with_crc != 0 && evidence_.without_crc) {
      report_at(chunk_.site.findings, Rule::crc_absent, evidence_.without_crc->place,
                evidence_.without_crc->offset, evidence_.without_crc->length,
                contrast("no crc", "a crc as in other pages of the chunk"), "crc");
    }
  }

 private:
  /// Returns true if all pages and their types and encodings are known.
  [[nodiscard]] bool all_known() const { return tally_.sums_known && !tally_.may_have_more_entries; }

  void num_values() const {
    const std::int64_t stated = chunk_.claim.num_values;
    if (!tally_.sums_known || tally_.values == stated) return;
    if (tally_.may_have_more_entries && tally_.values < stated) return;
    chunk_.site.report(Rule::column_chunk_num_values, "meta_data.num_values",
                       contrast(stated, tally_.values));
  }

  void sizes() const {
    const ChunkClaim& claim = chunk_.claim;
    // A chunk with values that takes no bytes breaks column-chunk/sizes-negative.
    const bool takes_nothing = claim.compressed == 0 && claim.num_values > 0 && claim.uncompressed >= 0;
    // The size of the last page may be wrong.
    const bool in_doubt = last_page_lost_;
    if (tally_.compressed != claim.compressed && !takes_nothing && !in_doubt) {
      chunk_.site.report(Rule::column_chunk_total_compressed_size, "meta_data.total_compressed_size",
                         contrast(claim.compressed, tally_.compressed));
    }
    if (tally_.sums_known && claim.uncompressed >= 0 && tally_.uncompressed != claim.uncompressed) {
      chunk_.site.report(
          Rule::column_chunk_total_uncompressed_size, "meta_data.total_uncompressed_size",
          contrast(claim.uncompressed, tally_.uncompressed,
                   claim.uncompressed == tally_.compressed ? "it is the compressed total" : ""));
    }
  }

  static bool is_at(std::int64_t offset, const std::optional<std::uint64_t>& page) {
    return page && offset >= 0 && static_cast<std::uint64_t>(offset) == *page;
  }
  [[nodiscard]] bool is_at_unknown_page(std::int64_t offset) const {
    return offset > 0 && evidence_.unknown_pages.contains(static_cast<std::uint64_t>(offset));
  }
  [[nodiscard]] std::optional<std::uint64_t> dictionary_at() const {
    return evidence_.dictionary ? std::optional(evidence_.dictionary->offset) : std::nullopt;
  }
  [[nodiscard]] bool data_offset_is_at_dictionary() const {
    return evidence_.first_data && is_at(meta_.data_page_offset, dictionary_at());
  }

  void data_page_offset() const {
    const std::int64_t stated = meta_.data_page_offset;
    if (!evidence_.first_data || is_at_unknown_page(stated)) return;
    if (data_offset_is_at_dictionary()) {
      chunk_.site.report(Rule::column_chunk_data_page_offset_at_dictionary, "meta_data.data_page_offset",
                         contrast(stated, *evidence_.first_data));
    } else if (!is_at(stated, evidence_.first_data)) {
      chunk_.site.report(Rule::column_chunk_data_page_offset, "meta_data.data_page_offset",
                         contrast(stated, *evidence_.first_data));
    }
  }

  void dictionary_page_offset() const {
    const std::optional<std::uint64_t> page = dictionary_at();
    const std::string_view field = "meta_data.dictionary_page_offset";
    const std::int64_t stated =
        meta_.has(ColumnMetaData::id_dictionary_page_offset) ? meta_.dictionary_page_offset : 0;
    // A field of another type has its own finding.
    const bool is_unreadable = meta_.fields.mentions(ColumnMetaData::id_dictionary_page_offset) &&
                               !meta_.has(ColumnMetaData::id_dictionary_page_offset);
    if (is_at_unknown_page(stated) || is_unreadable) return;
    if (stated > 0 && !is_at(stated, page)) {
      chunk_.site.report(Rule::column_chunk_dictionary_page_offset, field,
                         contrast(stated, page ? FindingValue(*page) : kAbsent));
    } else if (stated <= 0 && page && !data_offset_is_at_dictionary()) {
      const bool present = meta_.fields.mentions(ColumnMetaData::id_dictionary_page_offset);
      chunk_.site.report(Rule::column_chunk_dictionary_page_offset, field,
                         contrast(present ? FindingValue(stated) : kAbsent, *page));
    }
  }

  void index_page_offset() const {
    const std::int64_t stated = meta_.index_page_offset;
    if (!meta_.has(ColumnMetaData::id_index_page_offset) || stated <= 0) return;
    if (evidence_.index_pages.contains(static_cast<std::uint64_t>(stated))) return;
    chunk_.site.report(Rule::column_chunk_index_page_offset, "meta_data.index_page_offset",
                       contrast(stated, "the offset of an index page"));
  }

  [[nodiscard]] std::set<Encoding> listed_encodings() const {
    std::set<Encoding> listed;
    thrift::for_each_integer(meta_.encodings, [&](std::int64_t encoding, std::uint32_t) {
      listed.insert(static_cast<Encoding>(encoding));
    });
    return listed;
  }

  /// Returns true if `encodings` and `encoding_stats` both have the other one of the two labels of a
  /// dictionary page, so that the page header is wrong. If `encodings` lists only those of data pages, it is
  /// no evidence.
  [[nodiscard]] bool is_dictionary_mislabelled() const {
    const bool stated =
        meta_.has(ColumnMetaData::id_encodings) && meta_.has(ColumnMetaData::id_encoding_stats);
    if (!stated || !evidence_.dictionary || !evidence_.labels_known || !all_known()) return false;
    const Encoding label = evidence_.dictionary->label;
    const Encoding other = label == Encoding::PLAIN ? Encoding::PLAIN_DICTIONARY : Encoding::PLAIN;
    PageCounts relabelled = evidence_.pages;
    auto node = relabelled.extract({PageType::DICTIONARY_PAGE, label});
    if (node.empty() || node.mapped() != 1) return false;
    relabelled[{PageType::DICTIONARY_PAGE, other}] = 1;
    const std::set<Encoding> listed = listed_encodings();
    const bool lists_all = std::ranges::all_of(evidence_.other_encodings(), [&](Encoding encoding) {
      return encoding == label || listed.contains(encoding);
    });
    return stated_pages() == relabelled && lists_all && listed.contains(other) && !listed.contains(label);
  }

  void dictionary_label() const {
    const PageHeaderTally::DictionaryPage& page = *evidence_.dictionary;
    if (page.label == Encoding::PLAIN_DICTIONARY) return;  // dictionary/plain-dictionary-deprecated
    report_at(chunk_.site.findings, Rule::column_chunk_encoding_stats, page.place, page.label_at.value,
              page.label_at.end - page.label_at.value,
              contrast(text_of(*stated_pages()), text_of(evidence_.pages)),
              "dictionary_page_header.encoding");
  }

  void encodings() const {
    if (!meta_.has(ColumnMetaData::id_encodings)) return;
    const std::set<Encoding> listed = listed_encodings();
    const std::set<Encoding> of_data = evidence_.data_encodings();
    const std::set<Encoding> others = evidence_.other_encodings();
    const auto missing = [&](Encoding encoding) { return !listed.contains(encoding); };
    if (const auto at = std::ranges::find_if(of_data, missing); at != of_data.end()) {
      chunk_.site.report(Rule::column_chunk_encodings, "meta_data.encodings",
                         contrast("no " + name_of(*at), symbol(kEncodingEnum, *at)));
    }
    const auto missing_too = [&](Encoding encoding) {
      return missing(encoding) && !of_data.contains(encoding);
    };
    if (const auto at = std::ranges::find_if(others, missing_too);
        at != others.end() && std::ranges::none_of(of_data, missing)) {
      chunk_.site.report(Rule::column_chunk_encodings_levels, "meta_data.encodings",
                         contrast("no " + name_of(*at), symbol(kEncodingEnum, *at)));
    }
    // An encoding that replaces a missing one is part of the finding about the missing one.
    if (!all_known() || std::ranges::any_of(of_data, missing) || std::ranges::any_of(others, missing)) return;
    const auto unused = [&](Encoding encoding) {  // thrift/unknown-enum-value reports unknown encodings
      return !kEncodingEnum.name_of(static_cast<int>(encoding)).empty() && encoding != Encoding::PLAIN &&
             encoding != Encoding::RLE && encoding != Encoding::BIT_PACKED && !of_data.contains(encoding) &&
             !others.contains(encoding);
    };
    if (const auto at = std::ranges::find_if(listed, unused); at != listed.end()) {
      chunk_.site.report(Rule::column_chunk_encodings_unused, "meta_data.encodings",
                         contrast(symbol(kEncodingEnum, *at), kAbsent));
    }
  }

  /// Returns the pages that encoding_stats counts; nothing if an entry lacks a field.
  [[nodiscard]] std::optional<PageCounts> stated_pages() const {
    PageCounts stated;
    bool complete = true;
    thrift::for_each<PageEncodingStats>(meta_.encoding_stats, chunk_.context.options.limits,
                                        [&](const PageEncodingStats& stats, std::uint32_t) {
                                          complete = complete && stats.has(PageEncodingStats::id_page_type) &&
                                                     stats.has(PageEncodingStats::id_encoding) &&
                                                     stats.has(PageEncodingStats::id_count);
                                          if (stats.count != 0)
                                            stated[{stats.page_type, stats.encoding}] += stats.count;
                                        });
    return complete ? std::optional(std::move(stated)) : std::nullopt;
  }

  void encoding_stats() const {
    if (!meta_.has(ColumnMetaData::id_encoding_stats)) return;
    const std::optional<PageCounts> stated = stated_pages();
    if (!stated || *stated == evidence_.pages) return;
    const bool label = without_versions(*stated) == without_versions(evidence_.pages);
    chunk_.site.report(label ? Rule::column_chunk_encoding_stats_v2 : Rule::column_chunk_encoding_stats,
                       "meta_data.encoding_stats", contrast(text_of(*stated), text_of(evidence_.pages)));
  }

  const ChunkScope& chunk_;
  const ColumnMetaData& meta_;
  const PageHeaderTally& evidence_;
  const ChunkTotal& tally_;
  bool last_page_lost_;
};

}  // namespace

void doubt_counts(const ChunkScope& chunk, ChunkTotal& tally, ChunkDetails& details) {
  const RowGroupClaim& group = chunk.context.footer.row_groups[chunk.claim.row_group];
  if (!tally.sums_known || tally.values == chunk.claim.num_values || chunk.leaf.max_repetition != 0 ||
      !group.has_num_rows || group.num_rows != chunk.claim.num_values) {
    return;
  }
  tally.may_have_more_entries = true;
  tally.rows.reset();
  details.fingerprints.clear();
}

bool are_counts_trusted(const ChunkScope& chunk, const ChunkTotal& tally) {
  const RowGroupClaim& group = chunk.context.footer.row_groups[chunk.claim.row_group];
  if (tally.may_have_more_entries || tally.values != chunk.claim.num_values) return false;
  return !tally.rows || !group.has_num_rows || *tally.rows == group.num_rows;
}

void leave_out_totals(const ChunkScope& chunk, const std::string& why) {
  chunk.services.not_run.push_back({"totals of the column chunk", why, chunk.place, {}});
  const PageIndex& index = chunk.page_index;
  if (index.column.sound || chunk.is_offset_index_sound())
    chunk.services.not_run.push_back(
        {"page index entries of pages that could not be read", why, chunk.place, {}});
}

void judge_chunk_claims(const ChunkScope& chunk, const PageHeaderTally& evidence, const ChunkTotal& tally,
                        bool last_page_lost) {
  ClaimRules(chunk, evidence, tally, last_page_lost).run();
}

}  // namespace parqproof
