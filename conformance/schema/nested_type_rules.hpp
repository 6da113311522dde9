#pragma once

#include "conformance/schema/schema_subject.hpp"

namespace parqproof {

/// The shapes of LIST and MAP groups (nested-type/*). The schema is a tree, and no deeper than the limit.
void check_nested_types(FileCheck& check);

/// Whether a repeated node belongs to the shape of a LIST or MAP, so that check_nested_types() says what is
/// to be said of it.
[[nodiscard]] bool is_part_of_collection(const Nodes& nodes, std::uint32_t node);

}  // namespace parqproof
