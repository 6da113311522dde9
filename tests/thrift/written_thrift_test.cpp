// Apache Thrift reads all structs of files that we write: footer, page headers, indexes and headers of Bloom
// filters.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "codec/base/bits.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "tests/support/judged.hpp"
#include "tests/thrift/apache.hpp"

namespace parqproof::test {
namespace {

namespace idl = parqproof_idl;
using Bytes = std::vector<std::uint8_t>;

/// Reads a struct from bytes that have it and nothing else.
template <typename Generated>
Generated read_all_by_apache(std::span<const std::uint8_t> bytes) {
  std::size_t rest = 0;
  Generated value = read_by_apache<Generated>(bytes, rest);
  CHECK(rest == 0);
  CHECK(rewritten_by_apache<Generated>(bytes, rest) == Bytes(bytes.begin(), bytes.end()));
  return value;
}

/// Fails the test unless it is so. Much faster than an assertion, of which there are two million.
void must(bool holds, const std::source_location& at = std::source_location::current()) {
  if (!holds) FAIL_CHECK("line " << at.line());
}

/// What Apache Thrift has read of all files.
struct Counts {
  std::size_t files = 0;
  std::size_t pages = 0;
  std::size_t dictionaries = 0;
  std::size_t indexes = 0;
  std::size_t filters = 0;
};

class WrittenFile {
 public:
  WrittenFile(std::span<const std::uint8_t> bytes, Counts& counts) : bytes_(bytes), counts_(counts) {}

  /// Returns the rows.
  std::int64_t read() {
    const std::size_t length = load_le<std::uint32_t>(bytes_.data() + bytes_.size() - 8);
    const auto footer =
        read_all_by_apache<idl::FileMetaData>(bytes_.subspan(bytes_.size() - 8 - length, length));
    std::int64_t rows = 0;
    for (const idl::RowGroup& group : footer.row_groups) {
      rows += group.num_rows;
      std::int64_t compressed = 0;
      for (const idl::ColumnChunk& chunk : group.columns) {
        compressed += chunk.meta_data.total_compressed_size;
        read_chunk(chunk, group.num_rows);
      }
      must(compressed == group.total_compressed_size);
    }
    must(rows == footer.num_rows);
    must(footer.created_by.starts_with("parqproof"));
    ++counts_.files;
    return rows;
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t> range(std::int64_t offset, std::int64_t length) const {
    return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  }

  void read_chunk(const idl::ColumnChunk& chunk, std::int64_t rows) {
    const idl::ColumnMetaData& meta = chunk.meta_data;
    const std::int64_t begin =
        meta.__isset.dictionary_page_offset ? meta.dictionary_page_offset : meta.data_page_offset;
    std::int64_t at = begin;
    std::int64_t values = 0;
    std::int64_t uncompressed = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> data_pages;  // offset, size with header
    std::map<std::pair<idl::PageType::type, idl::Encoding::type>, std::int32_t> stats;
    while (at < begin + meta.total_compressed_size) {
      const std::span<const std::uint8_t> bytes = range(at, begin + meta.total_compressed_size - at);
      std::size_t rest = 0;
      const auto header = read_by_apache<idl::PageHeader>(bytes, rest);
      const std::size_t size = bytes.size() - rest;
      must(header.__isset.data_page_header == (header.type == idl::PageType::DATA_PAGE));
      must(header.__isset.data_page_header_v2 == (header.type == idl::PageType::DATA_PAGE_V2));
      const std::int64_t page = static_cast<std::int64_t>(size) + header.compressed_page_size;
      uncompressed += static_cast<std::int64_t>(size) + header.uncompressed_page_size;
      if (header.type == idl::PageType::DICTIONARY_PAGE) {
        must(at == begin);
        ++stats[{header.type, header.dictionary_page_header.encoding}];
        ++counts_.dictionaries;
      } else {
        const bool is_v2 = header.__isset.data_page_header_v2;
        values += is_v2 ? header.data_page_header_v2.num_values : header.data_page_header.num_values;
        ++stats[{header.type,
                 is_v2 ? header.data_page_header_v2.encoding : header.data_page_header.encoding}];
        data_pages.emplace_back(at, page);
        ++counts_.pages;
      }
      at += page;
    }
    must(at == begin + meta.total_compressed_size);
    must(uncompressed == meta.total_uncompressed_size);
    must(values == meta.num_values);
    if (!data_pages.empty()) must(data_pages.front().first == meta.data_page_offset);
    for (const idl::PageEncodingStats& one : meta.encoding_stats)
      must(stats[{one.page_type, one.encoding}] == one.count);
    must(meta.encoding_stats.size() == stats.size());
    read_indexes(chunk, rows, data_pages);
    if (!meta.__isset.bloom_filter_offset) return;
    const std::span<const std::uint8_t> bytes = range(meta.bloom_filter_offset, meta.bloom_filter_length);
    std::size_t rest = 0;
    const auto filter = read_by_apache<idl::BloomFilterHeader>(bytes, rest);
    const std::size_t size = bytes.size() - rest;
    must(filter.numBytes + static_cast<std::int64_t>(size) == meta.bloom_filter_length);
    must(filter.algorithm.__isset.BLOCK);
    ++counts_.filters;
  }

  void read_indexes(const idl::ColumnChunk& chunk, std::int64_t rows,
                    const std::vector<std::pair<std::int64_t, std::int64_t>>& pages) {
    if (!chunk.__isset.offset_index_offset) return;
    const auto offsets =
        read_all_by_apache<idl::OffsetIndex>(range(chunk.offset_index_offset, chunk.offset_index_length));
    must(offsets.page_locations.size() == pages.size());
    if (offsets.page_locations.size() != pages.size()) return;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const idl::PageLocation& location = offsets.page_locations[i];
      must(location.offset == pages[i].first);
      must(location.compressed_page_size == pages[i].second);
      must(location.first_row_index < rows);
      must(i == 0 ? location.first_row_index == 0
                  : location.first_row_index > offsets.page_locations[i - 1].first_row_index);
    }
    ++counts_.indexes;
    if (!chunk.__isset.column_index_offset) return;
    const auto index =
        read_all_by_apache<idl::ColumnIndex>(range(chunk.column_index_offset, chunk.column_index_length));
    must(index.null_pages.size() == pages.size());
    must(index.min_values.size() == pages.size());
    must(index.max_values.size() == pages.size());
    if (!index.__isset.null_counts || !chunk.meta_data.statistics.__isset.null_count) return;
    std::int64_t nulls = 0;
    for (const std::int64_t count : index.null_counts) nulls += count;
    must(nulls == chunk.meta_data.statistics.null_count);
  }

