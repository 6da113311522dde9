#include "conformance/section/value_section.hpp"

#include <algorithm>

#include "codec/encoding/level_codec.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/table.hpp"
#include "codec/page/page_content.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

constexpr unsigned kMaxLevelWidth = 32;

/// Judges the bytes after the levels, as in a page.
Status levels_used(View rest) {
  // levels/section-consumed
  if (rest.empty()) return {};
  return std::unexpected(Error::at(Rule::levels_section_consumed, rest, rest.size(), 0));
}

Status decode_bare_levels(const LoneSection& section, View bytes, Notes& notes, const TakeValues& take) {
  LevelDecoder decoder;
  const Status opened = decoder.open(section.encoding, {bytes, section.bit_width, section.count, notes});
  if (!opened) return opened;
  for (;;) {
    const Result<HybridDecoder::Batch> levels = decoder.next();
    if (!levels) return std::unexpected(levels.error());
    if (levels->count == 0) return levels_used(decoder.rest());
    ValueBatch batch;
    batch.form = levels->values == nullptr ? ValueBatch::Form::index_run : ValueBatch::Form::indices;
    batch.count = levels->count;
    batch.indices = levels->values;
    batch.run = levels->repeated;
    batch.offset = levels->run_offset;
    if (!take(batch)) return {};
  }
}

Status decode_levels(const LoneSection& section, View bytes, Notes& notes, const TakeValues& take) {
  if (!section.length_word) return decode_bare_levels(section, bytes, notes, take);
  View rest = bytes;
  constexpr std::uint32_t kSome = 1;  // stored levels have a maximum; its value does not matter here
  const Result<LevelSection> levels = cut_v1_levels(rest, kSome, Encoding::RLE, section.count);
  if (!levels) return std::unexpected(levels.error());
  if (Status decoded = decode_bare_levels(section, levels->bytes, notes, take); !decoded) return decoded;
  // page/trailing-bytes
  if (rest.empty()) return {};
  return std::unexpected(Error::at(Rule::page_trailing_bytes, rest, rest.size(), 0));
}

Status decode_values(const LoneSection& section, View bytes, const Limits& limits, Notes& notes,
                     const TakeValues& take) {
  if (section.count == 0) return check_empty_section(bytes, section.encoding, section.type, notes);
  ValueSpec spec;
  spec.encoding = section.encoding;
  spec.type = section.type;
  spec.type_length = section.type_length;
  spec.count = section.count;
  spec.dictionary_size = UINT64_MAX;  // not known here
  spec.selector_little_endian = section.selector_little_endian;
  Budget budget(limits.work);
  budget.earn(bytes.size());
  ValueDecoder decoder;
  if (Status opened = decoder.open(bytes, spec, limits, budget, notes); !opened) return opened;
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) return std::unexpected(batch.error());
    if (batch->count == 0) return decoder.end();
    if (!take(*batch)) return {};
  }
}

Findings findings_of(const Notes& notes) {
  Findings findings{RuleSet().set()};
  for (const Notes::Note& note : notes.all()) report_error(findings, {}, note.error, 0, note.times);
  return findings;
}

}  // namespace

std::string_view why_impossible(const LoneSection& section) noexcept {
  const EncodingInfo* const row = find_encoding(section.encoding);
  if (row == nullptr) return "there is no such encoding";
  if (section.levels) {
    if (!row->levels.exists()) return "levels are encoded RLE or BIT_PACKED";
    if (section.bit_width > kMaxLevelWidth) return "levels have 32 bits at most";
    if (section.bit_width == 0 && section.encoding == Encoding::BIT_PACKED) {
      return "BIT_PACKED levels have a bit at least";
    }
    return {};
  }
  if (!row->codec(section.type).exists()) return "the encoding does not know this type";
  if (section.indices() && section.type != Type::INT32) return "dictionary indices are of type INT32";
  return {};
}

Findings decode_section(const LoneSection& section, std::span<const std::uint8_t> bytes, const Limits& limits,
                        const TakeValues& take) {
  const View view{bytes};
  Notes notes;
  const Status status = section.levels ? decode_levels(section, view, notes, take)
                                       : decode_values(section, view, limits, notes, take);
  Findings findings = findings_of(notes);
  if (!status) report_error(findings, {}, status.error(), 0);
  findings.sort();
  return findings;
}

Findings expand_stream(CompressionCodec codec, std::span<const std::uint8_t> bytes, std::size_t size,
                       const Limits& limits, Buffer& out) {
  Decompressor decompressor;
  Notes notes;
  const Result<std::size_t> produced = decompressor.expand(codec, View{bytes}, size, out, 0, limits, notes);
  Findings findings = findings_of(notes);
  if (!produced) {
    report_error(findings, {}, produced.error(), 0);
  } else if (*produced != size) {
    // page/uncompressed-size
    report_at(findings, Rule::page_uncompressed_size, {}, 0, bytes.size(), contrast(size, *produced));
  }
  findings.sort();
  return findings;
}

SectionVerdict verdict_of(const Findings& findings) noexcept {
  SectionVerdict verdict = SectionVerdict::sound;
  for (const Finding& finding : findings.all()) {
    const RuleInfo& rule = info(finding.rule);
    if (rule.severity == Severity::error) return SectionVerdict::broken;
    if (!is_judgement(rule.klass)) verdict = SectionVerdict::undecided;
  }
  return verdict;
}

}  // namespace parqproof
