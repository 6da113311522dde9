#include "tests/diagnosis/damage.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/base/source.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "tests/rows/written.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {

using namespace parqproof;

std::uint64_t WholeFile::values_of(const std::function<bool(const ReadablePage&)>& counts) const {
  std::uint64_t sum = 0;
  for (const ReadablePage& page : pages) sum += counts(page) ? page.values : 0;
  return sum;
}

WholeFile whole_file(const std::string& witness) {
  WholeFile file;
  file.bytes = read_bytes("corpus/witnesses/" + witness);
  const FileReport report = judged(file.bytes);
  REQUIRE(report.verdict == Verdict::conforming);
  REQUIRE(report.lost.empty());
  const MemorySource source(file.bytes);
  const Limits limits;
  PageReader reader(source, limits, 0);
  const Layout layout = read_layout(source);
  file.footer = layout.frame.footer_offset;
  for (const Segment& segment : layout.segments) {
    if (segment.kind != SegmentKind::page_header) continue;
    Page page;
    REQUIRE(reader.read_header(segment.offset, file.footer, {}, page) == PageReader::State::read);
    ReadablePage intact{segment.place, page.header.type, page.offset, page.body, page.end()};
    if (page.is_data()) {
      intact.values = static_cast<std::uint64_t>(page.num_values());
      const Encoding encoding = page.header.type == PageType::DATA_PAGE
                                    ? page.header.data_page_header.encoding
                                    : page.header.data_page_header_v2.encoding;
      intact.needs_dictionary = encoding == Encoding::RLE_DICTIONARY;
    }
    file.pages.push_back(intact);
  }
  REQUIRE(file.pages.size() == report.pages);
  REQUIRE(file.values_of([](const ReadablePage&) { return true; }) == report.values);
  file.rows = rows_of(file.bytes, {});
  return file;
}

void damage_bytes(const WholeFile& file, std::uint64_t from, std::uint64_t to,
                  const std::function<void(const Bytes&)>& look) {
  Bytes bytes = file.bytes;
  // Seven and the number of changes per byte are coprime, so each kind of change occurs.
  const std::uint64_t step = few_cases() ? 7 : 1;
  for (std::uint64_t number = from * kChangesOfAByte; number < to * kChangesOfAByte; number += step)
    with_change(bytes, number, [&] { look(bytes); });
}

FileReport report_of(const Bytes& bytes) { return check(MemorySource(bytes), "file", {}); }

std::vector<std::string> lost_of(const FileReport& report) {
  std::vector<std::string> lines;
  for (const Lost& lost : report.lost) {
    std::string line = to_string(lost.what);
    if (lost.place.row_group >= 0) line += " " + std::to_string(lost.place.row_group);
    if (lost.place.leaf >= 0) line += "/" + std::to_string(lost.place.leaf);
    if (lost.place.page >= 0) line += "/" + std::to_string(lost.place.page);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string lost_page(const Place& place) {
  return "page " + std::to_string(place.row_group) + "/" + std::to_string(place.leaf) + "/" +
         std::to_string(place.page);
}

std::string rows_of(const Bytes& bytes, const std::vector<std::string>& columns, std::uint64_t first,
                    std::uint64_t end) {
  RowOptions options = physical();
  options.columns = columns;
  options.first = first;
  options.end = end;
  const Written out = written(bytes, options);
  if (out.end != RowsEnd::complete) FAIL_CHECK("intact rows cannot be read");
  return out.text;
}

}  // namespace support
