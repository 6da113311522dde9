#include "conformance/diagnosis/schema_repair.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/schema/annotations.hpp"
#include "conformance/diagnosis/trial.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMostTrials = 12;
constexpr std::uint64_t kMostTrialBytes = std::uint64_t{64}
                                          << 20;  // max size of the row group that a trial reads
constexpr std::size_t kMostColumns = 4096;
constexpr std::size_t kMostLengths = 3;
constexpr std::uint64_t kMostMore = 64;  // max error of a length that trailing bytes can show
constexpr std::size_t kMostOthers = 3;   // max columns that fail for other reasons

bool is_about_schema(Rule rule) { return rule == Rule::column_chunk_type || rule == Rule::schema_tree; }

/// Returns true if the finding is about a page or levels that contradict the schema.
bool is_about_pages(const Finding& finding) {
  if (finding.rule == Rule::size_statistics_histogram_length ||
      finding.rule == Rule::column_index_histogram_length) {
    return true;
  }
  // Bytes of values after levels that are all null may be levels of another schema by chance.
  return finding.place.page >= 0 && is_error(finding) && finding.rule != Rule::crc_match &&
         finding.rule != Rule::page_zero_values_section;
}

/// Returns true if the rule is about a null count that contradicts the levels.
bool is_about_nulls(Rule rule) { return evidence(rule, Suspicion::null_count) != 0; }

/// Returns true for errors, and for other findings that indicate a wrong schema.
bool indicates_wrong_schema(const Finding& finding) {
  return is_error(finding) || evidence(finding.rule, Suspicion::wrong_schema) != 0;
}

/// Rule and chunk of a finding. The page is not compared: if a page is lost, the same violation of the next
/// page becomes the first of the chunk.
using Key = std::tuple<Rule, std::int32_t, std::int32_t>;
Key key_of(const Finding& finding) { return {finding.rule, finding.place.row_group, finding.place.leaf}; }

/// The rule and field that report a change.
struct ChangeReport {
  SchemaElement::Id id;
  Rule rule;
  std::string_view field;
  const thrift::EnumType* names;  ///< of its values; null if they are numbers
};
constexpr ChangeReport kReports[] = {
    {SchemaElement::id_type, Rule::schema_type, "type", &kTypeEnum},
    {SchemaElement::id_repetition_type, Rule::schema_levels, "repetition_type", &kFieldRepetitionTypeEnum},
    {SchemaElement::id_type_length, Rule::schema_type_length, "type_length", nullptr},
    {SchemaElement::id_num_children, Rule::schema_tree, "num_children", nullptr},
};

const ChangeReport& reported_of(const SchemaChange& change) {
  return *std::ranges::find(kReports, change.field, &ChangeReport::id);
}

LeafRange leaves_of(const Schema& schema, std::uint32_t index) {
  const std::size_t first = schema.nodes()[index].leaf;
  return {first, first + schema.leaves_below(index)};
}

class SchemaRepair {
 public:
  SchemaRepair(const FileCheck& check, const Policy& policy)
      : check_(check), policy_(policy), options_(check.options) {
    options_.progress = nullptr;
    options_.jobs = 1;
  }

  [[nodiscard]] std::optional<SchemaChange> run() {
    if (!has_footer(check_) || check_.cancelled() || !check_.footer.named.empty()) return std::nullopt;
    for (const Finding& finding : check_.outcome.findings.primary()) {
      known_.insert(key_of(finding));
      known_rules_.set(static_cast<std::size_t>(finding.rule));
    }
    if (check_.footer.schema.fault() != Schema::Fault::none) return change_of_tree();
    const bool judged = check_.footer.schema_usable && check_.options.tier == Tier::values;
    if (!judged || !choose_row_group()) return std::nullopt;
    find_unrelated();
    return change_of_element();
  }

 private:
  /// Selects the smallest row group; returns false if all are too large.
  bool choose_row_group() {
    std::uint64_t min_bytes = kMostTrialBytes + 1;
    for (std::uint32_t i = 0; i < check_.footer.row_groups.size(); ++i) {
      const RowGroupClaim& group = check_.footer.row_groups[i];
      std::uint64_t bytes = 0;
      for (std::size_t k = 0; k < group.chunk_count; ++k) {
        const std::int64_t size = check_.footer.chunks[group.first_chunk + k].compressed;
        bytes += static_cast<std::uint64_t>(std::clamp<std::int64_t>(size, 0, kMostTrialBytes + 1));
      }
      if (group.chunk_count == 0 || bytes >= min_bytes) continue;
      min_bytes = bytes;
      options_.row_groups = RowGroups{i, std::uint64_t{i} + 1};
    }
    return min_bytes <= kMostTrialBytes;
  }

