#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/check/page_header.hpp"
#include "conformance/check/page_starts.hpp"
#include "conformance/check/pages.hpp"

namespace parqproof {
namespace {

/// Why the values of a column cannot be told apart, if they cannot: the rules of what is at fault have
/// spoken.
std::string_view doubt(const ColumnMetaData& meta, const Node& leaf) {
  if (meta.has(ColumnMetaData::id_type) && meta.type != leaf.type)
    return "the physical types in the column metadata and in the schema differ";
  if (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.type_length < 0)
    return "the schema does not say how long the values are";
  return {};
}

/// One chunk: the walk along its pages, and the claims of its metadata held against them.
class ChunkWalk {
 public:
  ChunkWalk(const Context& context, const RegionMap& regions, const ChunkClaim& claim, Scratch& scratch,
            const ColumnChunk& chunk, ChunkOutcome& outcome)
      : context_(context),
        regions_(regions),
        claim_(claim),
        chunk_(chunk),
        meta_(chunk.meta_data),
        outcome_(outcome),
        tally_(outcome.tally),
        judge_(outcome.findings),
        place_(place_of(claim)),
        chunk_bytes_(context.footer_from(claim.struct_offset)),
        reader_(scratch.reader),
        body_{context,
              meta_,
              context.schema.leaf(claim.leaf),
              judge_,
              scratch,
              LevelReader(context.schema, claim.leaf),
              Budget(context.options.limits.work, context.chunks.size()),
              place_,
              doubt(chunk.meta_data, context.schema.leaf(claim.leaf)),
              StatisticsObserver(context, claim.leaf, meta_, judge_, scratch.statistics)} {
    reader_.read_ahead_to(UINT64_MAX);
    if (meta_.has(ColumnMetaData::id_index_page_offset) && meta_.index_page_offset > 0 &&
        reads_index_pages(context)) {
      index_.emplace(IndexScene{context, context.row_groups[claim.row_group], claim, meta_, body_.leaf,
                                judge_, chunk_bytes_});
      body_.index = &*index_;
    }
  }

  void run() {
    tally_.start = tally_.end = claim_.start;
    if (claim_.no_pages) {
      tally_.walked = tally_.whole = true;
      tally_.rows = 0;
      judge_chunk();
      return;
    }
    footer_ = context_.frame.footer_offset;
    claim_is_sane_ = claim_.compressed <= static_cast<std::int64_t>(footer_ - claim_.start);
    if (claim_is_sane_) reader_.read_ahead_to(claim_.start + static_cast<std::uint64_t>(claim_.compressed));
    find_start();
    claimed_end_ = claim_is_sane_ ? tally_.start + static_cast<std::uint64_t>(claim_.compressed) : footer_;
    claimed_end_ = std::min(claimed_end_, footer_);
    reader_.read_ahead_to(claimed_end_);
    tally_.end = tally_.start;
    bodies_ = context_.options.tier == Tier::values && codec_known();
    whole_ = true;
    while (step()) {
    }
    tally_.pages = static_cast<std::uint64_t>(ordinal_ - pages_lost_);
    tally_.whole = tally_.walked && whole_;
    if (!rows_known_ || !tally_.whole) tally_.rows.reset();
    if (tally_.whole && bodies_ && rows_known_) tally_.fingerprints = body_.levels.fingerprints();
    tally_.unknown_pages = unknown_ != 0;
    if (tally_.walked) judge_chunk();
    if (!tally_.whole && !reason_.empty())
      outcome_.not_run.push_back({"totals of the column chunk", reason_, place_, {}});
  }

 private:
  void fault(Rule rule, std::string_view path, Seen what) {
    judge_.field(rule, place_, chunk_bytes_, ColumnChunk::kType, path, std::move(what));
  }

  bool codec_known() {
    if (can_decompress(meta_.codec)) return true;
    outcome_.not_run.push_back({"page bodies", "the compression codec is unknown", place_, {}});
    return false;
  }

  /// A header that is sound in itself and whose page ends inside `bound`; nothing is reported.
  bool plausible(std::uint64_t offset, std::uint64_t bound, Page& page) {
    if (offset >= bound) return false;
    const PageReader::State state = reader_.read_header(offset, bound, {}, page);
    outcome_.io_failed |= state == PageReader::State::unreadable;
    return state == PageReader::State::read && page.sound && page.can_be_passed() && page.end() <= bound &&
           page.num_values() >= 0 &&
           (page.has_member() || kPageTypeEnum.name_of(static_cast<int>(page.header.type)).empty());
  }

