#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// Judges the shapes of LIST and MAP groups (nested-type/*). The schema must be a tree within the depth
/// limit.
void check_nested_types(FileCheck& check);

/// Returns true if a repeated node is part of the shape of a LIST or MAP, which check_nested_types() judges.
[[nodiscard]] bool is_part_of_collection(const Nodes& nodes, std::uint32_t node);

}  // namespace parqproof
