#include "conformance/rewrite/broken_rules.hpp"

#include "codec/base/source.hpp"
#include "conformance/check/check.hpp"

namespace parqproof {

RuleSet broken_rules(const FileReport& report) {
  RuleSet rules;
  for (const Cause& cause : report.causes) {
    rules.set(static_cast<std::size_t>(cause.rule()));
    for (const Consequence& one : cause.consequences) rules.set(static_cast<std::size_t>(one.rule));
  }
  return rules;
}

RuleSet broken_rules(std::span<const std::uint8_t> bytes, const CheckOptions& options) {
  const MemorySource source(bytes);
  return broken_rules(check(source, "file", options));
}

std::optional<std::vector<std::uint8_t>> all_bytes(const Source& source) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(source.size()));
  if (!source.read(0, bytes)) return std::nullopt;
  return bytes;
}

std::optional<std::vector<std::uint8_t>> emitted(model::Model& model) {
  std::vector<std::uint8_t> bytes;
  const model::EmitEnd end = model.emit([&](std::span<const std::uint8_t> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  });
  if (end != model::EmitEnd::complete) return std::nullopt;
  return bytes;
}

}  // namespace parqproof
