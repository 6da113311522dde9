#include "conformance/chunk/page_body.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "codec/record/dictionary.hpp"
#include "conformance/footer/proposals.hpp"
#include "conformance/known_writers/bug_evidence.hpp"
#include "conformance/state/error_values.hpp"

namespace parqproof {
namespace {

/// If `is_active`, suppresses findings until it is destroyed.
class FindingSuppression {
 public:
  FindingSuppression(Findings& findings, bool is_active)
      : findings_(findings),
        wanted_(is_active ? findings.set_wanted({}) : RuleSet()),
        is_active_(is_active) {}
  ~FindingSuppression() {
    if (is_active_) findings_.set_wanted(wanted_);
  }
  FindingSuppression(const FindingSuppression&) = delete;
  FindingSuppression& operator=(const FindingSuppression&) = delete;

 private:
  Findings& findings_;
  RuleSet wanted_;
  bool is_active_;
};

/// Returns true if the bytes of an Error are a few zeros.
bool is_padding(View image, const Error& error) {
  constexpr std::uint32_t kMost = 8;
  const std::uint64_t begin = error.offset - image.base;
  if (error.length > kMost || begin > image.size() || error.length > image.size() - begin) return false;
  const View bytes = image.part(static_cast<std::size_t>(begin), error.length);
  return std::ranges::all_of(bytes.bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

PageBodies::PageBodies(const ChunkScope& chunk, Scratch& scratch, PageExplanation& explanation)
    : chunk_(chunk),
      scratch_(scratch),
      explanation_(explanation),
      content_(scratch.decompressor, chunk.context.options.limits),
      levels_(chunk.context.footer.schema, chunk.claim.leaf) {
  scratch_.observers.open(chunk, this);
}

/// Returns the uncompressed dictionary page again; empty if it cannot be read. Its errors have been reported.
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
  // An uncompressed image is in the buffer of the reader, which the next read overwrites.
  if (!room.resize(image.size())) return {};
  std::memcpy(room.data(), image.data(), image.size());
  image.bytes = {room.data(), image.size()};
  return image;
}

/// Returns true if a wrong field of the header or of the column metadata explains the finding of this rule.
/// The field is then reported, the page is lost, and the caller reports nothing. An error in a leaf whose
/// schema change is on trial (Context::tried) is always reported, because it rejects the change.
bool PageBodies::is_explained_by_field(Rule rule) {
  if (info(rule).severity == Severity::error && chunk_.site.wants(rule) &&
      chunk_.context.tried.contains(page_->place.leaf)) {
    return false;
  }
  if (!explained_) explained_ = explanation_.explains(*page_);
  if (*explained_) out_.lost = true;
  return *explained_;
}

/// Returns true if a count that the levels contradict may be right. Some writers count entries instead of
/// rows, and nulls of nested columns by rules of their own.
bool PageBodies::puts_levels_in_doubt(Rule rule) const {
  if (evidence(rule, Suspicion::values_in_doubt) == 0) return false;
  const DataPageHeaderV2& data = page_->header.data_page_header_v2;
  if (rule == Rule::page_v2_num_rows) return data.num_rows != data.num_values;
  return chunk_.leaf.max_repetition == 0 && chunk_.leaf.max_definition == 1;
}

/// Returns true if an Error is the bug of a known writer that leaves the values intact.
bool PageBodies::is_harmless_bug(const Error& error) const {
  const WriterBugs& bugs = chunk_.context.footer.bugs;
  if (!bugs.has(error.rule)) return false;
  Finding finding;
  finding.rule = error.rule;
  finding.place = page_->place;
  Contrast values = values_of(error);
  finding.found = std::move(values.found);
  finding.expected = std::move(values.expected);
  return std::ranges::any_of(bugs.of(BugClues{.finding = finding}, &chunk_.leaf),
                             &KnownBug::leaves_values_intact);
}

/// Reports a field of the page header that the body contradicts.
void PageBodies::report_at_header(Rule rule, std::string_view path, Contrast what) {
  if (is_explained_by_field(rule)) return;
  out_.faulty = true;
  out_.in_doubt = out_.in_doubt || puts_levels_in_doubt(rule);
  FindingSite::of_page_header(chunk_.site.findings, *page_).report(rule, path, std::move(what));
}

/// Records that an Error in a section of this size makes its values doubtful. If they are no more than a
/// guess, because a run is empty or most bytes of the section are left over, the page is lost.
void PageBodies::doubt(const Error& error, std::size_t section_bytes) {
  if (evidence(error.rule, Suspicion::values_in_doubt) == 0) return;
  if (section_bytes == 0 || !chunk_.site.wants(error.rule)) return;
  // Padding, and some bugs of known writers, leave the values intact.
  const bool left_over = error.rule == Rule::page_trailing_bytes || error.rule == Rule::rle_trailing_bytes ||
                         error.rule == Rule::page_zero_values_section;
  if (left_over && is_padding(content_.image(), error)) return;
  if (is_harmless_bug(error)) return;
  out_.in_doubt = true;
  const bool has_further_runs = error.rule == Rule::rle_trailing_bytes && error.ordinal != 0;
  const bool is_most = error.length > section_bytes / 2 && error.rule != Rule::page_zero_values_section;
  const bool is_guess =
      left_over ? has_further_runs || is_most : error.rule == Rule::rle_run_length && error.found == 0;
  if (!is_guess) return;
  out_.lost = true;
  if (!out_.cause) out_.cause = error.rule;
}

/// Reports an Error inside the uncompressed page, in a section of this size.
void PageBodies::report_in_body(const Error& error, std::size_t section_bytes) {
  const Class klass = info(error.rule).klass;
  // If the two sizes of an uncompressed page differ, missing bytes and extra bytes break
  // page/uncompressed-equals-compressed.
  const std::uint64_t stored = content_.stored().size();
  const auto uncompressed = static_cast<std::uint64_t>(page_->header.uncompressed_page_size);
  const bool left_over = error.rule == Rule::page_trailing_bytes || error.rule == Rule::rle_trailing_bytes;
  const bool missing = klass == Class::malformed && stored < uncompressed;
  const bool by_size =
      !content_.is_compressed() &&
      (missing || (left_over && stored > uncompressed && stored - uncompressed == error.length));
  if (is_explained_by_field(error.rule)) return;
  out_.faulty = out_.faulty || info(error.rule).severity == Severity::error;
  if (!by_size) report_error(chunk_.site.findings, page_->place, error, page_->offset);
  if (left_over && !by_size) out_.surplus = true;
  if (klass == Class::invalid) {
    doubt(error, section_bytes);
    if (by_size && out_.lost) out_.cause = Rule::page_uncompressed_equals_compressed;
    return;
  }
  record_effect(error.rule);
  if (by_size) out_.cause = Rule::page_uncompressed_equals_compressed;
}

/// Records the effect on the page if this rule prevents decoding its body or its values.
void PageBodies::record_effect(Rule rule) {
  switch (info(rule).klass) {
    case Class::malformed:
      out_.lost = true;
      break;
    case Class::invalid:  // this rule alone loses no data, but the page could not be decoded because of it
      out_.lost = true;
      out_.cause = rule;
      break;
    case Class::unsupported:
      out_.skipped = "they use a feature that is not supported";
      break;
    case Class::limit:
      out_.skipped = "decoding them exceeds a limit";
      break;
  }
  if (out_.lost && out_.untrusted) out_.cause = Rule::crc_match;
}

/// Reports the notes up to `end`. If the values end early, an empty run has the same cause.
void PageBodies::flush(Notes& notes, const Status& end, std::size_t section_bytes) {
  const bool ends_early =
      !end && (end.error().rule == Rule::levels_count || end.error().rule == Rule::rle_value_count);
  for (const Notes::Note& note : notes.all()) {
    if (ends_early && note.error.rule == Rule::rle_run_length) continue;
    const Severity severity = info(note.error.rule).severity;
    if (severity != Severity::info && is_explained_by_field(note.error.rule)) continue;
    out_.faulty = out_.faulty || severity == Severity::error;
    doubt(note.error, section_bytes);
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
  if (wrong && page_ == &page && is_explained_by_field(wrong->rule())) return;
  if (wrong) report_page_fault(chunk_.site, page.place, page, *wrong);
  out_.untrusted = content_.checksum() == Checksum::wrong;
  out_.verified = content_.checksum() != Checksum::wrong && content_.checksum() != Checksum::not_compared;
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
  if (content_.are_levels_open()) {
    // encryption/v2-levels
    FindingSite::of_page_header(chunk_.site.findings, page)
        .report(Rule::encryption_v2_levels, "data_page_header_v2",
                contrast("not encrypted", "part of the encrypted body"));
  }
  // Other errors in bytes with a wrong checksum have the same cause.
  const FindingSuppression silence(chunk_.site.findings, out_.untrusted);
  flush(notes);
  chunk_.services.budget.earn(content_.stored().size());
  if (state == PageContent::State::closed) {
    if (!is_explained_by_field(content_.fault().rule()))
      report_page_fault(chunk_.site, page.place, page, content_.fault());
    record_effect(content_.fault().rule());
  } else if (content_.is_compressed()) {
    chunk_.services.budget.earn(content_.image().size());
  }
  const bool open = state == PageContent::State::open && !is_explained();
  if (open) image_ = content_.image();
  if (page.is_data()) {
    if (open) data_page();
    first_data_page_ = false;
  } else if (page.is_index()) {
    return out_;
  } else {
    if (open) dictionary_page();
    if (out_.lost || !out_.skipped.empty())
      mark_dictionary_unusable(out_.lost ? Entries::damaged : Entries::unknown);
    // Set by dictionary_page() or by the line above: an image that is not opened is lost or skipped.
    if (out_.untrusted) dictionary_->entries = std::max(dictionary_->entries, Entries::untrusted);
  }
  return out_;
}

void PageBodies::mark_dictionary_unusable(Entries why) noexcept {
  if (dictionary_) why = std::max(why, dictionary_->entries);
  dictionary_ = Dictionary{UINT64_MAX, why};
}

void PageBodies::mark_entries_missing() noexcept { levels_.page_lost(); }

void PageBodies::dictionary_page() {
  const DictionaryPageHeader& header = page_->header.dictionary_page_header;
  dictionary_ = Dictionary{static_cast<std::uint64_t>(header.num_values), Entries::sound};
  ValueSpec spec = chunk_.value_spec(Encoding::PLAIN, dictionary_->size);
  spec.dictionary_page = true;
  if (!chunk_.undecodable_reason.empty()) return doubtful_values(content_.image(), spec);
  Notes notes;
  const Status status = entries(spec, notes);
  flush(notes);
  if (is_explained()) return mark_dictionary_unusable(Entries::damaged);
  const View image = content_.image();
  if (status) {
    dictionary_page_ = *page_;
    scratch_.observers.end_dictionary({*page_, image, spec, notes}, scratch_.image);
    return;
  }
  record_effect(status.error().rule);
  if (header.encoding != Encoding::PLAIN && header.encoding != Encoding::PLAIN_DICTIONARY) {
    if (out_.lost) out_.cause = Rule::dictionary_page_encoding;  // the entries may be in that encoding
    return;
  }
  if (status.error().rule == Rule::dictionary_entry_count) {
    report_at_header(Rule::dictionary_entry_count, "dictionary_page_header.num_values",
                     entries_of(header.num_values, status.error()));
  } else if (!is_explained_by_field(status.error().rule)) {
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
    report_in_body(parts.error());
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
      report_in_body({repetition.bytes.base, end.levels.first_repetition, 0, 1, rule, repetition.bytes.space},
                     repetition.bytes.size());
    }
    end.parts = &*parts;
    end.spec = chunk_.value_spec(parts->encoding, end.levels.stored);
    if (!is_explained()) values(*parts, end.spec);
    // If the values do not match the levels, the levels are no evidence against the header.
    if (page_->is_v2() && !out_.lost) v2_counts(end.entries, end.levels);
  }
  end.misread = is_explained();
  end.levels_known = end.levels_known && !end.misread;
  const bool has_indices = parts && is_dictionary_encoding(parts->encoding);
  const bool unknown = has_indices && dictionary_ && dictionary_->entries == Entries::unknown;
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
    report_in_body(
        {at.base, static_cast<std::int64_t>(at.size() - 4), 0, 4, Rule::levels_v2_prefix, at.space});
  }
  Notes notes;
  const Result<LevelSums> read = levels_.read(parts.repetition, parts.definition, parts.count, notes,
                                              scratch_.observers.level_visitor());
  flush(notes, read ? Status() : std::unexpected(read.error()),
        parts.repetition.bytes.size() + parts.definition.bytes.size());
  if (!read) {
    report_in_body(read.error());
    return false;
  }
  // levels/section-consumed, levels/mostly-left-over
  const auto judge_rest = [&](View section, View left) {
    const std::size_t used = section.size() - left.size();
    const bool most = left.size() > used;
    if (left.empty()) return;
    report_in_body({left.base, static_cast<std::int64_t>(left.size()),
                    static_cast<std::int64_t>(most ? used : 0), static_cast<std::uint32_t>(left.size()),
                    most ? Rule::levels_mostly_left_over : Rule::levels_section_consumed, left.space});
  };
  if (levels_.max_repetition() > 0) judge_rest(parts.repetition.bytes, levels_.repetition_rest());
  if (levels_.max_definition() > 0) judge_rest(parts.definition.bytes, levels_.definition_rest());
  if (out_.lost) return false;
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
    report_at_header(Rule::page_v2_num_nulls, "data_page_header_v2.num_nulls",
                     contrast(data.num_nulls, nulls));
  }
  const auto rows = static_cast<std::int64_t>(sums.rows);
  // For flat columns, page/v2-num-rows-range has compared num_rows with num_values.
  const bool flat = chunk_.leaf.max_repetition == 0;
  if (data.has(DataPageHeaderV2::id_num_rows) && !flat && data.num_rows >= 0 &&
      data.num_rows <= data.num_values && data.num_rows != rows) {
    report_at_header(Rule::page_v2_num_rows, "data_page_header_v2.num_rows", contrast(data.num_rows, rows));
  }
}

void PageBodies::values(const DataPageParts& parts, ValueSpec& spec) {
  Notes notes;
  if (spec.count == 0) {
    const Status status = check_empty_section(parts.values, parts.encoding, chunk_.leaf.type, notes);
    flush(notes);
    if (!status) report_in_body(status.error(), parts.values.size());
    return;
  }
  if (is_dictionary_encoding(parts.encoding)) {
    if (!dictionary_) {
      report_at_header(Rule::page_dictionary_missing,
                       page_->is_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding",
                       contrast(symbol(kEncodingEnum, parts.encoding), "a dictionary page before it"));
      record_effect(Rule::page_dictionary_missing);
      return;
    }
    spec.dictionary_size = dictionary_->size;
    if (dictionary_->entries == Entries::damaged) out_.lost = true;  // indices are judged anyway
    if (dictionary_->entries == Entries::untrusted)
      out_.skipped = "the checksum of their dictionary page is wrong";
  }
  if (is_of_later_edition(parts.encoding, chunk_.context.options.edition)) {
    out_.skipped = "a later edition has their encoding";
    return;
  }
  if (!chunk_.undecodable_reason.empty()) return doubtful_values(parts.values, spec);
  const Status status = run_decoder(parts.values, spec, notes);
  flush(notes, status, parts.values.size());
  if (!status) report_in_body(status.error(), parts.values.size());
}

/// Decodes values whose type is in doubt, without judging them. They are lost if they cannot be decoded as
/// the type of the schema, because readers use that type. The budget of the chunk is not charged.
void PageBodies::doubtful_values(View section, const ValueSpec& spec) {
  out_.skipped = chunk_.undecodable_reason;
  Notes ignored_notes;
  Budget budget = chunk_.services.budget;
  ValueDecoder& decoder = scratch_.values;
  Status status = decoder.open(section, spec, chunk_.context.options.limits, budget, ignored_notes);
  bool has_more = spec.count != 0;
  while (status && has_more) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) status = std::unexpected(batch.error());
    has_more = batch && batch->count != 0;
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
