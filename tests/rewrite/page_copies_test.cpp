#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codec/model/parse.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes file_of_writer(const std::string& name) { return support::read_bytes("corpus/writers/" + name); }

Bytes rewritten(const Bytes& bytes, const RewriteOptions& options) {
  Bytes out;
  MemorySink sink(out);
  ReadingFailure failure;
  REQUIRE(rewrite(MemorySource(bytes), options, sink, failure).end == RewriteOutcome::End::complete);
  return out;
}

/// The bodies of the pages of each column chunk as stored.
std::vector<std::vector<Bytes>> bodies_of(const Bytes& bytes) {
  const MemorySource source(bytes);
  const auto model = model::parse(source);
  REQUIRE(model);
  std::vector<std::vector<Bytes>> out(model->chunk_count());
  for (model::ChunkId chunk = 0; chunk < model->chunk_count(); ++chunk) {
    for (const model::SegmentId id : model->segments_of(model::Segment::Kind::page, chunk)) {
      const model::Content& body = model->segment(id).body;
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(body.offset());
      out[chunk].emplace_back(first, first + static_cast<std::ptrdiff_t>(body.size()));
    }
  }
  return out;
}

std::string text_of_rows(const Bytes& bytes) { return fuzz::rows_of(MemorySource(bytes), {}).text; }

}  // namespace

TEST_CASE("pages whose form stays are copied, with their dictionary") {
  for (const std::string name : {"pyarrow/several-row-groups.parquet",
                                 "pyarrow/several-row-groups-nested.parquet", "pyarrow/richest.parquet",
                                 "parquet-java/several-pages-v2.parquet", "arrow-rs/default-flat.parquet"}) {
    INFO(name);
    const Bytes bytes = file_of_writer(name);
    const Bytes out = rewritten(bytes, {});
    CHECK(text_of_rows(out) == text_of_rows(bytes));
    CHECK(support::judged(out).verdict != Verdict::nonconforming);
    // A chunk that a check warns of is written anew.
    std::set<std::pair<std::int32_t, std::int32_t>> warned;
    for (const ReportedFinding& one : support::judged(bytes).findings) {
      if (one.severity != Severity::info)
        warned.insert({one.finding.place.row_group, one.finding.place.leaf});
    }
    const auto before = bodies_of(bytes);
    const auto after = bodies_of(out);
    REQUIRE(before.size() == after.size());
    const MemorySource source(bytes);
    const auto model = model::parse(source);
    std::size_t same = 0;
    for (model::ChunkId chunk = 0; chunk < before.size(); ++chunk) {
      const model::ChunkPlace& place = model->chunk(chunk);
      const bool is_warned = warned.contains(
          {static_cast<std::int32_t>(place.row_group), static_cast<std::int32_t>(place.column)});
      if (before[chunk] == after[chunk]) ++same;
      INFO("row group " << place.row_group << ", column " << place.column);
      const bool is_indexed = !model->segments_of(model::Segment::Kind::offset_index, chunk).empty();
      if (!is_warned && is_indexed) CHECK(before[chunk] == after[chunk]);
    }
    CHECK(same > 0);
  }
}

TEST_CASE("pages are encoded again where another form is asked for, and their values stay") {
  const Bytes bytes = file_of_writer("pyarrow/several-row-groups.parquet");
  const auto before = bodies_of(bytes);
  const std::string rows = text_of_rows(bytes);
  const auto kept = [&](const RewriteOptions& options) {
    const Bytes out = rewritten(bytes, options);
    CHECK(text_of_rows(out) == rows);
    CHECK(support::judged(out).verdict == Verdict::conforming);
    const auto after = bodies_of(out);
    REQUIRE(after.size() == before.size());
    std::size_t same = 0;
    for (std::size_t i = 0; i < before.size(); ++i) same += before[i] == after[i] ? 1U : 0U;
    return same;
  };
  CHECK(kept({}) == before.size());
  RewriteOptions options;
  options.page_rows = 2;
  CHECK(kept(options) < before.size() / 2);
  options = {};
  options.codec = CompressionCodec::GZIP;
  CHECK(kept(options) == 0);
  options = {};
  options.page_version = 2;
  CHECK(kept(options) == 0);
  options = {};
  options.encodings = {{"count", Encoding::DELTA_BINARY_PACKED}};
  const std::size_t most = kept(options);
  CHECK(most < before.size());
  CHECK(most > before.size() / 2);
}

