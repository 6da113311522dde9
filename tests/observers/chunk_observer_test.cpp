#include "conformance/observers/chunk_observer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/encoding/pack.hpp"
#include "codec/file/frame.hpp"
#include "conformance/chunk/chunk_check.hpp"
#include "conformance/footer/file_metadata_rules.hpp"
#include "conformance/policy/policy.hpp"
#include "tests/encoding/decode.hpp"
#include "tests/page/written_levels.hpp"
#include "tests/page/written_pages.hpp"

namespace support {
namespace {

using namespace parqproof;
using Wants = ChunkObserver::Wants;

constexpr Wants kAll{true, true, true, true, true};

/// The calls of an observer for one data page.
struct SeenPage {
  std::vector<LevelBatch> batches;  ///< without their levels
  LevelPairs levels;
  std::vector<std::uint64_t> repetition_histogram = {0, 0};
  std::vector<std::uint64_t> definition_histogram = {0, 0};
  std::vector<std::uint32_t> values;  ///< INT32
};

/// Records each call with its arguments.
class Recorder final : public ChunkObserver {
 public:
  struct Seen {
    std::vector<std::string> calls;
    std::vector<SeenPage> pages;
    std::vector<std::string> ends;      ///< of pages and of the chunk, in words
    std::vector<std::uint64_t> unused;  ///< entries of the dictionary, at the end of each chunk
  };

  /// `wants`: of the first chunk, the second ...
  Recorder(Seen& seen, std::vector<Wants> wants, bool asks = false)
      : seen_(seen), wants_(std::move(wants)), asks_(asks) {}

  Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    call("open", scope.place.leaf);
    CHECK_FALSE(use.is_asked());
    use_ = &use;
    return wants_[static_cast<std::size_t>(scope.place.leaf)];
  }
  void dictionary(const ValueSection& section, const ValueBatch& batch) override {
    call("dictionary", section.page.ordinal(), batch.count);
  }
  void end_dictionary(const ValueSection& section) override {
    call("end_dictionary", section.page.ordinal(), section.spec.count);
    if (asks_) use_->ask();
  }
  void begin_page(const Page& page) override {
    call("begin_page", page.ordinal());
    seen_.pages.emplace_back();
  }
  void levels(const Page& page, const LevelBatch& batch) override {
    call("levels", page.ordinal(), batch.count);
    if (seen_.pages.empty()) return;
    SeenPage& seen = seen_.pages.back();
    seen.batches.push_back(batch);
    batch.add_repetition_histogram(seen.repetition_histogram);
    batch.add_definition_histogram(seen.definition_histogram);
    for (std::uint64_t i = 0; i < batch.count && batch.count < 100'000; ++i)
      seen.levels.add(batch.repetition_at(i), batch.definition_at(i));
  }
  void values(const ValueSection& section, const ValueBatch& batch) override {
    call("values", section.page.ordinal(), batch.count);
    if (seen_.pages.empty() || batch.form != ValueBatch::Form::fixed) return;
    for (std::uint64_t i = 0; i < batch.count; ++i)
      seen_.pages.back().values.push_back(load_le<std::uint32_t>(batch.fixed + 4 * i));
  }
  void end_page(const PageEnd& end) override {
    call("end_page", end.page.ordinal());
    seen_.ends.push_back(std::to_string(end.entries) + " entries, " + std::to_string(end.levels.rows) +
                         " rows, " + std::to_string(end.levels.stored) + " values" +
                         (end.levels_known ? ", levels" : "") + (end.values_known ? ", all values" : ""));
  }
  void end_chunk(const ChunkEnd& end) override {
    call("end_chunk");
    seen_.ends.push_back(std::string("chunk") + (end.sums_known ? ", sums" : "") +
                         (end.complete ? ", complete" : "") + (end.values_known ? ", all values" : ""));
    seen_.unused.push_back(use_->unused());
  }

 private:
  template <typename... Numbers>
  void call(std::string name, Numbers... numbers) {
    ((name += ' ' + std::to_string(numbers)), ...);
    seen_.calls.push_back(std::move(name));
  }

  Seen& seen_;
  std::vector<Wants> wants_;
  bool asks_;
  DictionaryUsage* use_ = nullptr;
};

/// Walks along all chunks of a file; what the observers see is in them.
template <typename... Observers>
void observe(const std::vector<HostileColumn>& columns, std::int64_t rows, Observers... observers) {
  const Bytes file = file_of(columns, rows);
  const MemorySource source(file);
  const CheckOptions options;
  const Policy policy(options);
  FileCheck check(source, options, policy.wanted());
  check_frame(check, file.size());
  REQUIRE(check.footer.frame.state == Frame::State::footer);
  check_footer(check);
  REQUIRE(check.footer.chunks.size() == columns.size());
  std::vector<std::unique_ptr<ChunkObserver>> line;
  (line.push_back(std::make_unique<Recorder>(std::move(observers))), ...);
  Scratch scratch(check);
  scratch.observers = ObserverLine(std::move(line));
  const RegionMap regions(check.regions);
  const ChunkDoubts doubts(regions);
  for (const ChunkClaim& claim : check.footer.chunks) {
    ChunkOutcome outcome(policy.wanted());
    check_chunk(check, doubts, {}, claim, true, false, scratch, outcome);
  }
}

Bytes int32s(std::initializer_list<std::uint32_t> values) {
  Bytes bytes;
  for (const std::uint32_t value : values) append_le(bytes, value, 4);
  return bytes;
}

/// Two data pages of four and of three entries, one of them null, after a dictionary of three.
HostileColumn coded_column() {
  const Bytes indices = Bytes{2} + run(2, 0) + run(1, 2);
  return {.optional = true,
          .num_values = 7,
          .dictionary = dictionary_page(3, int32s({5, 6, 7})),
          .pages = data_page(4, Encoding::RLE_DICTIONARY, sized(run(3, 1) + run(1, 0)) + indices) +
                   data_page(3, Encoding::RLE_DICTIONARY, sized(run(3, 1)) + indices)};
}

/// A section of values that are decoded for place_of().
struct Section {
  Section(const Bytes& values, Encoding encoding, Type type, std::uint64_t count, std::uint32_t length = 0)
      : bytes(values), spec(spec_of(encoding, type, count, length)) {}

