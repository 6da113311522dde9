#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_repair.hpp"

namespace parqproof {
namespace {

bool is_same(View a, View b) { return std::ranges::equal(a.bytes, b.bytes); }

class SchemaNames {
 public:
  explicit SchemaNames(FileCheck& check)
      : check_(check), schema_(check.footer.schema), agreed_(schema_.nodes().size()) {}

  void run() {
    for (const ChunkClaim& claim : check_.footer.chunks) count(claim);
    std::erase_if(doubts_, [this](const auto& one) { return !is_wrong(one.first, one.second); });
    if (doubts_.empty()) return;
    for (const auto& [index, doubt] : doubts_) wrong_.insert(name_field(index));
    for (const Finding& finding : check_.outcome.findings.all()) {
      if (is_about_lost_name(finding)) nameless_.insert(finding.field);
    }
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
    const std::vector<View> path = path_of(chunk.meta_data);
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
    return nameless_.contains(name_field(index)) ? FindingValue(kAbsent) : "\"\"";
  }

  [[nodiscard]] static std::string name_field(std::uint32_t index) {
    return "schema[" + std::to_string(index) + "].name";
  }

  /// Returns true if the finding says that an element has no name, or one of another type.
  [[nodiscard]] static bool is_about_lost_name(const Finding& finding) {
    return finding.rule == Rule::thrift_field_type ||
           (finding.rule == Rule::thrift_required_field && finding.expected == FindingValue("name"));
  }

  [[nodiscard]] bool is_wrong(std::uint32_t index, const Doubt& doubt) const {
    if (agreed_[index] || doubt.split || has_sibling(index, doubt.name)) return false;
    return doubt.chunks > 1 || schema_.nodes()[index].name.empty() ||
           std::ranges::any_of(check_.outcome.findings.primary(), [&](const Finding& one) {
             return is_required_name(one) && one.field == name_field(index) &&
                    one.expected == FindingValue(text_of(doubt.name));
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

  /// Returns true if the finding is about the name that LIST or MAP requires for an element.
  [[nodiscard]] static bool is_required_name(const Finding& finding) {
    return finding.times == 1 &&
           (finding.rule == Rule::nested_type_list_names || finding.rule == Rule::nested_type_map_names);
  }

  [[nodiscard]] bool is_duplicate(const Finding& finding) const {
    if (is_required_name(finding) || is_about_lost_name(finding) || finding.rule == Rule::schema_name_empty)
      return wrong_.contains(finding.field);
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
  std::set<std::string> wrong_;            // fields of the names that are wrong
  std::set<std::string> nameless_;         // fields of the names that elements have lost
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
      differing_;  // by row group, leaf
};

}  // namespace

void Diagnosis::explain_schema_names(FileCheck& check) const {
  const Findings& findings = check.outcome.findings;
  if (!findings.broke(Rule::column_chunk_path) || !findings.wants(Rule::schema_name) ||
      !findings.dropped().empty() || !check.footer.schema_usable) {
    return;
  }
  SchemaNames(check).run();
}

}  // namespace parqproof
