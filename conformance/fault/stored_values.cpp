#include "conformance/fault/stored_values.hpp"

#include <algorithm>
#include <numeric>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/model/page_levels.hpp"
#include "codec/schema/order.hpp"

namespace parqproof::fault {
namespace {

using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

constexpr std::size_t kPrefixBytes = 4;  // the length of a BYTE_ARRAY
constexpr std::string_view kUnencoded = "unencoded_byte_array_data_bytes";

/// All bounds of a chunk, in its metadata, its column index and its page headers.
std::vector<Bytes> bounds_of(File& file, model::ChunkId chunk) {
  std::vector<Bytes> bounds;
  const auto add = [&](const Tree& tree, NodeId node) {
    bounds.emplace_back(tree.bytes(node).begin(), tree.bytes(node).end());
  };
  for (const auto& [tree, node] : file.metadata_of(chunk)) {
    for (const char* const name : {"min_value", "max_value", "min", "max"}) {
      if (const auto bound = tree->find("statistics." + std::string(name), node)) add(*tree, *bound);
    }
  }
  for (const std::uint32_t page : file.chunks()[chunk].pages) {
    const Tree* const header = file.model().tree(file.pages()[page].segment);
    for (const char* const member : {"data_page_header.statistics.", "data_page_header_v2.statistics."}) {
      for (const char* const name : {"min_value", "max_value", "min", "max"}) {
        const auto bound = header == nullptr ? std::nullopt : header->find(member + std::string(name));
        if (bound) add(*header, *bound);
      }
    }
  }
  for (const SegmentId id : file.model().segments_of(Segment::Kind::column_index, chunk)) {
    const Tree* const index = file.model().tree(id);
    for (const char* const name : {"min_values", "max_values"}) {
      const auto list = index == nullptr ? std::nullopt : index->find(name);
      for (const NodeId bound : list ? index->children(*list) : std::vector<NodeId>()) add(*index, bound);
    }
  }
  return bounds;
}

/// Returns true if both values are on the same side of each bound.
bool keeps(Order order, const std::vector<Bytes>& bounds, const Bytes& before, const Bytes& after) {
  return order == Order::none || std::ranges::all_of(bounds, [&](const Bytes& bound) {
           const Comparison side = compare(order, before, bound);
           return side != Comparison::equal && side == compare(order, after, bound);
         });
}

/// The numbers that count the bytes of the values of a page: of its chunk, and of the offset index.
std::vector<std::pair<Tree*, NodeId>> byte_counts(File& file, const Site& site) {
  std::vector<std::pair<Tree*, NodeId>> counts;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (const auto count = tree->find("size_statistics." + std::string(kUnencoded), node))
      counts.emplace_back(tree, *count);
  }
  std::uint32_t ordinal = 0;  // among the data pages
  for (const std::uint32_t page : file.chunk_of(site).pages) {
    if (page == site.index) break;
    ordinal += file.pages()[page].is_data() ? 1 : 0;
  }
  for (const SegmentId id : file.model().segments_of(Segment::Kind::offset_index, site.chunk)) {
    Tree* const index = file.model().tree(id);
    const auto list = index == nullptr ? std::nullopt : index->find(kUnencoded);
    const auto count = list ? index->element(*list, ordinal) : std::nullopt;
    if (count) counts.emplace_back(index, *count);
  }
  return counts;
}

/// The bytes of all values of a section of BYTE_ARRAY in PLAIN; nullopt if its lengths do not fit.
std::optional<std::vector<Bytes>> plain_values(std::span<const std::uint8_t> section) {
  std::vector<Bytes> values;
  while (!section.empty()) {
    if (section.size() < kPrefixBytes) return std::nullopt;
    const std::size_t size = load_le<std::uint32_t>(section.data());
    section = section.subspan(kPrefixBytes);
    if (size > section.size()) return std::nullopt;
    values.emplace_back(section.begin(), section.begin() + static_cast<std::ptrdiff_t>(size));
    section = section.subspan(size);
  }
  return values;
}

/// The levels of all entries of a data page, also of a column that stores none.
std::optional<std::vector<std::uint32_t>> all_levels(File& file, const Site& page) {
  const std::int64_t count = file.page_of(page).num_values;
  if (file.leaf_of(page).max_definition != 0) return definition_levels(file, page);
  if (count < 0 || count > static_cast<std::int64_t>(model::kMostLevels)) return std::nullopt;
  return std::vector<std::uint32_t>(static_cast<std::size_t>(count));
}

/// The indices of a data page with `count` values and a dictionary.
std::optional<std::vector<std::uint32_t>> indices_of(const Bytes& section, std::uint64_t count) {
  constexpr unsigned kMostBits = 32;
  if (count == 0) return std::vector<std::uint32_t>();
  if (section.empty() || section[0] > kMostBits) return std::nullopt;
  return model::decode_levels(Encoding::RLE, View{section}.from(1), section[0], count);
}

/// The ordinal of each value of a data page, in its own section in PLAIN, or in the dictionary; nullopt if
/// they cannot be read. `levels`: of the page.
std::optional<std::vector<std::uint32_t>> value_ordinals(File& file, const Site& page,
                                                         const std::vector<std::uint32_t>& levels) {
  const auto count =
      static_cast<std::uint64_t>(std::ranges::count(levels, file.leaf_of(page).max_definition));
  const Encoding encoding = file.page_of(page).encoding;
  if (is_dictionary_encoding(encoding)) {
    const auto image = file.image_of(page);
    return image ? indices_of(image->values, count) : std::nullopt;
  }
  if (encoding != Encoding::PLAIN) return std::nullopt;
  std::vector<std::uint32_t> ordinals(static_cast<std::size_t>(count));
  std::iota(ordinals.begin(), ordinals.end(), 0U);
  return ordinals;
}

/// Adds to a number of each struct of metadata.
void add_to_metadata(File& file, model::ChunkId chunk, std::string_view path, std::int64_t more) {
  for (const auto& [tree, node] : file.metadata_of(chunk)) tree->add(tree->find(path, node), more);
}

/// Moves an entry of a histogram from the level `max` to the one below, in the list at `path`, in which the
/// histogram begins at element `first`.
void move_below(Tree& tree, NodeId node, std::string_view path, std::size_t first, std::uint32_t max) {
  const auto list = tree.find(path, node);
  if (!list) return;
  tree.add(tree.element(*list, first + max), -1);
  tree.add(tree.element(*list, first + max - 1), 1);
}

}  // namespace

