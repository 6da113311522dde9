// Time and memory of models of hostile and of large files.
#include <catch2/catch_test_macros.hpp>
#include <ctime>

#include "codec/base/append.hpp"
#include "codec/rules/rule.hpp"
#include "fuzz/memory.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/model/written_model.hpp"
#include "tests/support/repeated_row_group.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;
using thrift::Wire;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

struct Cost {
  std::uint64_t memory = 0;  ///< peak, in bytes
  std::uint64_t read = 0;    ///< bytes
  double seconds = 0;        ///< CPU time
};

/// Parses and emits.
Cost cost_of(const Source& source) {
  const CountingSource counting(source);
  const std::clock_t start = std::clock();
  const fuzz::HeldBytes held;
  auto model = model::parse(counting);
  REQUIRE(model);
  std::uint64_t written = 0;
  const auto end = model->emit([&](auto bytes) {
    written += bytes.size();
    return true;
  });
  CHECK(end == model::EmitEnd::complete);
  CHECK(written == source.size());
  return {held.most(), counting.bytes_read(), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

TEST_CASE("memory of a model depends on the footer and the number of pages, not on the size of the file") {
  Bytes pages;
  for (int i = 0; i < 8; ++i) append(pages, data_page(kMegabyte / 8, Encoding::PLAIN, Bytes(kMegabyte)));
  const Bytes one = file_of({{.type = Type::INT64, .num_values = kMegabyte, .pages = pages}}, kMegabyte);
  const RepeatedRowGroup source(one, 100);
  CHECK(source.size() > 800 * kMegabyte);
  const Cost cost = cost_of(source);
  CHECK(cost.memory < 4 * kMegabyte);
  CHECK(cost.read < source.size() + source.size() / 2);
}

TEST_CASE("many chunks that refer to the same pages cost one walk") {
  constexpr std::size_t kPages = 2000;
  constexpr std::size_t kChunks = 2000;
  Bytes pages;
  for (std::size_t i = 0; i < kPages; ++i) append(pages, data_page(1, Encoding::PLAIN, Bytes(4)));
  Struct footer;
  add_schema(footer);
  footer.i64(3, kChunks).list(4, Wire::struct_, kChunks);
  for (std::size_t i = 0; i < kChunks; ++i) {
    begin_row_group(footer, kPages, 100, static_cast<std::int64_t>(pages.size()));
    footer.end().i64(2, 1).i64(3, 1).end();
  }
  const Bytes bytes = file_of(footer.bytes(), pages);
  const MemorySource source(bytes);
  const Cost cost = cost_of(source);
  CHECK(cost.memory < 64 * bytes.size());
  CHECK(cost.read < 40 * bytes.size());
  CHECK(cost.seconds < 10);
}

TEST_CASE("a file of candidates for earlier footers is parsed in linear time") {
  Bytes data;
  while (data.size() < kMegabyte) {
    append_le(data, data.size(), 4);  // everything before it as a footer
    append(data, text("PAR1"));
  }
  Struct footer;
  add_schema(footer);
  footer.i64(3, 0).list(4, Wire::struct_, 0);
  const Bytes bytes = file_of(footer.bytes(), data);
  const MemorySource source(bytes);
  const Cost cost = cost_of(source);
  CHECK(cost.seconds < 5);
  CHECK(cost.read < 8 * bytes.size());
}

TEST_CASE("a struct that nests too deeply, or has too many values, has no model") {
  const Bytes deep = file_of(Bytes(1000, 0x1C));
  const MemorySource source(deep);
  const auto model = model::parse(source);
  REQUIRE(!model);
  CHECK(model.error().why == model::ParseFailure::Why::broken);

  Struct footer;
  add_schema(footer);
  footer.i64(3, 0).list(4, Wire::struct_, 0).list(90, Wire::i8, 100'000).raw(Bytes(100'000));
  const Bytes wide = file_of(footer.bytes());
  const MemorySource wide_source(wide);
  Limits limits;
  limits.memory_bytes = 4 * kMegabyte;
  const auto limited = model::parse(wide_source, limits);
  REQUIRE(!limited);
  CHECK(limited.error().why == model::ParseFailure::Why::limit);
  CHECK(limited.error().error.rule == Rule::limit_memory);
  CHECK(model::parse(wide_source));
}

TEST_CASE("a source that cannot be read gives no model") {
  const Bytes page = data_page(1, Encoding::PLAIN, Bytes(4));
  const Bytes bytes = file_of({{.num_values = 1, .pages = page}}, 1);
  for (std::uint64_t end = 0; end < bytes.size(); end += 7) {
    const PartlyReadableSource source(bytes, end);
    const auto model = model::parse(source);
    REQUIRE(!model);
    CHECK(model.error().why == model::ParseFailure::Why::unreadable);
  }
}

}  // namespace
}  // namespace support