  /// Calls `check(place, ordinal of the value)` for each value.
  template <typename Check>
  void each(Check check) {
    own.budget.earn(1'000'000);
    REQUIRE(own.open(section.bytes, spec));
    std::uint64_t done = 0;
    for (;;) {
      const ValueBatch batch = own.decoder.next().value();
      if (batch.count == 0) break;
      for (std::uint64_t i = 0; i < batch.count; ++i) check(section.place_of(batch, i), done + i);
      done += batch.count;
    }
    CHECK(done == spec.count);
  }
  /// Each value has no bytes, at the beginning of the section.
  void check_nowhere() {
    std::uint64_t elsewhere = 0;
    each([&](View place, std::uint64_t) { elsewhere += place.base != kBase || !place.empty(); });
    CHECK(elsewhere == 0);
  }

  Bytes bytes;
  ValueSpec spec;
  OwnDecoder own;
  Page page;
  ValueSection section{page, {bytes, kBase, Space::page}, spec, own.notes};
};

TEST_CASE("observers are called in the order of the file") {
  Recorder::Seen seen;
  observe({coded_column()}, 7, Recorder(seen, {kAll}));
  CHECK(seen.calls == std::vector<std::string>{"open 0", "dictionary 0 3", "end_dictionary 0 3",          //
                                               "begin_page 1", "levels 1 4", "values 1 2", "values 1 1",  //
                                               "end_page 1",                                              //
                                               "begin_page 2", "levels 2 3", "values 2 2", "values 2 1",
                                               "end_page 2",  //
                                               "end_chunk"});
  CHECK(seen.ends == std::vector<std::string>{"4 entries, 4 rows, 3 values, levels, all values",
                                              "3 entries, 3 rows, 3 values, levels, all values",
                                              "chunk, sums, complete, all values"});
}

TEST_CASE("an observer gets only the calls that it asks for") {
  const auto calls_of = [](Wants wants) {
    Recorder::Seen seen;
    Recorder::Seen other;
    observe({coded_column()}, 7, Recorder(other, {kAll}), Recorder(seen, {wants}));
    CHECK(other.calls.size() == 14);
    return seen.calls;
  };
  using Calls = std::vector<std::string>;
  CHECK(calls_of({}) == Calls{"open 0"});
  CHECK(calls_of({.dictionary = true}) == Calls{"open 0", "dictionary 0 3", "end_dictionary 0 3"});
  CHECK(calls_of({.levels = true}) == Calls{"open 0", "levels 1 4", "levels 2 3"});
  CHECK(calls_of({.values = true}) ==
        Calls{"open 0", "values 1 2", "values 1 1", "values 2 2", "values 2 1"});
  CHECK(calls_of({.pages = true}) ==
        Calls{"open 0", "begin_page 1", "end_page 1", "begin_page 2", "end_page 2"});
  CHECK(calls_of({.end = true}) == Calls{"open 0", "end_chunk"});
  Recorder::Seen alone;  // levels are read even if no observer asks for them
  observe({coded_column()}, 7, Recorder(alone, {Wants{.pages = true, .end = true}}));
  CHECK(alone.ends[0] == "4 entries, 4 rows, 3 values, levels, all values");
}

TEST_CASE("requests of one chunk do not apply to the next") {
  const HostileColumn plain{.num_values = 7, .pages = data_page(7, Encoding::PLAIN, Bytes(28))};
  Recorder::Seen seen;
  Recorder::Seen second;
  observe({coded_column(), plain, coded_column()}, 7, Recorder(seen, {kAll, Wants{}, kAll}, true),
          Recorder(second, {Wants{}, Wants{.values = true, .end = true}, Wants{}}));
  CHECK(second.calls == std::vector<std::string>{"open 0", "open 1", "values 0 7", "end_chunk", "open 2"});
  CHECK(second.unused == std::vector<std::uint64_t>{0});
  CHECK(seen.calls.size() == 14 + 1 + 14);
  CHECK(seen.unused == std::vector<std::uint64_t>{1, 1});  // entry 1 of either dictionary
}

TEST_CASE("used entries are marked only if an observer asks for them") {
  Recorder::Seen asking;
  Recorder::Seen other;
  observe({coded_column()}, 7, Recorder(asking, {kAll}, true), Recorder(other, {Wants{.end = true}}));
  CHECK(asking.unused == std::vector<std::uint64_t>{1});
  CHECK(other.unused == std::vector<std::uint64_t>{1});
  Recorder::Seen silent;
  observe({coded_column()}, 7, Recorder(silent, {kAll}));
  CHECK(silent.unused == std::vector<std::uint64_t>{0});
}

TEST_CASE("an empty dictionary has no end_dictionary call") {
  HostileColumn column = coded_column();
  column.dictionary = dictionary_page(0, {});
  column.pages = data_page(7, Encoding::PLAIN, sized(run(7, 0)));
  Recorder::Seen seen;
  observe({column}, 7, Recorder(seen, {kAll}, true));
  CHECK(seen.calls ==
        std::vector<std::string>{"open 0", "begin_page 1", "levels 1 7", "end_page 1", "end_chunk"});
}

TEST_CASE("a damaged page has an end_page call with its known counts") {
  const HostileColumn column{.optional = true,
                             .num_values = 9,
                             .pages = data_page(3, Encoding::PLAIN, sized(run(3, 1)) + Bytes(12)) +
                                      data_page(3, Encoding::PLAIN, sized(run(3, 1)) + Bytes(11)) +
                                      data_page(3, Encoding::PLAIN, sized(run(2, 1)) + Bytes(8))};
  Recorder::Seen seen;
  observe({column}, 9, Recorder(seen, {Wants{.pages = true, .end = true}}));
  REQUIRE(seen.ends.size() == 4);
  CHECK(seen.ends[0] == "3 entries, 3 rows, 3 values, levels, all values");
  CHECK(seen.ends[1] == "3 entries, 3 rows, 3 values, levels");
  CHECK(seen.ends[2].ends_with(" values"));
  CHECK_FALSE(seen.ends[3].contains("all values"));
  CHECK_FALSE(seen.ends[3].contains("whole"));
}

TEST_CASE("batches of levels have the number of preceding entries, rows and values of the page") {
  constexpr std::size_t kEntries = 20'000;
  HostileColumn column{.repeated = true};
  std::vector<LevelPairs> pages;
  std::uint64_t rows = 0;
  for (std::size_t page = 0; page < 3; ++page) {
    const LevelPairs pairs = legal_levels(kEntries + page, {0, 1}, 1);
    Bytes values;  // each is the ordinal of its entry
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.definition[i] == 1) append_le(values, i, 4);
      rows += pairs.repetition[i] == 0 ? 1U : 0U;
    }
    const LevelForm form = page == 1 ? LevelForm::packed : LevelForm::automatic;
    column.pages = column.pages + data_page(static_cast<std::int64_t>(pairs.size()), Encoding::PLAIN,
                                            sized(stored_levels(pairs.repetition, 1, form)) +
                                                sized(stored_levels(pairs.definition, 1, form)) + values);
    column.num_values += static_cast<std::int64_t>(pairs.size());
    pages.push_back(pairs);
  }
  Recorder::Seen seen;
  observe({column}, static_cast<std::int64_t>(rows), Recorder(seen, {kAll}));
  REQUIRE(seen.pages.size() == 3);
  for (std::size_t page = 0; page < 3; ++page) {
    INFO("page " << page);
    const SeenPage& got = seen.pages[page];
    const LevelPairs& pairs = pages[page];
    CHECK(got.batches.size() > 4);
    CHECK((got.levels.repetition == pairs.repetition));
    CHECK((got.levels.definition == pairs.definition));
    std::uint64_t wrong = 0;
    std::uint64_t entry = 0;
    std::uint64_t began = 0;
    std::uint64_t stored = 0;
    for (const LevelBatch& batch : got.batches) {
      wrong += batch.first_entry != entry || batch.rows_before != began || batch.values_before != stored;
      wrong += batch.count == 0 || (batch.repetition != nullptr && batch.count > HybridDecoder::kBatch);
      std::uint64_t value = batch.values_before;
      for (const std::uint64_t end = entry + batch.count; entry < end; ++entry) {
        began += pairs.repetition[entry] == 0 ? 1U : 0U;
        if (pairs.definition[entry] != 1) continue;
        ++stored;
        wrong += value >= got.values.size() || got.values[value] != entry;
        ++value;
      }
    }
    CHECK(wrong == 0);
    CHECK(entry == pairs.size());
    CHECK(stored == got.values.size());
    CHECK(got.repetition_histogram == std::vector<std::uint64_t>{began, entry - began});
    CHECK(got.definition_histogram == std::vector<std::uint64_t>{entry - stored, stored});
  }
}

