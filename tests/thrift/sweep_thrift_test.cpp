// All prefixes and all single-byte changes of real footers: for any bytes the reader ends, gives the same
// result twice, and agrees with the walk. PARQPROOF_SWEEP=few takes every 511th case.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/thrift/walk.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/structs.hpp"
#include "tests/sweep/sweep.hpp"

namespace parqproof::test {
namespace {

using support::kBase;
using Bytes = std::vector<std::uint8_t>;

Bytes footer_of(const std::string& name) {
  std::ifstream file(std::string(PARQPROOF_SOURCE_DIR) + "/corpus/writers/" + name, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(bytes.size() > 12);
  const auto length = load_le<std::uint32_t>(bytes.data() + bytes.size() - 8);
  REQUIRE(length < bytes.size() - 12);
  return {bytes.end() - 8 - length, bytes.end() - 8};
}

const char* const kFooters[] = {"pyarrow/field-ids.parquet", "pyarrow/one-row.parquet"};

class Counter final : public thrift::Visitor {
 public:
  [[nodiscard]] bool event(const thrift::Event& event) override {
    ++events;
    last = event.at;
    return true;
  }
  std::uint64_t events = 0;
  std::uint64_t last = 0;
};

bool same(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.offset == b.offset && a.length == b.length && a.field == b.field &&
         a.found == b.found && a.expected == b.expected && a.times == b.times;
}

struct Survival {
  bool good = false;    ///< every way of reading agrees with the others
  bool intact = false;  ///< the framing is
};

/// Reads the bytes by all readers.
Survival survive(const Bytes& bytes, Findings& findings) {
  const View view{bytes, kBase};
  FileMetaData meta;
  thrift::Reader reader(view, {&findings, {}, {}}, kLimits);
  const bool intact = reader.read(meta);

  Findings again(RuleSet{}.set());
  thrift::Reader second(view, {&again, {}, {}}, kLimits);
  bool good = second.read(meta) == intact && again.all().size() == findings.all().size();
  for (std::size_t i = 0; good && i < again.all().size(); ++i) good = same(again.all()[i], findings.all()[i]);

  // Every finding lies in the bytes, and there is a finding if the framing is not intact.
  bool error = false;
  for (const Finding& finding : findings.all()) {
    good = good && finding.offset >= kBase && finding.offset + finding.length <= view.end();
    error =
        error || info(finding.rule).severity == Severity::error || finding.rule == Rule::thrift_nesting_depth;
    const thrift::Extent extent = thrift::locate(view, FileMetaData::kType, finding.field);
    good = good && extent.header >= kBase && extent.header <= extent.value && extent.value <= extent.end &&
           extent.end <= view.end();
  }
  good = good && (intact || error);

  Counter counter;
  std::uint64_t end = 0;
  const bool walked = thrift::walk(view, &FileMetaData::kType, counter, end) == thrift::WalkEnd::complete;
  good = good && walked == intact && (!intact || end == meta.fields.end) && end <= view.end();

  if (intact) {  // what was read can be emitted and read again
    Bytes emitted;
    thrift::emit(meta, emitted);
    thrift::Reader third({emitted}, {}, kLimits);
    FileMetaData copy;
    good = good && third.read(copy) && copy.fields.present == meta.fields.present &&
           (!meta.has(FileMetaData::id_num_rows) || copy.num_rows == meta.num_rows);
  }
  return {good, intact};
}

TEST_CASE("no proper prefix of a footer is a footer, and each has a finding", "[unit]") {
  for (const char* name : kFooters) {
    INFO(name);
    const Bytes footer = footer_of(name);
    {
      Findings findings(RuleSet{}.set());
      const Survival survival = survive(footer, findings);
      REQUIRE(survival.good);
      REQUIRE(survival.intact);
      for (const Finding& finding : findings.all())
        FAIL_CHECK(info(finding.rule).id << " at " << finding.offset);
    }
    for (std::size_t length = 0; length < footer.size(); ++length) {
      INFO("the first " << length << " bytes");
      Findings findings(RuleSet{}.set());
      const Survival survival =
          survive({footer.begin(), footer.begin() + static_cast<std::ptrdiff_t>(length)}, findings);
      REQUIRE(survival.good);
      REQUIRE_FALSE(survival.intact);
      // The cut is found as such: a value or struct that ends too early, or a claim that the bytes left
      // cannot meet.
      const Rule rule = findings.all().back().rule;
      REQUIRE((rule == Rule::thrift_stop_byte || rule == Rule::thrift_binary_length ||
               rule == Rule::thrift_list_size));
    }
  }
}

TEST_CASE("the reader survives every value of every byte of a footer", "[unit]") {
  const std::size_t every = support::few_cases() ? 511 : 1;  // prime to the number of values of a byte
  std::size_t cases = 0;
  std::size_t intact = 0;
  for (const char* name : kFooters) {
    const Bytes footer = footer_of(name);
    Bytes bytes = footer;
    for (std::size_t i = 0; i < footer.size(); ++i) {
      for (unsigned value = 0; value < 256; ++value) {
        if (++cases % every != 0) continue;
        bytes[i] = static_cast<std::uint8_t>(value);
        Findings findings(RuleSet{}.set());
        const Survival survival = survive(bytes, findings);
        // Only failures become assertions: one for each case would take longer than the cases.
        if (!survival.good) FAIL_CHECK(name << ": byte " << i << " is " << value);
        intact += survival.intact ? 1 : 0;
      }
      bytes[i] = footer[i];
    }
  }
  CHECK(intact > 0);
  CHECK(intact < cases / every);
}

}  // namespace
}  // namespace parqproof::test