Encoding level_encoding_of(File& file, const Site& page) {
  const auto stated = file.tree_of(page).number("data_page_header.definition_level_encoding");
  return file.page_of(page).is_v1() && stated ? static_cast<Encoding>(*stated) : Encoding::RLE;
}

bool has_stored_values(File& file, const Site& site) {
  const PageInfo& page = file.page_of(site);
  const Type type = file.leaf_of(site).type;
  const bool is_plain = page.encoding == Encoding::PLAIN ||
                        (page.is_dictionary() && page.encoding == Encoding::PLAIN_DICTIONARY);
  return is_plain && !file.is_sorted() && (page.is_data() || page.is_dictionary()) && page.num_values > 0 &&
         (type == Type::BYTE_ARRAY || type == Type::INT32 || type == Type::INT64) &&
         !file.chunk_of(site).stated.has(ColumnMetaData::id_bloom_filter_offset);
}

bool edit_stored_value(File& file, const Site& site, const EditValue& edit) {
  return edit_numbered_value(file, site, [&](Bytes& value, std::size_t /*ordinal*/) { return edit(value); });
}

bool edit_numbered_value(File& file, const Site& site, const EditNumbered& edit) {
  file.unchanged = true;
  auto image = has_stored_values(file, site) ? file.image_of(site) : std::nullopt;
  if (!image) return false;
  const Node& leaf = file.leaf_of(site);
  const Order order = order_of(leaf);
  const std::vector<Bytes> bounds = bounds_of(file, site.chunk);
  const bool is_prefixed = leaf.type == Type::BYTE_ARRAY;
  Bytes& values = image->values;
  const bool is_dictionary = file.page_of(site).is_dictionary();
  const auto users =
      is_dictionary ? entries_with_values(file, site) : std::vector<std::vector<std::size_t>>();
  std::size_t at = 0;
  std::size_t ordinal = 0;
  const std::size_t head = is_prefixed ? kPrefixBytes : 0;
  const std::size_t width = leaf.type == Type::INT32 ? sizeof(std::int32_t) : sizeof(std::int64_t);
  while (values.size() - at > head) {
    const std::size_t size = is_prefixed ? load_le<std::uint32_t>(values.data() + at) : width;
    if (size > values.size() - at - head) return false;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at + head);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const Bytes before(begin, end);
    Bytes after = before;
    const bool is_used = !is_dictionary || (ordinal < users.size() && !users[ordinal].empty());
    const std::size_t own = ordinal++;
    if (!is_used || !edit(after, own) || after == before || !keeps(order, bounds, before, after)) {
      at += head + size;
      continue;
    }
    const auto more = static_cast<std::int64_t>(after.size()) - static_cast<std::int64_t>(size);
    const auto counts = more == 0 ? std::vector<std::pair<Tree*, NodeId>>() : byte_counts(file, site);
    // How often an entry of a dictionary occurs is not known.
    if (!counts.empty() && is_dictionary) return false;
    file.unchanged = false;
    for (const auto& [tree, node] : counts) tree->set_number(node, tree->number(node) + more);
    Bytes stored;
    if (is_prefixed) append_le(stored, after.size(), kPrefixBytes);
    stored.insert(stored.end(), after.begin(), after.end());
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at), end);
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), stored.begin(), stored.end());
    return file.set_image(site, *image);
  }
  return false;
}

