#include "conformance/rewrite/scrub/scrub_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "codec/file/bloom_filter.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "codec/model/parse.hpp"
#include "codec/page/level_stream.hpp"
#include "conformance/rewrite/scrub/scrub_section.hpp"
#include "conformance/variant/variant_groups.hpp"

namespace parqproof {

using model::ChunkId;
using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Another number of the same sign and magnitude for a bound of coordinates. Numbers that no coordinate has
/// stay.
double other_coordinate(double value) {
  static constexpr double kMaxCoordinate = 180;
  if (value == 0 || !std::isfinite(value) || std::fabs(value) > kMaxCoordinate || std::fabs(value) < 1e-6)
    return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::copysign(std::ldexp(0.625, exponent), value);
}

}  // namespace

std::unique_ptr<ScrubFile> ScrubFile::open(const Source& source, const Limits& limits) {
  auto parsed = model::parse(source, limits);
  if (!parsed || parsed->footer() == model::kNoSegment) return nullptr;
  std::unique_ptr<ScrubFile> file(new ScrubFile(std::move(*parsed), limits));
  if (file->model_.tree(file->model_.footer()) == nullptr) return nullptr;
  file->read_schema();
  file->link_sizes();
  return file;
}

/// The model keeps the size of a chunk whose data_page_offset is wrong, because it follows the offset to the
/// pages. Here they are known by the order of the chunks.
void ScrubFile::link_sizes() {
  std::vector<std::uint64_t> bytes(model_.chunk_count());
  for (const SegmentId id : model_.order()) {
    const Segment& segment = model_.segment(id);
    if (segment.kind != Segment::Kind::page || segment.chunk == model::kNoChunk) continue;
    header_bytes_.emplace_back(id, segment.head.size());
    bytes[segment.chunk] += segment.head.size() + segment.body.size();
  }
  for (ChunkId chunk = 0; chunk < model_.chunk_count(); ++chunk) {
    const auto metadata = metadata_in_footer(chunk);
    const auto size =
        metadata ? footer().field(*metadata, ColumnMetaData::id_total_compressed_size) : std::nullopt;
    if (!size || footer().node(*size).reference != 0 || bytes[chunk] == 0) continue;
    if (footer().number(*size) == static_cast<std::int64_t>(bytes[chunk]))
      model_.refer(model_.footer(), *size, {model::Target::What::chunk_size, chunk});
  }
}

std::string_view ScrubFile::kind_with_parts() const noexcept {
  for (const Node& node : schema_.nodes()) {
    if (node.logical.kind == LogicalKind::FILE) return "FILE";
    if (node.logical.kind == LogicalKind::GEOMETRY) return "GEOMETRY";
    if (order_of(node) == Order::signed_96) return "TIMESTAMP of 96 bits";
    if (node.logical.kind == LogicalKind::GEOGRAPHY) return "GEOGRAPHY";
  }
  return {};
}

void ScrubFile::read_schema() {
  if (footer().read_struct(model::kRoot, footer_bytes_, stated_)) {
    thrift::for_each<SchemaElement>(
        stated_.schema, limits_, [&](const SchemaElement& element, std::uint32_t) { schema_.add(element); });
  }
  schema_.finish();
  for (std::size_t leaf = 0; leaf < schema_.leaf_count(); ++leaf) {
    maps_.emplace_back(schema_.leaf(leaf));
    roles_.push_back(variant::role_of(schema_, schema_.leaf(leaf)));
  }
  const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
  for (const std::uint32_t node : variant_groups(schema_)) {
    if (const auto group = variant::find_group(schema_, node, ignore)) collect_names(group->top);
  }
}

/// Names of fields with columns are those of the dictionaries.
void ScrubFile::collect_names(const variant::Part& part) {
  for (const variant::Part& field : part.parts) {
    if (part.typed == variant::Part::Typed::object) variants_.collect_name(field.name);
    collect_names(field);
  }
}

const Node* ScrubFile::leaf_of(ChunkId chunk) const {
  if (chunk >= model_.chunk_count() || model_.chunk(chunk).column >= schema_.leaf_count()) return nullptr;
  return &schema_.leaf(model_.chunk(chunk).column);
}

