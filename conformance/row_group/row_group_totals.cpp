#include "conformance/row_group/row_group_totals.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "codec/page/levels.hpp"
#include "conformance/row_group/row_levels.hpp"

namespace parqproof {
namespace {

/// Evidence of the pages of a column for its number of rows.
struct RowEvidence {
  enum class Kind : std::uint8_t { none, exact, at_least };
  Kind kind = Kind::none;
  std::int64_t rows = 0;

  [[nodiscard]] bool contradicts(std::int64_t stated) const {
    if (kind == Kind::exact) return rows != stated;
    return kind == Kind::at_least && (rows < stated || (stated == 0 && rows != 0));
  }
};

class RowGroupRules {
 public:
  RowGroupRules(FileCheck& check, const std::vector<std::vector<std::uint32_t>>& ancestors, std::size_t index)
      : check_(check),
        ancestors_(ancestors),
        claim_(check.footer.row_groups[index]),
        site_(FindingSite::of_row_group(check, index, claim_)) {}

  void run() {
    rows();
    sizes();
    file_offset();
    siblings();
  }

 private:
  [[nodiscard]] std::size_t size() const { return claim_.chunk_count; }
  [[nodiscard]] const ChunkClaim& chunk(std::size_t i) const {
    return check_.footer.chunks[claim_.first_chunk + i];
  }
  /// Returns the tally of a chunk if its pages were read.
  [[nodiscard]] std::optional<ChunkTotal> tally(std::size_t i) const {
    if (check_.outcome.tallies.empty()) return std::nullopt;
    return check_.tally(claim_.first_chunk + i);
  }
  /// Hashes of the levels of a chunk, one per ancestor.
  [[nodiscard]] const auto& fingerprints(std::size_t i) const {
    return check_.outcome.tallies.details(claim_.first_chunk + i).fingerprints;
  }

  [[nodiscard]] RowEvidence evidence(std::size_t i) const {
    const ChunkClaim& claim = chunk(i);
    if (!claim.readable) return {};
    const std::optional<ChunkTotal> pages = tally(i);
    const bool flat = check_.footer.schema.leaf(claim.leaf).max_repetition == 0;
    if (pages && (!pages->sums_known || pages->may_have_more_entries)) {
      // If a page is damaged, the headers are evidence if their sum matches the metadata.
      const bool agree =
          flat && pages->walked && !pages->may_have_more_entries && pages->values == claim.num_values;
      return agree ? RowEvidence{RowEvidence::Kind::exact, claim.num_values} : RowEvidence{};
    }
    if (pages && pages->rows) return {RowEvidence::Kind::exact, *pages->rows};
    return {flat ? RowEvidence::Kind::exact : RowEvidence::Kind::at_least,
            pages ? pages->values : claim.num_values};
  }

  void rows() {
    if (!claim_.has_num_rows || claim_.num_rows < 0) return;
    std::size_t contradicting = 0;
    for (std::size_t i = 0; i < size(); ++i)
      contradicting += evidence(i).contradicts(claim_.num_rows) ? 1 : 0;
    if (contradicting == 0) return;
    std::map<std::int64_t, std::size_t> exact;  // number of columns per row count
    std::size_t columns = 0;                    // columns with evidence
    for (std::size_t i = 0; i < size(); ++i) {
      const RowEvidence found = evidence(i);
      if (found.kind == RowEvidence::Kind::none) continue;
      ++columns;
      if (found.kind == RowEvidence::Kind::exact) ++exact[found.rows];
    }
    std::int64_t truth = claim_.num_rows;
    if (contradicting == columns || (!exact.empty() && !exact.contains(claim_.num_rows))) {
      // No column agrees with the row group: num_rows is wrong.
      const auto most =
          std::ranges::max_element(exact, {}, [](const auto& rows_columns) { return rows_columns.second; });
      if (most != exact.end()) truth = most->first;
      check_.outcome.true_rows[static_cast<std::size_t>(site_.place.row_group)] = truth;
      site_.report(Rule::row_group_num_rows, "num_rows",
                   contrast(claim_.num_rows,
                            most != exact.end() ? FindingValue(truth) : "no more than its columns hold"));
      if (most == exact.end()) return;
    }
    for (std::size_t i = 0; i < size(); ++i) {
      const RowEvidence found = evidence(i);
      if (found.kind == RowEvidence::Kind::none || !found.contradicts(truth)) continue;
      report_rows(i, contrast(found.rows, truth));
      wrong_rows_.push_back(i);
    }
  }

