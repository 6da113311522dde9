#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kWitnesses = PARQPROOF_SOURCE_DIR "/corpus/witnesses/";
const std::string kConforming = kWitnesses + "page/v2-num-nulls/pass-a.parquet";
const std::string kNonconforming = kWitnesses + "page/v2-num-nulls/fail-a.parquet";
const std::string kMalformed = kWitnesses + "thrift/list-size/fail-a.parquet";
const std::string kWarning = kWitnesses + "footer/version/fail-a.parquet";
const std::string kUnsupported = kWitnesses + "file/encrypted-footer/fail-a.parquet";

json report_document(const std::vector<std::string>& arguments, int code, const std::string& input = {}) {
  std::vector<std::string> all{"check", "--format", "json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = parqproof(all, input);
  CHECK(outcome.code == code);
  CHECK(validate_report(outcome.out) == "");
  return json::parse(outcome.out);
}

json report(const std::vector<std::string>& arguments, int code, const std::string& input = {}) {
  return report_document(arguments, code, input)["files"];
}

std::vector<std::string> paths_of(const json& files) {
  std::vector<std::string> paths;
  for (const json& file : files) paths.push_back(file["path"]);
  return paths;
}

TEST_CASE("the exit code of a file follows its verdict") {
  for (const auto& [file, verdict, code] : {std::tuple(kConforming, "conforming", 0),
                                            {kNonconforming, "nonconforming", 1},
                                            {kMalformed, "malformed", 1},
                                            {kWarning, "conforming", 0},
                                            {kUnsupported, "unsupported", 2},
                                            {std::string("/no/such/file"), "unreadable", 2}}) {
    CAPTURE(file);
    CHECK(report({file}, code)[0]["verdict"] == verdict);
    CHECK(parqproof({"check", file}).code == code);
  }
}

TEST_CASE("the exit code of several files is the highest one, and all files are reported") {
  CHECK(paths_of(report({kNonconforming, kConforming}, 1)) == std::vector{kNonconforming, kConforming});
  const json files = report({"/no/such/file", kNonconforming, kConforming}, 2);
  REQUIRE(files.size() == 3);
  CHECK(files[1]["findings"].size() == 1);
}

TEST_CASE("--fail-on warning counts warnings, but not limits and unsupported features") {
  CHECK(report({"--fail-on", "warning", kWarning}, 1)[0]["verdict"] == "conforming");
  CHECK(report({"--fail-on", "error", kWarning}, 0)[0]["warnings"] == 1);
  report({"--fail-on", "warning", kUnsupported}, 2);
}

TEST_CASE("validate and verify are aliases of check") {
  CHECK(parqproof({"validate", kNonconforming}).out == parqproof({"check", kNonconforming}).out);
  CHECK(parqproof({"verify", kNonconforming}).code == 1);
}

TEST_CASE("the report contains the tier and the profile") {
  CHECK(report({"--tier", "footer", kNonconforming}, 0)[0]["tier"] == "footer");
  CHECK(report({"--tier=pages", kNonconforming}, 0)[0]["tier"] == "pages");
  CHECK(report({"--profile", "historical", kConforming}, 0)[0]["profile"] == "historical");
  CHECK(report({"--profile", "interop", kConforming}, 0)[0]["profile"] == "interop");
}

TEST_CASE("rules can be selected, and the report states the selection once") {
  for (const char* pattern : {"page/v2-num-nulls", "page/*"}) {
    const json all = report_document({"--ignore", pattern, kNonconforming, kConforming}, 0);
    CHECK(all["files"][0]["findings"].empty());
    CHECK(all["changes"] ==
          json::parse(std::string(R"([{"by":"--ignore","rule":")") + pattern + R"(","severity":"off"}])"));
  }
  CHECK(report({"--only", "file/*", kNonconforming}, 0)[0]["findings"].empty());
  const json only = report_document({"--only", "page/v2-num-nulls", "--only", "rle/*", kNonconforming}, 1);
  CHECK(only["files"][0]["findings"].size() == 1);
  CHECK(only["changes"] ==
        json::parse(R"([{"by":"--only","rule":"page/v2-num-nulls"},{"by":"--only","rule":"rle/*"}])"));
  const json file = report({"--severity", "page/v2-num-nulls=warning", kNonconforming}, 0)[0];
  CHECK(file["findings"][0]["severity"] == "warning");
  const std::string text = parqproof({"check", "--only", "page/*", kNonconforming, kConforming}).out;
  const std::size_t at = text.find("changed     only page/* (--only)");
  CHECK(at != text.npos);
  CHECK(text.find("changed ", at + 1) == text.npos);
}

TEST_CASE("--ignore and --severity count in the order given") {
  CHECK(report_document({"--ignore", "page/*", "--severity", "page/v2-num-nulls=error", kNonconforming},
                        1)["changes"]
            .size() == 2);
  report({"--severity", "page/v2-num-nulls=error", "--ignore", "page/*", kNonconforming}, 0);
}

TEST_CASE("--limit shortens the list of findings and does not change the verdict") {
  const json file = report({"--limit", "1", "--advice", kNonconforming}, 1)[0];
  CHECK(file["findings"].size() == 1);
  const json unlimited = report({"--limit", "0", "--advice", kNonconforming}, 1)[0];
  CHECK(file["verdict"] == unlimited["verdict"]);
  CHECK(file["errors"] == unlimited["errors"]);
  CHECK(file["truncated"] == (unlimited["findings"].size() > 1));
}

TEST_CASE("--max-page raises or lowers the limit") {
  const json file = report({"--max-page", "4", kConforming}, 2)[0];
  CHECK(file["verdict"] == "limit");
  CHECK(file["findings"][0]["class"] == "limit");
  CHECK(report({"--max-page", "1KiB", "--max-memory", "1GiB", kConforming}, 0)[0]["verdict"] == "conforming");
}

TEST_CASE("totals that include a page above --max-page are reported as not run") {
  // total_uncompressed_size of the chunk is wrong.
  const std::string file = kWitnesses + "column-chunk/total-uncompressed-size/fail-a.parquet";
  const json not_run = report({"--max-page", "4", file}, 2)[0]["not_run"];
  REQUIRE(not_run.size() == 2);
  CHECK(not_run[0]["what"] == "page body");
  CHECK(not_run[1]["what"] == "totals of the column chunk");
  CHECK(not_run[1]["why"] == "page 0 is left out");
}

TEST_CASE("the option that a limit finding suggests raises the limit") {
  for (const auto& [file, option, enough] :
       {std::tuple("limit/schema-depth/fail-a.parquet", "--max-depth", "1001"),
        {"limit/work/fail-a.parquet", "--max-work", "1000"}}) {
    CAPTURE(file);
    const json limited = report({kWitnesses + file}, 2)[0];
    CHECK(limited["verdict"] == "limit");
    const std::string message = limited["findings"][0]["message"];
    CHECK(message.contains(std::string("(") + option + " raises it)"));
    CHECK(report({option, enough, kWitnesses + file}, 0)[0]["verdict"] == "conforming");
  }
}

TEST_CASE("threads and kernels give the same report") {
  const std::string file = PARQPROOF_SOURCE_DIR "/corpus/writers/pyarrow/several-row-groups.parquet";
  const Outcome usual = parqproof({"check", "--format", "json", "--advice", file});
  CHECK(parqproof({"check", "--format", "json", "--advice", "-j", "4", file}).out == usual.out);
  CHECK(parqproof({"check", "--format", "json", "--advice", "--kernels", "reference", file}).out ==
        usual.out);
  CHECK(parqproof({"check", "--format", "json", "--advice", "--kernels", "fast", file}).out == usual.out);
}

TEST_CASE("--quiet does not change the exit code") {
  for (const std::string& file : {kConforming, kNonconforming}) {
    const Outcome outcome = parqproof({"check", "--quiet", file});
    CHECK(outcome.out.empty());
    CHECK(outcome.err.empty());
    CHECK(outcome.code == parqproof({"check", file}).code);
  }
}

TEST_CASE("- is standard input") {
  const std::string bytes = source_file("corpus/witnesses/page/v2-num-nulls/fail-a.parquet");
  const json files = report({"-"}, 1, bytes);
  CHECK(files[0]["path"] == "-");
  json named = report({kNonconforming}, 1)[0];
  named["path"] = "-";
  CHECK(files[0] == named);
  CHECK(report({"-"}, 1, "")[0]["verdict"] == "malformed");
  CHECK(parqproof({"check", "-", "-"}, bytes).code == 2);
}

TEST_CASE("long standard input uses a temporary file that is removed at the end") {
  const std::string bytes = source_file("corpus/witnesses/page/v2-num-nulls/pass-a.parquet");
  const TemporaryFolder folder;
  const std::string padding(std::size_t{65} << 20, '\0');
  const std::string text = "PAR1" + padding + bytes.substr(4);
  const Outcome outcome =
      parqproof({"check", "--tier", "footer", "--format", "json", "-"}, text, {{"TMPDIR", folder.path()}});
  CHECK(json::parse(outcome.out)["files"][0]["size"] == text.size());
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(parqproof({"check", "-"}, text, {{"TMPDIR", "/no/such/folder"}}).code == 2);
}

TEST_CASE("a directory is searched for *.parquet in byte order of paths") {
  const TemporaryFolder folder;
  const std::string bytes = source_file("corpus/witnesses/page/v2-num-nulls/pass-a.parquet");
  for (const char* name :
       {"b.parquet", "a/z.parquet", "a-b.parquet", "B.parquet", "\xC3\xA4.parquet", "a/deep/er/x.parquet"}) {
    folder.write(name, bytes);
  }
  for (const char* name : {".hidden.parquet", ".dot/a.parquet", "a/notes.txt", "c.parquet.crc"})
    folder.write(name, "no");
  const std::string elsewhere = folder.path() + "-linked";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::copy_file(folder.path() + "/b.parquet", elsewhere + "/l.parquet");
  std::filesystem::create_directory_symlink(elsewhere, folder.path() + "/link");
  std::filesystem::create_symlink(elsewhere + "/l.parquet", folder.path() + "/file-link.parquet");
  const auto at = [&folder](const char* name) { return folder.path() + "/" + name; };
  CHECK(paths_of(report({folder.path()}, 0)) ==
        std::vector{at("B.parquet"), at("a-b.parquet"), at("a/deep/er/x.parquet"), at("a/z.parquet"),
                    at("b.parquet"), at("file-link.parquet"), at("\xC3\xA4.parquet")});
  CHECK(paths_of(report({elsewhere, at("b.parquet")}, 0)) ==
        std::vector{elsewhere + "/l.parquet", at("b.parquet")});
  std::filesystem::remove_all(elsewhere);
}

TEST_CASE("a directory without such files exits with 2") {
  const TemporaryFolder folder;
  folder.write("a.txt", "");
  const Outcome outcome = parqproof({"check", folder.path()});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.contains(folder.path()));
  CHECK(parqproof({"check", folder.path(), kNonconforming}).code == 2);
}

TEST_CASE("a FIFO is refused at once, with the hint to use -") {
  const TemporaryFolder folder;
  const std::string fifo = folder.path() + "/fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const Outcome outcome = parqproof({"check", fifo});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.contains("'-'"));
}

TEST_CASE("a wrong command line exits with 2, with the reason on stderr and nothing on stdout") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"check"},
                                             {"nonsense"},
                                             {"check", "--nonsense", kConforming},
                                             {"check", "--tier", "deep", kConforming},
                                             {"check", "--profile", "lax", kConforming},
                                             {"check", "--format", "xml", kConforming},
                                             {"check", "--format", "md", kConforming},
                                             {"check", "--fail-on", "info", kConforming},
                                             {"check", "--limit", "-1", kConforming},
                                             {"check", "--limit", "many", kConforming},
                                             {"check", "--max-page", "64X", kConforming},
                                             {"check", "--max-page", "-1", kConforming},
                                             {"check", "--max-memory", "99999999999999T", kConforming},
                                             {"check", "--max-work", "0", kConforming},
                                             {"check", "--max-work", "1001", kConforming},
                                             {"check", "--max-depth", "0", kConforming},
                                             {"check", "--max-depth", "4001", kConforming},
                                             {"check", "-j", "0", kConforming},
                                             {"check", "--footer-at", "x", kConforming},
                                             {"check", "--ignore", "no/such-rule", kConforming},
                                             {"check", "--ignore", "page/v2*", kConforming},
                                             {"check", "--only", "*", kConforming},
                                             {"check", "--severity", "page/v2-num-nulls", kConforming},
                                             {"check", "--severity", "page/v2-num-nulls=fatal", kConforming},
                                             {"check", "--severity", "no/such-rule=off", kConforming},
                                             {"check", "--kernels", "slow", kConforming}}) {
    CAPTURE(arguments);
    check_rejected(parqproof(arguments));
  }
}

TEST_CASE("escape sequences are written to terminals only, and never those from a name in the file") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a\x1b[31m.parquet", source_file("corpus/witnesses/page/v2-num-nulls/fail-a.parquet"));
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"check", file},
                                             {"check", "--format", "json", file},
                                             {"check", "b\x1b"},
                                             {"meta", file},
                                             {"layout", file},
                                             {"layout", "--format", "json", file}}) {
    const Outcome outcome = parqproof(arguments);
    CHECK_FALSE(outcome.out.contains('\x1b'));
    CHECK_FALSE(outcome.err.contains('\x1b'));
  }
}

const std::string kWhole = "corpus/witnesses/legal/several-pages/pass-a.parquet";

TEST_CASE("--footer-at ignores all bytes after the given footer") {
  const TemporaryFolder folder;
  const std::string bytes = source_file(kWhole);
  for (const std::string& more : {std::string("x"), std::string(5000, '\0'), bytes, std::string("PAR1")}) {
    const std::string file = folder.write("more.parquet", bytes + more);
    report({file}, more == bytes ? 0 : 1);
    const std::string footer_at = std::to_string(bytes.size());
    const json judged = report({"--footer-at", footer_at, file}, 0)[0];
    CHECK(judged["verdict"] == "conforming");
    CHECK(judged["findings"].empty());
    CHECK(judged["lost"].empty());
    CHECK(judged["rows"] == 18);
    CHECK(judged["footer_at"] == bytes.size());
    CHECK(judged["size"] == bytes.size() + more.size());
    CHECK(judged["bytes"] == bytes.size());
    json piped = report({"--footer-at", footer_at, "-"}, 0, bytes + more)[0];
    piped["path"] = file;
    CHECK(piped == judged);
  }
  const json same =
      report({"--footer-at", std::to_string(bytes.size()), PARQPROOF_SOURCE_DIR "/" + kWhole}, 0)[0];
  CHECK(same["verdict"] == "conforming");
}

TEST_CASE(
    "--footer-at without a footer there is judged as a file that ends there, with the remaining pages") {
  const std::string bytes = source_file(kWhole);
  const std::string file = PARQPROOF_SOURCE_DIR "/" + kWhole;
  for (const std::size_t offset : {bytes.size() - 1, bytes.size() / 2, std::size_t{26}}) {
    const json judged = report({"--footer-at", std::to_string(offset), file}, 1)[0];
    CHECK(judged["verdict"] == "malformed");
    CHECK(judged["findings"][0]["rule"] == "file/tail-magic");
    CHECK(judged["findings"][0]["offset"] == offset - 4);
    CHECK(judged["lost"] == json::parse(R"([{"what":"file"}])"));
    CHECK(judged["still_there"]["footers"][0]["footer_at"] == bytes.size());
    CHECK(judged["still_there"]["values"] == 72);
  }
}

TEST_CASE("--footer-at exits with 2 at an offset where no footer can begin") {
  const std::string bytes = source_file(kWhole);
  const std::string file = PARQPROOF_SOURCE_DIR "/" + kWhole;
  for (const std::string& offset : {std::string("0"), std::string("4"), std::string("25"),
                                    std::to_string(bytes.size() + 1), std::string("18446744073709551615")}) {
    INFO(offset);
    const json judged = report({"--footer-at", offset, file}, 2)[0];
    CHECK(judged["verdict"] == "unsupported");
    CHECK(judged["findings"].empty());
    CHECK(judged["not_run"][0]["what"] == "file");
    report({"--footer-at", offset, "-"}, 2, bytes);
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
  CHECK(report({"--footer-at", offset, file}, 0)[0]["rows"] == 6);
}

TEST_CASE("a file truncated at the footer end that the text report gives is valid again") {
  const TemporaryFolder folder;
  const std::string bytes = source_file(kWhole);
  const std::string file = folder.write("cut.parquet", bytes.substr(0, bytes.size() - 8));
  const json footer = report({file}, 1)[0]["still_there"]["footers"][0];
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