std::optional<NodeId> ScrubFile::chunk_in_footer(ChunkId chunk) {
  if (chunk >= model_.chunk_count()) return std::nullopt;
  const model::ChunkPlace& place = model_.chunk(chunk);
  const auto groups = footer().field(model::kRoot, FileMetaData::id_row_groups);
  const auto group = groups ? footer().element(*groups, place.row_group) : std::nullopt;
  const auto columns = group ? footer().field(*group, RowGroup::id_columns) : std::nullopt;
  return columns ? footer().element(*columns, place.column) : std::nullopt;
}

std::optional<NodeId> ScrubFile::metadata_in_footer(ChunkId chunk) {
  const auto node = chunk_in_footer(chunk);
  return node ? footer().field(*node, ColumnChunk::id_meta_data) : std::nullopt;
}

bool ScrubFile::is_encrypted(ChunkId chunk) {
  const auto node = chunk_in_footer(chunk);
  return node && footer().field(*node, ColumnChunk::id_crypto_metadata).has_value();
}

CompressionCodec ScrubFile::codec_of(ChunkId chunk) {
  const auto metadata = metadata_in_footer(chunk);
  return static_cast<CompressionCodec>(metadata ? footer().number("codec", *metadata).value_or(0) : 0);
}

bool ScrubFile::collect() {
  if (!pages(Pass::collect)) return false;
  trees(Pass::collect);
  std::uint64_t memory = variants_.memory();
  for (const ValueMap& map : maps_) memory += map.memory();
  if (memory > limits_.memory_bytes / 4) return false;
  for (ValueMap& map : maps_) map.finish();
  variants_.finish();
  return true;
}

bool ScrubFile::replace(OpaqueBytes bytes) {
  open_filters();
  if (!pages(Pass::replace)) return false;
  store_filters();
  trees(Pass::replace);
  opaque(bytes);
  update_totals();
  return true;
}

// ---- Values in pages ----

void ScrubFile::collect(std::size_t leaf, std::span<const std::uint8_t> value) {
  switch (roles_[leaf]) {
    case variant::Role::metadata:
      return variants_.collect_metadata(value);
    case variant::Role::value:
      return variants_.collect_value(value);
    case variant::Role::none:
      return maps_[leaf].collect(value);
  }
}

void ScrubFile::replace(std::size_t leaf, std::span<std::uint8_t> value) const {
  switch (roles_[leaf]) {
    case variant::Role::metadata:
      return variants_.replace_metadata(value);
    case variant::Role::value:
      return variants_.replace_value(value);
    case variant::Role::none:
      return maps_[leaf].replace(value);
  }
}

void ScrubFile::visit(Pass pass, std::size_t leaf, Filter* filter, std::span<std::uint8_t> value) {
  if (pass == Pass::collect) return collect(leaf, value);
  ++values_;
  const bool was_found = filter != nullptr && BloomFilter(filter->stored).finds(bloom_hash(value));
  replace(leaf, value);
  if (was_found) bloom_insert(filter->fresh, bloom_hash(value));
}

bool ScrubFile::pages(Pass pass) {
  for (const SegmentId id : std::vector(model_.order())) {
    if (model_.segment(id).kind == Segment::Kind::page && !page(pass, id)) return false;
  }
  return true;
}