  /// Where the chunk begins, if the offsets in its metadata lie: another offset of it, or the end of the
  /// region before, at which a page stands. An offset that joins its neighbour seamlessly is believed, and a
  /// bad header there is damage.
  void find_start() {
    Page page;
    if (plausible(claim_.start, footer_, page)) return;
    if (regions_.previous_end(claim_.start, kMagicBytes) == claim_.start) return;
    const auto offset_of = [](std::int64_t offset) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
    };
    const std::uint64_t data = offset_of(meta_.data_page_offset);
    const std::uint64_t dictionary =
        meta_.has(ColumnMetaData::id_dictionary_page_offset) ? offset_of(meta_.dictionary_page_offset) : 0;
    for (const std::uint64_t candidate :
         {regions_.previous_end(claim_.start, kMagicBytes),
          regions_.previous_end(std::max(data, dictionary), kMagicBytes), data, dictionary}) {
      if (candidate < kMagicBytes || candidate == claim_.start || candidate >= footer_) continue;
      if (plausible(candidate, footer_, page)) {
        tally_.start = candidate;
        return;
      }
    }
  }

  /// Reads and judges the page at the end of what was walked. False where the walk is over.
  bool step() {
    if (context_.cancelled()) return lose_rest("the check was stopped");
    const std::uint64_t at = tally_.end;
    const bool met = tally_.values >= claim_.num_values;
    if (at >= footer_ || (at == claimed_end_ && (met || headers_lost_ != 0))) return over();
    const bool past_claim = at >= claimed_end_;
    const bool inside = !past_claim && (!met || claim_.num_values == 0);
    if (!inside && at != tally_.start && regions_.starts_at(at)) return over();

    Page page;
    const std::uint64_t next = regions_.next_start(at, footer_);
    const std::uint64_t bound = std::max(std::min(claimed_end_, footer_), next);
    if (!inside) {
      // Nothing calls for a page here; if one stands here all the same, the claims are wrong.
      if (!plausible(at, past_claim ? next : claimed_end_, page)) return over();
    }
    const PageReader::State state =
        reader_.read_header(at, inside ? bound : footer_, {&outcome_.findings, at_page(), {}}, page);
    if (state == PageReader::State::unreadable) {
      outcome_.io_failed = true;
      return lose_rest("the file could not be read");
    }
    if (state == PageReader::State::limit) {
      judge_.at(Rule::limit_page_size, at_page(), at, 0,
                seen("a page header", context_.options.limits.page_header_bytes()));
      return lose_rest("a page header is larger than the limit");
    }
    if (state == PageReader::State::framing_lost) {
      return lose_header("a page header cannot be read");
    }
    page.ordinal = ordinal_;
    if (!page.can_be_passed()) {
      if (page.header.has(PageHeader::id_compressed_page_size)) {
        judge_.field(Rule::page_size_negative, at_page(), page.header_bytes, PageHeader::kType,
                     "compressed_page_size", seen(page.header.compressed_page_size, "0 or more"));
      }
      return lose_header("the size of a page is unknown");
    }
    if (page.end() > bound) {
      judge_.field(Rule::page_within_chunk, at_page(), page.header_bytes, PageHeader::kType,
                   "compressed_page_size",
                   seen(page.header.compressed_page_size, "at most " + std::to_string(bound - page.body)));
      return lose_header("a page runs past the column chunk");
    }
    // A header that breaks rules may have been read past its end; where the OffsetIndex says so, too, it is
    // lost.
    if ((!page.sound || !page.has_member()) && starts().contradicts(at, page.end())) {
      if (page.sound) (void)judge_header(page);
      return lose_header("a page header cannot be read");
    }
    const std::size_t lost = outcome_.lost.size();
    take(page);
    ++ordinal_;
    if (outcome_.lost.size() != lost && starts().contradicts(at, page.end()))
      return lose_header("the size of a page is wrong", true);
    return true;
  }