TEST_CASE("pages that a check warns of are written anew") {
  const Bytes bytes = file_of_writer("duckdb/default-flat.parquet");
  const auto overshoots = [](const Bytes& file) {
    return std::ranges::count_if(support::judged(file).findings, [](const ReportedFinding& one) {
      return one.finding.rule == Rule::levels_overshoot || one.finding.rule == Rule::rle_overshoot;
    });
  };
  CHECK(overshoots(bytes) > 2);
  CHECK(overshoots(rewritten(bytes, {})) == 0);
}

TEST_CASE("what is counted of copied pages is what is counted of pages that are written") {
  std::size_t files = 0;
  for (const std::string& path : support::files_below("corpus/writers", ".parquet")) {
    INFO(path);
    const Bytes bytes = support::read_bytes(path);
    Bytes out;
    MemorySink sink(out);
    ReadingFailure failure;
    RewriteOptions options;
    // Bloom filters and indexes of all columns.
    options.page_index = true;
    const RewriteOutcome outcome = rewrite(MemorySource(bytes), options, sink, failure);
    if (outcome.end != RewriteOutcome::End::complete) continue;
    ++files;
    for (const ReportedFinding& one : support::judged(out).findings) {
      const std::string_view id = info(one.finding.rule).id;
      INFO(id);
      const bool is_of_writer = id.starts_with("statistics/") || id.starts_with("column-index/") ||
                                id.starts_with("offset-index/") || id.starts_with("bloom-filter/") ||
                                id.starts_with("size-statistics/") || id.starts_with("column-chunk/") ||
                                id.starts_with("page/") || id.starts_with("crc/");
      CHECK((one.severity == Severity::info || !is_of_writer));
    }
  }
  CHECK(files > 600);
}

TEST_CASE("a dictionary of long values is kept where its pages are written anew") {
  constexpr std::size_t kEntryBytes = std::size_t{2} << 20;
  constexpr std::size_t kRows = 16;
  SchemaElement root;
  support::set(root, {SchemaElement::id_name, SchemaElement::id_num_children});
  root.num_children = 1;
  SchemaElement leaf;
  support::set(leaf, {SchemaElement::id_name, SchemaElement::id_type, SchemaElement::id_repetition_type});
  leaf.name = view_of("a");
  leaf.type = Type::BYTE_ARRAY;
  thrift::ListBuilder<SchemaElement> schema;
  schema.add(root);
  schema.add(leaf);
  WriteOptions form;
  form.page_bytes = INT32_MAX;
  form.columns[0].dictionary_bytes = 2 * kEntryBytes;
  form.columns[0].codec = CompressionCodec::UNCOMPRESSED;
  Bytes bytes;
  MemorySink sink(bytes);
  FileWriter writer(sink, form, schema.list());
  REQUIRE(writer.begin());
  REQUIRE(writer.begin_row_group());
  const auto column = writer.next_column();
  REQUIRE(column);
  const Bytes value(kEntryBytes, 'x');
  const std::vector<ByteArray> values(kRows, {value.data(), kEntryBytes});
  Entries entries;
  entries.count = entries.values.count = kRows;
  entries.values.form = ValueBatch::Form::byte_arrays;
  entries.values.byte_arrays = values.data();
  REQUIRE((*column)->add(entries));
  REQUIRE(writer.end_row_group());
  REQUIRE(writer.finish());
  REQUIRE(bytes.size() < 2 * kEntryBytes);
  RewriteOptions options;
  options.page_rows = 4;
  const Bytes out = rewritten(bytes, options);
  CHECK(out.size() < 2 * kEntryBytes);
  CHECK(text_of_rows(out) == text_of_rows(bytes));
}

}  // namespace parqproof
