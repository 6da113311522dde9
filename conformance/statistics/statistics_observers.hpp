#pragma once

#include <memory>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// size-statistics/*, and the histograms and sizes in the page index: levels and bytes of BYTE_ARRAY values
/// are counted only if the file states such counts.
[[nodiscard]] std::unique_ptr<ChunkObserver> size_observer();
/// statistics/*: compares the Statistics of a chunk and of its page headers with its values. Values are read
/// only if a claim needs them; values in a dictionary are judged once per entry, or once per entry and page.
[[nodiscard]] std::unique_ptr<ChunkObserver> statistics_observer();

}  // namespace parqproof
