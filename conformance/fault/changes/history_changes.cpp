// Changes of what the edition of 2013 defines: index pages, BIT_PACKED levels and GROUP_VAR_INT.
#include <algorithm>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/model/page_levels.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

constexpr std::size_t kNumberBytes = 4;  // each of the three numbers of an entry

/// Opens the body of an index page that is a list of ordinals, edits it, and sets it again.
template <typename Edit>
bool edit_entries(File& file, const Site& site, Edit&& edit) {
  auto body = file.model().body(site.segment);
  if (!body || body->size() < 2 * kIndexTreeEntryBytes || body->size() % kIndexTreeEntryBytes != 0 ||
      load_le<std::uint32_t>(body->data() + body->size() - kIndexTreeEntryBytes) >=
          static_cast<std::uint64_t>(file.chunk_of(site).stated.num_values))
    return false;
  const std::size_t before = body->size();
  if (!edit(*body)) return false;
  if (body->size() == before) {
    model::set_stored_body(file.model(), site.segment, std::move(*body));
    return true;
  }
  auto image = file.image_of(site);
  if (!image) return false;
  image->values = std::move(*body);
  return file.set_image(site, *image);
}

/// Adds an encoding to those of a chunk.
bool add_encoding(File& file, const Site& site, Encoding encoding) {
  const auto number = static_cast<std::int64_t>(encoding);
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto list = tree->find("encodings", node);
    if (!list) return false;
    const auto all = tree->children(*list);
    if (std::ranges::none_of(all, [&](model::NodeId one) { return tree->number(one) == number; }))
      tree->set_number(tree->add_element(*list), number);
  }
  return true;
}

std::optional<Encoding> level_encoding(File& file, const Site& site) {
  const auto number = file.tree_of(site).number("data_page_header.definition_level_encoding");
  return number ? std::optional(static_cast<Encoding>(*number)) : std::nullopt;
}

}  // namespace

bool swap_index_entries(File& file, const Site& site, const Change& /*change*/) {
  return edit_entries(file, site, [](Bytes& body) {
    std::swap_ranges(body.begin(), body.begin() + kIndexTreeEntryBytes, body.begin() + kIndexTreeEntryBytes);
    return true;
  });
}

bool index_entry_number(File& file, const Site& site, const Change& change) {
  return edit_entries(file, site, [&](Bytes& body) {
    const std::size_t at =
        body.size() - kIndexTreeEntryBytes + static_cast<std::size_t>(change.number) * kNumberBytes;
    Bytes number;
    append_le(number, load_le<std::uint32_t>(body.data() + at) + std::uint64_t{1}, kNumberBytes);
    std::ranges::copy(number, body.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  });
}

bool cut_index_entry(File& file, const Site& site, const Change& /*change*/) {
  return edit_entries(file, site, [](Bytes& body) {
    body.pop_back();
    return true;
  });
}

bool pack_levels(File& file, const Site& site, const Change& /*change*/) {
  const auto levels = definition_levels(file, site);
  auto image = file.image_of(site);
  if (!levels || !image || level_encoding(file, site) != Encoding::RLE) return false;
  model::Tree& header = file.tree_of(site);
  header.set_number(*header.find("data_page_header.definition_level_encoding"),
                    static_cast<std::int64_t>(Encoding::BIT_PACKED));
  image->definition =
      model::encode_levels(Encoding::BIT_PACKED, bit_width_for(file.leaf_of(site).max_definition), *levels);
  return add_encoding(file, site, Encoding::BIT_PACKED) && file.set_image(site, *image);
}

bool packed_level_padding(File& file, const Site& site, const Change& /*change*/) {
  const auto bits = static_cast<std::uint64_t>(file.page_of(site).num_values) *
                    bit_width_for(file.leaf_of(site).max_definition);
  auto image = file.image_of(site);
  if (level_encoding(file, site) != Encoding::BIT_PACKED || bits % 8 == 0 || !image ||
      image->definition.empty() || (image->definition.back() & 1) != 0)
    return false;
  image->definition.back() |= 1;
  return file.set_image(site, *image);
}

bool cut_packed_levels(File& file, const Site& site, const Change& /*change*/) {
  auto image = file.image_of(site);
  if (level_encoding(file, site) != Encoding::BIT_PACKED || !image || image->definition.empty()) return false;
  image->definition.pop_back();
  image->values.clear();  // else the levels would go on in them
  return file.set_image(site, *image);
}

bool plain_as_group_var_int(File& file, const Site& site, const Change& /*change*/) {
  const PageInfo& page = file.page_of(site);
  const Type type = file.leaf_of(site).type;
  auto image = file.image_of(site);
  model::Tree& header = file.tree_of(site);
  const auto encoding =
      header.find(page.is_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding");
  const bool has_stats = std::ranges::any_of(file.metadata_of(site.chunk), [](const auto& one) {
    return one.first->find("encoding_stats", one.second).has_value();
  });
  if (!image || !encoding || page.encoding != Encoding::PLAIN || has_stats ||
      (type != Type::INT32 && type != Type::INT64))
    return false;
  const std::size_t width = type == Type::INT32 ? 4 : 8;
  Bytes values;
  const EncodeOptions options;
  const ValueBatch batch{.count = image->values.size() / width, .fixed = image->values.data()};
  if (!encode_values(Encoding::GROUP_VAR_INT, {type, 0, options, values}, batch)) return false;
  image->values = std::move(values);
  header.set_number(*encoding, static_cast<std::int64_t>(Encoding::GROUP_VAR_INT));
  return add_encoding(file, site, Encoding::GROUP_VAR_INT) && file.set_image(site, *image);
}

bool group_selector_bit(File& file, const Site& site, const Change& /*change*/) {
  auto image = file.image_of(site);
  if (file.page_of(site).encoding != Encoding::GROUP_VAR_INT || file.leaf_of(site).type != Type::INT64 ||
      !image || image->values.empty() || (image->values[0] & 0x80) != 0)
    return false;
  image->values[0] |= 0x80;
  return file.set_image(site, *image);
}

bool group_padding(File& file, const Site& site, const Change& /*change*/) {
  const std::int64_t in_group = file.leaf_of(site).type == Type::INT64 ? 5 : 4;
  auto image = file.image_of(site);
  if (file.page_of(site).encoding != Encoding::GROUP_VAR_INT || file.leaf_of(site).max_definition != 0 ||
      file.page_of(site).num_values % in_group == 0 || !image || image->values.empty() ||
      image->values.back() != 0)
    return false;
  image->values.back() = 1;
  return file.set_image(site, *image);
}

}  // namespace parqproof::fault
