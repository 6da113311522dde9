#include "conformance/diagnosis/schema_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/state/file_check.hpp"

namespace parqproof {
namespace {

bool is_same(View a, View b) { return std::ranges::equal(a.bytes, b.bytes); }

bool is_about_names(Rule rule) {
  return rule == Rule::nested_type_list_names || rule == Rule::nested_type_map_names;
}

class SchemaNames {
 public:
  explicit SchemaNames(FileCheck& check)
      : check_(check), schema_(check.footer.schema), agreed_(schema_.nodes().size()) {}

  void run() {
    for (const ChunkClaim& claim : check_.footer.chunks) count(claim);
    std::erase_if(doubts_, [this](const auto& one) { return !is_wrong(one.first, one.second); });
    if (doubts_.empty()) return;
    find_nameless();
    check_.outcome.findings.attribute(Rule::schema_name, 0,
                                      [this](const Finding& finding) { return is_duplicate(finding); });
    for (const auto& [index, doubt] : doubts_) {
      FindingSite::of_schema_element(check_, index)
          .report(Rule::schema_name, "name", contrast(stated_name(index), text_of(doubt.name)));
    }
  }

 private:
  /// The names in chunk paths for an element that has another name in the schema.
  struct Doubt {
    View name;
    std::uint64_t chunks = 0;
    bool split = false;  ///< the paths have different names
  };

  /// Compares the path of a chunk with the elements above its leaf.
  void count(const ChunkClaim& claim) {
    ColumnChunk chunk;
    if (claim.leaf >= schema_.leaf_count() || !check_.footer.reread(claim, check_.options.limits, chunk) ||
        !chunk.meta_data.has(ColumnMetaData::id_path_in_schema)) {
      return;
    }
    std::vector<View> path;
    thrift::for_each_string(chunk.meta_data.path_in_schema,
                            [&](View name, std::uint32_t) { path.push_back(name); });
    const Nodes& nodes = schema_.nodes();
    std::uint32_t index = schema_.leaf_index(claim.leaf);
    const bool comparable = path.size() == nodes[index].depth;
    for (std::size_t depth = nodes[index].depth; depth > 0; --depth, index = nodes[index].parent) {
      if (!comparable || is_same(path[depth - 1], nodes[index].name)) {
        agreed_[index] = true;
        continue;
      }
      Doubt& doubt = doubts_[index];
      if (doubt.chunks++ == 0) doubt.name = path[depth - 1];
      doubt.split = doubt.split || !is_same(doubt.name, path[depth - 1]);
      differing_[{claim.row_group, claim.leaf}].push_back(index);
    }
  }

  /// The name in the schema, as found; an element may have lost it.
  [[nodiscard]] FindingValue stated_name(std::uint32_t index) const {
    const View name = schema_.nodes()[index].name;
    if (!name.empty()) return text_of(name);
    return nameless_.contains(index) ? FindingValue(kAbsent) : "\"\"";
  }

  /// The element that a finding about its name is about; nullopt for other findings.
  [[nodiscard]] static std::optional<std::uint32_t> element_of(const Finding& finding) {
    constexpr std::string_view kList = "schema[";
    const std::string_view field = finding.field;
    if (!field.starts_with(kList) || !field.ends_with("].name")) return std::nullopt;
    std::uint32_t index = 0;
    const auto [end, error] =
        std::from_chars(field.data() + kList.size(), field.data() + field.size(), index);
    return error == std::errc() && *end == ']' ? std::optional(index) : std::nullopt;
  }

  /// Returns true if the finding says that an element has no name, or one of another type.
  [[nodiscard]] static bool is_about_lost_name(const Finding& finding) {
    return finding.rule == Rule::thrift_field_type ||
           (finding.rule == Rule::thrift_required_field && finding.expected == FindingValue("name"));
  }

  /// Finds the elements without a name.
  void find_nameless() {
    for (const Finding& finding : check_.outcome.findings.all()) {
      const std::optional<std::uint32_t> index = element_of(finding);
      if (index && is_about_lost_name(finding)) nameless_.insert(*index);
    }
  }

  [[nodiscard]] bool is_wrong(std::uint32_t index, const Doubt& doubt) const {
    if (agreed_[index] || doubt.split || has_sibling(index, doubt.name)) return false;
    return doubt.chunks > 1 || schema_.nodes()[index].name.empty() ||
           std::ranges::any_of(check_.outcome.findings.primary(), [&](const Finding& one) {
             return is_name_of(one, index) && one.expected == FindingValue(text_of(doubt.name));
           });
  }

  [[nodiscard]] bool has_sibling(std::uint32_t index, View name) const {
    const Nodes& nodes = schema_.nodes();
    const std::uint32_t parent = nodes[index].parent;
    for (std::uint32_t i = parent + 1; i < nodes[parent].end; i = nodes[i].end) {
      if (i != index && is_same(nodes[i].name, name)) return true;
    }
    return false;
  }

  /// Returns true if the finding is about the name that LIST or MAP requires for this element.
  [[nodiscard]] static bool is_name_of(const Finding& finding, std::uint32_t index) {
    return is_about_names(finding.rule) && finding.times == 1 &&
           finding.field == "schema[" + std::to_string(index) + "].name";
  }

  [[nodiscard]] bool is_duplicate(const Finding& finding) const {
    if (is_about_names(finding.rule)) {
      return std::ranges::any_of(doubts_, [&](const auto& one) { return is_name_of(finding, one.first); });
    }
    if (is_about_lost_name(finding) || finding.rule == Rule::schema_name_empty) {
      const std::optional<std::uint32_t> index = element_of(finding);
      return index && doubts_.contains(*index);
    }
    if (finding.rule != Rule::column_chunk_path) return false;
    const auto where = differing_.find({static_cast<std::uint32_t>(finding.place.row_group),
                                        static_cast<std::uint32_t>(finding.place.leaf)});
    return where != differing_.end() && std::ranges::all_of(where->second, [this](std::uint32_t index) {
             return doubts_.contains(index);
           });
  }

  FileCheck& check_;
  const Schema& schema_;
  std::vector<bool> agreed_;               // elements whose name is in the path of a chunk
  std::map<std::uint32_t, Doubt> doubts_;  // by element
  std::set<std::uint32_t> nameless_;       // elements that lost their name
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
      differing_;  // by row group, leaf
};

}  // namespace

void explain_schema_names(FileCheck& check) {
  const Findings& findings = check.outcome.findings;
  const bool broken = findings.broken()[static_cast<std::size_t>(Rule::column_chunk_path)];
  if (!broken || !findings.wants(Rule::schema_name) || !findings.dropped().empty() ||
      !check.footer.schema_usable) {
    return;
  }
  SchemaNames(check).run();
}

}  // namespace parqproof