  /// The walk came to its regular end.
  bool over() {
    tally_.walked = headers_lost_ == 0;
    return false;
  }
  /// The OffsetIndex of the chunk, read where something is lost.
  const PageStarts& starts() {
    if (!starts_) starts_.emplace(context_, chunk_, tally_.start, claimed_end_, outcome_.io_failed);
    return *starts_;
  }
  /// No header can be used where the next page should begin. With an OffsetIndex the walk goes on behind the
  /// page that is lost; without one the rest of the chunk is lost.
  bool lose_header(std::string why, bool astray = false) {
    // Sizes that lie lead the walk back, but not so often that its cost is out of proportion.
    constexpr std::uint64_t kTimes = 4;
    const bool affordable = walked_bytes_ <= kTimes * (claimed_end_ - tally_.start);
    if (astray && !affordable) return true;
    const std::optional<PageStarts::Jump> jump = starts().beyond(
        {tally_.end, affordable ? last_page_ : tally_.end, ordinal_, first_data_ordinal_, astray});
    if (!jump && astray) return true;  // nothing is known but that the page is lost
    if (!jump) {
      outcome_.lost.push_back({"rest of chunk", at_page(), {}});
      return lose_rest(std::move(why));
    }
    for (std::int32_t page = jump->first_lost; page < jump->ordinal; ++page) {
      const Place place{place_.row_group, place_.leaf, page};
      if (outcome_.lost.empty() || outcome_.lost.back().place != place)
        outcome_.lost.push_back({"page", place, {}});
    }
    if (reason_.empty()) reason_ = std::move(why);
    whole_ = rows_known_ = body_.first_data_page = false;
    if (jump->over_dictionary) {
      dictionary_unknown();
      body_.dictionary_lost = true;
    }
    body_.levels.page_lost();
    ++headers_lost_;
    pages_lost_ += jump->ordinal - ordinal_;
    ordinal_ = jump->ordinal;
    tally_.end = jump->offset;
    return true;
  }
  /// The walk ends here and nothing of the chunk can be summed up.
  bool lose_rest(std::string why) {
    reason_ = std::move(why);
    whole_ = false;
    if (bodies_ || context_.options.tier != Tier::values)
      outcome_.not_run.push_back({"rest of the column chunk", reason_, place_, {}});
    return false;
  }
  void lose_page(const Page& page, bool damaged) {
    body_.levels.page_lost();
    if (damaged) outcome_.lost.push_back({"page", at_page(), {}});
    whole_ = false;
    if (reason_.empty()) reason_ = "page " + std::to_string(page.ordinal) + " is lost";
  }
  [[nodiscard]] Place at_page() const { return {place_.row_group, place_.leaf, ordinal_}; }

  HeaderJudgement judge_header(const Page& page) const {
    return judge_page_header(
        {context_, meta_, body_.leaf, judge_, at_page(), body_.levels, ordinal_, dictionary_label_}, page);
  }

  void take(const Page& page) {
    const std::int64_t header = static_cast<std::int64_t>(page.header_bytes.size());
    if (page.is_data() && !first_data_ordinal_) first_data_ordinal_ = ordinal_;
    last_page_ = page.offset;
    last_lost_ = false;
    walked_bytes_ += page.end() - page.offset;
    tally_.end = page.end();
    tally_.compressed = saturating_add(tally_.compressed, header + page.header.compressed_page_size);
    tally_.uncompressed =
        saturating_add(tally_.uncompressed, header + std::max(page.header.uncompressed_page_size, 0));
    outcome_.bytes += page.header_bytes.size();
    if (context_.options.progress != nullptr)
      context_.options.progress->done.fetch_add(page.end() - page.offset, std::memory_order_relaxed);

    const HeaderJudgement judged = judge_header(page);
    if (!judged.sums) {
      whole_ = false;
      if (reason_.empty()) reason_ = "the header of page " + std::to_string(page.ordinal) + " is wrong";
    }
    if (!judged.why_not.empty()) outcome_.not_run.push_back({"page body", judged.why_not, at_page(), {}});
    if (page.is_dictionary() && !dictionary_at_) {
      dictionary_at_ = page.offset;
      dictionary_label_ = page.header.dictionary_page_header.encoding;
      dictionary_count_ =
          thrift::locate(page.header_bytes, PageHeader::kType, "dictionary_page_header.num_values");
      dictionary_ordinal_ = ordinal_;
    }
    if (page.header.type == PageType::INDEX_PAGE) index_pages_.insert(page.offset);
    if (index_) index_->page(page, rows_known_ ? std::optional(rows_) : std::nullopt);
    count(page);
    if (!judged.body) {
      if (page.header.type == PageType::DICTIONARY_PAGE && !body_.has_dictionary) {
        dictionary_unknown();
        body_.dictionary_lost = judged.damaged;
      }
      if (judged.damaged) {
        lose_page(page, true);
      } else {
        checksum(page);
      }
      if (page.is_data()) rows_known_ = body_.first_data_page = false;
      return;
    }
    body(page);
  }