bool ScrubFile::page(Pass pass, SegmentId id) {
  const ChunkId chunk = model_.segment(id).chunk;
  const auto type = static_cast<PageType>(model_.segment(id).page_type);
  const Node* const leaf = leaf_of(chunk);
  if (leaf == nullptr || !leaf->readable || leaf->damaged) {
    opaque_page(pass, id);
    return true;
  }
  if (type == PageType::INDEX_PAGE) {
    index_page(pass, id, *leaf);
    return true;
  }
  auto image = model::open_image(model_, id, *leaf, codec_of(chunk), limits_);
  if (!image) {
    opaque_page(pass, id);
    return true;
  }
  const Tree& header = *model_.tree(id);
  const auto encoding = [&]() -> Encoding {
    if (type == PageType::DICTIONARY_PAGE) return Encoding::PLAIN;
    return static_cast<Encoding>(header.number("data_page_header.encoding")
                                     .value_or(header.number("data_page_header_v2.encoding").value_or(0)));
  }();
  std::optional<std::uint64_t> count;
  if (const auto entries = header.number("data_page_header_v2.num_values")) {
    count = static_cast<std::uint64_t>(*entries - header.number("data_page_header_v2.num_nulls").value_or(0));
  } else if (leaf->max_definition == 0) {
    count = static_cast<std::uint64_t>(header.number("data_page_header.num_values").value_or(0));
  } else if (encoding == Encoding::GROUP_VAR_INT) {  // the only one that needs the count
    LevelStream levels(leaf->max_definition, Rule::levels_definition_range);
    const auto num_values = header.number("data_page_header.num_values").value_or(0);
    const auto levels_encoding =
        static_cast<Encoding>(header.number("data_page_header.definition_level_encoding").value_or(0));
    const bool is_open =
        num_values > 0 && (levels_encoding == Encoding::RLE || levels_encoding == Encoding::BIT_PACKED) &&
        levels.open({View{image->definition}, levels_encoding}, static_cast<std::uint64_t>(num_values));
    if (is_open) {
      if (const auto stored = levels.count_maximum()) count = *stored;
    }
  }
  const auto filter = filters_.find(chunk);
  const std::uint64_t size = image->size;
  const Bytes before = image->values;
  const std::size_t used =
      visit_values(image->values, encoding, *leaf, count, limits_, [&](std::span<std::uint8_t> value) {
        visit(pass, leaf->leaf, filter == filters_.end() ? nullptr : &filter->second, value);
      });
  if (pass == Pass::collect) return true;
  if (used < image->values.size()) {
    blank_text_runs(std::span(image->values).subspan(used));
    if (used == 0) ++opaque_pages_;
  }
  return image->values == before || store(id, *leaf, *image, size);
}

/// Runs a change of a page that computes its checksum; a wrong one stays wrong.
void ScrubFile::keep_checksum(SegmentId id, const std::function<void()>& change) {
  Tree* const header = model_.tree(id);
  const auto crc = header == nullptr ? std::nullopt : header->field(model::kRoot, PageHeader::id_crc);
  auto body = model_.body(id);
  if (!crc || !body) return change();
  const std::int64_t stated = header->number(*crc);
  model::set_stored_body(model_, id, std::move(*body));
  const bool is_right = header->number(*crc) == stated;
  header->set_number(*crc, stated);
  change();
  if (is_right) return;
  const bool is_right_now = header->number(*crc) == stated;
  header->set_number(*crc, static_cast<std::int32_t>(stated ^ (is_right_now ? 1 : 0)));
}

bool ScrubFile::store(SegmentId id, const Node& leaf, model::PageImage& image, std::uint64_t size_before) {
  Tree& header = *model_.tree(id);
  const ChunkId chunk = model_.segment(id).chunk;
  const std::int64_t stated = header.number("uncompressed_page_size").value_or(0);
  bool is_stored = false;
  keep_checksum(id, [&] { is_stored = model::set_image(model_, id, leaf, codec_of(chunk), image); });
  if (!is_stored) return false;
  // A wrong size stays wrong by as much.
  const auto more = static_cast<std::int64_t>(image.size) - static_cast<std::int64_t>(size_before);
  if (const auto node = header.find("uncompressed_page_size")) header.set_number(*node, stated + more);
  added_bytes_[chunk] += more;
  return true;
}

/// Adds what pages and their headers have grown by to the totals of their chunks and row groups.
void ScrubFile::update_totals() {
  model_.resolve();  // compressed_page_size is part of the header
  for (const auto& [id, bytes] : header_bytes_) {
    const Segment& segment = model_.segment(id);
    if (segment.tree == nullptr || segment.chunk == model::kNoChunk) continue;
    added_bytes_[segment.chunk] +=
        static_cast<std::int64_t>(segment.tree->encoded_size()) - static_cast<std::int64_t>(bytes);
  }
  const auto groups = footer().field(model::kRoot, FileMetaData::id_row_groups);
  for (const auto& [chunk, more] : added_bytes_) {
    if (const auto metadata = metadata_in_footer(chunk))
      footer().add(footer().field(*metadata, ColumnMetaData::id_total_uncompressed_size), more);
    const auto group = groups ? footer().element(*groups, model_.chunk(chunk).row_group) : std::nullopt;
    if (group) footer().add(footer().field(*group, RowGroup::id_total_byte_size), more);
  }
  for (const SegmentId id : model_.order()) {
    const Segment& segment = model_.segment(id);
    const auto more = added_bytes_.find(segment.chunk);
    Tree* const tree = segment.kind != Segment::Kind::column_metadata || more == added_bytes_.end()
                           ? nullptr
                           : model_.tree(id);
    if (tree == nullptr) continue;
    const bool is_chunk = &tree->type() == &ColumnChunk::kType;
    tree->add(tree->find(is_chunk ? "meta_data.total_uncompressed_size" : "total_uncompressed_size"),
              more->second);
  }
}

