#pragma once

#include <memory>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// Returns one observer for each group of rules about values, in the order of the specification.
[[nodiscard]] std::vector<std::unique_ptr<ChunkObserver>> all_observers();

}  // namespace parqproof
