// Properties of the Thrift structures of a file, and of its index pages.
#include "fuzz/struct_properties.hpp"

#include <algorithm>

#include "codec/file/index_tree.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "codec/format/row_group.hpp"
#include "codec/format/schema_element.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::size_t kLocated =
    4;  // about the max number of findings of an input whose fields are looked up

class Counter final : public thrift::Visitor {
 public:
  [[nodiscard]] bool event(const thrift::Event& event) override {
    last = event.at;
    return true;
  }
  std::uint64_t last = 0;
};

template <typename Struct>
Property struct_property(std::string name) {
  return {"thrift_" + std::move(name),
          [](std::span<const std::uint8_t> input) { return read_every_way<Struct>({input, kBase}).fault; }};
}

/// A node of an index tree: every entry can be read, and lookups end inside the node.
std::string index_page_fault(std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const View body{tail.payload(), kBase, Space::page};
  const Limits limits;
  const auto type = static_cast<Type>(tail.type() % 8);
  const auto form = (tail.width() & 1) != 0 ? IndexTreeForm::values : IndexTreeForm::ordinals;
  const auto node = IndexTreeNode::open(body, form, type, 1 + tail.cuts() % 16U, limits);
  if (!node) {
    const Error& error = node.error();
    const bool inside = error.offset >= kBase && error.offset + error.length <= body.end();
    return inside ? "" : "the error is outside the node";
  }
  if (node->size() * kIndexTreeEntryBytes + node->values_buffer().size() != body.size()) {
    return "entries and values buffer do not fill the node";
  }
  if (form == IndexTreeForm::ordinals) {
    const std::size_t found = entry_for_row(*node, static_cast<std::int64_t>(tail.count()));
    return found <= node->size() ? "" : "a lookup by row ends outside the node";
  }
  for (std::size_t i = 0; i < node->size(); ++i) {
    const auto key = node->key(i);
    if (key && (key->base < node->values_buffer().base || key->end() > body.end())) {
      return "key " + std::to_string(i) + " is outside the values buffer";
    }
  }
  if (!node->keys_are_affordable()) return {};
  const auto range = entries_for_key(*node, Order::unsigned_bytes,
                                     tail.payload().first(std::min<std::size_t>(8, body.size())));
  if (range && (range->first > range->last || range->last > node->size())) {
    return "a lookup by key ends outside the node";
  }
  return {};
}

}  // namespace

bool same_findings(const Findings& a, const Findings& b) {
  return std::ranges::equal(a.all(), b.all(), [](const Finding& one, const Finding& other) {
    return one.rule == other.rule && one.offset == other.offset && one.length == other.length &&
           one.field == other.field && one.found == other.found && one.expected == other.expected &&
           one.times == other.times;
  });
}

std::string findings_fault(View bytes, const thrift::StructType& type, const Findings& findings,
                           bool framed) {
  bool has_error = false;
  const std::size_t step = 1 + findings.all().size() / kLocated;
  std::size_t at = 0;
  for (const Finding& finding : findings.all()) {
    const std::string rule(info(finding.rule).id);
    if (finding.offset < bytes.base || finding.offset + finding.length > bytes.end()) {
      return rule + " is outside the bytes";
    }
    has_error = has_error || info(finding.rule).severity == Severity::error ||
                finding.rule == Rule::thrift_nesting_depth;
    if (at++ % step != bytes.size() % step) continue;
    const thrift::Extent extent = thrift::locate(bytes, type, finding.field);
    const bool ordered = extent.header >= bytes.base && extent.header <= extent.value &&
                         extent.value <= extent.end && extent.end <= bytes.end();
    if (!ordered) return rule + ": the field " + finding.field + " is not found in the bytes";
  }
  return framed || has_error ? "" : "the framing is lost without an error";
}

std::string walk_fault(View bytes, const thrift::StructType& type, bool framed, std::uint64_t end) {
  Counter counter;
  std::uint64_t walk_end = 0;
  const bool walked = thrift::walk(bytes, &type, counter, walk_end) == thrift::WalkEnd::complete;
  if (walked != framed) return "the reader and the walk disagree about the framing";
  if (walk_end > bytes.end() || counter.last > bytes.end()) return "the walk leaves the bytes";
  return framed && walk_end != end ? "the reader and the walk end at different offsets" : "";
}

std::vector<std::uint8_t> emitted_loosely(const thrift::StructType& type, std::uint32_t present,
                                          const void* value) {
  static constexpr std::uint8_t kUnknown[] = {0x03, 0xC8, 0x01, 0x07};  // an i8 with the id 100
  std::vector<thrift::FieldForm> forms{{.path = "", .unknown = kUnknown}};
  for (const thrift::Field& field : type.fields) {
    if ((present >> field.id & 1U) == 0) continue;
    thrift::FieldForm form{.path = field.name};
    form.long_header = field.id % 2 == 0;
    form.id_padding = field.id % 3 == 0 ? 1 : 0;
    // A number may already have the max bytes of its type.
    const bool sized = field.kind == thrift::Kind::binary || field.kind == thrift::Kind::string ||
                       field.kind == thrift::Kind::list;
    form.padding = sized ? 1 : 0;
    forms.push_back(form);
  }
  std::vector<std::uint8_t> out;
  thrift::emit(type, value, out, forms);
  return out;
}

void add_struct_properties(std::vector<Property>& properties) {
  properties.push_back(struct_property<FileMetaData>("footer"));
  properties.push_back(struct_property<SchemaElement>("schema"));
  properties.push_back(struct_property<RowGroup>("row_group"));
  properties.push_back(struct_property<ColumnChunk>("column_chunk"));
  properties.push_back(struct_property<PageHeader>("page_header"));
  properties.push_back(struct_property<ColumnIndex>("column_index"));
  properties.push_back(struct_property<OffsetIndex>("offset_index"));
  properties.push_back(struct_property<BloomFilterHeader>("bloom_filter"));
  properties.push_back(struct_property<FileCryptoMetaData>("file_crypto"));
  properties.push_back({"index_page", index_page_fault});
}

}  // namespace parqproof::fuzz