void ScrubFile::index_page(Pass pass, SegmentId id, const Node& leaf) {
  auto body = model_.body(id);
  if (!body) return;
  const auto length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  const IndexTreeForm form = IndexTreeNode::likely_form(View{*body}, leaf.type, length, limits_);
  const auto node = IndexTreeNode::open(View{*body}, form, leaf.type, length, limits_);
  if (!node || form == IndexTreeForm::ordinals) return;
  const std::size_t from = node->size() * kIndexTreeEntryBytes;
  Bytes keys(body->begin() + static_cast<std::ptrdiff_t>(from), body->end());
  (void)visit_values(keys, Encoding::PLAIN, leaf, std::nullopt, limits_,
                     [&](std::span<std::uint8_t> value) { visit(pass, leaf.leaf, nullptr, value); });
  if (pass == Pass::collect) return;
  std::ranges::copy(keys, body->begin() + static_cast<std::ptrdiff_t>(from));
  keep_checksum(id, [&] { model::set_stored_body(model_, id, std::move(*body)); });
}

void ScrubFile::opaque_page(Pass pass, SegmentId id) {
  auto body = model_.body(id);
  if (pass == Pass::collect || !body) return;
  ++opaque_pages_;
  const Bytes before = *body;
  blank_text_runs(*body);
  if (*body != before) keep_checksum(id, [&] { model::set_stored_body(model_, id, std::move(*body)); });
}

// ---- Bloom filters ----

void ScrubFile::open_filters() {
  for (const SegmentId id : model_.order()) {
    const Segment& segment = model_.segment(id);
    if (segment.kind != Segment::Kind::bloom_filter || segment.chunk == model::kNoChunk) continue;
    auto body = model_.body(id);
    if (!body || body->empty() || body->size() % BloomBlock::kBytes != 0) continue;
    // A filter that finds everything, or nothing, has nothing to hide.
    if (std::ranges::all_of(*body, [&](std::uint8_t byte) { return byte == body->front(); })) continue;
    Filter filter{.segment = id, .stored = std::move(*body), .fresh = {}};
    filter.fresh.resize(filter.stored.size());
    filters_.insert_or_assign(segment.chunk, std::move(filter));
  }
}

void ScrubFile::store_filters() {
  for (auto& [chunk, filter] : filters_) {
    const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
    // The stored filter found none of the values, but it was not empty.
    if (std::ranges::all_of(filter.fresh, is_zero)) bloom_insert(filter.fresh, 0);
    if (const auto broken = BloomFilter(filter.stored).broken_blocks(); broken.words != 0) {
      // So that a block is incomplete again: one that no value is in, else the first one.
      std::size_t block = 0;
      const std::size_t blocks = filter.fresh.size() / BloomBlock::kBytes;
      const auto bytes_of_block = [&](std::size_t i) {
        return std::span(filter.fresh).subspan(i * BloomBlock::kBytes, BloomBlock::kBytes);
      };
      while (block < blocks && !std::ranges::all_of(bytes_of_block(block), is_zero)) ++block;
      if (block < blocks) {
        bytes_of_block(block).front() = 1;
      } else {
        std::ranges::fill(bytes_of_block(broken.first.block).subspan(broken.first.word * 4, 4), 0);
      }
    }
    model_.set_body(filter.segment, std::move(filter.fresh));
  }
}

// ---- Names and bounds ----

void ScrubFile::trees(Pass pass) {
  for (const SegmentId id : std::vector(model_.order())) {
    if (model_.has_struct(id)) tree(pass, id);
  }
}