std::optional<std::vector<std::uint32_t>> definition_levels(File& file, const Site& site) {
  const std::uint32_t max = file.leaf_of(site).max_definition;
  const PageInfo& page = file.page_of(site);
  const auto image = file.image_of(site);
  if (!image || image->definition.empty() || max == 0 || page.num_values <= 0) return std::nullopt;
  const Encoding encoding = level_encoding_of(file, site);
  if (encoding != Encoding::RLE && encoding != Encoding::BIT_PACKED) return std::nullopt;
  return model::decode_levels(encoding, View{image->definition}, bit_width_for(max),
                              static_cast<std::uint64_t>(page.num_values));
}

std::optional<std::uint64_t> stored_count(File& file, const Site& page) {
  const auto levels = all_levels(file, page);
  return levels ? std::optional(static_cast<std::uint64_t>(
                      std::ranges::count(*levels, file.leaf_of(page).max_definition)))
                : std::nullopt;
}

std::vector<Site> data_pages_of(File& file, std::uint32_t row_group, std::uint32_t leaf) {
  std::vector<Site> pages;
  for (std::uint32_t i = 0; i < file.pages().size(); ++i) {
    const PageInfo& page = file.pages()[i];
    const Chunk& chunk = file.chunks()[page.chunk];
    if (page.is_data() && chunk.row_group == row_group && chunk.leaf == leaf)
      pages.push_back({page.segment, model::kRoot, page.chunk, i});
  }
  return pages;
}

std::optional<std::vector<std::uint32_t>> definition_levels(File& file, std::uint32_t row_group,
                                                            std::uint32_t leaf) {
  std::vector<std::uint32_t> all;
  for (const Site& page : data_pages_of(file, row_group, leaf)) {
    const auto levels = all_levels(file, page);
    if (!levels || all.size() + levels->size() > model::kMostLevels) return std::nullopt;
    all.insert(all.end(), levels->begin(), levels->end());
  }
  return all;
}

std::vector<std::vector<std::size_t>> entries_with_values(File& file, const Site& site) {
  std::vector<std::vector<std::size_t>> entries;
  const Chunk& chunk = file.chunk_of(site);
  const bool is_dictionary = file.page_of(site).is_dictionary();
  std::size_t first = 0;
  for (const Site& page : data_pages_of(file, chunk.row_group, chunk.leaf)) {
    const auto levels = all_levels(file, page);
    const bool is_wanted =
        is_dictionary ? is_dictionary_encoding(file.page_of(page).encoding) : page.index == site.index;
    const auto ordinals = levels ? value_ordinals(file, page, *levels) : std::nullopt;
    if (!levels || (is_wanted && !ordinals)) return {};
    std::size_t value = 0;
    for (std::size_t i = 0; i < levels->size(); ++i) {
      if ((*levels)[i] != file.leaf_of(page).max_definition) continue;
      if (is_wanted) {
        const std::uint32_t ordinal = (*ordinals)[value++];
        if (ordinal >= entries.size()) entries.resize(std::size_t{ordinal} + 1);
        entries[ordinal].push_back(first + i);
      }
    }
    first += levels->size();
  }
  return entries;
}

