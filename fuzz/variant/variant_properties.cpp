// The property of Variants: whatever the bytes are, findings are inside them; a value without a fault of its
// structure has a JSON form, and encoding it again gives a value that has the same one; shredded into columns
// of a file, it breaks no rule and is the same value.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/rules/rule.hpp"
#include "codec/variant/builder.hpp"
#include "conformance/report/variant_json.hpp"
#include "conformance/section/value_section.hpp"
#include "conformance/section/variant_section.hpp"
#include "fuzz/property.hpp"
#include "fuzz/variant/shredding.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool has_limit(const Findings& findings) {
  return std::ranges::any_of(findings.all(),
                             [](const Finding& one) { return !is_judgement(info(one.rule).klass); });
}

/// The canonical form of a Variant that can be read; empty if a value is shared so often that it has no room.
std::vector<std::uint8_t> encode_again(Bytes bytes, const Limits& limits) {
  const std::size_t size = *variant::Metadata::extent(bytes);
  variant::NoFaults ignored;
  variant::Metadata metadata;
  metadata.read({bytes.first(size)}, ignored);
  variant::Builder builder;
  constexpr std::size_t kMost = std::size_t{1} << 22;
  builder.clear(kMost);
  std::vector<std::uint8_t> out;
  if (!builder.copy(metadata, bytes.subspan(size), static_cast<std::uint32_t>(limits.schema_depth)))
    return out;
  std::vector<std::uint8_t> value;
  if (!builder.finish(out, value)) return {};
  out.insert(out.end(), value.begin(), value.end());
  return out;
}

std::string variant_fault(Bytes bytes) {
  Limits limits;
  limits.memory_bytes = std::uint64_t{1} << 26;  // a row has a sixteenth of it
  const Findings findings = judge_variant(bytes, limits);
  for (const Finding& one : findings.all()) {
    if (one.offset + one.length > bytes.size())
      return "a finding of " + std::string(info(one.rule).id) + " is outside";
  }
  const Findings again = judge_variant(bytes, limits);
  if (again.all().size() != findings.all().size()) return "a second judgement differs";
  const SectionVerdict verdict = verdict_of(findings);
  if (verdict != SectionVerdict::sound || has_limit(findings)) return {};
  if (variant::Metadata::extent(bytes) == bytes.size()) return {};  // metadata alone
  const std::optional<std::string> json = variant_json(bytes, limits);
  const std::vector<std::uint8_t> copy = encode_again(bytes, limits);
  // Values that several offsets share may take more than the limit.
  const bool is_shared = findings.broken()[static_cast<std::size_t>(Rule::variant_value_area)];
  if (!json || copy.empty()) return is_shared ? "" : "a value without a fault cannot be read";
  if (verdict_of(judge_variant(copy, limits)) != SectionVerdict::sound) return "the copy breaks a rule";
  if (variant_json(copy, limits) != json) return "the copy is another value";
  if (encode_again(copy, limits) != copy) return "a copy of the copy has other bytes";
  if (is_shared) return {};  // rows of them have no bound
  const std::size_t size = *variant::Metadata::extent(bytes);
  return shredding_fault(bytes.first(size), bytes.subspan(size), limits);
}

}  // namespace

void add_variant_properties(std::vector<Property>& properties) {
  properties.push_back({"variant", variant_fault});
}

}  // namespace parqproof::fuzz