void ScrubFile::tree(Pass pass, SegmentId segment) {
  Tree* const tree = model_.tree(segment);
  if (tree == nullptr) return;
  struct Open {
    NodeId node;
    ChunkId chunk;
    std::uint32_t row_group;
  };
  std::vector<Open> open{{model::kRoot, model_.segment(segment).chunk, 0}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const thrift::Field* const field = tree->known(at.node);
    const bool is_groups = field != nullptr && field->name == "row_groups";
    const bool is_columns = field != nullptr && field->name == "columns";
    std::uint32_t ordinal = 0;
    for (const NodeId child : tree->children(at.node)) {
      Open next{child, at.chunk, is_groups ? ordinal : at.row_group};
      if (is_columns) next.chunk = model_.chunk_at(at.row_group, ordinal);
      ++ordinal;
      const thrift::Wire wire = tree->node(child).wire;
      if (wire == thrift::Wire::binary) {
        binary(pass, *tree, child, next.chunk);
      } else if (wire == thrift::Wire::double_) {
        number(pass, *tree, child);
      } else {
        open.push_back(next);
      }
    }
  }
}

/// The names of fields in Variants are in their dictionaries, too.
std::string ScrubFile::fresh_name(std::string_view name) {
  const std::string* const of_variant = variants_.name(std::string(name));
  return of_variant != nullptr ? *of_variant : names_.of(name);
}

void ScrubFile::number(Pass pass, Tree& tree, NodeId node) {
  const thrift::Field* const field = tree.known(node);
  if (pass == Pass::collect || (field != nullptr && field->kind != thrift::Kind::double_)) return;
  const auto value = std::bit_cast<double>(tree.number(node));
  const double other = other_coordinate(value);
  if (other != value) tree.set_number(node, std::bit_cast<std::int64_t>(other));
}

void ScrubFile::binary(Pass pass, Tree& tree, NodeId node, ChunkId chunk) {
  const bool is_element = tree.node(node).id == 0;
  const thrift::Field* const field = tree.known(is_element ? tree.node(node).parent : node);
  const std::string_view name = field == nullptr ? std::string_view() : field->name;
  const std::span<const std::uint8_t> bytes = tree.bytes(node);
  const bool is_bound = name == "min" || name == "max" || name == "min_value" || name == "max_value" ||
                        name == "min_values" || name == "max_values";
  const Node* const leaf = is_bound ? leaf_of(chunk) : nullptr;
  const bool is_of_variant = leaf != nullptr && roles_[leaf->leaf] != variant::Role::none;
  if (pass == Pass::collect) {
    if (is_of_variant)
      collect(leaf->leaf, bytes);
    else if (leaf != nullptr)
      maps_[leaf->leaf].collect_bound(bytes);
    return;
  }
  if (name == "created_by" || name == "crs" || name == "aad_file_unique" ||
      name == "encrypted_column_metadata")
    return;
  Bytes fresh(bytes.begin(), bytes.end());
  const auto set = [&](std::string_view text) {
    const auto other = bytes_of(text);
    fresh.assign(other.begin(), other.end());
  };
  if (is_of_variant) {
    replace(leaf->leaf, fresh);
  } else if (leaf != nullptr) {
    maps_[leaf->leaf].replace_bound(fresh);
  } else if (name == "name" || name == "path_in_schema" || name == "key") {
    set(fresh_name(text_of(bytes)));
  } else if (name == "file_path") {
    set(names_.of_path(text_of(bytes)));
  } else if (name == "value") {
    const auto key = tree.field(tree.node(node).parent, KeyValue::id_key);
    if (key && text_of(tree.bytes(*key)) == "ARROW:schema") {
      set(blank_base64(text_of(bytes)));
    } else {
      const bool is_json = !fresh.empty() && (fresh.front() == '{' || fresh.front() == '[');
      blank_text(fresh, is_json ? TextForm::json : TextForm::text);
    }
  } else {
    blank_text(fresh);
  }
  if (!std::ranges::equal(fresh, tree.bytes(node))) tree.set_bytes(node, fresh);
}

// ---- Bytes of no structure ----

void ScrubFile::opaque(OpaqueBytes how) {
  for (const SegmentId id : std::vector(model_.order())) {
    const Segment::Kind kind = model_.segment(id).kind;
    if (kind != Segment::Kind::gap && kind != Segment::Kind::unread) continue;
    auto body = model_.body(id);
    if (!body || is_encrypted(model_.segment(id).chunk)) continue;
    if (how == OpaqueBytes::filled && kind == Segment::Kind::gap) {
      for (std::uint8_t& byte : *body) byte = byte == 0 ? 0 : 'x';
    } else {
      blank_text_runs(*body);
    }
    model_.set_body(id, std::move(*body));
  }
}

}  // namespace parqproof
