#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "tests/support/process.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

const support::Witness& witness_at(const std::string& path) {
  const auto& all = support::witnesses();
  const auto found = std::ranges::find(all, "corpus/witnesses/" + path + ".parquet", &support::Witness::path);
  REQUIRE(found != all.end());
  return *found;
}

json layout_of(const Source& source) {
  std::string text;
  {
    Out out(text);
    const ByteListing listing;
    write_layout_json(source, read_layout(source), "f", &listing, out);
  }
  return json::parse(text);
}

std::vector<std::string> names_of(const json& runs) {
  std::vector<std::string> names;
  for (const json& run : runs) names.push_back(run["name"]);
  return names;
}

/// "kind, bytes" of each segment.
std::vector<std::string> map_of(const json& layout) {
  std::vector<std::string> lines;
  for (const json& segment : layout["segments"])
    lines.push_back(fmt::format("{} {}{}", segment["kind"].get<std::string>(), segment["length"].get<int>(),
                                segment.contains("encrypted") ? " encrypted" : ""));
  return lines;
}

TEST_CASE("runs cover encrypted files exactly once, and what is decrypted exactly once", "[encryption]") {
  std::size_t decrypted = 0;
  for (const support::Witness& witness : support::witnesses()) {
    if (!witness.folder.starts_with("encryption/") || witness.bytes.size() > (1U << 20)) continue;
    CAPTURE(witness.path);
    const std::unique_ptr<Source> source = support::source_of(witness);
    const Layout layout = read_layout(*source);
    Annotator annotator(*source, layout);
    std::uint64_t at = 0;
    for (const Segment& segment : layout.segments) {
      REQUIRE(segment.offset == at);
      annotator.annotate(segment, [&](const Run& run) {
        REQUIRE(run.offset == at);
        at += run.length;
        return true;
      });
      REQUIRE(at == segment.end());
      std::string why;
      const View module = annotator.open_module(segment, why);
      if (module.empty()) continue;
      ++decrypted;
      std::uint64_t inside = module.base;
      annotator.annotate_module(segment, [&](const Run& run) {
        REQUIRE(run.offset == inside);
        inside += run.length;
        return true;
      });
      REQUIRE(inside == module.end());
    }
    REQUIRE(at == witness.bytes.size());
  }
  CHECK(decrypted > 100);
}

TEST_CASE("with its keys, each module of a file is named, and so are its fields", "[encryption]") {
  const json layout = layout_of(*support::source_of(witness_at("encryption/tag/pass-a")));
  CHECK(map_of(layout) ==
        std::vector<std::string>{
            "magic 4", "page-header 45 encrypted", "page-body 40 encrypted", "page-header 49 encrypted",
            "page-body 21 encrypted", "page-header 49 encrypted", "page-body 21 encrypted",
            "page-header 49 encrypted", "page-body 21 encrypted", "page-header 17", "page-body 36",
            "column-index 79 encrypted", "offset-index 62 encrypted", "bloom-filter-header 47 encrypted",
            "bloom-filter-bitset 64 encrypted", "footer 252", "footer-length 4", "magic 4"});
  const json& segments = layout["segments"];
  const std::vector<std::string> gcm = {"module length", "nonce", "ciphertext", "tag"};
  const std::vector<std::string> ctr = {"module length", "nonce", "ciphertext"};
  for (const json& segment : segments) {
    if (!segment.contains("encrypted")) continue;
    CAPTURE(segment["kind"]);
    CHECK(names_of(segment["runs"]) == (segment["kind"] == "page-body" ? ctr : gcm));
    REQUIRE(segment["decrypted"].contains("runs"));
    CHECK(segment["decrypted"]["space"] == "module");
    CHECK(segment["decrypted"]["offset"] == segment["runs"][2]["offset"]);
    CHECK(segment["decrypted"]["length"] == segment["runs"][2]["length"]);
  }
  CHECK(segments[1]["decrypted"]["runs"][0]["value"] == "2 (DICTIONARY_PAGE)");
  CHECK(segments[3]["decrypted"]["runs"][0]["value"] == "0 (DATA_PAGE)");
  CHECK(names_of(segments[14]["decrypted"]["runs"]) == std::vector<std::string>{"block 0"});
  // In the footer, the metadata of the column is a module inside another one.
  const std::vector<std::string> footer = names_of(segments[15]["decrypted"]["runs"]);
  const auto field = std::ranges::find(footer, "encrypted_column_metadata");
  REQUIRE(footer.end() - field > 5);
  CHECK(std::vector<std::string>(field + 1, field + 4) ==
        std::vector<std::string>{"module length", "nonce", "type"});
  CHECK(std::find(field, footer.end(), "tag") != footer.end());
}