std::optional<std::vector<std::optional<Bytes>>> values_by_entry(File& file, std::uint32_t row_group,
                                                                 std::uint32_t leaf) {
  if (file.schema().leaf(leaf).type != Type::BYTE_ARRAY) return std::nullopt;
  const auto levels = definition_levels(file, row_group, leaf);
  if (!levels) return std::nullopt;
  std::vector<std::optional<Bytes>> by_entry(levels->size());
  for (std::uint32_t i = 0; i < file.pages().size(); ++i) {
    const PageInfo& page = file.pages()[i];
    const Chunk& chunk = file.chunks()[page.chunk];
    const Site site{page.segment, model::kRoot, page.chunk, i};
    const bool has_values = page.is_dictionary() || page.encoding == Encoding::PLAIN;
    if (chunk.row_group != row_group || chunk.leaf != leaf || !has_values) continue;
    const auto image = file.image_of(site);
    const auto values = image ? plain_values(image->values) : std::nullopt;
    if (!values) return std::nullopt;
    const auto entries = entries_with_values(file, site);
    for (std::size_t value = 0; value < std::min(values->size(), entries.size()); ++value) {
      for (const std::size_t entry : entries[value]) by_entry[entry] = (*values)[value];
    }
  }
  for (std::size_t i = 0; i < by_entry.size(); ++i) {
    if (by_entry[i].has_value() != ((*levels)[i] == file.schema().leaf(leaf).max_definition))
      return std::nullopt;
  }
  return by_entry;
}

bool make_null(File& file, const Site& page, std::size_t entry) {
  const Node& leaf = file.leaf_of(page);
  const Chunk& chunk = file.chunk_of(page);
  const std::uint32_t max = leaf.max_definition;
  auto levels = max == 0 ? std::nullopt : definition_levels(file, page);
  auto image = file.image_of(page);
  const auto ordinals = levels ? value_ordinals(file, page, *levels) : std::nullopt;
  const auto all = values_by_entry(file, chunk.row_group, chunk.leaf);
  if (!image || !ordinals || !all || entry >= levels->size() || (*levels)[entry] != max) return false;
  std::size_t before = entry;  // among all entries of the chunk
  std::size_t ordinal = 0;     // among the data pages
  for (const Site& other : data_pages_of(file, chunk.row_group, chunk.leaf)) {
    if (other.index == page.index) break;
    before += static_cast<std::size_t>(file.page_of(other).num_values);
    ++ordinal;
  }
  if (before >= all->size() || !(*all)[before]) return false;
  const Bytes& value = *(*all)[before];
  // Bounds would have to change with one of their values, and the flag of a null page with its last one.
  const std::vector<Bytes> bounds = bounds_of(file, page.chunk);
  if (std::ranges::find(bounds, value) != bounds.end() || ordinals->size() < 2) return false;
  for (const auto& [tree, node] : byte_counts(file, page))
    tree->add(node, -static_cast<std::int64_t>(value.size()));
  const auto at = static_cast<std::size_t>(
      std::count(levels->begin(), levels->begin() + static_cast<std::ptrdiff_t>(entry), max));
  if (is_dictionary_encoding(file.page_of(page).encoding)) {
    std::vector<std::uint32_t> indices = *ordinals;
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(at));
    const std::uint8_t bit_width = image->values[0];
    image->values = model::encode_levels(Encoding::RLE, bit_width, indices);
    image->values.insert(image->values.begin(), bit_width);
  } else {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < at; ++i)
      begin += kPrefixBytes + load_le<std::uint32_t>(image->values.data() + begin);
    const auto from = image->values.begin() + static_cast<std::ptrdiff_t>(begin);
    image->values.erase(from, from + static_cast<std::ptrdiff_t>(kPrefixBytes + value.size()));
  }
  (*levels)[entry] = max - 1;
  image->definition = model::encode_levels(level_encoding_of(file, page), bit_width_for(max), *levels);
  Tree& header = file.tree_of(page);
  header.add(header.find("data_page_header_v2.num_nulls"), 1);
  add_to_metadata(file, page.chunk, "statistics.null_count", 1);
  for (const auto& [tree, node] : file.metadata_of(page.chunk))
    move_below(*tree, node, "size_statistics.definition_level_histogram", 0, max);
  for (const SegmentId id : file.model().segments_of(Segment::Kind::column_index, page.chunk)) {
    Tree* const index = file.model().tree(id);
    if (index == nullptr) return false;
    if (const auto counts = index->find("null_counts")) index->add(index->element(*counts, ordinal), 1);
    move_below(*index, model::kRoot, "definition_level_histograms", ordinal * (max + std::size_t{1}), max);
  }
  return file.set_image(page, *image);
}

}  // namespace parqproof::fault
