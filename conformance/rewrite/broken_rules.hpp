#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/model/model.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// The rules that a report has findings of, consequences of other findings included.
[[nodiscard]] RuleSet broken_rules(const FileReport& report);

/// The same of a check of a whole file in memory.
[[nodiscard]] RuleSet broken_rules(std::span<const std::uint8_t> bytes, const CheckOptions& options);

/// All bytes of a source; nullopt if it cannot be read.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> all_bytes(const Source& source);

/// The bytes of a model; nullopt if the source cannot be read.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> emitted(model::Model& model);

}  // namespace parqproof
