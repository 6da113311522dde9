#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "conformance/check/check.hpp"
#include "conformance/report/check_report.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

TEST_CASE("the report of every witness fits the schema, with all options") {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(PARQPROOF_SOURCE_DIR "/corpus/witnesses")) {
    if (entry.path().extension() != ".parquet" || entry.file_size() > 1 << 16) continue;
    const std::string path = std::filesystem::relative(entry.path(), PARQPROOF_SOURCE_DIR);
    CAPTURE(path);
    const std::string bytes = support::source_file(path);
    const MemorySource source({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    for (const Tier tier : {Tier::footer, Tier::values}) {
      CheckOptions options;
      options.tier = tier;
      options.advice = true;
      options.listed = 0;
      options.limits.page_bytes = 4096;
      std::string text;
      {
        Out out(text);
        JsonReport report(out);
        RunSummary summary;
        const FileReport file = check(source, path, options);
        summary.add(file);
        report.add(file, nullptr);
        report.end(summary);
      }
      CHECK(support::validate_report(text) == "");
    }
    ++files;
  }
  CHECK(files != 0);
}

}  // namespace
}  // namespace parqproof