  /// Finds the leaves of which every chunk has unexpected pages or another type.
  void find_unrelated() {
    std::map<std::int32_t, std::set<std::int32_t>> groups;                  // by leaf
    std::map<std::pair<std::int32_t, std::int32_t>, std::set<Rule>> nulls;  // by leaf and row group
    for (const Finding& finding : check_.outcome.findings.primary()) {
      const std::int32_t leaf = finding.place.leaf;
      if (leaf >= 0 && is_about_nulls(finding.rule))
        nulls[{leaf, finding.place.row_group}].insert(finding.rule);
      if (leaf < 0 || !is_error(finding)) continue;
      if (finding.rule != Rule::column_chunk_type) failing_leaves_.insert(static_cast<std::size_t>(leaf));
      if (!is_about_pages(finding) && finding.rule != Rule::column_chunk_type) continue;
      groups[leaf].insert(finding.place.row_group);
    }
    // A single contradiction is no evidence, because the null count may be wrong.
    for (const auto& [chunk, rules] : nulls) {
      if (rules.size() > 1) groups[chunk.first].insert(chunk.second);
    }
    for (const Lost& lost : check_.outcome.lost) {
      if (lost.place.leaf >= 0) failing_leaves_.insert(static_cast<std::size_t>(lost.place.leaf));
    }
    for (const auto& [leaf, where] : groups) {
      if (where.size() == check_.footer.row_groups.size()) unrelated_.insert(static_cast<std::size_t>(leaf));
    }
  }

  [[nodiscard]] std::optional<SchemaChange> change_of_element() {
    const Schema& schema = check_.footer.schema;
    std::vector<SchemaChange> candidates;
    for (std::uint32_t i = 1; i < schema.nodes().size() && candidates.size() < kMostTrials; ++i) {
      const Node& node = schema.nodes()[i];
      const LeafRange leaves = leaves_of(schema, i);
      if (leaves.empty() || leaves.size() > unrelated_.size() ||
          unrelated_.size() > leaves.size() + kMostOthers)
        continue;
      const auto inside = [&](std::size_t leaf) { return leaves.contains(static_cast<std::int64_t>(leaf)); };
      if (std::cmp_not_equal(std::ranges::count_if(unrelated_, inside), leaves.size())) continue;
      for (std::int32_t repetition = 0; repetition <= 2; ++repetition) {
        if (repetition != static_cast<std::int32_t>(node.repetition))
          candidates.push_back(
              {i, SchemaElement::id_repetition_type, static_cast<std::int32_t>(node.repetition), repetition});
      }
      if (node.is_leaf) add_type(candidates, i, node);
      if (node.is_leaf && node.type == Type::FIXED_LEN_BYTE_ARRAY) add_lengths(candidates, i, node);
    }
    std::optional<SchemaChange> best;
    std::optional<std::size_t> fewest;  // findings
    for (const SchemaChange& candidate : candidates) {
      if (!policy_.wanted()[static_cast<std::size_t>(reported_of(candidate).rule)]) continue;
      const std::optional<std::size_t> score = score_of(candidate);
      if (!score || (fewest && *score >= *fewest)) continue;
      fewest = score;
      best = candidate;
    }
    return best;
  }

  /// Calls `look` with the metadata of the chunks of a leaf until that is false; returns false then, or if
  /// the metadata of a chunk cannot be read and `look` needs all.
  template <typename Look>
  bool each_chunk(const Node& node, Look&& look) const {
    return std::ranges::all_of(check_.footer.row_groups, [&](const RowGroupClaim& group) {
      ColumnChunk chunk;
      const bool is_read = node.leaf < group.chunk_count &&
                           check_.footer.reread(check_.footer.chunks[group.first_chunk + node.leaf],
                                                check_.options.limits, chunk);
      return look(is_read ? &chunk.meta_data : nullptr);
    });
  }

