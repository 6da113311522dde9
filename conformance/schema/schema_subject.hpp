#pragma once

#include <cstdint>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// An element and its node in the tree.
struct SchemaSubject {
  const SchemaElement& element;
  const Node& node;
  std::uint32_t index;
};

}  // namespace parqproof
