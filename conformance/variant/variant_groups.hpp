#pragma once

#include <cstdint>
#include <vector>

#include "codec/schema/schema.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns the groups that VARIANT annotates, without those inside another one.
[[nodiscard]] std::vector<std::uint32_t> variant_groups(const Schema& schema);

/// Judges the schema of VARIANT groups: variant/group, fields, value-field,
/// shredding/shape, shredding/type. The schema must be usable.
void check_variant_groups(FileCheck& check);

}  // namespace parqproof
