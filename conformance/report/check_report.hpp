#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "conformance/check/report.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// What is wrong, in words: the message of the finding's rule with what was found, what was expected and the
/// detail filled in.
[[nodiscard]] std::string message(const Finding& finding);

/// The same for a text: long numbers are grouped.
[[nodiscard]] std::string text_message(const Finding& finding);

/// A finding in words: rule, place, bytes, what is wrong, and what goes wrong for a reader.
void write_finding(Out& out, const ReportedFinding& reported, bool colour);

/// The report of a run of `check` in JSON, as conformance/json-schema/report.schema.json describes it:
/// written file by file.
class JsonReport {
 public:
  explicit JsonReport(Out& out);
  void add(const FileReport& file);
  void end();

 private:
  JsonWriter json_;
};

/// The same for a person: each finding with its place, its cause and its consequence, then what was not
/// looked at, what is lost, and a summary; after several files one line over all of them.
class TextReport {
 public:
  TextReport(Out& out, bool colour) noexcept : out_(&out), colour_(colour) {}
  void add(const FileReport& file);
  void end();

 private:
  Out* out_;
  bool colour_;
  std::uint64_t files_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t warnings_ = 0;
  std::map<Verdict, std::uint64_t> verdicts_;
};

}  // namespace parqproof
