#include "conformance/cli/vectors/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codec/rules/rule.hpp"
#include "conformance/cli/section/variant_input.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

std::expected<ExpectedFinding, std::string> read_finding(const json& object) {
  if (!object.is_object()) return std::unexpected("an expected finding is not an object");
  Members members(object);
  ExpectedFinding finding{members.text("rule"), members.number("offset").value_or(0),
                          members.text("severity")};
  if (!members.missing().empty()) return std::unexpected("a finding has no proper " + members.missing());
  return finding;
}

/// Returns true if a finding has a rule for which `wanted` is true.
template <typename Wanted>
bool any_rule(const Vector& vector, Wanted wanted) {
  return std::ranges::any_of(vector.findings, [&](const ExpectedFinding& finding) {
    const std::optional<Rule> rule = find_rule(finding.rule);
    return rule && wanted(info(*rule));
  });
}

/// Compares the duty of a reader with the expected findings, and sets `sound`.
void read_duty(const json& reader, Vector& vector) {
  const std::string owes = reader.is_object() ? Members(reader).text("owes") : "";
  const bool error = any_rule(vector, [](const RuleInfo& rule) { return rule.severity == Severity::error; });
  const bool fault =
      error || any_rule(vector, [](const RuleInfo& rule) { return !is_judgement(rule.klass); });
  vector.sound = owes == "accept" || !fault;
  const bool fits = owes == "accept" ? !error : owes == "reject" ? fault : owes == "may";
  if (!fits) vector.nonsense = "the duty of the reader contradicts the findings";
}

/// Selects the kind of vector by the member that only this kind has.
MadeSubject make_subject(const json& object, Members& members) {
  if (object.contains("filter")) return filter_subject(members);
  if (object.contains("column")) return page_subject(members);
  if (object.contains("codec")) return stream_subject(members);
  if (object.contains("struct")) return struct_subject(members);
  const auto encoding = object.find("encoding");
  if (encoding != object.end() && *encoding == kVariant) return variant_subject(members);
  return section_subject(members);
}

std::expected<Vector, std::string> read_vector(const json& object) {
  if (!object.is_object()) return std::unexpected("a vector is not an object");
  Members members(object);
  Vector vector;
  vector.id = members.text("id");
  const auto broken = [&](const std::string& why) {
    return std::unexpected("vector '" + vector.id + "'" + why);
  };
  const json* const segments = members.find("bytes");
  const json* const reader = members.find("reader");
  const json* const checker = members.find("checker");
  if (!members.missing().empty()) return broken(" has no proper " + members.missing());
  if (!checker->is_array()) return broken(" has no proper checker");
  for (const json& one : *checker) {
    auto finding = read_finding(one);
    if (!finding) return broken(": " + finding.error());
    vector.findings.push_back(std::move(*finding));
  }
  MadeSubject subject = make_subject(object, members);
  if (!members.missing().empty()) return broken(" has no proper " + members.missing());
  if (!subject) {
    vector.nonsense = subject.error();
    return vector;
  }
  vector.subject = std::move(*subject);
  if (!read_segments(*segments, vector.bytes)) vector.nonsense = "the bytes are not segments of hex digits";
  read_duty(*reader, vector);
  return vector;
}

std::string text_of(const std::vector<ExpectedFinding>& findings) {
  std::string text;
  for (const ExpectedFinding& one : findings) {
    text += fmt::format("{}{} {} at {}", text.empty() ? "" : ", ", one.severity, one.rule, one.offset);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string Members::text(const char* key, bool required) {
  const json* const value = find(key, required);
  if (value != nullptr && value->is_string()) return value->get<std::string>();
  if (value != nullptr) note(key);
  return {};
}

std::optional<std::uint64_t> Members::number(const char* key, bool required) {
  const json* const value = find(key, required);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  if (value != nullptr) note(key);
  return std::nullopt;
}

bool Members::flag(const char* key) {
  const json* const value = find(key, false);
  if (value != nullptr && !value->is_boolean()) note(key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

const json* Members::find(const char* key, bool required) {
  const auto found = object_->find(key);
  if (found != object_->end()) return &*found;
  if (required) note(key);
  return nullptr;
}

void Members::note(const char* key) {
  if (missing_.empty()) missing_ = key;
}

bool read_segments(const json& segments, std::vector<std::uint8_t>& bytes) {
  std::string digits;
  if (!segments.is_array()) return false;
  for (const json& segment : segments) {
    if (!segment.is_object()) return false;
    Members members(segment);
    digits += members.text("hex");
    if (!members.missing().empty()) return false;
  }
  return read_hex(digits, bytes);
}

std::expected<std::vector<Vector>, std::string> read_vectors(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return std::unexpected("it is not JSON");
  if (!document.is_object()) return std::unexpected("it is not a JSON object");
  const auto list = document.find("vectors");
  if (list == document.end() || !list->is_array()) return std::unexpected("it has no array of vectors");
  std::vector<Vector> vectors;
  for (const json& object : *list) {
    auto vector = read_vector(object);
    if (!vector) return std::unexpected(vector.error());
    vectors.push_back(std::move(*vector));
  }
  return vectors;
}

std::string run_vector(const Vector& vector) {
  if (!vector.nonsense.empty()) return vector.nonsense;
  const VectorSubject::Outcome outcome = vector.subject->decode(vector.bytes);
  std::vector<ExpectedFinding> found;
  for (const Finding& finding : outcome.findings.all()) {
    const RuleInfo& rule = info(finding.rule);
    if (rule.severity == Severity::info) continue;
    found.push_back({std::string(rule.id), finding.offset, std::string(to_string(rule.severity))});
  }
  if (found != vector.findings) {
    return fmt::format("found is {}; expected is {}", text_of(found), text_of(vector.findings));
  }
  return vector.sound ? outcome.difference : std::string();
}

}  // namespace parqproof::cli