  /// What the claims on encodings, counts and offsets are held against.
  void count(const Page& page) {
    if (page.header.fields.mentions(PageHeader::id_crc)) {
      ++with_crc_;
    } else if (!without_crc_) {
      without_crc_ = {page.offset, page.header_bytes.size(), ordinal_};
    }
    if (kPageTypeEnum.name_of(static_cast<int>(page.header.type)).empty()) ++unknown_;
    if (!page.has_member()) return;
    if (page.is_dictionary()) {
      const Encoding encoding = page.header.dictionary_page_header.encoding;
      ++counts_[{PageType::DICTIONARY_PAGE, encoding}];
      minor_encodings_.insert(encoding);
    } else if (page.is_data()) {
      if (!first_data_) first_data_ = page.offset;
      const bool v2 = page.header.type == PageType::DATA_PAGE_V2;
      const Encoding encoding =
          v2 ? page.header.data_page_header_v2.encoding : page.header.data_page_header.encoding;
      ++counts_[{page.header.type, encoding}];
      if (kEncodingEnum.name_of(static_cast<int>(encoding)).empty()) {
        ++unknown_;
      } else {
        data_encodings_.insert(encoding);
      }
      if (!v2) {
        if (body_.levels.max_repetition() > 0)
          minor_encodings_.insert(page.header.data_page_header.repetition_level_encoding);
        if (body_.levels.max_definition() > 0)
          minor_encodings_.insert(page.header.data_page_header.definition_level_encoding);
      }
      if (first_version_ && *first_version_ != page.header.type) {
        judge_.field(Rule::column_chunk_mixed_page_versions, at_page(), page.header_bytes, PageHeader::kType,
                     "type",
                     seen(kPageTypeEnum.name_of(static_cast<int>(page.header.type)),
                          kPageTypeEnum.name_of(static_cast<int>(*first_version_))));
      }
      if (!first_version_) first_version_ = page.header.type;
      tally_.values = saturating_add(tally_.values, std::max<std::int64_t>(page.num_values(), 0));
      if (!bodies_) {
        if (v2) {
          rows_ = saturating_add(rows_, page.header.data_page_header_v2.num_rows);
        } else if (body_.levels.max_repetition() == 0) {
          rows_ = saturating_add(rows_, page.num_values());
        } else {
          rows_known_ = false;
        }
      }
    }
  }

  void dictionary_unknown() {
    body_.has_dictionary = true;
    body_.dictionary_size = UINT64_MAX;
  }

  /// Whether a ceiling keeps the body from being read.
  bool too_large(const Page& page) {
    const Limits& limits = context_.options.limits;
    const auto claimed = static_cast<std::uint64_t>(page.header.uncompressed_page_size);
    const auto refuse = [&](Rule rule, std::string_view field, std::uint64_t size, std::uint64_t ceiling,
                            std::string why) {
      judge_.field(rule, at_page(), page.header_bytes, PageHeader::kType, field, seen(size, ceiling));
      outcome_.not_run.push_back({"page body", std::move(why), at_page(), {}});
      return true;
    };
    if (claimed > limits.page_bytes) {
      return refuse(Rule::limit_page_size, "uncompressed_page_size", claimed, limits.page_bytes,
                    "it is larger than --max-page");
    }
    // What a codec makes of bytes that it cannot compress is little more than they are.
    if (page.stored_size() / 2 > std::max<std::uint64_t>(limits.page_bytes, 1024)) {
      return refuse(Rule::limit_page_size, "compressed_page_size", page.stored_size(), limits.page_bytes,
                    "it is larger than --max-page");
    }
    if (claimed + page.stored_size() > limits.memory_bytes) {
      return refuse(Rule::limit_memory, "uncompressed_page_size", claimed + page.stored_size(),
                    limits.memory_bytes, "it needs more than --max-memory");
    }
    return false;
  }

