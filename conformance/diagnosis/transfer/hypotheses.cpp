#include "conformance/diagnosis/transfer/hypotheses.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace parqproof {
namespace {

using Footer = Hypothesis::Footer;

/// Makes a list of what a hypothesis finds.
template <auto kFind>
Explanations list_of(const Evidence& evidence) {
  auto found = kFind(evidence);
  if constexpr (std::is_same_v<decltype(found), Explanations>) {
    return found;
  } else {
    Explanations out;
    if (found) out.push_back(std::move(*found));
    return out;
  }
}

/// The most specific first: of two that explain as much, the first is reported.
constexpr std::array kHypotheses = {
    Hypothesis{"framing of a transfer", Footer::any, true, list_of<&find_framing>},
    Hypothesis{"Windows line ends", Footer::any, false, list_of<&find_windows_lines>},
    Hypothesis{"bytes written as UTF-8", Footer::lost, false, list_of<&find_utf8>},
    Hypothesis{"zeros or repeated sectors over the footer", Footer::lost, false, list_of<&find_overwritten>},
    Hypothesis{"bytes missing or inserted in the footer", Footer::lost, false, list_of<&find_broken_footer>},
    Hypothesis{"another write before the file", Footer::readable, false, list_of<&find_write_before>},
    Hypothesis{"the end of a longer file behind it", Footer::readable, false, list_of<&find_write_after>},
    Hypothesis{"row groups missing, doubled or in another order", Footer::readable, false,
               list_of<&find_whole_structures>},
    Hypothesis{"blocks in another order", Footer::readable, false, list_of<&find_moved_blocks>},
    Hypothesis{"blocks of another write among its own", Footer::readable, false,
               list_of<&find_interleaved_write>},
    Hypothesis{"bytes missing or inserted", Footer::readable, false, list_of<&find_shifts>},
    Hypothesis{"zeros or repeated sectors over its bytes", Footer::readable, false,
               list_of<&find_overwritten>},
    Hypothesis{"blocks of another write over its own", Footer::readable, false, list_of<&find_foreign_block>},
};

bool has_error(const FileCheck& check) {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (check.outcome.findings.broken()[i] && all_rules()[i].severity == Severity::error) return true;
  }
  return false;
}

bool broke(const FileCheck& check, Rule rule) {
  return check.outcome.findings.broken()[static_cast<std::size_t>(rule)];
}

/// Rules of these are about what the footer says of itself or of values that have been decoded.
constexpr std::array<std::string_view, 8> kOfFooter = {"extension",   "known-writer", "logical-type",
                                                       "nested-type", "schema",       "size-statistics",
                                                       "sorting",     "summary"};

/// Returns true if bytes may not be where they were: a part of the file is lost, or an error is not one of
/// those of the footer alone.
bool has_trace(const FileCheck& as_is) {
  if (!as_is.outcome.lost.empty()) return true;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    const RuleInfo& rule = all_rules()[i];
    if (as_is.outcome.findings.broken()[i] && rule.severity == Severity::error &&
        std::ranges::find(kOfFooter, rule.id.substr(0, rule.id.find('/'))) == kOfFooter.end())
      return true;
  }
  return false;
}

bool can_be_explained(const FileCheck& as_is) {
  return as_is.options.tier != Tier::footer && !as_is.options.footer_at && as_is.footer.named.empty() &&
         !as_is.input.metadata_elsewhere && !as_is.input.source.failed() && !as_is.cancelled() &&
         has_error(as_is) && has_trace(as_is) && !broke(as_is, Rule::file_joined) &&
         !broke(as_is, Rule::file_min_size);
}

bool is_worth_trying(const FileCheck& as_is, const Hypothesis& one) {
  if (broke(as_is, Rule::file_other_format) && !one.in_other_formats) return false;
  switch (one.footer) {
    case Footer::any:
      return true;
    case Footer::lost:
      return file_is_lost(as_is);
    case Footer::readable:
      return !file_is_lost(as_is) && has_footer(as_is);
  }
  return false;
}

}  // namespace

Evidence::Evidence(const FileCheck& check) : as_is(check), stated(stated_structures(check)) {
  for (const Region& one : stated) data_end = std::max(data_end, one.end());
}

bool is_of_transfer(Rule rule) noexcept {
  return rule == Rule::file_block_order || rule == Rule::file_bytes_inserted ||
         rule == Rule::file_bytes_missing || rule == Rule::file_overwritten || rule == Rule::file_text_mode ||
         rule == Rule::file_transfer_framing;
}

bool is_in_doubt(const FileCheck& check, const Place& chunk) {
  const auto is_here = [&](const Place& place) {
    return place.row_group == chunk.row_group && place.leaf == chunk.leaf;
  };
  return std::ranges::any_of(check.outcome.lost, is_here, &Lost::place) ||
         std::ranges::any_of(check.outcome.findings.primary(), [&](const Finding& one) {
           return is_here(one.place) && info(one.rule).severity == Severity::error;
         });
}

Finding damage_finding(Rule rule, ByteRange bytes, Contrast what) {
  Finding out;
  out.rule = rule;
  out.offset = bytes.begin;
  out.length = bytes.end - bytes.begin;
  out.found = std::move(what.found);
  out.expected = std::move(what.expected);
  out.detail = std::move(what.detail);
  return out;
}

Finding overwritten_finding(ByteRange bytes, FindingValue found, FindingValue expected,
                            std::string evidence) {
  return damage_finding(Rule::file_overwritten, bytes,
                        contrast(std::move(found), std::move(expected),
                                 ", from byte " + std::to_string(bytes.begin) + " to byte " +
                                     std::to_string(bytes.end - 1) + std::move(evidence)));
}

std::unique_ptr<RestoredSource> in_place(const Source& source) {
  return std::make_unique<StretchSource>(source, std::vector{RestoredSource::Stretch{0, source.size(), 0}});
}

Suggestions find_explanations(const FileCheck& as_is) {
  Suggestions out;
  if (!can_be_explained(as_is)) return out;
  const Evidence evidence(as_is);
  for (const Hypothesis& one : kHypotheses) {
    if (!is_worth_trying(as_is, one)) continue;
    out.tried.push_back(one.name);
    for (Explanation& found : one.find(evidence)) {
      if (as_is.outcome.findings.wants(found.cause.rule)) out.explanations.push_back(std::move(found));
    }
  }
  return out;
}

}  // namespace parqproof
