#include "conformance/diagnosis/transfer/mangling.hpp"

#include <utility>

#include "conformance/diagnosis/stated_structures.hpp"
#include "conformance/diagnosis/transfer/broken_footer.hpp"
#include "conformance/diagnosis/transfer/framing.hpp"
#include "conformance/diagnosis/transfer/line_ends.hpp"
#include "conformance/diagnosis/transfer/moved_blocks.hpp"
#include "conformance/diagnosis/transfer/other_write.hpp"
#include "conformance/diagnosis/transfer/overwritten.hpp"
#include "conformance/diagnosis/transfer/shifts.hpp"

namespace parqproof {
namespace {

bool has_error(const FileCheck& check) {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (check.outcome.findings.broken()[i] && all_rules()[i].severity == Severity::error) return true;
  }
  return false;
}

}  // namespace

bool is_mangling(Rule rule) noexcept {
  return rule == Rule::file_block_order || rule == Rule::file_bytes_inserted ||
         rule == Rule::file_bytes_missing || rule == Rule::file_overwritten || rule == Rule::file_text_mode ||
         rule == Rule::file_transfer_framing;
}

Finding mangling_finding(Rule rule, ByteRange bytes, Contrast what) {
  Finding out;
  out.rule = rule;
  out.offset = bytes.begin;
  out.length = bytes.end - bytes.begin;
  out.found = std::move(what.found);
  out.expected = std::move(what.expected);
  out.detail = std::move(what.detail);
  return out;
}

std::vector<Mangling> find_manglings(const FileCheck& as_is) {
  std::vector<Mangling> out;
  const auto add = [&](std::optional<Mangling> found) {
    if (found && as_is.outcome.findings.wants(found->cause.rule)) out.push_back(std::move(*found));
  };
  const ParsedFooter& footer = as_is.footer;
  const bool is_parquet = !as_is.outcome.findings.broken()[static_cast<std::size_t>(Rule::file_other_format)];
  if (as_is.options.tier == Tier::footer || as_is.options.footer_at || !footer.named.empty() ||
      as_is.input.metadata_elsewhere || as_is.input.source.failed() || as_is.cancelled() ||
      !has_error(as_is) || !is_parquet) {
    return out;
  }
  const auto broke = [&](Rule rule) {
    return as_is.outcome.findings.broken()[static_cast<std::size_t>(rule)];
  };
  if (broke(Rule::file_joined) || broke(Rule::file_min_size)) return out;
  add(find_framing(as_is));
  add(find_windows_lines(as_is));
  if (file_is_lost(as_is)) {
    add(find_utf8(as_is));
    add(find_overwritten(as_is, stated_structures(as_is)));
    if (!broke(Rule::file_footer_length)) add(find_broken_footer(as_is));
    return out;
  }
  if (!has_footer(as_is)) return out;
  const std::vector<Region> stated = stated_structures(as_is);
  for (Mangling& one : find_write_before(as_is, stated)) add(std::move(one));
  for (Mangling& one : find_write_after(as_is, stated)) add(std::move(one));
  add(find_moved_blocks(as_is, stated));
  add(find_shifts(as_is, stated));
  add(find_overwritten(as_is, stated));
  return out;
}

}  // namespace parqproof