  /// crc/match, where nothing else of the body is judged: the stored bytes need not be understood.
  void checksum(const Page& page) {
    if (context_.options.tier != Tier::values || !page.header.has(PageHeader::id_crc) ||
        page.stored_size() > context_.options.limits.page_bytes) {
      return;
    }
    const View stored = reader_.read_body(page);
    if (stored.size() != page.stored_size()) {
      outcome_.io_failed = true;
      return;
    }
    outcome_.bytes += stored.size();
    body_.place = at_page();
    check_checksum(body_, page, stored);
  }

  void body(const Page& page) {
    const bool index = page.header.type == PageType::INDEX_PAGE;
    if (!bodies_) return checksum(page);
    if (index && !index_) {
      outcome_.not_run.push_back({"page body", "no index_page_offset leads to the index", at_page(), {}});
      return checksum(page);
    }
    if (too_large(page)) {
      if (index) return;
      whole_ = rows_known_ = values_seen_ = false;
      if (page.is_dictionary()) dictionary_unknown();
      return;
    }
    const View stored = reader_.read_body(page);
    if (stored.size() != page.stored_size()) {
      outcome_.io_failed = true;
      lose_page(page, false);
      return;
    }
    outcome_.bytes += stored.size();
    body_.place = at_page();
    const BodyOutcome what = check_body(body_, page, stored);
    if (page.is_data()) {
      if (!what.lost)
        outcome_.entries += static_cast<std::uint64_t>(std::max<std::int64_t>(page.num_values(), 0));
      rows_ = saturating_add(rows_, what.rows);
      surplus_ = surplus_ || what.surplus;
      if (index_) {
        BoundsObserver* const observer = index_->observer();
        const bool known = !what.lost && what.skipped.empty();
        index_->data(observer == nullptr ? Bounds{} : observer->take(known));
      }
      body_.first_data_page = false;
    }
    values_seen_ = values_seen_ && what.skipped.empty() && !what.lost;
    if (!what.skipped.empty()) {
      outcome_.not_run.push_back({"values", what.skipped, at_page(), {}});
    }
    if (what.lost && index) {
      outcome_.lost.push_back({"page", at_page(), {}});  // no sum misses it
    } else if (what.lost) {
      last_lost_ = true;
      lose_page(page, true);
    }
  }

  void judge_chunk() {
    tally_.rows = rows_;
    if (surplus_ && tally_.values < claim_.num_values) {
      // A page with bytes behind its values counts too few of them, not the chunk too many.
      ++unknown_;
      tally_.unknown_pages = true;
    }
    // A page of unknown type or encoding may hold what is missing.
    const bool all_known = tally_.whole && unknown_ == 0;
    if (tally_.whole && tally_.values != claim_.num_values &&
        (unknown_ == 0 || tally_.values > claim_.num_values)) {
      fault(Rule::column_chunk_num_values, "meta_data.num_values", seen(claim_.num_values, tally_.values));
    }
    if (!rows_known_ || !all_known) tally_.rows.reset();
    // Of a chunk with values that takes no bytes column-chunk/sizes-negative has spoken.
    const bool spoken = claim_.compressed == 0 && claim_.num_values > 0 && claim_.uncompressed >= 0;
    // What is left over may belong to a last page that lacks bytes.
    const bool in_doubt = last_lost_ && tally_.compressed < claim_.compressed;
    if (tally_.compressed != claim_.compressed && !spoken && !in_doubt) {
      fault(Rule::column_chunk_total_compressed_size, "meta_data.total_compressed_size",
            seen(claim_.compressed, tally_.compressed));
    }
    if (tally_.whole && tally_.uncompressed != claim_.uncompressed) {
      fault(Rule::column_chunk_total_uncompressed_size, "meta_data.total_uncompressed_size",
            seen(claim_.uncompressed, tally_.uncompressed,
                 claim_.uncompressed == tally_.compressed ? "it is the compressed total" : ""));
    }
    offsets();
    index();
    encodings(all_known);
    if (all_known) encoding_stats();
    if (ordinal_ == 0)
      fault(Rule::column_chunk_no_page, "meta_data.num_values", seen("no page", "one or more"));
    if (with_crc_ != 0 && without_crc_) {
      judge_.at(Rule::crc_absent, {place_.row_group, place_.leaf, without_crc_->ordinal},
                without_crc_->offset, without_crc_->length,
                seen("no crc", "a crc as in other pages of the chunk"), "crc");
    }
    if (bodies_ && all_known && values_seen_) body_.statistics.judge(place_, chunk_bytes_, body_.budget);
    if (judge_.wants(Rule::dictionary_unused_entries) && tally_.whole) {
      const std::uint64_t unused = body_.statistics.unused_entries();
      if (unused != 0) {
        judge_.at(Rule::dictionary_unused_entries, {place_.row_group, place_.leaf, dictionary_ordinal_},
                  dictionary_count_.value, dictionary_count_.end - dictionary_count_.value, seen(unused, 0),
                  "dictionary_page_header.num_values");
      }
    }
  }

