#include "conformance/rewrite/scrub/scrub.hpp"

#include <optional>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/rewrite/broken_rules.hpp"
#include "conformance/rewrite/scrub/scrub_file.hpp"

namespace parqproof {
namespace {

/// The rules by which two sets differ, in words; empty if they are equal.
std::string difference(const RuleSet& before, const RuleSet& after) {
  std::string text;
  for (const RuleInfo& rule : all_rules()) {
    const auto number = static_cast<std::size_t>(&rule - all_rules().data());
    if (before[number] == after[number]) continue;
    text += text.empty() ? "" : ", ";
    text += (before[number] ? "no longer " : "newly ") + std::string(rule.id);
  }
  return text;
}

}  // namespace

std::expected<Scrubbed, std::string> scrub(const Source& source, const CheckOptions& options) {
  if (source.size() > options.limits.memory_bytes / 8)
    return std::unexpected("it has more than an eighth of --max-memory");
  const auto stored = all_bytes(source);
  if (!stored) return std::unexpected("it cannot be read");
  const RuleSet before = broken_rules(*stored, options);
  std::string why;
  for (const OpaqueBytes opaque : {OpaqueBytes::filled, OpaqueBytes::blank_text}) {
    const auto file = ScrubFile::open(source, options.limits);
    if (file == nullptr)
      return std::unexpected("its footer cannot be read, so its names and values cannot be found");
    if (const std::string_view kind = file->kind_with_parts(); !kind.empty())
      return std::unexpected("it has a " + std::string(kind) +
                             " column, whose values have parts of their own");
    if (!file->collect()) return std::unexpected("its different values need more memory than --max-memory");
    if (!file->replace(opaque)) return std::unexpected("a page cannot be compressed again");
    std::optional<std::vector<std::uint8_t>> bytes = emitted(file->model());
    if (!bytes) return std::unexpected("it cannot be read");
    const std::string differs = difference(before, broken_rules(*bytes, options));
    if (differs.empty()) {
      Scrubbed scrubbed;
      scrubbed.bytes = std::move(*bytes);
      scrubbed.names = file->names();
      scrubbed.values = file->values();
      scrubbed.opaque_pages = file->opaque_pages();
      return scrubbed;
    }
    if (why.empty()) why = differs;
  }
  return std::unexpected("other rules would be broken than before: " + why);
}

}  // namespace parqproof
