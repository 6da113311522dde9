// Offsets and lengths follow the structures that they refer to.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "codec/base/append.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/rules/rule.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/model/written_model.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;
using model::Content;
using model::Segment;
using model::SegmentId;

Segment gap_of(Bytes bytes) {
  Segment gap{.kind = Segment::Kind::gap};
  gap.body = Content::own(std::move(bytes));
  return gap;
}

/// A segment before which a gap may be inserted: not the magic at the start, nothing after the footer, and no
/// page after the first of its chunk, and no copy of metadata, which is found by its place after the pages.
SegmentId drawn_place(const model::Model& model, std::uint64_t hash) {
  std::vector<SegmentId> places;
  for (std::size_t i = 1; i < model.order().size(); ++i) {
    const Segment& segment = model.segment(model.order()[i]);
    const Segment& before = model.segment(model.order()[i - 1]);
    const bool is_inside = segment.kind == Segment::Kind::page && before.kind == Segment::Kind::page &&
                           segment.chunk == before.chunk;
    if (!is_inside && segment.kind != Segment::Kind::column_metadata) places.push_back(model.order()[i]);
    if (segment.kind == Segment::Kind::footer) break;
  }
  return places[hash % places.size()];
}

bool has_rule(const FileReport& report, Rule rule) {
  return std::ranges::any_of(report.findings, [&](const auto& one) { return one.finding.rule == rule; });
}