  /// column-chunk/rows: the rows of a flat column are its num_values, those of others follow from the levels.
  void report_rows(std::size_t i, const Contrast& what) {
    if (!site_.wants(Rule::column_chunk_rows)) return;
    const ChunkClaim& claim = chunk(i);
    const std::optional<ChunkTotal> pages = tally(i);
    const bool repeated = check_.footer.schema.leaf(claim.leaf).max_repetition != 0;
    if (repeated && pages && pages->rows && claim.file == 0 &&
        report_at_row_levels(check_, claim, *pages, what))
      return;
    FindingSite::of_chunk(check_, claim).report(Rule::column_chunk_rows, "meta_data.num_values", what);
  }

  void sizes() {
    std::int64_t uncompressed = 0;
    std::int64_t compressed = 0;
    std::int64_t stated_uncompressed = 0;  // a matching sum of wrong sizes would be a duplicate finding
    std::int64_t stated_compressed = 0;
    bool uncompressed_known = true;
    bool compressed_known = true;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!chunk(i).readable) return;
      const std::optional<ChunkTotal> pages = tally(i);
      if (pages ? !pages->sums_known : chunk(i).uncompressed < 0) uncompressed_known = false;
      if (pages && !pages->walked) compressed_known = false;
      stated_uncompressed = saturating_add(stated_uncompressed, chunk(i).uncompressed);
      stated_compressed = saturating_add(stated_compressed, chunk(i).compressed);
      uncompressed = saturating_add(uncompressed, pages ? pages->uncompressed : chunk(i).uncompressed);
      compressed = saturating_add(compressed, pages ? pages->compressed : chunk(i).compressed);
    }
    const bool has_bytes = claim_.has_total_byte_size && claim_.total_byte_size != stated_uncompressed;
    if (has_bytes && uncompressed_known && claim_.total_byte_size != uncompressed) {
      site_.report(Rule::row_group_total_byte_size, "total_byte_size",
                   contrast(claim_.total_byte_size, uncompressed,
                            claim_.total_byte_size == compressed ? "it is the compressed total" : ""));
    }
    const bool has_compressed =
        claim_.has_total_compressed_size && claim_.total_compressed_size != stated_compressed;
    if (has_compressed && compressed_known && claim_.total_compressed_size != compressed) {
      site_.report(Rule::row_group_total_compressed_size, "total_compressed_size",
                   contrast(claim_.total_compressed_size, compressed));
    }
  }

  void file_offset() {
    if (!claim_.has_file_offset || claim_.num_rows == 0) return;  // readers do not use it without rows
    std::uint64_t first = UINT64_MAX;
    std::uint64_t of_first_column = UINT64_MAX;
    for (std::size_t i = 0; i < size(); ++i) {
      const ChunkClaim& claim = chunk(i);
      if (!claim.readable || claim.file != 0) return;  // file_offset refers to this file only
      const std::optional<ChunkTotal> pages = tally(i);
      if (pages && !pages->walked) return;
      const std::uint64_t start = pages ? pages->start : claim.start;
      if (start == 0) continue;
      first = std::min(first, start);
      if (i == 0) of_first_column = start;
    }
    const auto stated = static_cast<std::uint64_t>(claim_.file_offset);
    if (first == UINT64_MAX || stated == first || stated == of_first_column) return;
    site_.report(Rule::row_group_file_offset, "file_offset", contrast(claim_.file_offset, first));
  }

