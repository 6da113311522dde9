#pragma once

#include <memory>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// Proves during the walk that the rows are sorted by the first sorting column, so that they are not read
/// twice. Reports nothing: if the proof fails, check_sorting() reads the rows and reports the violation.
[[nodiscard]] std::unique_ptr<ChunkObserver> sorting_proof();

}  // namespace parqproof
