#include "conformance/known_writers/known_bugs.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "conformance/known_writers/bug_evidence.hpp"
#include "conformance/known_writers/created_by.hpp"

namespace parqproof {
namespace {

using enum Rule;
using enum BugColumns;

#define PARQPROOF_KNOWN_BUG(id, software, first, fixed, threads, columns, clue, what, ...) \
  KnownBug{id, software, first, fixed, threads, columns, &bug_evidence::clue, what, {__VA_ARGS__}},
constexpr KnownBug kBugs[] = {
#include "conformance/known_writers/known_bugs.def"
};
#undef PARQPROOF_KNOWN_BUG

/// Software whose first releases did not write their version.
struct Unversioned {
  std::string_view software;
  std::string_view wrote;  ///< text in place of the version
  std::string_view since;  ///< first release that writes its version
};
constexpr Unversioned kUnversioned[] = {
    {"DuckDB", "", "1.1.1"},                   // duckdb/duckdb#13992
    {"Polars", "", "2.1.0"},                   // pola-rs/polars#29106
    {"fastparquet-python", "1.0.0", "0.8.1"},  // dask/fastparquet#741
    {"parquet-mr", "", "1.8.0"},               // PARQUET-297
};

/// Returns true if the fix is in software of another name, such as "Arrow 0.16.0".
bool is_fixed_elsewhere(std::string_view fixed) { return fixed.find(' ') != fixed.npos; }

struct Seen {
  Rule rule;
  std::string_view writers;
};

constexpr Seen kSeen[] = {
#define PARQPROOF_SEEN_IN(enumerator, writers) Seen{Rule::enumerator, writers},
#include "conformance/known_writers/seen_in.def"
#undef PARQPROOF_SEEN_IN
};

static_assert(std::ranges::adjacent_find(kSeen, std::greater_equal(), &Seen::rule) == std::end(kSeen),
              "seen_in.def is sorted by rule, and has no rule twice");

}  // namespace

bool is_one_of(const Node& leaf, BugColumns columns) noexcept {
  const LogicalKind kind = leaf.logical.kind;
  const bool bytes = leaf.type == Type::BYTE_ARRAY || leaf.type == Type::FIXED_LEN_BYTE_ARRAY;
  switch (columns) {
    case any:
      return true;
    case booleans:
      return leaf.type == Type::BOOLEAN;
    case integers:
      return leaf.type == Type::INT32 || leaf.type == Type::INT64;
    case unsigned_integers:
      return kind == LogicalKind::INTEGER && !leaf.logical.is_signed;
    case floating:
      return leaf.type == Type::FLOAT || leaf.type == Type::DOUBLE || kind == LogicalKind::FLOAT16;
    case int96:
      return leaf.type == Type::INT96;
    case byte_arrays:
      return bytes;
    case strings:
      return leaf.type == Type::BYTE_ARRAY && kind != LogicalKind::DECIMAL;
    case decimals:
      return kind == LogicalKind::DECIMAL;
    case decimal_bytes:
      return kind == LogicalKind::DECIMAL && bytes;
    case dates:
      return kind == LogicalKind::DATE;
    case dates_or_times:
      return kind == LogicalKind::DATE || kind == LogicalKind::TIMESTAMP || leaf.type == Type::INT96;
    case repeated:
      return leaf.max_repetition != 0;
    case nested:
      return leaf.depth > 1;
  }
  return false;
}

bool RuleList::has(Rule rule) const noexcept { return std::ranges::find(all(), rule) != all().end(); }

bool KnownBug::is_in(std::string_view version) const noexcept {
  const auto* const unversioned = std::ranges::find(kUnversioned, software, &Unversioned::software);
  if (unversioned != std::end(kUnversioned) && version == unversioned->wrote)
    return compare_versions(first, unversioned->since) < 0;
  if (version.empty()) return true;
  return compare_versions(version, first) >= 0 &&
         (fixed.empty() || is_fixed_elsewhere(fixed) || compare_versions(version, fixed) < 0);
}

bool KnownBug::leaves_values_intact() const noexcept {
  return id == "duckdb-array-null-levels" || id == "duckdb-empty-run";
}

std::string KnownBug::versions() const {
  std::string text(software);
  if (!first.empty()) text += " from " + std::string(first) + " on";
  if (fixed.empty()) return text + " (no fixed release so far)";
  if (first.empty() && !is_fixed_elsewhere(fixed)) text += " before " + std::string(fixed);
  return text + " (fixed in " + std::string(fixed) + ")";
}

std::string KnownBug::text() const {
  std::string names;
  for (const std::string_view issue : issues()) names += (names.empty() ? "" : ", ") + std::string(issue);
  return versions() + ": " + std::string(what) + " See " + names + ".";
}

std::vector<std::string_view> KnownBug::issues() const {
  std::vector<std::string_view> out;
  for (std::string_view rest = threads; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    out.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::span<const KnownBug> all_known_bugs() noexcept { return kBugs; }

void WriterBugs::add(std::string_view created_by) {
  constexpr std::size_t kMaxCreatedByBytes = 1'000;  // real writers use fewer
  const CreatedBy writer = read_created_by(created_by.substr(0, kMaxCreatedByBytes));
  for (const KnownBug& bug : kBugs) {
    if (bug.software == writer.software && bug.is_in(writer.version)) bugs_.push_back(&bug);
  }
}

bool WriterBugs::has(Rule rule) const noexcept {
  return std::ranges::any_of(bugs_, [rule](const KnownBug* bug) { return bug->rules.has(rule); });
}

std::vector<const KnownBug*> WriterBugs::of(Rule rule, const Node* leaf) const {
  std::vector<const KnownBug*> out;
  for (const KnownBug* bug : bugs_) {
    const bool suits = bug->columns == any || (leaf != nullptr && is_one_of(*leaf, bug->columns));
    if (suits && bug->rules.has(rule)) out.push_back(bug);
  }
  return out;
}

std::vector<const KnownBug*> WriterBugs::of(const BugClues& clues, const Node* leaf) const {
  std::vector<const KnownBug*> out = of(clues.finding.rule, leaf);
  std::erase_if(out, [&](const KnownBug* bug) { return !bug->evidence(clues); });
  return out;
}

std::string_view seen_in(Rule rule) noexcept {
  const auto* const row = std::ranges::lower_bound(kSeen, rule, {}, &Seen::rule);
  return row != std::end(kSeen) && row->rule == rule ? row->writers : std::string_view();
}

}  // namespace parqproof
