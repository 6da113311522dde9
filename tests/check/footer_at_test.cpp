// check --footer-at: checks a file by an earlier footer, from the command line.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kWhole = "corpus/witnesses/legal/several-pages/pass-a.parquet";

json judged_at(const std::string& offset, const std::string& file, int code, const std::string& input = {}) {
  const Outcome outcome = parqproof({"check", "--format", "json", "--footer-at", offset, file}, input);
  CHECK(outcome.code == code);
  CHECK(validate_report(outcome.out) == "");
  return json::parse(outcome.out)["files"][0];
}

TEST_CASE("--footer-at ignores all bytes after the given footer") {
  const TemporaryFolder folder;
  const std::string bytes = source_file(kWhole);
  for (const std::string& more : {std::string("x"), std::string(5000, '\0'), bytes, std::string("PAR1")}) {
    const std::string file = folder.write("more.parquet", bytes + more);
    const json report = judged_at(std::to_string(bytes.size()), file, 0);
    CHECK(report["verdict"] == "conforming");
    CHECK(report["findings"].empty());
    CHECK(report["lost"].empty());
    CHECK(report["rows"] == 18);
    CHECK(report["footer_at"] == bytes.size());
    CHECK(report["size"] == bytes.size() + more.size());
    CHECK(report["bytes"] == bytes.size());
    json piped = judged_at(std::to_string(bytes.size()), "-", 0, bytes + more);
    piped["path"] = file;
    CHECK(piped == report);
  }
  const json same = judged_at(std::to_string(bytes.size()), PARQPROOF_SOURCE_DIR "/" + kWhole, 0);
  CHECK(same["verdict"] == "conforming");
}

TEST_CASE(
    "--footer-at without a footer there is judged as a file that ends there, with the remaining pages") {
  const std::string bytes = source_file(kWhole);
  const std::string file = PARQPROOF_SOURCE_DIR "/" + kWhole;
  for (const std::size_t offset : {bytes.size() - 1, bytes.size() / 2, std::size_t{26}}) {
    const json report = judged_at(std::to_string(offset), file, 1);
    CHECK(report["verdict"] == "malformed");
    CHECK(report["findings"][0]["rule"] == "file/tail-magic");
    CHECK(report["findings"][0]["offset"] == offset - 4);
    CHECK(report["lost"] == json::parse(R"([{"what":"file"}])"));
    CHECK(report["still_there"]["footers"][0]["footer_at"] == bytes.size());
    CHECK(report["still_there"]["values"] == 72);
  }
}

TEST_CASE("--footer-at exits with 2 at an offset where no footer can begin") {
  const std::string bytes = source_file(kWhole);
  const std::string file = PARQPROOF_SOURCE_DIR "/" + kWhole;
  for (const std::string& offset : {std::string("0"), std::string("4"), std::string("25"),
                                    std::to_string(bytes.size() + 1), std::string("18446744073709551615")}) {
    INFO(offset);
    const json report = judged_at(offset, file, 2);
    CHECK(report["verdict"] == "unsupported");
    CHECK(report["findings"].empty());
    CHECK(report["not_run"][0]["what"] == "file");
    judged_at(offset, "-", 2, bytes);
  }
  for (const char* offset : {"-1", "x", "", "18446744073709551616"})
    CHECK(parqproof({"check", "--footer-at", offset, file}).code == 2);
}

TEST_CASE("the offset that the text report suggests for --footer-at is accepted") {
  const TemporaryFolder folder;
  const std::string bytes = source_file("corpus/witnesses/recovery/earlier-footer/fail-a.parquet");
  const std::string file = folder.write("cut.parquet", bytes.substr(0, bytes.size() - 20));
  const Outcome text = parqproof({"check", file});
  CHECK(text.code == 1);
  const std::string word = "--footer-at ";
  const std::size_t at = text.out.find(word);
  REQUIRE(at != std::string::npos);
  const std::string offset = std::to_string(std::stoull(text.out.substr(at + word.size())));
  CHECK(judged_at(offset, file, 0)["rows"] == 6);
}

TEST_CASE("a file truncated at the footer end that the text report gives is valid again") {
  const TemporaryFolder folder;
  const std::string bytes = source_file(kWhole);
  const std::string file = folder.write("cut.parquet", bytes.substr(0, bytes.size() - 8));
  const json report = json::parse(parqproof({"check", "--format", "json", file}).out)["files"][0];
  const json& footer = report["still_there"]["footers"][0];
  std::string mended =
      bytes.substr(0, footer["offset"].get<std::size_t>() + footer["length"].get<std::size_t>());
  const std::string text = parqproof({"check", file}).out;
  const std::string word = "followed by the bytes ";
  std::string flat;  // lines are broken anywhere
  for (const char letter : text) {
    if (letter != '\n' && !(letter == ' ' && flat.ends_with(' '))) flat += letter;
    if (letter == '\n' && !flat.ends_with(' ')) flat += ' ';
  }
  const std::size_t at = flat.find(word);
  REQUIRE(at != std::string::npos);
  for (std::size_t i = 0; i < 8; ++i)
    mended += static_cast<char>(std::stoi(flat.substr(at + word.size() + 3 * i, 2), nullptr, 16));
  CHECK(mended == bytes);
}

}  // namespace
}  // namespace support
