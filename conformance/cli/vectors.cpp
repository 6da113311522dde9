#include "conformance/cli/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "codec/rules/rule.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kShown = 16;  // values, where they differ

/// A JSON object of which each member that is asked for is of its type; `missing` names the first that is
/// not.
class Members {
 public:
  explicit Members(const json& object) : object_(&object) {}

  std::string text(const char* key, bool required = true) {
    const json* const value = find(key, required);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    if (value != nullptr) note(key);
    return {};
  }
  std::optional<std::uint64_t> number(const char* key, bool required) {
    const json* const value = find(key, required);
    if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
    if (value != nullptr) note(key);
    return std::nullopt;
  }
  const json* find(const char* key, bool required) {
    const auto found = object_->find(key);
    if (found != object_->end()) return &*found;
    if (required) note(key);
    return nullptr;
  }
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }

 private:
  void note(const char* key) {
    if (missing_.empty()) missing_ = key;
  }

  const json* object_;
  std::string missing_;
};

std::expected<ExpectedFinding, std::string> read_finding(const json& object) {
  if (!object.is_object()) return std::unexpected("an expected finding is no object");
  Members members(object);
  ExpectedFinding finding{members.text("rule"), members.number("offset", true).value_or(0)};
  if (!members.missing().empty()) return std::unexpected("a finding has no proper " + members.missing());
  return finding;
}

/// Reads what depends on other members; what does not fit together makes the vector nonsense.
void read_contents(const SectionWords& words, const std::string& digits, const json* values, Vector& vector) {
  const std::expected<LoneSection, std::string> section = section_of(words);
  if (!section) {
    vector.nonsense = section.error();
    return;
  }
  vector.section = *section;
  if (!read_hex(digits, vector.bytes)) vector.nonsense = "the bytes are no hex digits";
  if ((values == nullptr) != vector.reject.has_value()) {
    vector.nonsense = "either values or reject stand in a vector";
  }
  if (values == nullptr || !vector.nonsense.empty()) return;
  auto read =
      read_values(*values, section->type, section->type_length, section->levels || section->indices());
  if (read) {
    vector.values = std::move(*read);
    vector.value_count = values->size();
  } else {
    vector.nonsense = read.error();
  }
}

std::expected<Vector, std::string> read_vector(const json& object) {
  if (!object.is_object()) return std::unexpected("a vector is no object");
  Members members(object);
  Vector vector;
  vector.name = members.text("name");
  SectionWords words;
  words.encoding = members.text("encoding");
  words.type = members.text("type");
  words.type_length = members.number("type_length", false);
  words.bit_width = members.number("bit_width", false);
  words.count = members.number("count", true).value_or(0);
  words.selector = members.text("selector", false);
  const std::string digits = members.text("bytes");
  if (!members.missing().empty()) {
    return std::unexpected("vector '" + vector.name + "' has no proper " + members.missing());
  }
  if (const json* const reject = members.find("reject", false); reject != nullptr) {
    auto finding = read_finding(*reject);
    if (!finding) return std::unexpected("vector '" + vector.name + "': " + finding.error());
    vector.reject = std::move(*finding);
  }
  if (const json* const warnings = members.find("warnings", false); warnings != nullptr) {
    for (const json& one : *warnings) {
      auto finding = read_finding(one);
      if (!finding) return std::unexpected("vector '" + vector.name + "': " + finding.error());
      vector.warnings.push_back(std::move(*finding));
    }
  }
  read_contents(words, digits, members.find("values", false), vector);
  return vector;
}

std::string text_of(const std::vector<ExpectedFinding>& findings) {
  std::string text;
  for (const ExpectedFinding& one : findings) {
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", one.rule, one.offset);
  }
  return text.empty() ? "nothing" : text;
}

/// The first values of the section, as JSON.
std::string first_values(const Vector& vector) {
  std::string text;
  Out out(text);
  JsonWriter values(out);
  values.begin_array();
  std::uint64_t left = kShown;
  std::ignore = decode_section(vector.section, vector.bytes, {}, [&](const ValueBatch& batch) {
    ValueBatch part = batch;
    part.count = std::min(batch.count, left);
    write_values(part, vector.section.type, vector.section.type_length, values);
    left -= part.count;
    return left > 0;
  });
  values.end();
  text.pop_back();  // the end of the line
  return text;
}

}  // namespace

std::expected<std::vector<Vector>, std::string> read_vectors(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return std::unexpected("it is no JSON");
  if (!document.is_array()) return std::unexpected("it is no JSON array");
  std::vector<Vector> vectors;
  for (const json& object : document) {
    auto vector = read_vector(object);
    if (!vector) return std::unexpected(vector.error());
    vectors.push_back(std::move(*vector));
  }
  return vectors;
}

std::string run_vector(const Vector& vector) {
  if (!vector.nonsense.empty()) return vector.nonsense;
  const std::uint32_t width = fixed_width(vector.section.type, vector.section.type_length);
  ValueList values;
  std::uint64_t count = 0;
  const Findings findings = decode_section(vector.section, vector.bytes, {}, [&](const ValueBatch& batch) {
    values.append(batch, width, vector.value_count - std::min<std::uint64_t>(count, vector.value_count));
    count += batch.count;
    return true;
  });
  std::vector<ExpectedFinding> faults;
  std::vector<ExpectedFinding> warnings;
  for (const Finding& finding : findings.all()) {
    const RuleInfo& rule = info(finding.rule);
    if (rule.severity == Severity::info) continue;
    const bool fault =
        rule.severity == Severity::error || rule.klass == Class::unsupported || rule.klass == Class::limit;
    (fault ? faults : warnings).push_back({std::string(rule.id), finding.offset});
  }
  std::vector<ExpectedFinding> expected;
  if (vector.reject) expected.push_back(*vector.reject);
  if (faults != expected) {
    return fmt::format("found is {}; expected is {}", text_of(faults), text_of(expected));
  }
  if (vector.reject) return {};
  if (warnings != vector.warnings) {
    return fmt::format("warnings are {}; expected are {}", text_of(warnings), text_of(vector.warnings));
  }
  if (count != vector.value_count) {
    return fmt::format("values that came out: {}; expected: {}", count, vector.value_count);
  }
  if (values != vector.values) return "the values begin with " + first_values(vector);
  return {};
}

}  // namespace parqproof::cli