  void offsets() {
    const std::int64_t data = meta_.data_page_offset;
    const std::int64_t dictionary = meta_.has(ColumnMetaData::id_dictionary_page_offset)
                                        ? std::max<std::int64_t>(meta_.dictionary_page_offset, 0)
                                        : 0;
    const auto is = [](std::int64_t offset, std::optional<std::uint64_t> at) {
      return at && offset >= 0 && static_cast<std::uint64_t>(offset) == *at;
    };
    const bool at_dictionary = first_data_ && is(data, dictionary_at_);
    if (at_dictionary) {
      fault(Rule::column_chunk_data_page_offset_at_dictionary, "meta_data.data_page_offset",
            seen(data, *first_data_));
    } else if (first_data_ && !is(data, first_data_)) {
      fault(Rule::column_chunk_data_page_offset, "meta_data.data_page_offset", seen(data, *first_data_));
    }
    if (dictionary > 0 && !is(dictionary, dictionary_at_)) {
      fault(Rule::column_chunk_dictionary_page_offset, "meta_data.dictionary_page_offset",
            seen(dictionary, dictionary_at_ ? std::to_string(*dictionary_at_) : "absent"));
    } else if (dictionary == 0 && dictionary_at_ && !at_dictionary &&
               !meta_.fields.mentions(ColumnMetaData::id_dictionary_page_offset)) {
      fault(Rule::column_chunk_dictionary_page_offset, "meta_data.dictionary_page_offset",
            seen("absent", *dictionary_at_));
    }
    if (meta_.has(ColumnMetaData::id_index_page_offset) && meta_.index_page_offset > 0 &&
        !index_pages_.contains(static_cast<std::uint64_t>(meta_.index_page_offset))) {
      fault(Rule::column_chunk_index_page_offset, "meta_data.index_page_offset",
            seen(meta_.index_page_offset, "the offset of an index page"));
    }
  }

  void index() {
    if (!index_) return;
    std::string why = index_->judge(reader_, bodies_, outcome_.lost);
    if (!why.empty()) outcome_.not_run.push_back({"index pages", std::move(why), place_, {}});
  }

  void encodings(bool all_known) {
    if (!meta_.has(ColumnMetaData::id_encodings)) return;
    std::set<Encoding> listed;
    thrift::for_each_integer(meta_.encodings, [&](std::int64_t encoding, std::uint32_t) {
      listed.insert(static_cast<Encoding>(encoding));
    });
    for (const Encoding encoding : data_encodings_) {
      if (listed.contains(encoding)) continue;
      fault(Rule::column_chunk_encodings, "meta_data.encodings",
            seen("no " + name_of(encoding), name_of(encoding)));
      break;
    }
    for (const Encoding encoding : minor_encodings_) {
      if (listed.contains(encoding) || data_encodings_.contains(encoding)) continue;
      fault(Rule::column_chunk_encodings_levels, "meta_data.encodings",
            seen("no " + name_of(encoding), name_of(encoding)));
      break;
    }
    if (!all_known) return;
    for (const Encoding encoding : listed) {
      if (encoding == Encoding::PLAIN || encoding == Encoding::RLE || encoding == Encoding::BIT_PACKED ||
          data_encodings_.contains(encoding) || minor_encodings_.contains(encoding)) {
        continue;
      }
      fault(Rule::column_chunk_encodings_unused, "meta_data.encodings", seen(name_of(encoding), "absent"));
      break;
    }
  }