TEST_CASE("a file into which bytes are inserted conforms as before, and is the same without them") {
  std::size_t files = 0;
  for (const std::string& file : files_below("corpus/writers/", ".parquet")) {
    const Bytes bytes = read_bytes(file);
    if (file.find("encrypted") != std::string::npos || judged(bytes).verdict != Verdict::conforming) continue;
    INFO(file);
    const MemorySource source(bytes);
    model::Model model = model_of(source);
    const std::uint64_t hash = fixed_hash(file, 1);
    const SegmentId place = drawn_place(model, hash);
    const Bytes more(1 + hash / 1000 % 40'000, 0xEE);
    model.insert(gap_of(more), place);
    const Bytes longer = written(model);
    REQUIRE(longer.size() >= bytes.size() + more.size());
    CHECK(part(longer, model.offset_of(place) - more.size(), more.size()) == more);
    const FileReport report = judged(longer);
    CHECK(report.verdict == Verdict::conforming);
    CHECK(has_rule(report, Rule::file_unreferenced_bytes));

    const MemorySource longer_source(longer);
    model::Model again = model_of(longer_source);
    for (const SegmentId gap : again.segments_of(Segment::Kind::gap)) again.remove(gap);
    const bool is_same = written(again) == bytes;
    CHECK(is_same);
    ++files;
  }
  CHECK(files > 100);
}

/// A file of one INT32 column with two pages of one value.
Bytes two_pages() {
  const Bytes page = data_page(1, Encoding::PLAIN, Bytes(4));
  return file_of({{.num_values = 2, .pages = page + page}}, 2);
}

TEST_CASE("a number of the footer that matches no structure is kept") {
  const Bytes before = two_pages();
  const MemorySource source(before);
  model::Model model = model_of(source);
  model::Tree& footer = *model.tree(model.footer());
  const auto node = *footer.find("row_groups[0].columns[0].meta_data.data_page_offset");
  CHECK(footer.node(node).reference != 0);
  footer.set_number(node, 2);
  const Bytes wrong = written(model);

  const MemorySource wrong_source(wrong);
  model::Model again = model_of(wrong_source);
  CHECK(written(again) == wrong);
  again.insert(gap_of(Bytes(100)), again.order()[1]);
  const Bytes moved = written(again);
  const MemorySource moved_source(moved);
  model::Model last = model_of(moved_source);
  CHECK(last.tree(last.footer())->number("row_groups[0].columns[0].meta_data.data_page_offset") == 2);
}

TEST_CASE("a number of more than 64 bits is kept, even if its low bits match a structure") {
  const Bytes bytes = two_pages();
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  model::Tree& footer = *model.tree(model.footer());
  // The low 64 bits of a total_compressed_size of 0 pages.
  footer.set_raw(*footer.make("row_groups[0].total_compressed_size"), hex("80 80 80 80 80 80 80 80 80 02"));
  for (const SegmentId page : model.segments_of(Segment::Kind::page, 0)) model.remove(page);
  const Bytes wrong = written(model);
  const MemorySource wrong_source(wrong);
  model::Model again = model_of(wrong_source);
  CHECK(written(again) == wrong);
}

TEST_CASE("sizes follow a page body that is replaced, and a page that is duplicated or removed") {
  const Bytes bytes = two_pages();
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  const std::vector<SegmentId> pages = model.segments_of(Segment::Kind::page, 0);
  REQUIRE(pages.size() == 2);
  const char* const kSize = "row_groups[0].columns[0].meta_data.total_compressed_size";
  const auto size_of_chunk = [&] {
    model.resolve();
    return model.tree(model.footer())->number(kSize).value_or(-1);
  };
  const std::int64_t before = size_of_chunk();
  model.set_body(pages[1], Bytes(104));
  CHECK(size_of_chunk() == before + 101);  // a number above 63 takes another byte
  CHECK(model.tree(pages[1])->number("compressed_page_size") == 104);
  model.duplicate(pages[1]);
  CHECK(size_of_chunk() > before + 202);
  CHECK(model.segments_of(Segment::Kind::page, 0).size() == 3);
  const std::uint64_t second = model.offset_of(pages[1]);
  model.remove(pages[0]);
  model.resolve();
  CHECK(model.offset_of(pages[1]) == model.offset_of(pages[0]));
  CHECK(model.offset_of(pages[1]) < second);
  const Bytes out = written(model);
  const MemorySource out_source(out);
  CHECK(model_of(out_source).segments_of(Segment::Kind::page, 0).size() == 2);
}

TEST_CASE("column chunks that change places keep their metadata") {
  const Bytes page = data_page(1, Encoding::PLAIN, hex("01 00 00 00"));
  const Bytes other = data_page(1, Encoding::PLAIN, hex("02 00 00 00"));
  const Bytes bytes = file_of({{.num_values = 1, .pages = page}, {.num_values = 1, .pages = other}}, 1);
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  model.move(model.segments_of(Segment::Kind::page, 1).front(),
             model.segments_of(Segment::Kind::page, 0).front());
  const Bytes moved = written(model);
  CHECK(moved != bytes);
  CHECK(judged(moved).verdict == Verdict::conforming);
  const MemorySource moved_source(moved);
  model::Model again = model_of(moved_source);
  const auto offset = [&](const char* path) { return again.tree(again.footer())->number(path).value_or(0); };
  CHECK(offset("row_groups[0].columns[0].meta_data.data_page_offset") >
        offset("row_groups[0].columns[1].meta_data.data_page_offset"));
}

TEST_CASE("entries of an index page of 2013 follow the data pages that they refer to") {
  std::size_t numbers = 0;
  for (const std::string& file : files_below("corpus/witnesses/index-page/", ".parquet")) {
    const Bytes bytes = read_bytes(file);
    const FileReport before = judged(bytes);
    if (before.verdict != Verdict::conforming) continue;
    INFO(file);
    const MemorySource source(bytes);
    auto model = model::parse(source);
    if (!model) continue;
    std::size_t here = 0;
    for (const SegmentId id : model->order()) here += model->segment(id).body_numbers.size();
    if (here == 0) continue;
    numbers += here;
    // Surplus bytes in the headers of all pages move each data page.
    for (const SegmentId id : model->order()) {
      const std::int32_t type = model->segment(id).page_type;
      if (type == 0 || type == 3) model->tree(id)->set_form(1, 1, true);
    }
    const Bytes moved = written(*model);
    CHECK(moved.size() > bytes.size());
    // The headers count in total_uncompressed_size, which is not a reference.
    for (const auto& one : judged(moved).findings) {
      const Rule rule = one.finding.rule;
      CHECK((has_rule(before, rule) || rule == Rule::column_chunk_total_uncompressed_size ||
             rule == Rule::row_group_total_byte_size));
    }
  }
  CHECK(numbers > 20);
}

TEST_CASE("an earlier footer is a segment of its own, whose numbers refer to the same pages") {
  Bytes bytes = two_pages();
  const MemorySource one(bytes);
  model::Model first = model_of(one);
  const Bytes footer =
      part(bytes, static_cast<std::size_t>((first.resolve(), first.offset_of(first.footer()))));
  append(bytes, footer);  // the same footer, its length and the magic again
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  const std::vector<SegmentId> footers = model.segments_of(Segment::Kind::footer);
  REQUIRE(footers.size() == 2);
  CHECK(model.footer() == footers[1]);
  CHECK(model.segments_of(Segment::Kind::gap).empty());
  model.insert(gap_of(Bytes(1000)), model.order()[1]);
  const Bytes moved = written(model);
  for (const SegmentId id : footers)
    CHECK(model.tree(id)->number("row_groups[0].columns[0].meta_data.data_page_offset") == 1004);
  const MemorySource moved_source(moved);
  CHECK(model_of(moved_source).segments_of(Segment::Kind::footer).size() == 2);
}

TEST_CASE("a footer length that is set is kept, and others follow the footer") {
  const Bytes bytes = two_pages();
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  model::Tree& footer = *model.tree(model.footer());
  footer.set_bytes(*footer.make("created_by"), Bytes(100, std::uint8_t{0x61}));
  const Bytes longer = written(model);
  CHECK(judged(longer).verdict == Verdict::conforming);
  CHECK(longer.size() > bytes.size());
  model.set_footer_length(model.segments_of(Segment::Kind::footer_length).front(), 7);
  const Bytes wrong = written(model);
  CHECK(part(wrong, wrong.size() - 8, 4) == hex("07 00 00 00"));
}

TEST_CASE("the sink can stop the emission, and an unreadable source ends it") {
  const Bytes bytes = two_pages();
  const MemorySource source(bytes);
  model::Model model = model_of(source);
  CHECK(model.emit([](auto) { return false; }) == model::EmitEnd::stopped);
  std::size_t calls = 0;
  CHECK(model.emit([&](auto) { return ++calls < 3; }) == model::EmitEnd::stopped);
  CHECK(calls == 3);
}

}  // namespace
}  // namespace support
