// Page bodies are opened and replaced; sizes and checksum follow.
#include "codec/model/page_image.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "codec/format/file_meta_data.hpp"
#include "tests/model/written_model.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;
using model::Segment;
using model::SegmentId;

struct Column {
  Node leaf;
  CompressionCodec codec{};
};

/// The columns of the chunks of a file, by ChunkId.
std::vector<Column> columns_of(model::Model& model, Schema& schema) {
  std::vector<std::uint8_t> room;
  FileMetaData meta;
  REQUIRE(model.tree(model.footer())->read_struct(model::kRoot, room, meta));
  const Limits limits;
  thrift::for_each<SchemaElement>(meta.schema, limits,
                                  [&](const SchemaElement& element, std::uint32_t) { schema.add(element); });
  schema.finish();
  std::vector<Column> columns;
  thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
    thrift::for_each<ColumnChunk>(group.columns, limits, [&](const ColumnChunk& chunk, std::uint32_t leaf) {
      columns.push_back({schema.leaf(leaf), chunk.meta_data.codec});
    });
  });
  return columns;
}

TEST_CASE("a page that is opened and set again has the same sections, and the file breaks no other rule") {
  std::set<CompressionCodec> codecs;
  std::size_t pages = 0;
  for (const std::string& file : files_below("corpus/writers/", ".parquet")) {
    const Bytes bytes = read_bytes(file);
    if (file.find("encrypted") != std::string::npos || judged(bytes).verdict != Verdict::conforming) continue;
    INFO(file);
    const MemorySource source(bytes);
    model::Model model = model_of(source);
    Schema schema;
    const std::vector<Column> columns = columns_of(model, schema);
    for (model::ChunkId chunk = 0; chunk < model.chunk_count(); ++chunk) {
      const auto& [leaf, codec] = columns[chunk];
      for (const SegmentId id : model.segments_of(Segment::Kind::page, chunk)) {
        auto image = model::open_image(model, id, leaf, codec);
        if (!image) continue;  // an empty page of some codecs
        const std::uint64_t size = image->size;
        const model::PageImage before = *image;
        REQUIRE(model::set_image(model, id, leaf, codec, *image));
        CHECK(image->size == size);
        const auto after = model::open_image(model, id, leaf, codec);
        REQUIRE(after);
        const bool is_same = after->values == before.values && after->repetition == before.repetition &&
                             after->definition == before.definition;
        CHECK(is_same);
        codecs.insert(codec);
        ++pages;
      }
    }
    // Another size in a page header can take another byte, which counts in total_uncompressed_size.
    for (const ReportedFinding& one : judged(written(model)).findings) {
      const Rule rule = one.finding.rule;
      CHECK((one.severity != Severity::error || rule == Rule::column_chunk_total_uncompressed_size));
    }
  }
  CHECK(pages > 2000);
  CHECK(codecs.size() >= 6);
}

}  // namespace
}  // namespace support