  void encoding_stats() {
    if (!meta_.has(ColumnMetaData::id_encoding_stats)) return;
    std::map<std::pair<PageType, Encoding>, std::int64_t> stated;
    bool complete = true;
    thrift::for_each<PageEncodingStats>(
        meta_.encoding_stats, context_.options.limits, [&](const PageEncodingStats& stats, std::uint32_t) {
          complete = complete && stats.has(PageEncodingStats::id_page_type) &&
                     stats.has(PageEncodingStats::id_encoding) && stats.has(PageEncodingStats::id_count);
          if (stats.count != 0) stated[{stats.page_type, stats.encoding}] += stats.count;
        });
    if (!complete || stated == counts_) return;
    const auto merged = [](const auto& counts) {
      std::map<std::pair<PageType, Encoding>, std::int64_t> out;
      for (const auto& [key, count] : counts) {
        const PageType type = key.first == PageType::DATA_PAGE_V2 ? PageType::DATA_PAGE : key.first;
        out[{type, key.second}] += count;
      }
      return out;
    };
    const auto text = [](const auto& counts) {
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
    };
    const bool label = merged(stated) == merged(counts_);
    fault(label ? Rule::column_chunk_encoding_stats_v2 : Rule::column_chunk_encoding_stats,
          "meta_data.encoding_stats", seen(text(stated), text(counts_)));
  }

  struct Spot {
    std::uint64_t offset;
    std::uint64_t length;
    std::int32_t ordinal;
  };

  const Context& context_;
  const RegionMap& regions_;
  const ChunkClaim& claim_;
  const ColumnChunk& chunk_;
  const ColumnMetaData& meta_;
  ChunkOutcome& outcome_;
  ChunkTally& tally_;
  Judge judge_;
  Place place_;
  View chunk_bytes_;
  PageReader& reader_;
  ChunkBody body_;
  std::optional<IndexRules> index_;  // where index pages are read, and the metadata says that there are some
  std::uint64_t footer_ = 0;
  std::uint64_t claimed_end_ = 0;
  bool claim_is_sane_ = true;
  bool bodies_ = false;
  bool whole_ = true;
  bool rows_known_ = true;
  bool values_seen_ = true;  // of all pages so far
  std::int64_t rows_ = 0;
  std::int32_t ordinal_ = 0;
  std::string reason_;
  std::optional<std::uint64_t> dictionary_at_;
  std::optional<Encoding> dictionary_label_;
  thrift::Extent dictionary_count_;  // of its num_values
  std::int32_t dictionary_ordinal_ = 0;
  std::optional<std::uint64_t> first_data_;
  std::optional<std::int32_t> first_data_ordinal_;
  std::optional<PageStarts> starts_;  // once a header is lost
  std::int32_t headers_lost_ = 0;     // that the walk went on behind
  std::uint64_t last_page_ = 0;       // where the page in front begins
  std::uint64_t walked_bytes_ = 0;
  std::int32_t pages_lost_ = 0;  // of the ordinals so far, those of pages whose headers were not met
  std::optional<PageType> first_version_;
  std::set<std::uint64_t> index_pages_;
  std::set<Encoding> data_encodings_;
  std::set<Encoding> minor_encodings_;  // of stored v1 levels and of the dictionary page
  std::map<std::pair<PageType, Encoding>, std::int64_t> counts_;
  bool last_lost_ = false;     // the body of the last page so far is damaged
  bool surplus_ = false;       // there are bytes behind the values of a page
  std::uint64_t unknown_ = 0;  // pages whose type or encoding is no known number
  std::uint64_t with_crc_ = 0;
  std::optional<Spot> without_crc_;
};

}  // namespace

void check_chunk(const Context& context, const RegionMap& regions, const ChunkClaim& claim, Scratch& scratch,
                 ChunkOutcome& outcome) {
  ColumnChunk chunk;
  if (!reread(context, claim, chunk)) return;
  ChunkWalk(context, regions, claim, scratch, chunk, outcome).run();
}

}  // namespace parqproof