  /// Adds the type that all chunks of the leaf state, if it differs from that of the schema.
  void add_type(std::vector<SchemaChange>& candidates, std::uint32_t index, const Node& node) const {
    std::set<Type> stated;
    const bool all = each_chunk(node, [&](const ColumnMetaData* meta) {
      if (meta != nullptr) stated.insert(meta->type);
      return meta != nullptr;
    });
    if (!all || stated.size() != 1 || stated.contains(node.type)) return;
    // The type of a single chunk may be wrong, unless pages or bounds confirm it.
    if (check_.footer.row_groups.size() == 1 && !failing_leaves_.contains(node.leaf)) return;
    candidates.push_back({index, SchemaElement::id_type, static_cast<std::int32_t>(node.type),
                          static_cast<std::int32_t>(*stated.begin())});
  }

  /// Adds the lengths implied by the annotation, the pages, and the bounds in the metadata of the chunks.
  void add_lengths(std::vector<SchemaChange>& candidates, std::uint32_t index, const Node& node) const {
    std::set<std::int32_t> lengths;
    const Annotation* annotation = annotation_of(node.logical);
    if (annotation != nullptr && annotation->length > 0) lengths.insert(annotation->length);
    add_lengths_of_pages(lengths, node);
    each_chunk(node, [&](const ColumnMetaData* meta) {
      if (lengths.size() >= kMostLengths) return false;
      if (meta != nullptr && meta->has(ColumnMetaData::id_statistics) &&
          meta->statistics.has(Statistics::id_min_value))
        lengths.insert(static_cast<std::int32_t>(meta->statistics.min_value.size()));
      return true;
    });
    for (const std::int32_t length : lengths) {
      if (length > 0 && length != node.type_length)
        candidates.push_back({index, SchemaElement::id_type_length, node.type_length, length});
    }
  }

  /// Adds the lengths for which the values of a PLAIN page may fill its bytes.
  void add_lengths_of_pages(std::set<std::int32_t>& lengths, const Node& node) const {
    const auto length = static_cast<std::uint64_t>(std::max(node.type_length, 0));
    const auto add = [&](std::uint64_t one) {
      if (one <= INT32_MAX && lengths.size() < kMostLengths) lengths.insert(static_cast<std::int32_t>(one));
    };
    for (const Finding& finding : check_.outcome.findings.primary()) {
      if (length == 0 || finding.place.leaf != static_cast<std::int32_t>(node.leaf)) continue;
      if (finding.rule == Rule::plain_fixed_width_length) {
        const std::uint64_t bytes = finding.found.natural().value_or(0);
        const std::uint64_t values = finding.expected.natural().value_or(0) / length;
        if (values != 0 && bytes % values == 0) add(bytes / values);
      } else if (finding.rule == Rule::page_trailing_bytes) {
        // The page has an unknown number of values, at most the entries of the chunk.
        const RowGroupClaim& group =
            check_.footer.row_groups[static_cast<std::size_t>(finding.place.row_group)];
        const std::int64_t most = check_.footer.chunks[group.first_chunk + node.leaf].num_values;
        for (std::uint64_t more = 1; more <= std::min(finding.length, kMostMore); ++more) {
          if (finding.length % more == 0 && std::cmp_less_equal(finding.length / more, most))
            add(length + more);
        }
      }
    }
  }

  /// Tries a change and returns its number of findings. Returns nullopt if errors remain in the changed
  /// columns, or if there are new findings other than advice about schemas.
  [[nodiscard]] std::optional<std::size_t> score_of(const SchemaChange& change) {
    if (check_.cancelled()) return std::nullopt;
    const auto trial = judge_trial(check_, check_.input.source, options_, policy_, [&](FileCheck& one) {
      one.input.change = change;
      one.tried = leaves_of(check_.footer.schema, change.index);
    });
    const Findings& findings = trial->outcome.findings;
    if (trial->is_rejected_by(findings)) return std::nullopt;
    for (const Finding& finding : findings.primary()) {
      // A violation in other columns is a habit of the writer, not evidence against the change.
      const bool habit = !is_error(finding) && is_habit(finding.rule);
      const bool is_new = !habit && !known_.contains(key_of(finding));
      // The type of a chunk is independent evidence, so new habits of the writer are accepted with it.
      const bool is_evidence =
          change.field == SchemaElement::id_type ? is_error(finding) : indicates_wrong_schema(finding);
      if (is_evidence && is_new) return std::nullopt;
    }
    return static_cast<std::size_t>(std::ranges::distance(findings.primary()));
  }

