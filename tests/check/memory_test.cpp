#include "fuzz/memory.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "codec/base/append.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/check/check.hpp"
#include "conformance/state/parsed_footer.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kPlainPage = 2 * kMegabyte;
constexpr std::uint64_t kCompressedPage = 4 * kMegabyte;  // when expanded
constexpr std::uint64_t kDictionary = kMegabyte;
constexpr std::int64_t kRows = kCompressedPage / 8;

/// One row group: pages of 2 MB, one that expands to 4 MB, and one that refers to a dictionary of 1 MB.
Bytes one_row_group() {
  HostileColumn plain{.type = Type::INT64, .num_values = kRows};
  for (std::int64_t done = 0; done < kRows; done += kPlainPage / 8)
    plain.pages = plain.pages + data_page(kPlainPage / 8, Encoding::PLAIN, Bytes(kPlainPage));

  HostileColumn expanded{.type = Type::INT64, .codec = CompressionCodec::ZSTD, .num_values = kRows};
  const Bytes body = zstd_of(Bytes(kCompressedPage));
  expanded.pages = data_page(kRows, Encoding::PLAIN, body, kCompressedPage);
  expanded.uncompressed = static_cast<std::int64_t>(expanded.pages.size() - body.size() + kCompressedPage);

  const HostileColumn coded{.type = Type::INT32,
                            .num_values = kRows,
                            .dictionary = dictionary_page(kDictionary / 4, Bytes(kDictionary)),
                            .pages = data_page(kRows, Encoding::RLE_DICTIONARY, Bytes{8} + run(kRows, 200)),
                            .encodings = {Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY}};
  return file_of({plain, expanded, coded}, kRows);
}

/// A file that has the row group of `one` so many times; only its footer takes memory.
class RepeatedRowGroup final : public Source {
 public:
  RepeatedRowGroup(const Bytes& one, std::uint64_t times) : one_(one), times_(times) {
    std::uint32_t footer_length = 0;
    std::memcpy(&footer_length, one.data() + one.size() - 8, 4);
    const std::uint64_t footer_at = one.size() - 8 - footer_length;
    period_ = footer_at - kMagic;
    const View footer{std::span(one).subspan(footer_at, footer_length), footer_at};
    const Limits limits;
    FileMetaData meta;
    thrift::Reader reader(footer, {}, limits);
    REQUIRE(reader.read(meta));
    thrift::ListBuilder<RowGroup> groups;
    thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
      for (std::uint64_t i = 0; i < times; ++i) {
        thrift::ListBuilder<ColumnChunk> chunks;
        thrift::for_each<ColumnChunk>(group.columns, limits, [&](ColumnChunk chunk, std::uint32_t) {
          const auto shift = static_cast<std::int64_t>(i * period_);
          chunk.meta_data.data_page_offset += shift;
          if (chunk.meta_data.has(ColumnMetaData::id_dictionary_page_offset))
            chunk.meta_data.dictionary_page_offset += shift;
          chunks.add(chunk);
        });
        RowGroup moved = group;
        moved.columns = chunks.list();
        groups.add(moved);
      }
    });
    meta.num_rows *= static_cast<std::int64_t>(times);
    meta.row_groups = groups.list();
    thrift::emit(meta, tail_);
    footer_bytes_ = tail_.size();
    append_le(tail_, footer_bytes_, 4);
    append(tail_, text("PAR1"));
  }
  [[nodiscard]] std::uint64_t size() const noexcept override {
    return kMagic + times_ * period_ + tail_.size();
  }
  [[nodiscard]] std::uint64_t footer_bytes() const noexcept { return footer_bytes_; }

  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    const std::uint64_t tail = kMagic + times_ * period_;
    while (!into.empty()) {
      std::span<const std::uint8_t> from;
      if (offset < kMagic) {
        from = std::span(one_).subspan(offset, kMagic - offset);
      } else if (offset < tail) {
        const std::uint64_t at = (offset - kMagic) % period_;
        from = std::span(one_).subspan(kMagic + at, period_ - at);
      } else {
        from = std::span(tail_).subspan(offset - tail);
      }
      const std::size_t count = std::min(from.size(), into.size());
      std::memcpy(into.data(), from.data(), count);
      into = into.subspan(count);
      offset += count;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kMagic = 4;
  const Bytes& one_;
  std::uint64_t times_;
  std::uint64_t period_ = 0;
  std::uint64_t footer_bytes_ = 0;
  Bytes tail_;
};

struct Peak {
  std::uint64_t file = 0;
  std::uint64_t footer = 0;
  std::uint64_t held = 0;
};

/// Peak memory of a check of so many row groups.
Peak peak_of(const Bytes& one, std::uint64_t times) {
  const RepeatedRowGroup source(one, times);
  const fuzz::HeldBytes watch;
  const FileReport report = check(source, "repeated.parquet", {});
  const Peak peak{source.size(), source.footer_bytes(), watch.most()};
  CHECK(report.verdict == Verdict::conforming);
  CHECK(report.bytes == source.size());
  return peak;
}

}  // namespace

TEST_CASE("memory depends on pages, dictionaries and the footer, not on the size of the file") {
  const Bytes one = one_row_group();
  const Peak small = peak_of(one, 100 * kMegabyte / one.size() + 1);
  const Peak large = peak_of(one, 2048 * kMegabyte / one.size() + 1);
  CHECK(large.file > 2048 * kMegabyte);
  for (const Peak& peak : {small, large}) {
    CHECK(peak.held <= 64 * kMegabyte + 2 * kCompressedPage + kDictionary + 2 * peak.footer);
  }
  CHECK(large.held <= small.held + 2 * (large.footer - small.footer) + kMegabyte);
}

TEST_CASE("a conforming column chunk takes less than a hundred bytes in addition to the footer") {
  constexpr std::uint64_t kColumns = 100;
  const HostileColumn column{.num_values = 1, .pages = data_page(1, Encoding::PLAIN, Bytes(4))};
  const Bytes one = file_of(std::vector<HostileColumn>(kColumns, column), 1);
  const std::uint64_t small = peak_of(one, 100).held;
  const std::uint64_t large = peak_of(one, 1000).held;
  // ParsedFooter have both of each chunk, in memory that does not come from operator new.
  constexpr std::uint64_t kFacts = sizeof(ChunkClaim) + sizeof(Region);
  CHECK(kFacts + (large - small) / (900 * kColumns) < 100);
}

namespace {

TEST_CASE("the page after one above the limit is not taken for the first page of the chunk") {
  // Two leaves of a map; the second data page of the first continues a row, so its levels begin with it.
  const std::vector<std::uint8_t> bytes =
      read_bytes("corpus/witnesses/logical-type/map-duplicate-keys/fail-n.parquet");
  REQUIRE(judged(bytes).verdict == Verdict::conforming);
  const FileReport report = judged(bytes, {.limits = {.page_bytes = 16}});
  CHECK(report.verdict == Verdict::limit);
  REQUIRE(report.causes.size() == 1);
  CHECK(report.causes.front().rule() == Rule::limit_page_size);
  CHECK(report.causes.front().times == 2);
}

}  // namespace

}  // namespace support
