#include "conformance/file/judge_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/encryption/file_keys.hpp"
#include "conformance/advice/advice.hpp"
#include "conformance/chunk/chunk_tasks.hpp"
#include "conformance/file/byte_map_rules.hpp"
#include "conformance/file/index_placement.hpp"
#include "conformance/file/modules.hpp"
#include "conformance/file/named_files.hpp"
#include "conformance/file_type/file_groups.hpp"
#include "conformance/file_type/file_rows.hpp"
#include "conformance/footer/encryption_rules.hpp"
#include "conformance/footer/file_metadata_rules.hpp"
#include "conformance/geo/geo_columns.hpp"
#include "conformance/row_group/row_group_totals.hpp"
#include "conformance/row_group/sorting_columns.hpp"
#include "conformance/variant/variant_groups.hpp"
#include "conformance/variant/variant_rows.hpp"
#include "conformance/verdict/subsumption.hpp"

namespace parqproof {
namespace {

/// Returns true if the footer begins with the header of its first field, as nearly every footer does. With a
/// wrong footer length, other bytes may be read as unknown fields without any finding.
bool begins_with_version(const Frame& frame) {
  constexpr std::uint8_t kVersion = 0x15;
  return !frame.footer.empty() && frame.footer.bytes.front() == kVersion;
}

/// Rules of the area `file` that need the footer.
constexpr std::array kFileRulesOfFooter{Rule::file_block_order,
                                        Rule::file_bytes_inserted,
                                        Rule::file_bytes_missing,
                                        Rule::file_encrypted_column,
                                        Rule::file_joined,
                                        Rule::file_layout_order,
                                        Rule::file_no_row_groups,
                                        Rule::file_overwritten,
                                        Rule::file_region_inside,
                                        Rule::file_region_shared,
                                        Rule::file_regions_disjoint,
                                        Rule::file_structure_place,
                                        Rule::file_text_mode,
                                        Rule::file_unreferenced_bytes,
                                        Rule::file_unreferenced_zero_bytes};

/// Rules that compare an encrypted column chunk with others, or with the bytes around it.
constexpr std::array kRulesOfAllChunks{Rule::file_unreferenced_bytes, Rule::file_unreferenced_zero_bytes,
                                       Rule::row_group_file_offset, Rule::row_group_total_byte_size,
                                       Rule::row_group_total_compressed_size};

/// Adds rules to `not_run`, if they are selected.
void leave_out(FileCheck& check, std::span<const Rule> rules, const char* why) {
  for (const Rule rule : rules) {
    if (check.outcome.findings.wants(rule))
      check.outcome.not_run.push_back({std::string(info(rule).id), why, {}, {}});
  }
}

/// Adds all rules of an encrypted footer to `not_run`: by their area, those of the area `file` one by one.
void leave_out_rules_of_footer(FileCheck& check) {
  constexpr const char* kWhy = "the footer is encrypted";
  std::string_view before;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const auto rule = static_cast<Rule>(i);
    const std::string_view id = info(rule).id;
    const std::string_view area = id.substr(0, id.find('/'));
    if (area == before || area == "file" || area == "limit" || !check.outcome.findings.wants(rule)) continue;
    before = area;
    check.outcome.not_run.push_back({std::string(area) + "/*", kWhy, {}, {}});
  }
  leave_out(check, kFileRulesOfFooter, kWhy);
}

/// Adds what only the holder of a key can check in a file with a footer in the clear to `not_run`.
void leave_out_rules_of_keys(FileCheck& check, bool is_locked) {
  const encryption::FileKeys* const keys = check.input.source.keys();
  using Signature = encryption::FileKeys::Signature;
  const bool is_judged =
      keys != nullptr && (keys->signature() == Signature::verified || keys->signature() == Signature::wrong);
  if (check.footer.meta.has(FileMetaData::id_encryption_algorithm) && !is_judged) {
    check.outcome.not_run.push_back(
        {"the signature of the footer", "only the holder of the key can check it", {}, {}});
    leave_out(check, std::array{Rule::footer_exact_length}, "a signature follows the footer");
  }
  if (is_locked) leave_out(check, kRulesOfAllChunks, "a column chunk is encrypted");
}

void judge_encryption(FileCheck& check) {
  const bool is_locked = check.outcome.findings.broke(Rule::file_encrypted_column);
  check_encryption(check);
  leave_out_rules_of_keys(check, is_locked);
}

void leave_out_encrypted_footer(FileCheck& check) {
  attribute_duplicates(check);
  check.outcome.not_run.push_back({"file", "the footer is encrypted", {}, {}});
  leave_out_rules_of_footer(check);
}

/// Adds the row groups that --row-groups leaves out to `not_run`.
void leave_out_row_groups(FileCheck& check) {
  if (!check.options.row_groups) return;
  const std::uint64_t count = check.footer.row_groups.size();
  const RowGroups& asked = *check.options.row_groups;
  const auto leave_out = [&](std::uint64_t first, std::uint64_t end) {
    if (first >= end) return;
    std::string what = "pages of row group " + std::to_string(first);
    if (end - first > 1)
      what = "pages of row groups " + std::to_string(first) + " to " + std::to_string(end - 1);
    check.outcome.not_run.push_back({std::move(what), "--row-groups", {}, {}, true});
  };
  if (asked.first >= asked.end) return leave_out(0, count);
  leave_out(0, std::min(asked.first, count));
  leave_out(asked.end, count);
}

/// The footer does not authenticate: by a wrong key or AAD, or because it was changed.
void leave_out_sealed_footer(FileCheck& check) {
  const bool is_locked = std::ranges::any_of(
      check.outcome.findings.all(), [](const Finding& one) { return one.rule == Rule::encryption_key; });
  if (!is_locked) {
    check.outcome.lost.push_back({LostPart::file, {}});
    return;
  }
  check.outcome.not_run.push_back({"file", "the footer does not authenticate", {}, {}});
  leave_out_rules_of_footer(check);
}

}  // namespace