  std::span<const std::uint8_t> bytes_;
  Counts& counts_;
};

/// Options for each way to write a page, and for what is in the metadata.
std::vector<RewriteOptions> forms() {
  std::vector<RewriteOptions> out(4);
  out[1].page_version = 1;
  out[1].page_rows = 3;
  out[1].page_index = true;
  out[1].encodings = {{"", Encoding::RLE_DICTIONARY}};
  out[1].codec = CompressionCodec::ZSTD;
  out[2].page_version = 2;
  out[2].row_group_rows = 100;
  out[2].page_index = true;
  out[2].encodings = {{"", Encoding::PLAIN},
                      {"", Encoding::RLE},
                      {"", Encoding::DELTA_BINARY_PACKED},
                      {"", Encoding::DELTA_BYTE_ARRAY},
                      {"", Encoding::ALP}};
  out[2].codec = CompressionCodec::LZ4_RAW;
  out[3].checksums = false;
  out[3].statistics = false;
  out[3].page_index = false;
  out[3].encodings = {{"", Encoding::BYTE_STREAM_SPLIT}};
  out[3].codec = CompressionCodec::UNCOMPRESSED;
  return out;
}

TEST_CASE("Apache Thrift reads the footer, page headers and indexes of files that we write", "[unit]") {
  Counts counts;
  for (const std::string& path : support::files_below("corpus/writers", ".parquet")) {
    const Bytes bytes = support::read_bytes(path);
    const MemorySource source(bytes);
    std::size_t form = 0;
    for (const RewriteOptions& options : forms()) {
      INFO(path << ", form " << form++);
      Bytes out;
      MemorySink sink(out);
      ReadingFailure failure;
      const RewriteOutcome outcome = rewrite(source, options, sink, failure);
      if (outcome.end != RewriteOutcome::End::complete) continue;
      CHECK(WrittenFile(out, counts).read() == static_cast<std::int64_t>(outcome.rows));
    }
  }
  CHECK(counts.files > 2400);
  CHECK(counts.pages > 20'000);
  CHECK(counts.dictionaries > 1000);
  CHECK(counts.indexes > 10'000);
  CHECK(counts.filters > 300);
}

}  // namespace
}  // namespace parqproof::test
