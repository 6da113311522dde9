#include "conformance/diagnosis/transfer/hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace parqproof {
namespace {

using Footer = Hypothesis::Footer;

constexpr std::array kHypotheses = {
    Hypothesis{"framing of a transfer", Footer::any, true, &find_framing},
    Hypothesis{"Windows line ends", Footer::any, false, &find_windows_lines},
    Hypothesis{"bytes written as UTF-8", Footer::lost, false, &find_utf8},
    Hypothesis{"bytes of 7 bits", Footer::lost, false, &find_seven_bits},
    Hypothesis{"zeros or repeated sectors over the footer", Footer::lost, false, &find_overwritten},
    Hypothesis{"bytes missing or inserted in the footer", Footer::lost, false, &find_broken_footer},
    Hypothesis{"row groups missing, doubled or in another order", Footer::readable, false,
               &find_whole_structures},
    Hypothesis{"another write before the file", Footer::readable, false, &find_write_before},
    Hypothesis{"the end of a longer file behind it", Footer::readable, false, &find_write_after},
    Hypothesis{"blocks in another order", Footer::readable, false, &find_moved_blocks},
    Hypothesis{"blocks of another write among its own", Footer::readable, false, &find_interleaved_write},
    Hypothesis{"bytes missing or inserted", Footer::readable, false, &find_shifts},
    Hypothesis{"zeros or repeated sectors over its bytes", Footer::readable, false, &find_overwritten},
    Hypothesis{"blocks of another write over its own", Footer::readable, false, &find_foreign_block},
    Hypothesis{"bytes without their highest bits", Footer::readable, false, &find_cleared_bits},
};

/// Rules of these are about what the footer says of itself or of values that have been decoded.
constexpr std::array<std::string_view, 8> kOfFooter = {"extension",   "known-writer", "logical-type",
                                                       "nested-type", "schema",       "size-statistics",
                                                       "sorting",     "summary"};

/// Returns true if bytes may not be where they were: an error is not one of those of the footer alone, or a
/// part of the file is lost.
bool has_trace(const FileCheck& as_is) {
  bool has_error = false;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    const RuleInfo& rule = all_rules()[i];
    if (rule.severity != Severity::error || !as_is.outcome.findings.broken()[i]) continue;
    has_error = true;
    if (std::ranges::find(kOfFooter, rule.id.substr(0, rule.id.find('/'))) == kOfFooter.end()) return true;
  }
  return has_error && !as_is.outcome.lost.empty();
}

}  // namespace

bool Hypothesis::is_worth_trying(const FileCheck& as_is) const {
  if (as_is.outcome.findings.broke(Rule::file_other_format) && !in_other_formats) return false;
  const bool is_lost = file_is_lost(as_is);
  return footer == Footer::any || (footer == Footer::lost ? is_lost : !is_lost && has_footer(as_is));
}

std::span<const Hypothesis> all_hypotheses() noexcept { return kHypotheses; }

bool can_be_explained(const FileCheck& as_is) {
  return as_is.options.tier != Tier::footer && as_is.footer.named.empty() &&
         !as_is.input.metadata_elsewhere && !as_is.input.source.failed() && !as_is.cancelled() &&
         has_trace(as_is) && !as_is.outcome.findings.broke(Rule::file_joined) &&
         !as_is.outcome.findings.broke(Rule::file_min_size);
}

Evidence::Evidence(const FileCheck& check)
    : as_is(check),
      source(check.input.source),
      footer(check.footer.frame.footer_offset),
      stated(stated_structures(check)) {
  for (const Region& one : stated) data_end = std::max(data_end, one.end());
}

bool is_of_transfer(Rule rule) noexcept {
  return rule == Rule::file_block_order || rule == Rule::file_bytes_inserted ||
         rule == Rule::file_bytes_missing || rule == Rule::file_overwritten || rule == Rule::file_text_mode ||
         rule == Rule::file_transfer_framing;
}

bool is_in_doubt(const FileCheck& check, const Place& chunk) {
  const auto is_here = [&](const Place& place) { return place.chunk() == chunk; };
  return std::ranges::any_of(check.outcome.lost, is_here, &Lost::place) ||
         std::ranges::any_of(check.outcome.findings.primary(),
                             [&](const Finding& one) { return is_here(one.place) && is_error(one); });
}

Finding damage_finding(Rule rule, ByteRange bytes, Contrast what) {
  Finding out;
  out.rule = rule;
  out.offset = bytes.begin;
  out.length = bytes.size();
  out.found = std::move(what.found);
  out.expected = std::move(what.expected);
  out.detail = std::move(what.detail);
  return out;
}

Finding moved_finding(Rule rule, ByteRange bytes, std::uint64_t count, std::string evidence) {
  return damage_finding(rule, bytes, contrast(count_of_bytes(count), count_of_bytes(0), std::move(evidence)));
}

Explanation inserted(const Evidence& evidence, ByteRange bytes, std::string detail) {
  const Source& source = evidence.source;
  return {.cause = moved_finding(Rule::file_bytes_inserted, bytes, bytes.size(), std::move(detail)),
          .restored = made_of(source, {{0, bytes.begin, 0}, {bytes.end, source.size(), 0}})};
}

Explanation overwritten(const Evidence& evidence, std::vector<ByteRange> places, FindingValue found,
                        FindingValue expected, std::string detail) {
  const ByteRange first = places.front();
  detail = fmt::format(", from byte {} to byte {}{}", first.begin, first.end - 1, detail);
  if (places.size() > 1) detail += fmt::format("; there are {} such places", places.size());
  return {.cause = damage_finding(Rule::file_overwritten, first,
                                  contrast(std::move(found), std::move(expected), std::move(detail))),
          .restored = made_of(evidence.source, {{0, evidence.source.size(), 0}}),
          .gone = std::move(places)};
}

}  // namespace parqproof