  /// levels/siblings-agree: the levels of all leaves below a common ancestor agree on it. A leaf that
  /// disagrees is reported at the outermost such ancestor, and is not compared below it.
  void siblings() {
    if (check_.outcome.tallies.empty() || ancestors_.empty()) return;
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!std::ranges::binary_search(wrong_rows_, i)) leaves.push_back(i);
    }
    for (std::size_t depth = 0; !leaves.empty(); ++depth) {
      std::erase_if(leaves, [&](std::size_t leaf) {
        return ancestors_[leaf].size() <= depth || fingerprints(leaf).size() <= depth;
      });
      std::vector<std::size_t> agreeing;
      for (auto from = leaves.begin(); from != leaves.end();) {
        const std::uint32_t ancestor = ancestors_[*from][depth];
        const auto to = std::find_if(from, leaves.end(),
                                     [&](std::size_t leaf) { return ancestors_[leaf][depth] != ancestor; });
        const std::span below(from, to);  // the leaves below this ancestor
        const std::size_t reference = majority(below, depth);
        for (const std::size_t leaf : below) {
          if (fingerprints(leaf)[depth] == fingerprints(reference)[depth]) {
            agreeing.push_back(leaf);
          } else {
            disagreement(leaf, reference, ancestor);
          }
        }
        from = to;
      }
      leaves = std::move(agreeing);
    }
  }

  /// Returns the first leaf of the majority, which is more than half of the leaves with equal levels of their
  /// ancestor at `depth`; the first leaf if there is no majority. Uses the majority vote of Boyer and Moore:
  /// each leaf cancels out one that differs, so only a majority can remain.
  [[nodiscard]] std::size_t majority(std::span<const std::size_t> leaves, std::size_t depth) const {
    const auto vote = [&](std::size_t leaf) { return fingerprints(leaf)[depth]; };
    std::size_t candidate = leaves.front();
    std::size_t lead = 0;
    for (const std::size_t leaf : leaves) {
      if (lead == 0) candidate = leaf;
      lead = vote(leaf) == vote(candidate) ? lead + 1 : lead - 1;
    }
    const auto agrees = [&](std::size_t leaf) { return vote(leaf) == vote(candidate); };
    const auto votes = static_cast<std::size_t>(std::ranges::count_if(leaves, agrees));
    return 2 * votes > leaves.size() ? *std::ranges::find_if(leaves, agrees) : leaves.front();
  }

  void disagreement(std::size_t leaf, std::size_t with, std::uint32_t ancestor) const {
    const thrift::Extent metadata =
        thrift::locate(check_.footer.footer_from(chunk(leaf).struct_offset), ColumnChunk::kType, "meta_data");
    report_at(check_.outcome.findings, Rule::levels_siblings_agree, place_of(chunk(leaf)), metadata.value,
              metadata.end - metadata.value,
              contrast("other lists or nulls of " + check_.footer.schema.dotted_path(ancestor),
                       "those of column " +
                           check_.footer.schema.dotted_path(check_.footer.schema.leaf_index(with))));
  }

  FileCheck& check_;
  const std::vector<std::vector<std::uint32_t>>& ancestors_;
  const RowGroupClaim& claim_;
  FindingSite site_;
  std::vector<std::size_t> wrong_rows_;  // columns with column-chunk/rows
};

/// Finds the rows of the readable pages of damaged chunks.
void settle_pages(FileCheck& check, std::size_t row_group) {
  const RowGroupClaim& group = check.footer.row_groups[row_group];
  if (check.outcome.tallies.empty()) return;
  for (std::size_t i = 0; i < group.chunk_count; ++i) {
    const ChunkDetails& details = check.outcome.tallies.details(group.first_chunk + i);
    for (ReadablePages* const pages : {details.damage.get(), details.doubt.get()}) {
      if (pages != nullptr) pages->settle(rows_of_group(check, row_group));
    }
  }
}

}  // namespace

void check_row_groups(FileCheck& check) {
  if (!check.footer.schema_usable) return;
  const Schema& schema = check.footer.schema;
  const bool is_flat = schema.nodes().size() == 1 + schema.leaf_count();
  std::vector<std::vector<std::uint32_t>> ancestors;  // for siblings()
  if (check.options.tier == Tier::values && !is_flat) {
    ancestors.resize(schema.leaf_count());
    for (std::size_t leaf = 0; leaf < ancestors.size(); ++leaf) {
      ancestors[leaf] = LevelReader(schema, leaf).shared_ancestors();
    }
  }
  for (std::size_t i = 0; i < check.footer.row_groups.size(); ++i) {
    if (check.footer.row_groups[i].complete) RowGroupRules(check, ancestors, i).run();
    settle_pages(check, i);
  }
}

std::optional<std::int64_t> rows_of_group(const FileCheck& check, std::size_t row_group) {
  if (const auto truth = check.outcome.true_rows.find(row_group); truth != check.outcome.true_rows.end())
    return truth->second;
  const RowGroupClaim& claim = check.footer.row_groups[row_group];
  return claim.has_num_rows && claim.num_rows >= 0 ? std::optional(claim.num_rows) : std::nullopt;
}

}  // namespace parqproof
