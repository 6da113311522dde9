#include "conformance/fault/fault_index.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/check/check.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/rows/rows.hpp"

namespace parqproof::fault {
namespace {

/// The duty of a reader, in the words of the index.
std::string_view duty_of(Reader reader) noexcept {
  if (reader == Reader::reject) return "reject";
  return reader == Reader::accept ? "accept" : "may";
}

void write_members(const IndexEntry& entry, JsonWriter& json) {
  json.member("file", entry.file);
  json.member("sha256", entry.sha256);
  json.member("kind", "fault");
  json.member("fault", entry.fault->name);
  json.member("rule", info(entry.fault->rule).id);
  json.member("verdict", entry.verdict);
  json.array("breaks", entry.breaks, [&](const std::string& rule) { json.value(rule); });
  json.member("duty", duty_of(entry.fault->reader));
  if (entry.fault->reader != Reader::accept) json.member("clause", info(entry.fault->rule).clause);
  if (!entry.rows.empty()) json.member("rows", entry.rows);
}

}  // namespace

Profile profile_of(const Fault& fault) noexcept {
  const bool is_strict = severities_under(Profile::strict)[static_cast<std::size_t>(fault.rule)].has_value();
  return is_strict ? Profile::strict : Profile::historical;
}

IndexEntry entry_of(const Fault& fault, const Source& faulty, std::string file, std::string sha256) {
  IndexEntry entry;
  entry.fault = &fault;
  entry.file = std::move(file);
  entry.sha256 = std::move(sha256);
  CheckOptions options;
  options.profile = profile_of(fault);
  const FileReport report = check(faulty, entry.file, options);
  entry.verdict = to_string(report.verdict);
  std::set<std::string> broken;
  for (const ReportedFinding& one : report.findings) {
    if (one.severity == Severity::error) broken.emplace(info(one.finding.rule).id);
  }
  entry.breaks.assign(broken.begin(), broken.end());
  return entry;
}

std::string rows_of(const Source& file) {
  std::string text;
  bool complete = false;
  {
    Out out(text);
    ReadingFailure failure;
    complete = write_rows(file, {}, out, failure).end == RowsEnd::complete;
  }
  return complete && text.size() <= kMostRowBytes ? text : std::string();
}

bool changes_rows(const Fault& fault) noexcept {
  return fault.where == Where::leaf || fault.where == Where::group || fault.where == Where::root ||
         fault.where == Where::page;
}

void write_index(const std::vector<IndexEntry>& entries,
                 const std::vector<std::pair<std::string, std::string>>& rows, Out& out) {
  JsonWriter json(out, 2);
  json.begin_object();
  json.member("index_version", 1);
  json.objects("files", entries, [&](const IndexEntry& entry) { write_members(entry, json); });
  json.object("rows", [&] {
    for (const auto& [path, digest] : rows) json.member(path, digest);
  });
  json.end();
}

void write_sidecar(const IndexEntry& entry, Out& out) {
  JsonWriter json(out, 1);
  json.object([&] { write_members(entry, json); });
}

std::vector<ListedFault> list_faults(const Source* in, std::uint64_t seed) {
  std::vector<ListedFault> all;
  for (const Fault& one : all_faults()) {
    all.push_back({.fault = &one});
    if (in == nullptr) continue;
    const auto faulty = apply(one, *in, seed);
    all.back().applies = faulty.has_value();
    if (!faulty) all.back().why = faulty.error();
  }
  return all;
}

void write_faults_json(const std::vector<ListedFault>& faults, bool with_file, Out& out) {
  JsonWriter json(out, 1);
  json.begin_array();
  for (const ListedFault& one : faults) {
    json.object([&] {
      json.member("name", one.fault->name);
      json.member("rule", info(one.fault->rule).id);
      json.member("needs", needs_of(*one.fault));
      json.member("reader", to_string(one.fault->reader));
      if (with_file) json.member("applies", one.applies);
      if (!one.why.empty()) json.member("why", one.why);
    });
  }
  json.end();
}

}  // namespace parqproof::fault
