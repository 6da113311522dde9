// Every file of the corpus with a footer is emitted as the same bytes.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "codec/rules/rule.hpp"
#include "tests/model/written_model.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;
using model::Segment;

std::vector<std::string> files_of_the_corpus() {
  std::vector<std::string> files = files_below("corpus/", ".parquet");
  for (const char* const ending : {"_metadata", ".data"}) {
    for (const std::string& file : files_below("corpus/", ending)) files.push_back(file);
  }
  return files;
}

/// The rules by which a file has no footer that can be read.
const std::set<Rule> kWithoutFooter = {
    Rule::file_other_format, Rule::file_tail_magic,         Rule::file_footer_length, Rule::file_min_size,
    Rule::thrift_stop_byte,  Rule::thrift_compact_protocol, Rule::edition_undefined,
};

TEST_CASE("every file of the corpus with a footer is emitted as the bytes that were parsed") {
  std::size_t same = 0;
  std::size_t without_footer = 0;
  for (const std::string& file : files_of_the_corpus()) {
    INFO(file);
    const Bytes bytes = read_bytes(file);
    const MemorySource source(bytes);
    auto model = model::parse(source);
    if (!model) {
      CHECK(kWithoutFooter.contains(model.error().error.rule));
      CHECK(model.error().error.offset <= bytes.size());
      const Verdict verdict = judged(bytes).verdict;
      const bool is_proposed = model.error().error.rule == Rule::edition_undefined;
      CHECK(verdict != Verdict::conforming);
      CHECK((verdict == Verdict::unsupported) == is_proposed);
      ++without_footer;
      continue;
    }
    CHECK(written(*model) == bytes);
    ++same;
  }
  CHECK(same > 5400);
  CHECK(without_footer < 120);
}

TEST_CASE("all bytes of an intact file belong to a structure") {
  std::map<Segment::Kind, std::size_t> kinds;
  for (const std::string& file : files_below("corpus/writers/", ".parquet")) {
    if (file.find("encrypted") != std::string::npos) continue;
    const Bytes bytes = read_bytes(file);
    if (judged(bytes).verdict != Verdict::conforming) continue;
    INFO(file);
    const MemorySource source(bytes);
    const model::Model model = model_of(source);
    for (const model::SegmentId id : model.order()) ++kinds[model.segment(id).kind];
    CHECK(model.segments_of(Segment::Kind::gap).empty());
    CHECK(model.segments_of(Segment::Kind::unread).empty());
  }
  for (const Segment::Kind kind :
       {Segment::Kind::magic, Segment::Kind::page, Segment::Kind::column_metadata,
        Segment::Kind::column_index, Segment::Kind::offset_index, Segment::Kind::bloom_filter,
        Segment::Kind::footer, Segment::Kind::footer_length}) {
    INFO(to_string(kind));
    CHECK(kinds[kind] > 0);
  }
}

TEST_CASE("the pages of a column chunk are those of its metadata, also next to chunks without values") {
  std::size_t chunks = 0;
  std::size_t empty = 0;
  for (const char* const folder :
       {"corpus/writers/", "corpus/witnesses/legal/", "corpus/witnesses/row-group/"}) {
    for (const std::string& file : files_below(folder, ".parquet")) {
      const Bytes bytes = read_bytes(file);
      if (judged(bytes).verdict != Verdict::conforming) continue;
      INFO(file);
      const MemorySource source(bytes);
      model::Model model = model_of(source);
      model.resolve();
      const model::Tree* const footer = model.tree(model.footer());
      if (footer == nullptr) continue;
      std::vector<std::int64_t> sizes(model.chunk_count());
      for (const model::SegmentId id : model.order()) {
        const Segment& segment = model.segment(id);
        if (segment.kind == Segment::Kind::page && segment.chunk != model::kNoChunk)
          sizes[segment.chunk] += static_cast<std::int64_t>(model.end_of(id) - model.offset_of(id));
      }
      for (model::ChunkId id = 0; id < sizes.size(); ++id) {
        const model::ChunkPlace& place = model.chunk(id);
        const std::string path = "row_groups[" + std::to_string(place.row_group) + "].columns[" +
                                 std::to_string(place.column) + "].meta_data.";
        if (footer->number(path + "codec").value_or(0) < 0 || !footer->number(path + "total_compressed_size"))
          continue;
        CHECK(footer->number(path + "total_compressed_size") == sizes[id]);
        ++chunks;
        empty += sizes[id] == 0 ? 1U : 0U;
      }
    }
  }
  CHECK(chunks > 2000);
  CHECK(empty > 0);
}

TEST_CASE("a file whose structs are all parsed and written again has the same bytes") {
  for (const std::string& file : files_below("corpus/writers/", ".parquet")) {
    const Bytes bytes = read_bytes(file);
    const MemorySource source(bytes);
    model::Model model = model_of(source);
    INFO(file);
    for (const model::SegmentId id : model.order()) {
      if (model.has_struct(id)) CHECK(model.tree(id) != nullptr);
    }
    CHECK(written(model) == bytes);
  }
}

}  // namespace
}  // namespace support