  /// Returns true if the file violates the rule without the change too. Overshooting runs of levels and of
  /// values are the same habit.
  [[nodiscard]] bool is_habit(Rule rule) const {
    const auto known = [&](Rule one) { return known_rules_[static_cast<std::size_t>(one)]; };
    return known(rule) || (rule == Rule::rle_overshoot && known(Rule::levels_overshoot)) ||
           (rule == Rule::levels_overshoot && known(Rule::rle_overshoot));
  }

  /// Returns the only num_children that contradicts the paths of the chunks of the first row group.
  [[nodiscard]] std::optional<SchemaChange> change_of_tree() {
    const Nodes& nodes = check_.footer.schema.nodes();
    const std::vector<std::int64_t> stated = stated_children();
    const std::vector<std::int64_t> expected = children_by_paths(paths());
    if (stated.size() != nodes.size() || expected.size() != nodes.size()) return std::nullopt;
    std::optional<SchemaChange> found;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (stated[i] == expected[i]) continue;
      if (found) return std::nullopt;
      found = {i, SchemaElement::id_num_children, static_cast<std::int32_t>(stated[i]),
               static_cast<std::int32_t>(expected[i])};
    }
    return found;
  }

  /// Returns num_children of each element, 0 if absent.
  [[nodiscard]] std::vector<std::int64_t> stated_children() const {
    std::vector<std::int64_t> children;
    thrift::for_each<SchemaElement>(
        check_.footer.meta.schema, check_.options.limits, [&](const SchemaElement& element, std::uint32_t) {
          children.push_back(element.has(SchemaElement::id_num_children) ? element.num_children : 0);
        });
    return children;
  }

  using Path = std::vector<View>;

  /// Returns path_in_schema of the chunks of the first row group.
  [[nodiscard]] std::vector<Path> paths() const {
    std::vector<Path> found;
    thrift::for_each<RowGroup>(check_.footer.meta.row_groups, check_.options.limits,
                               [&](const RowGroup& group, std::uint32_t index) {
                                 if (index != 0 || group.columns.count > kMostColumns) return;
                                 thrift::for_each<ColumnChunk>(group.columns, check_.options.limits,
                                                               [&](const ColumnChunk& chunk, std::uint32_t) {
                                                                 found.push_back(path_of(chunk.meta_data));
                                                               });
                               });
    return found;
  }

  /// Returns the number of children of each element if the elements in order match the names of the paths in
  /// order; empty if they do not match.
  [[nodiscard]] std::vector<std::int64_t> children_by_paths(const std::vector<Path>& paths) const {
    const Nodes& nodes = check_.footer.schema.nodes();
    std::vector<std::int64_t> children(nodes.size());
    std::vector<std::uint32_t> open;  // elements of the previous path, outermost first
    std::uint32_t next = 1;
    const Path* before = nullptr;
    for (const Path& path : paths) {
      std::size_t shared = 0;
      while (before != nullptr && shared < before->size() && shared < path.size() &&
             std::ranges::equal((*before)[shared].bytes, path[shared].bytes)) {
        ++shared;
      }
      if (shared == path.size()) return {};
      open.resize(shared);
      for (std::size_t k = shared; k < path.size(); ++k, ++next) {
        if (next >= nodes.size() || !std::ranges::equal(nodes[next].name.bytes, path[k].bytes)) return {};
        ++children[open.empty() ? 0 : open.back()];
        open.push_back(next);
      }
      before = &path;
    }
    return next == nodes.size() ? children : std::vector<std::int64_t>{};
  }

  const FileCheck& check_;
  const Policy& policy_;
  CheckOptions options_;                  // of a trial
  std::set<Key> known_;                   // findings without a change
  RuleSet known_rules_;                   // of these findings
  std::set<std::size_t> unrelated_;       // leaves that contradict the schema completely
  std::set<std::size_t> failing_leaves_;  // leaves with findings other than the type in a chunk
};

