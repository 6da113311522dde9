#pragma once

#include <memory>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// The values of a column are legal for its annotation: logical-type/utf8, json, bson, integer-range,
/// time-range, decimal-digits, decimal-bytes-empty, decimal-bytes-minimal, unknown-values.
[[nodiscard]] std::unique_ptr<ChunkObserver> annotated_values();
/// known-writer/calendar and known-writer/date-shift: dates and timestamps shifted by a known bug of the
/// writer. Files of other writers are not checked.
[[nodiscard]] std::unique_ptr<ChunkObserver> calendar_values();
/// dictionary/sorted, dictionary/entries-distinct and dictionary/unused-entries: the entries of a dictionary
/// page are sorted if is_sorted is set, distinct, and all used by values.
[[nodiscard]] std::unique_ptr<ChunkObserver> dictionary_rules();
/// logical-type/map-duplicate-keys: the keys of a map are distinct. Only leaves that are the key of a MAP in
/// its standard shape are judged, not groups. Floating-point keys are equal if their bits are equal.
[[nodiscard]] std::unique_ptr<ChunkObserver> map_keys();
/// schema/type-length-bits: the values of an integer column with a type_length fit in that many bits, as
/// two's complement or unsigned numbers.
[[nodiscard]] std::unique_ptr<ChunkObserver> type_length_bits();

}  // namespace parqproof
