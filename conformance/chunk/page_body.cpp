#include "conformance/chunk/page_body.hpp"

#include <algorithm>
#include <cstring>

#include "codec/record/dictionary.hpp"

namespace parqproof {
namespace {

/// Suppresses findings while it exists.
class Silence {
 public:
  Silence(Findings& findings, bool silent)
      : findings_(findings), wanted_(silent ? findings.set_wanted({}) : RuleSet()), silent_(silent) {}
  ~Silence() {
    if (silent_) findings_.set_wanted(wanted_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  Findings& findings_;
  RuleSet wanted_;
  bool silent_;
};

}  // namespace

PageBodies::PageBodies(const ChunkScope& chunk, Scratch& scratch, PageExplanation& doubt)
    : chunk_(chunk),
      scratch_(scratch),
      doubt_(doubt),
      content_(scratch.decompressor, chunk.context.options.limits),
      levels_(chunk.context.footer.schema, chunk.claim.leaf) {
  scratch_.observers.open(chunk, this);
}

/// Ignores errors of the page, which has been judged before.
View PageBodies::read_again(Buffer& room) {
  if (!dictionary_page_) return {};
  PageContent content(scratch_.decompressor, chunk_.context.options.limits);
  Notes notes;
  if (content.open(scratch_.dictionary_reader, *dictionary_page_, chunk_.meta().codec, false, room, notes) !=
      PageContent::State::open) {
    return {};
  }
  View image = content.image();
  if (content.is_compressed()) return image;
  if (!room.resize(image.size())) return {};
  std::memcpy(room.data(), image.data(), image.size());
  image.bytes = {room.data(), image.size()};
  return image;
}

/// Returns true if a wrong header field explains the finding of this rule about the body, so that it is not
/// reported and nothing else is judged. An error in a leaf under trial remains an error, even if it is
/// explained.
bool PageBodies::explained(Rule rule) {
  if (info(rule).severity == Severity::error && chunk_.site.wants(rule) &&
      chunk_.context.tried.contains(page_->place.leaf)) {
    return false;
  }
  if (!explained_) explained_ = doubt_.explains(*page_);
  if (*explained_) out_.lost = true;
  return *explained_;
}

void PageBodies::fault(Rule rule, std::string_view path, Contrast what) {
  if (explained(rule)) return;
  out_.faulty = true;
  FindingSite::of_page_header(chunk_.site.findings, *page_).report(rule, path, std::move(what));
}

/// Reports an Error inside the uncompressed page.
void PageBodies::error(const Error& error) {
  const Class klass = info(error.rule).klass;
  // If the two sizes of an uncompressed page differ, missing bytes and extra bytes break
  // page/uncompressed-equals-compressed.
  const std::uint64_t stored = content_.stored().size();
  const auto claimed = static_cast<std::uint64_t>(page_->header.uncompressed_page_size);
  const bool left_over = error.rule == Rule::page_trailing_bytes || error.rule == Rule::rle_trailing_bytes;
  const bool missing = klass == Class::malformed && stored < claimed;
  const bool by_size = !content_.is_compressed() &&
                       (missing || (left_over && stored > claimed && stored - claimed == error.length));
  if (explained(error.rule)) return;
  out_.faulty = out_.faulty || info(error.rule).severity == Severity::error;
  if (!by_size) report_error(chunk_.site.findings, page_->place, error, page_->offset);
  if (left_over && !by_size) out_.surplus = true;
  if (klass == Class::invalid) return;
  failed(error.rule);
  if (by_size) out_.cause = Rule::page_uncompressed_equals_compressed;
}

/// Records the effect on the page if this rule prevents decoding its body or its values.
void PageBodies::failed(Rule rule) {
  switch (info(rule).klass) {
    case Class::malformed:
      out_.lost = true;
      break;
    case Class::invalid:
      out_.lost = true;
      out_.cause = rule;
      break;
    case Class::unsupported:
      out_.skipped = "their form is not known";
      break;
    case Class::limit:
      out_.skipped = "they need more than a limit allows";
      break;
  }
  if (out_.lost && out_.untrusted) out_.cause = Rule::crc_match;
}

/// Reports the notes up to `end`. If the values end early, an empty run has the same cause.
void PageBodies::flush(Notes& notes, const Status& end) {
  const bool ends_early =
      !end && (end.error().rule == Rule::levels_count || end.error().rule == Rule::rle_value_count);
  for (const Notes::Note& note : notes.all()) {
    if (ends_early && note.error.rule == Rule::rle_run_length) continue;
    const Severity severity = info(note.error.rule).severity;
    if (severity != Severity::info && explained(note.error.rule)) continue;
    out_.faulty = out_.faulty || severity == Severity::error;
    const bool names_entry = note.error.rule == Rule::levels_repetition_needs_defined ||
                             note.error.rule == Rule::levels_repetition_after_empty;
    report_error(chunk_.site.findings, page_->place, note.error, page_->offset, note.times,
                 names_entry ? std::to_string(levels_.faulty_entry()) : std::string());
  }
  notes.clear();
}

/// crc/match. If the checksum is one of those that some writers confuse with CRC-32, the page can be
/// trusted.
void PageBodies::judge_checksum_of(const Page& page) {
  const std::optional<PageFault> wrong = content_.checksum_fault(page);
  if (wrong && page_ == &page && explained(wrong->rule())) return;
  if (wrong) report_page_fault(chunk_.site, page.place, page, *wrong);
  out_.untrusted = content_.checksum() == Checksum::wrong;
}

BodyOutcome PageBodies::judge_checksum(const Page& page) {
  out_ = {};
  page_ = nullptr;
  if (content_.open_stored(scratch_.reader, page) == PageContent::State::unreadable) {
    out_.unreadable = true;
  } else {
    judge_checksum_of(page);
  }
  return out_;
}

BodyOutcome PageBodies::judge(const Page& page) {
  page_ = &page;
  explained_.reset();
  image_.reset();
  out_ = {};
  Notes notes;
  if (page.is_data()) scratch_.observers.expect_page(page);
  const PageContent::State state = content_.open(scratch_.reader, page, chunk_.meta().codec,
                                                 chunk_.site.wants(Rule::crc_match), scratch_.image, notes);
  if (state == PageContent::State::unreadable) {
    out_.unreadable = true;
    return out_;
  }
  judge_checksum_of(page);
  // Other errors in bytes with a wrong checksum have the same cause.
  const Silence silence(chunk_.site.findings, out_.untrusted);
  flush(notes);
  chunk_.services.budget.earn(content_.stored().size());
  if (state == PageContent::State::closed) {
    if (!explained(content_.fault().rule()))
      report_page_fault(chunk_.site, page.place, page, content_.fault());
    failed(content_.fault().rule());
  } else if (content_.is_compressed()) {
    chunk_.services.budget.earn(content_.image().size());
  }
  const bool open = state == PageContent::State::open && !explained_.value_or(false);
  if (open) image_ = content_.image();
  if (page.is_data()) {
    if (open) data_page();
    first_data_page_ = false;
  } else if (page.is_index()) {
    return out_;
  } else {
    if (open) dictionary_page();
    if (out_.lost || !out_.skipped.empty()) lose_dictionary(out_.lost ? Entries::damaged : Entries::unknown);
    if (out_.untrusted) dictionary_->entries = std::max(dictionary_->entries, Entries::untrusted);
  }
  return out_;
}

void PageBodies::lose_dictionary(Entries why) noexcept {
  if (dictionary_) why = std::max(why, dictionary_->entries);
  dictionary_ = Dictionary{UINT64_MAX, why};
}

void PageBodies::lose_entries() noexcept { levels_.page_lost(); }

void PageBodies::dictionary_page() {
  const DictionaryPageHeader& header = page_->header.dictionary_page_header;
  dictionary_ = Dictionary{static_cast<std::uint64_t>(header.num_values), Entries::sound};
  ValueSpec spec = chunk_.value_spec(Encoding::PLAIN, dictionary_->size);
  spec.dictionary_page = true;
  if (!chunk_.doubt.empty()) return doubtful_values(content_.image(), spec);
  Notes notes;
  const Status status = entries(spec, notes);
  flush(notes);
  if (explained_.value_or(false)) return lose_dictionary(Entries::damaged);
  const View image = content_.image();
  if (status) {
    dictionary_page_ = *page_;
    scratch_.observers.end_dictionary({*page_, image, spec, notes}, scratch_.image);
    return;
  }
  failed(status.error().rule);
  if (header.encoding != Encoding::PLAIN && header.encoding != Encoding::PLAIN_DICTIONARY) {
    if (out_.lost) out_.cause = Rule::dictionary_page_encoding;  // the entries may be in that encoding
    return;
  }
  if (status.error().rule == Rule::dictionary_entry_count) {
    fault(Rule::dictionary_entry_count, "dictionary_page_header.num_values",
          entries_of(header.num_values, status.error()));
  } else if (!explained(status.error().rule)) {
    report_error(chunk_.site.findings, page_->place, status.error(), page_->offset);
  }
}

Status PageBodies::entries(const ValueSpec& spec, Notes& notes) {
  const View image = content_.image();
  if (spec.count == 0) {
    // dictionary/entry-count
    if (image.empty()) return {};
    return std::unexpected(Error{image.base, 0, 0, 0, Rule::dictionary_entry_count, image.space});
  }
  ValueDecoder& decoder = scratch_.values;
  if (Status opened = decoder.open(image, spec, chunk_.context.options.limits, chunk_.services.budget, notes);
      !opened)
    return opened;
  const ValueSection section{*page_, image, spec, notes};
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) return std::unexpected(batch.error());
    if (batch->count == 0) return decoder.end();
    scratch_.observers.dictionary(section, *batch);
  }
}

void PageBodies::data_page() {
  scratch_.observers.begin_page(*page_);
  PageEnd end{.page = *page_, .entries = static_cast<std::uint64_t>(page_->num_values())};
  Result<DataPageParts> parts = split_data_page(*page_, content_.image(), chunk_.leaf);
  if (!parts) {
    error(parts.error());
  } else if (levels(*parts, end.levels)) {
    end.levels_known = true;
    out_.has_levels = true;
    out_.rows = static_cast<std::int64_t>(end.levels.rows);
    out_.continues = end.entries != 0 && end.levels.first_repetition != 0;
    const LevelSection& repetition = parts->repetition;
    const bool indexed = !chunk_.page_index.offset.bytes.empty();
    if (out_.continues && (first_data_page_ || page_->is_v2() || indexed)) {
      const Rule rule = first_data_page_ ? Rule::page_first_repetition_level
                        : page_->is_v2() ? Rule::page_v2_row_boundary
                                         : Rule::offset_index_row_boundary;
      error({repetition.bytes.base, end.levels.first_repetition, 0, 1, rule, repetition.bytes.space});
    }
    end.parts = &*parts;
    end.spec = chunk_.value_spec(parts->encoding, end.levels.stored);
    if (!explained_.value_or(false)) values(*parts, end.spec);
    // If the values do not match the levels, the levels are no evidence against the header.
    if (page_->is_v2() && !out_.lost) v2_counts(end.entries, end.levels);
  }
  end.misread = explained_.value_or(false);
  end.levels_known = end.levels_known && !end.misread;
  const bool coded =
      parts && (parts->encoding == Encoding::PLAIN_DICTIONARY || parts->encoding == Encoding::RLE_DICTIONARY);
  const bool unknown = coded && dictionary_ && dictionary_->entries == Entries::unknown;
  end.values_known = !out_.lost && out_.skipped.empty() && !unknown;
  end.faultless = !out_.faulty && !out_.lost && !out_.untrusted;
  scratch_.observers.end_page(end);
}

/// Reads and judges the levels; returns false if they cannot be read.
bool PageBodies::levels(DataPageParts& parts, LevelSums& sums) {
  const DataPageParts as_stored = parts;
  if (skip_length_prefixes(*page_, levels_, parts)) {
    // levels/v2-prefix
    const bool before_repetition = parts.repetition.bytes.base != as_stored.repetition.bytes.base;
    const View at = before_repetition ? as_stored.repetition.bytes : as_stored.definition.bytes;
    error({at.base, static_cast<std::int64_t>(at.size() - 4), 0, 4, Rule::levels_v2_prefix, at.space});
  }
  Notes notes;
  const Result<LevelSums> read = levels_.read(parts.repetition, parts.definition, parts.count, notes,
                                              scratch_.observers.level_visitor());
  flush(notes, read ? Status() : std::unexpected(read.error()));
  if (!read) {
    error(read.error());
    return false;
  }
  // levels/section-consumed
  for (const View& left : {levels_.max_repetition() > 0 ? levels_.repetition_rest() : View{},
                           levels_.max_definition() > 0 ? levels_.definition_rest() : View{}}) {
    if (left.empty()) continue;
    error({left.base, static_cast<std::int64_t>(left.size()), 0, static_cast<std::uint32_t>(left.size()),
           Rule::levels_section_consumed, left.space});
  }
  sums = *read;
  return true;
}

/// page/v2-num-nulls, page/v2-num-rows: compares counts that are in range with the levels.
void PageBodies::v2_counts(std::uint64_t count, const LevelSums& sums) {
  const DataPageHeaderV2& data = page_->header.data_page_header_v2;
  const auto nulls = static_cast<std::int64_t>(count - sums.stored);
  const std::int32_t most = chunk_.leaf.max_definition == 0 ? 0 : data.num_values;
  if (data.has(DataPageHeaderV2::id_num_nulls) && data.num_nulls >= 0 && data.num_nulls <= most &&
      data.num_nulls != nulls) {
    fault(Rule::page_v2_num_nulls, "data_page_header_v2.num_nulls", contrast(data.num_nulls, nulls));
  }
  const auto rows = static_cast<std::int64_t>(sums.rows);
  const bool flat = chunk_.leaf.max_repetition == 0;
  if (data.has(DataPageHeaderV2::id_num_rows) && !flat && data.num_rows >= 0 &&
      data.num_rows <= data.num_values && data.num_rows != rows) {
    fault(Rule::page_v2_num_rows, "data_page_header_v2.num_rows", contrast(data.num_rows, rows));
  }
}

void PageBodies::values(const DataPageParts& parts, ValueSpec& spec) {
  Notes notes;
  if (spec.count == 0) {
    const Status status = check_empty_section(parts.values, parts.encoding, chunk_.leaf.type, notes);
    flush(notes);
    if (!status) error(status.error());
    return;
  }
  if (parts.encoding == Encoding::PLAIN_DICTIONARY || parts.encoding == Encoding::RLE_DICTIONARY) {
    if (!dictionary_) {
      fault(Rule::page_dictionary_missing,
            page_->is_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding",
            contrast(symbol(kEncodingEnum, parts.encoding), "a dictionary page before it"));
      failed(Rule::page_dictionary_missing);
      return;
    }
    spec.dictionary_size = dictionary_->size;
    if (dictionary_->entries == Entries::damaged) out_.lost = true;  // indices are judged anyway
    if (dictionary_->entries == Entries::untrusted)
      out_.skipped = "the checksum of the dictionary that they are in is wrong";
  }
  if (!chunk_.doubt.empty()) return doubtful_values(parts.values, spec);
  const Status status = run_decoder(parts.values, spec, notes);
  flush(notes, status);
  if (!status) error(status.error());
}

/// Handles values that are not judged, because their type is in doubt. They are lost if they cannot be of
/// the type in the schema, which readers use.
void PageBodies::doubtful_values(View section, const ValueSpec& spec) {
  out_.skipped = chunk_.doubt;
  Notes passed_over;
  Budget budget = chunk_.services.budget;
  ValueDecoder& decoder = scratch_.values;
  Status status = decoder.open(section, spec, chunk_.context.options.limits, budget, passed_over);
  for (bool more = status && spec.count != 0; more;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) status = std::unexpected(batch.error());
    more = batch && batch->count != 0;
  }
  if (status) status = decoder.end();
  if (status) return;
  out_.lost = true;
  out_.cause = Rule::column_chunk_type;
}

Status PageBodies::run_decoder(View section, const ValueSpec& spec, Notes& notes) {
  ValueDecoder& decoder = scratch_.values;
  if (Status opened =
          decoder.open(section, spec, chunk_.context.options.limits, chunk_.services.budget, notes);
      !opened) {
    return opened;
  }
  const ValueSection of_page{*page_, section, spec, notes};
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) return std::unexpected(batch.error());
    if (batch->count == 0) return decoder.end();
    scratch_.observers.values(of_page, *batch);
  }
}

}  // namespace parqproof