/// Adds the column chunks of the leaves for which `is_lost` is true to what is lost.
template <typename IsLost>
void lose_chunks(FileCheck& check, std::optional<Rule> cause, IsLost&& is_lost) {
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (is_lost(claim.leaf))
      check.outcome.lost.push_back({LostPart::column_chunk, place_of(claim), {}, cause});
  }
}

/// Reports the wrong element, after the file was judged with the change.
void report_schema_change(FileCheck& check) {
  const SchemaChange& change = *check.input.change;
  const ChangeReport reported = reported_of(change);
  const auto shown = [&](std::int32_t value) {
    return reported.names == nullptr ? FindingValue(value) : symbol(*reported.names, value);
  };
  FindingSite::of_schema_element(check, change.index)
      .report(reported.rule, reported.field, contrast(shown(change.stated), shown(change.value)));
  // Readers that use the schema cannot decode these columns.
  if (change.field == SchemaElement::id_num_children) {
    check.outcome.lost.push_back({LostPart::file, {}});
    return;
  }
  const LeafRange leaves = leaves_of(check.footer.schema, change.index);
  lose_chunks(check, reported.rule, [&](std::uint32_t leaf) { return leaves.contains(leaf); });
}

}  // namespace

std::vector<View> path_of(const ColumnMetaData& meta) {
  std::vector<View> path;
  thrift::for_each_string(meta.path_in_schema, [&](View name, std::uint32_t) { path.push_back(name); });
  return path;
}

bool doubts_schema(const FileCheck& check) {
  return std::ranges::any_of(check.outcome.findings.primary(), [](const Finding& finding) {
    return is_about_schema(finding.rule) || is_about_pages(finding) || is_about_nulls(finding.rule);
  });
}

std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy) {
  if (!doubts_schema(check)) return std::nullopt;
  // The trial evaluates all rules, because without them it would miss the violations that are its evidence.
  CheckOptions options = check.options;  // outlives the check that refers to it
  std::optional<Policy> everything;
  std::optional<FileCheck> again;
  if (!options.changes.empty()) {
    options.changes.clear();
    options.progress = nullptr;
    everything.emplace(options);
  }
  if (everything && everything->wanted() != policy.wanted())
    judge_phases(again.emplace(check.input.source, options, everything->wanted()), *everything, diagnosis(),
                 nullptr);
  const auto change = SchemaRepair(again ? *again : check, everything ? *everything : policy).run();
  // Without its rule the change is not applied.
  return change && policy.wanted()[static_cast<std::size_t>(reported_of(*change).rule)] ? change
                                                                                        : std::nullopt;
}

void judge_changed(FileCheck& check, const Policy& policy) {
  judge_phases(check, policy, diagnosis(), nullptr);
  report_schema_change(check);
  look_for_remains(check, diagnosis());
}

void Diagnosis::explain_lengths_of_zero(FileCheck& check) const {
  if (!check.footer.schema_usable) return;
  const Schema& schema = check.footer.schema;
  std::map<std::int32_t, std::uint32_t> elements;  // by leaf
  for (const Finding& finding : check.outcome.findings.primary()) {
    const auto leaf = static_cast<std::size_t>(finding.place.leaf);  // huge if there is none
    if (evidence(finding.rule, Suspicion::nonzero_length) == 0 || leaf >= schema.leaf_count()) continue;
    const Node& node = schema.leaf(leaf);
    if (node.type == Type::FIXED_LEN_BYTE_ARRAY && node.type_length == 0)
      elements.emplace(finding.place.leaf, schema.leaf_index(leaf));
  }
  if (elements.empty()) return;
  std::set<std::string> fields;
  for (const auto& [leaf, index] : elements)
    fields.insert("schema[" + std::to_string(index) + "].type_length");
  check.outcome.findings.attribute(Rule::schema_type_length, 0, [&](const Finding& finding) {
    return (elements.contains(finding.place.leaf) && is_error(finding)) ||
           (finding.rule == Rule::schema_flba_zero_length && fields.contains(finding.field));
  });
  for (const auto& [leaf, index] : elements) {
    FindingSite::of_schema_element(check, index)
        .report(Rule::schema_type_length, "type_length", contrast(0, "as many bytes as its values have"));
  }
  lose_chunks(check, {},
              [&](std::uint32_t leaf) { return elements.contains(static_cast<std::int32_t>(leaf)); });
}

}  // namespace parqproof
