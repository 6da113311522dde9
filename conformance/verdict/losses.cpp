#include "conformance/verdict/losses.hpp"

#include <algorithm>
#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

bool is_of_pages(const Lost& one) { return one.what == LostPart::page || one.what == LostPart::pages; }

std::pair<std::int32_t, std::int32_t> chunk_of(const Lost& one) {
  return {one.place.row_group, one.place.leaf};
}

}  // namespace

Losses::Losses(const std::vector<Lost>& lost, const std::vector<Finding>& findings, const Policy& policy) {
  for (const Lost& one : lost) {
    const Chunk chunk{one.place.row_group, one.place.leaf};
    file_ = file_ || one.what == LostPart::file;
    chunks_.insert(chunk);
    if (one.cause) causes_.emplace(*one.cause, chunk);
  }
  const auto explains = [&](const Finding& one) { return class_of(one) == Class::malformed; };
  const auto is_error = [&](const Finding& one) { return policy.severity(one.rule) == Severity::error; };
  for (const Lost& one : lost) {
    const auto here = [&](const Finding& finding) { return finding.place == one.place; };
    const auto misread = [&](const Finding& finding) {
      return here(finding) && is_error(finding) &&
             std::string_view(info(finding.rule).id).starts_with("thrift/");
    };
    if (!is_of_pages(one) || std::ranges::any_of(findings, [&](const Finding& finding) {
          return here(finding) && explains(finding);
        })) {
      continue;
    }
    const auto first = std::ranges::find_if(findings, misread);
    if (first != findings.end()) causes_.emplace(first->rule, Chunk{one.place.row_group, one.place.leaf});
  }
  if (lost.empty() || std::ranges::any_of(findings, explains)) return;
  const auto is_there = [&](const Finding& one) {
    return chunks_.contains({one.place.row_group, one.place.leaf});
  };
  auto first =
      std::ranges::find_if(findings, [&](const Finding& one) { return is_error(one) && is_there(one); });
  if (first == findings.end()) {
    first = std::ranges::find_if(findings, [&](const Finding& one) {
      return is_error(one) && (file_ || touches(chunks_, one.place));
    });
  }
  if (first == findings.end()) first = std::ranges::find_if(findings, is_error);
  if (first != findings.end()) causes_.emplace(first->rule, Chunk{first->place.row_group, first->place.leaf});
}

bool Losses::touches(const std::set<Chunk>& chunks, const Place& place) {
  if (place.row_group >= 0 && place.leaf >= 0)
    return chunks.contains({place.row_group, place.leaf}) || chunks.contains({place.row_group, -1});
  return std::ranges::any_of(chunks, [&](const Chunk& chunk) {
    return (place.row_group < 0 || place.row_group == chunk.first) &&
           (place.leaf < 0 || chunk.second < 0 || place.leaf == chunk.second);
  });
}

Class Losses::class_of(const Finding& finding) const {
  const Class klass = info(finding.rule).klass;
  if (klass != Class::malformed && klass != Class::invalid) return klass;
  const bool touched = klass == Class::malformed && (file_ || touches(chunks_, finding.place));
  const bool causes = causes_.contains({finding.rule, {finding.place.row_group, finding.place.leaf}});
  return touched || causes ? Class::malformed : Class::invalid;
}

namespace {

/// Rows of each row group, up to the first whose num_rows is unknown.
std::vector<RowRange> rows_of_groups(const ParsedFooter& footer) {
  std::vector<RowRange> groups;
  std::int64_t first = 0;
  for (const RowGroupClaim& group : footer.row_groups) {
    if (!group.has_num_rows || group.num_rows < 0) break;
    const std::int64_t end = saturating_add(first, group.num_rows);
    groups.push_back({first, end - 1});
    first = end;
  }
  return groups;
}

/// Converts `rows` from ordinals in the row group to ordinals in the file.
std::optional<RowRange> in_file(const RowRange& rows, const RowRange& group) {
  const RowRange all{saturating_add(group.first, rows.first),
                     std::min(saturating_add(group.first, rows.last), group.last)};
  return rows.first >= 0 && all.first <= all.last ? std::optional(all) : std::nullopt;
}

}  // namespace

void fold_losses(std::vector<Lost>& lost) {
  const auto file = std::ranges::find(lost, LostPart::file, &Lost::what);
  if (file != lost.end()) {
    lost = {*file};
    return;
  }
  std::set<std::pair<std::int32_t, std::int32_t>> chunks;
  for (const Lost& one : lost) {
    if (one.what == LostPart::column_chunk) chunks.insert(chunk_of(one));
  }
  std::erase_if(lost, [&](const Lost& one) {
    const bool is_part = is_of_pages(one) || one.what == LostPart::rest_of_chunk;
    return is_part && chunks.contains(chunk_of(one));
  });
}

void settle_rows(const FileCheck& check, std::vector<Lost>& lost) {
  if (lost.empty()) return;
  const ParsedFooter& footer = check.footer;
  const std::vector<RowRange> groups = rows_of_groups(footer);
  for (Lost& one : lost) {
    const auto group = static_cast<std::size_t>(one.place.row_group);
    if (one.what == LostPart::column_chunk) one.rows = RowRange{0, INT64_MAX};
    if (!one.rows && is_of_pages(one) && one.place.leaf >= 0 && group < groups.size()) {
      const std::size_t chunk =
          footer.row_groups[group].first_chunk + static_cast<std::size_t>(one.place.leaf);
      const auto& damage = check.outcome.tallies.details(chunk).damage;
      if (damage != nullptr) one.rows = damage->rows_of_lost_page(one.place.page);
    }
    if (!one.rows) continue;
    one.rows = group < groups.size() ? in_file(*one.rows, groups[group]) : std::nullopt;
  }
}

}  // namespace parqproof