TEST_CASE("a run of levels is one batch, however long it is") {
  const std::int64_t many = 1'000'000'000;
  const HostileColumn column{.optional = true,
                             .num_values = many + 10,
                             .pages = data_page(many + 10, Encoding::PLAIN,
                                                sized(run(5, 1) + run(many, 0) + run(5, 1)) + Bytes(40))};
  Recorder::Seen seen;
  observe({column}, many + 10, Recorder(seen, {kAll}));
  REQUIRE(seen.pages.size() == 1);
  const std::vector<LevelBatch>& batches = seen.pages[0].batches;
  REQUIRE(batches.size() == 3);
  CHECK(batches[1].definition == nullptr);
  CHECK(batches[1].repetition == nullptr);
  CHECK(batches[1].first_entry == 5);
  CHECK(batches[1].values_before == 5);
  CHECK(batches[1].count == static_cast<std::uint64_t>(many));
  CHECK(batches[2].first_entry == static_cast<std::uint64_t>(many) + 5);
  CHECK(batches[2].rows_before == static_cast<std::uint64_t>(many) + 5);
  CHECK(batches[2].values_before == 5);
  CHECK(seen.pages[0].definition_histogram ==
        std::vector<std::uint64_t>{static_cast<std::uint64_t>(many), 10});
}