TEST_CASE("without keys, modules are drawn by their lengths where the offsets are open", "[encryption]") {
  // A plaintext footer states where the pages of an encrypted column begin.
  for (const support::Witness& witness : support::witnesses()) {
    if (witness.folder != "encryption/signature" || witness.fails) continue;
    CAPTURE(witness.path);
    const json locked = layout_of(MemorySource(witness.bytes));
    const json open = layout_of(*support::source_of(witness));
    const auto sealed = [](const json& layout) {
      std::vector<std::string> lines = map_of(layout);
      std::erase_if(lines, [](const std::string& line) { return !line.ends_with("encrypted"); });
      return lines;
    };
    CHECK_FALSE(sealed(open).empty());
    CHECK(sealed(locked) == sealed(open));
    for (const json& segment : locked["segments"]) {
      CHECK_FALSE(segment.contains("decrypted"));
      if (segment.contains("encrypted")) CHECK(segment["runs"][0]["name"] == "module length");
    }
    CHECK(read_layout(MemorySource(witness.bytes)).encrypted);
    CHECK_FALSE(read_layout(*support::source_of(witness)).encrypted);
  }
}

TEST_CASE("levels before the module of a page of version 2 are a run of their own",
          "[encryption/v2-levels]") {
  const json layout = layout_of(*support::source_of(witness_at("encryption/v2-levels/fail-a")));
  CHECK(names_of(layout["segments"][2]["runs"]) ==
        std::vector<std::string>{"levels, not encrypted", "module length", "nonce", "ciphertext", "tag"});
  CHECK(layout["segments"][2]["runs"][0]["length"] == 2);
}

TEST_CASE("any changed byte of an encrypted file still gives a complete map", "[encryption]") {
  const support::Witness& witness = witness_at("encryption/tag/pass-a");
  for (std::size_t at = 0; at < witness.bytes.size(); at += 3) {
    support::Witness changed = witness;
    changed.bytes[at] ^= 0x81;
    CAPTURE(at);
    const json layout = layout_of(*support::source_of(changed));
    std::uint64_t end = 0;
    for (const json& segment : layout["segments"]) {
      REQUIRE(segment["offset"] == end);
      end += segment["length"].get<std::uint64_t>();
    }
    REQUIRE(end == changed.bytes.size());
  }
}

TEST_CASE("an argument of --keys that names no file is not printed", "[encryption]") {
  const std::string key = "5333637233744b65795f303132333435";
  const std::string file = PARQPROOF_SOURCE_DIR "/" + witness_at("encryption/tag/pass-a").path;
  for (const std::string& given : {key, "text:" + key, R"({"footer_key":")" + key + "\"}"}) {
    const support::Outcome refused = support::parqproof({"check", "--keys", given, file});
    CHECK(refused.code == 2);
    CHECK_FALSE(refused.err.contains(key));
    CHECK_FALSE(support::parqproof({"rewrite", "--encryption", given, file, "out"}).err.contains(key));
  }
}

TEST_CASE("layout and schema take the keys of --keys", "[encryption]") {
  const support::Witness& witness = witness_at("encryption/tag/pass-a");
  const std::string file = PARQPROOF_SOURCE_DIR "/" + witness.path;
  const support::TemporaryFolder folder;
  const std::string keys = folder.path() + "/keys.json";
  std::ofstream(keys) << witness.sidecar.at("keys");
  ::chmod(keys.c_str(), S_IRUSR | S_IWUSR);
  for (const char* command : {"layout", "schema"}) {
    CAPTURE(command);
    CHECK(support::parqproof({command, file}).code == 2);
    const support::Outcome opened = support::parqproof({command, "--keys", keys, file});
    CHECK(opened.code == 0);
    CHECK(opened.err.empty());
  }
  CHECK(support::parqproof({"schema", "--keys", keys, file}).out.contains("int32 a"));
  const std::string broken = PARQPROOF_SOURCE_DIR "/" + witness_at("encryption/tag/fail-f").path;
  const support::Outcome changed = support::parqproof({"layout", "--keys", keys, broken});
  CHECK(changed.code == 1);
  CHECK(changed.out.contains("column metadata: its module does not authenticate"));
  const std::string text = support::parqproof({"layout", "--hex", "--keys", keys, file}).out;
  CHECK(text.contains("column-index of row group 0, column a (leaf 0), encrypted\n"));
  CHECK(text.contains("column-index of row group 0, column a (leaf 0), decrypted\n"));
  CHECK(text.contains("null_pages"));
}

}  // namespace
}  // namespace parqproof
