// Changes of the GeoParquet metadata, and of what only the footer of an encrypted file has.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/encryption/module.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

using encryption::kModuleHeadBytes;
using encryption::kModuleLengthBytes;
using model::NodeId;
using model::Tree;
using nlohmann::json;

void set_text(Tree& footer, NodeId node, std::string_view text) { footer.set_bytes(node, bytes_of(text)); }

/// Edits the GeoParquet metadata, and its columns, of which there is at least one.
template <typename Edit>
bool edit_geo_key(File& file, Edit&& edit) {
  const auto value = file.value_of_key("geo");
  if (!value) return false;
  json metadata = json::parse(text_of(file.footer().bytes(*value)), nullptr, false);
  if (!metadata.is_object() || !metadata["columns"].is_object() || metadata["columns"].empty()) return false;
  if (!edit(metadata, metadata["columns"])) return false;
  set_text(file.footer(), *value, metadata.dump());
  return true;
}

/// Returns true for a GEOMETRY or GEOGRAPHY column of the root that has types of values in its statistics.
bool has_geometries(File& file, std::string_view name) {
  return std::ranges::any_of(file.chunks(), [&](const Chunk& chunk) {
    const auto types = file.footer().find("meta_data.geospatial_statistics.geospatial_types", chunk.node);
    return types && file.footer().node(*types).size != 0 &&
           text_of(file.schema().leaf(chunk.leaf).name) == name;
  });
}

/// The module in encrypted_column_metadata; empty if there is none.
Bytes encrypted_metadata(const Tree& footer, NodeId chunk) {
  const auto field = footer.find("encrypted_column_metadata", chunk);
  if (!field || footer.bytes(*field).size() < kModuleHeadBytes) return {};
  return {footer.bytes(*field).begin(), footer.bytes(*field).end()};
}

}  // namespace

bool patch_geo_key(File& file, const Site& /*site*/, const Change& change) {
  return edit_geo_key(file, [&](json& metadata, json& /*columns*/) {
    metadata.merge_patch(json::parse(change.text));
    return true;
  });
}

bool patch_geo_column(File& file, const Site& /*site*/, const Change& change) {
  return edit_geo_key(file, [&](json& /*metadata*/, json& columns) {
    const auto column = std::ranges::find_if(
        columns.items(), [&](const auto& one) { return has_geometries(file, one.key()); });
    if (column == columns.items().end()) return false;
    column.value().merge_patch(json::parse(change.text));
    return true;
  });
}

bool rename_geo_column(File& file, const Site& /*site*/, const Change& change) {
  return edit_geo_key(file, [&](json& metadata, json& columns) {
    if (columns.size() != 1) return false;
    json column = std::move(columns.front());
    columns = {{std::string(change.text), std::move(column)}};
    metadata["primary_column"] = change.text;
    return true;
  });
}

bool cut_geo_key(File& file, const Site& /*site*/, const Change& /*change*/) {
  const auto value = file.value_of_key("geo");
  if (!value || file.footer().bytes(*value).size() < 2) return false;
  const std::string text(text_of(file.footer().bytes(*value)));
  set_text(file.footer(), *value, std::string_view(text).substr(0, text.size() - 1));
  return true;
}

bool add_extension(File& file, const Site& site, const Change& change) {
  Tree& tree = file.tree_of(site);
  const NodeId field =
      tree.add_field(site.node, static_cast<std::int16_t>(change.number), thrift::Wire::binary);
  tree.set_bytes(field, bytes_of(change.text));
  return true;
}

bool extension_before_last(File& file, const Site& site, const Change& change) {
  Tree& tree = file.tree_of(site);
  if (tree.node(site.node).last == model::kNoNode) return false;
  const NodeId last = tree.node(site.node).last;
  if (!add_extension(file, site, change)) return false;
  tree.swap_with_next(last);
  return true;
}

bool remove_algorithm(File& file, const Site& /*site*/, const Change& /*change*/) {
  Tree& footer = file.footer();
  for (const char* const name : {"encryption_algorithm", "footer_signing_key_metadata"}) {
    if (const auto field = footer.find(name)) footer.remove(*field);
  }
  const auto& order = file.model().order();
  const auto after = std::ranges::find(order, file.model().footer()) + 1;
  if (after == order.end() || file.model().segment(*after).kind != model::Segment::Kind::gap) return false;
  file.model().remove(*after);
  return true;
}

bool add_visible(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const bool is_statistics = change.text == "meta_data.statistics";
  for (const char* const detail :
       {"meta_data.key_value_metadata", "meta_data.size_statistics", "meta_data.geospatial_statistics"}) {
    if (!is_statistics && footer.find(detail, site.node)) return false;  // one of them is enough
  }
  return footer.find("meta_data", site.node).has_value() && !footer.find(change.text, site.node) &&
         footer.make(change.text, site.node).has_value();
}

bool encrypted_module_length(File& file, const Site& site, const Change& change) {
  Bytes bytes = encrypted_metadata(file.footer(), site.node);
  if (bytes.empty()) return false;
  Bytes length;
  append_le(length, load_le<std::uint32_t>(bytes.data()) + static_cast<std::uint64_t>(change.number),
            kModuleLengthBytes);
  std::ranges::copy(length, bytes.begin());
  file.footer().set_bytes(*file.footer().find("encrypted_column_metadata", site.node), bytes);
  return true;
}

bool repeat_nonce(File& file, const Site& site, const Change& /*change*/) {
  Bytes bytes = encrypted_metadata(file.footer(), site.node);
  const auto dictionary = file.footer().number("meta_data.dictionary_page_offset", site.node);
  const auto data = file.footer().number("meta_data.data_page_offset", site.node);
  if (bytes.empty() || !data) return false;
  // The first module of the pages has the same key.
  Bytes module(kModuleHeadBytes);
  const auto at = static_cast<std::uint64_t>(dictionary ? std::min(*dictionary, *data) : *data);
  if (!file.model().source().read(at, module)) return false;
  std::copy(module.begin() + kModuleLengthBytes, module.end(), bytes.begin() + kModuleLengthBytes);
  file.footer().set_bytes(*file.footer().find("encrypted_column_metadata", site.node), bytes);
  return true;
}

bool encrypted_path(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto path = footer.find("crypto_metadata.ENCRYPTION_WITH_COLUMN_KEY.path_in_schema", site.node);
  if (!path || footer.node(*path).last == model::kNoNode) return false;
  set_text(footer, footer.node(*path).last, change.text);
  return true;
}

}  // namespace parqproof::fault