TEST_CASE("the place of a PLAIN value is its own bytes") {
  constexpr std::uint64_t kCount = 10'000;  // three batches
  Bytes numbers;
  Bytes strings;
  std::vector<std::uint64_t> starts;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    append_le(numbers, mixed(i), 8);
    append_le(strings, i % 6, 4);
    starts.push_back(kBase + strings.size());
    strings.resize(strings.size() + i % 6, 'x');
  }
  std::uint64_t wrong = 0;
  Section(numbers, Encoding::PLAIN, Type::INT64, kCount).each([&](View place, std::uint64_t i) {
    wrong +=
        place.base != kBase + 8 * i || place.size() != 8 || load_le<std::uint64_t>(place.data()) != mixed(i);
  });
  CHECK(wrong == 0);
  Section(numbers, Encoding::PLAIN, Type::FIXED_LEN_BYTE_ARRAY, kCount / 2, 16)
      .each(
          [&](View place, std::uint64_t i) { wrong += place.base != kBase + 16 * i || place.size() != 16; });
  CHECK(wrong == 0);
  Section(strings, Encoding::PLAIN, Type::BYTE_ARRAY, kCount).each([&](View place, std::uint64_t i) {
    wrong += place.base != starts[i] || place.size() != i % 6;
  });
  CHECK(wrong == 0);
  Section(cut(numbers, kCount / 8), Encoding::PLAIN, Type::BOOLEAN, kCount)
      .each([&](View place, std::uint64_t i) { wrong += place.base != kBase + i / 8 || place.size() != 1; });
  CHECK(wrong == 0);
}

TEST_CASE("a value without bytes of its own is placed at the beginning of the section") {
  const std::vector<std::uint32_t> numbers{5, 9, 1, 4, 4, 100};
  Section(encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, numbers)),
          Encoding::DELTA_BINARY_PACKED, Type::INT32, 6)
      .check_nowhere();
  // With front compression, a value that shares nothing with the previous one has bytes of its own.
  std::vector<std::string> places;
  Section(encode(Encoding::DELTA_BYTE_ARRAY, PlainStrings({"apple", "apply", "bee"}).values),
          Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 3)
      .each([&](View place, std::uint64_t) { places.emplace_back(text_of(place)); });
  CHECK(places == std::vector<std::string>{"apple", "", "bee"});
  Section(sized(run(9, 1) + Bytes{3, 0x55}), Encoding::RLE, Type::BOOLEAN, 17).check_nowhere();
  Section coded(Bytes{3} + run(9, 1) + Bytes{3, 0x55, 0x55, 0x15}, Encoding::RLE_DICTIONARY, Type::INT32, 17);
  coded.spec.dictionary_size = 8;
  coded.check_nowhere();
}

}  // namespace
}  // namespace support
