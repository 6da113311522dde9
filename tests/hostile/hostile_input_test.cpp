#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/hostile/hostile_file.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

/// The program's answer to one path: exit code, report and stderr.
struct Answer {
  int code = -1;
  json file;
  std::string complaint;
};

Answer ask(const std::string& path, const std::string& input = {}) {
  const Outcome outcome = parqproof({"check", "--format", "json", path}, input);
  CHECK(validate_report(outcome.out) == "");
  const json files = json::parse(outcome.out, nullptr, false)["files"];
  return {outcome.code, files.empty() ? json::object() : files[0], outcome.err};
}

bool finds(const Answer& answer, const std::string& rule) {
  for (const json& finding : answer.file["findings"]) {
    if (finding["rule"] == rule) return true;
  }
  return false;
}

TEST_CASE("a file that is no Parquet file is malformed, however short or long") {
  const TemporaryFolder folder;
  const std::string text = "name,price\napple,1\n" + std::string(100, 'x');
  const std::string png = "\x89PNG\r\n\x1a\n" + std::string(100, '\0');
  for (const std::string& bytes :
       {std::string(), std::string("P"), std::string("PAR1"), std::string("PAR1PAR1"), text, png,
        std::string("PAR1") + std::string(4, '\xff') + "PAR1"}) {
    CAPTURE(bytes);
    const Answer answer = ask(folder.write("file", bytes));
    CHECK(answer.code == 1);
    CHECK(answer.file["verdict"] == "malformed");
    CHECK(answer.file["lost"][0]["what"] == "file");
    CHECK(answer.file["errors"] >= 1);
    CHECK(ask("-", bytes).file["findings"] == answer.file["findings"]);
  }
}

TEST_CASE("a crs in the geo metadata may be nested deep") {
  using parqproof::thrift::Wire;
  constexpr std::size_t kDepth = 1'000'000;
  std::string crs;
  for (std::size_t i = 0; i < kDepth; ++i) crs += "{\"a\":";
  crs += "1" + std::string(kDepth, '}');
  const std::string geo =
      R"({"version":"1.1.0","primary_column":"g","columns":{"g":{"encoding":"WKB","geometry_types":[],"crs":)" +
      crs + "}}}";
  Struct footer;
  footer.i32(1, 2).list(2, Wire::struct_, 2);
  footer.element().text(4, "root").i32(5, 1).end();
  footer.element().i32(1, 6).i32(3, 1).text(4, "g").begin(10).begin(17).end().end().end();
  footer.i64(3, 0).list(4, Wire::struct_, 0).list(5, Wire::struct_, 1);
  footer.element().text(1, "geo").text(2, geo).end();
  const TemporaryFolder folder;
  const Bytes file = file_of(footer.bytes());
  const Answer answer = ask(folder.write("deep", std::string(file.begin(), file.end())));
  CHECK(answer.file["verdict"] == "conforming");
}

TEST_CASE("300 MB of zeros are rejected without reading them") {
  const TemporaryFolder folder;
  const std::string path = folder.write("zeros", "");
  std::filesystem::resize_file(path, 300'000'000);  // sparse
  const Answer answer = ask(path);
  CHECK(answer.code == 1);
  CHECK(answer.file["verdict"] == "malformed");
  CHECK(answer.file["bytes"] <= 100);
}

TEST_CASE("an unreadable input exits with 2, with the reason") {
  const TemporaryFolder folder;
  const std::string fifo = folder.path() + "/fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);  // without a writer, waiting would never end
  for (const auto& [path, reason] :
       {std::pair(folder.path() + "/missing", "No such file"), {fifo, "'-'"}, {"/dev/null", ""}}) {
    INFO(path);
    const Answer answer = ask(path);
    CHECK(answer.code == 2);
    CHECK(answer.file["verdict"] == "unreadable");
    CHECK(answer.complaint.contains(reason));
  }
}

TEST_CASE("a directory without a Parquet file exits with 2, whatever its name") {
  const TemporaryFolder folder;
  const Answer answer = ask(folder.path());
  CHECK(answer.code == 2);
  CHECK(answer.file.empty());
  CHECK(answer.complaint.contains("*.parquet"));
  std::filesystem::create_directory(folder.path() + "/a.parquet");
  CHECK(ask(folder.path() + "/a.parquet").code == 2);
}

TEST_CASE("a file that may not be read exits with 2, with the reason") {
  if (::geteuid() == 0) SKIP("root may read every file");
  const TemporaryFolder folder;
  const std::string path = folder.write("secret", "PAR1");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const Answer answer = ask(path);
  CHECK(answer.code == 2);
  CHECK(answer.complaint.contains("Permission denied"));
}

TEST_CASE("an empty standard input is a file without bytes") {
  const Answer answer = ask("-");
  CHECK(answer.code == 1);
  CHECK(finds(answer, "file/min-size"));
}

TEST_CASE("a failing file does not keep the others from being judged") {
  const TemporaryFolder folder;
  const std::string good = source_file("corpus/witnesses/crc/match/pass-a.parquet");
  folder.write("a.parquet", "");
  folder.write("b.parquet", good);
  folder.write("c/d.parquet", good.substr(0, good.size() / 2));
  const Outcome outcome = parqproof({"check", "--format", "json", folder.path(), folder.path() + "/missing"});
  CHECK(outcome.code == 2);
  CHECK(validate_report(outcome.out) == "");
  const json files = json::parse(outcome.out)["files"];
  REQUIRE(files.size() == 4);
  CHECK(files[0]["verdict"] == "malformed");
  CHECK(files[1]["verdict"] == "conforming");
  CHECK(files[2]["verdict"] == "malformed");
  CHECK(files[3]["verdict"] == "unreadable");
}

}  // namespace
}  // namespace support
