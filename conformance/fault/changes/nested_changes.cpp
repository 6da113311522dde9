// Changes of groups of the schema: LIST, MAP, and groups of their own rules.
#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/model/page_levels.hpp"
#include "codec/schema/nested.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

std::string_view name_at(const File& file, std::uint32_t node) {
  return text_of(file.schema().nodes()[node].name);
}

/// Renames a node, if it is one and has this name.
bool rename_from(File& file, std::uint32_t node, std::string_view from, std::string_view name) {
  return node != 0 && name_at(file, node) == from && file.rename(node, name);
}

/// The repeated group of a LIST of three levels; 0 if there is none.
std::uint32_t list_of(const File& file, const Site& site) {
  const Nodes& nodes = file.schema().nodes();
  const bool has_three_levels =
      is_list(nodes, site.index) && list_rule(nodes, site.index) == ListRule::single_field;
  return has_three_levels ? only_child(nodes, site.index) : 0;
}

/// The repeated group of a MAP with a key and a value; 0 if there is none.
std::uint32_t entries_of(const File& file, const Site& site) {
  const Nodes& nodes = file.schema().nodes();
  if (!is_map(nodes, site.index)) return 0;
  const std::uint32_t entries = map_entries(nodes, site.index);
  return entries != 0 && child_count(nodes, entries) == 2 ? entries : 0;
}

/// Adds a level below the highest one, `max`, to each histogram of a list of them.
void widen(model::Tree& tree, std::string_view path, model::NodeId node, std::uint32_t max) {
  const auto list = tree.find(path, node);
  for (std::size_t at = max; list && at < tree.node(*list).size; at += max + 2) tree.add_element(*list, at);
}

/// Histograms of definition levels whose maximum becomes one more.
void widen_histograms(File& file, model::ChunkId chunk, std::uint32_t max) {
  for (const auto& [tree, node] : file.metadata_of(chunk))
    widen(*tree, "size_statistics.definition_level_histogram", node, max);
  for (const model::SegmentId id : file.model().segments_of(model::Segment::Kind::column_index, chunk)) {
    if (model::Tree* const index = file.model().tree(id))
      widen(*index, "definition_level_histograms", model::kRoot, max);
  }
}

}  // namespace

bool rename_list(File& file, const Site& site, const Change& change) {
  return rename_from(file, list_of(file, site), "list", change.text);
}

bool rename_element(File& file, const Site& site, const Change& change) {
  const std::uint32_t list = list_of(file, site);
  return list != 0 && name_at(file, list) == "list" &&
         rename_from(file, only_child(file.schema().nodes(), list), "element", change.text);
}

bool rename_entries(File& file, const Site& site, const Change& change) {
  return rename_from(file, entries_of(file, site), "key_value", change.text);
}

bool swap_key_and_value(File& file, const Site& site, const Change& /*change*/) {
  const std::uint32_t entries = entries_of(file, site);
  if (entries == 0) return false;
  const std::uint32_t key = entries + 1;
  const std::uint32_t value = file.schema().nodes()[key].end;
  return rename_from(file, key, "key", "value") && rename_from(file, value, "value", "key");
}

bool map_key_value_alone(File& file, const Site& site, const Change& /*change*/) {
  if (entries_of(file, site) == 0) return false;
  model::Tree& footer = file.footer();
  if (const auto logical = footer.find("logicalType", site.node)) footer.remove(*logical);
  footer.set_number(*footer.make("converted_type", site.node),
                    static_cast<std::int64_t>(ConvertedType::MAP_KEY_VALUE));
  return true;
}

bool key_optional(File& file, const Site& site, const Change& /*change*/) {
  const std::uint32_t entries = entries_of(file, site);
  if (entries == 0) return false;
  const Node& key = file.schema().nodes()[entries + 1];
  if (!key.is_leaf || key.repetition != FieldRepetitionType::REQUIRED) return false;
  const std::uint32_t max = key.max_definition;
  // The levels of keys that are there become one more.
  for (std::uint32_t i = 0; i < file.pages().size(); ++i) {
    const PageInfo& page = file.pages()[i];
    const Site at{page.segment, model::kRoot, page.chunk, i};
    if (file.chunk_of(at).leaf != key.leaf || !page.is_data() || page.num_values == 0) continue;
    auto levels = definition_levels(file, at);
    auto image = file.image_of(at);
    if (!levels || !image) return false;
    for (std::uint32_t& level : *levels) level += level == max ? 1 : 0;
    image->definition = model::encode_levels(Encoding::RLE, bit_width_for(max + 1), *levels);
    if (!file.set_image(at, *image)) return false;
  }
  for (model::ChunkId chunk = 0; chunk < file.chunks().size(); ++chunk) {
    if (file.chunks()[chunk].leaf == key.leaf) widen_histograms(file, chunk, max);
  }
  const auto element = file.footer().element(*file.footer().find("schema"), entries + 1);
  file.footer().set_number(*file.footer().make("repetition_type", *element),
                           static_cast<std::int64_t>(FieldRepetitionType::OPTIONAL));
  return true;
}

bool enum_for_string(File& file, const Site& site, const Change& /*change*/) {
  model::Tree& footer = file.footer();
  const auto logical = footer.find("logicalType", site.node);
  const auto converted = footer.find("converted_type", site.node);
  if (!logical && !converted) return false;
  if (logical) {
    footer.remove(*logical);
    static_cast<void>(footer.make("logicalType.ENUM", site.node));
  }
  if (converted) footer.set_number(*converted, static_cast<std::int64_t>(ConvertedType::ENUM));
  return true;
}

}  // namespace parqproof::fault