void judge_phases(FileCheck& check, const Policy& policy, const FileDoubts& diagnosis,
                  std::vector<FileReport>* reports) {
  const std::uint64_t size = check.input.source.size();
  const std::uint64_t end = check.options.footer_at.value_or(size);
  if (check.options.footer_at && (end < kMinFileBytes || end > size)) {
    check.outcome.not_run.push_back({"file",
                                     end > size ? "the file ends before the requested footer"
                                                : "no footer fits before the requested offset",
                                     {},
                                     {}});
    return;
  }
  check_frame(check, end);
  const FileDoubts& doubts = diagnosis.about(check);
  check_crypto_metadata(check);
  switch (check.footer.frame.state) {
    case Frame::State::footer:
      break;
    case Frame::State::lost:
      check.outcome.lost.push_back({LostPart::file, {}});
      if (check.outcome.findings.broke(Rule::file_footer_length))
        static_cast<void>(doubts.explain_footer_length(check));
      return;
    case Frame::State::encrypted:
      return leave_out_encrypted_footer(check);
    case Frame::State::proposed:
      check.outcome.not_run.push_back({"file", "only a proposal defines its footer", {}, {}});
      return;
    case Frame::State::sealed:
      return leave_out_sealed_footer(check);
    case Frame::State::limit:
      check.outcome.not_run.push_back({"file", "the footer is larger than the limit", {}, {}});
      return;
    case Frame::State::unreadable:
      return;
  }
  check.outcome.bytes += check.footer.frame.footer.size() + kMagicBytes + kFooterTailBytes;
  if (!begins_with_version(check.footer.frame) && doubts.explain_footer_length(check)) return;
  check_footer(check);
  if (file_is_lost(check) && doubts.explain_footer_length(check)) return;
  if (check.footer.schema_usable) {
    check_variant_groups(check);
    check_geo_columns(check);
    check_file_groups(check);
  }
  judge_encryption(check);
  if (check.is_rejected_by(check.outcome.findings)) return;
  if (check.options.tier == Tier::footer) {
    check.outcome.not_run.push_back({"pages and values", "--tier footer", {}, {}, true});
  } else {
    if (check.options.tier == Tier::pages)
      check.outcome.not_run.push_back({"values", "--tier pages", {}, {}, true});
    if (doubts.explain_joined_files(check)) return;
    leave_out_row_groups(check);
    ChunkList here;
    for (std::size_t i = 0; i < check.footer.chunks.size(); ++i) {
      if (check.footer.chunks[i].file == 0 && check.takes(check.footer.chunks[i])) here.add(i);
    }
    check_chunks(check, policy.wanted(), here, doubts.make_chunk_doubts());
    if (check.is_rejected_by(check.outcome.findings)) return;
    check_named_files(check, policy, diagnosis, reports);
  }
  check_modules(check);
  doubts.explain_lengths_of_zero(check);
  check_row_groups(check);
  check_sorting(check);
  check_variant_rows(check);
  check_file_rows(check);
  check_geo_key(check);
  check_num_rows(check);
  check_index_places(check);
  for (const ByteRange& gap : check_layout(check)) doubts.report_earlier_footers(check, gap);
  doubts.explain_schema_names(check);
  advise(check);
  attribute_duplicates(check);
  if (check.cancelled())
    check.outcome.not_run.push_back({"what had not been reached", "the check was stopped", {}, {}});
}

void look_for_remains(FileCheck& check, const FileDoubts& doubts) {
  if (!file_is_lost(check) || !check.options.with_remains) return;
  if (check.options.tier == Tier::footer) {
    check.outcome.not_run.push_back({"the search for recoverable data", "--tier footer", {}, {}, true});
  } else {
    check.outcome.remains = doubts.search_remains(check);
    if (check.outcome.remains && check.outcome.remains->searched_to < check.input.source.size()) {
      check.outcome.not_run.push_back(
          {"the search from byte " + std::to_string(check.outcome.remains->searched_to) + " on",
           check.cancelled()             ? "the check was stopped"
           : check.input.source.failed() ? "the file could not be read"
                                         : "too much in the file looks like a page and is none",
           {},
           {}});
    }
  }
}

void judge_file(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
                std::vector<FileReport>* reports) {
  judge_phases(check, policy, doubts, reports);
  look_for_remains(check, doubts.about(check));
}

}  // namespace parqproof
