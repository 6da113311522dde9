#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/fault/file.hpp"

/// Changes of one value of a page, and of its levels.
namespace parqproof::fault {

using Bytes = std::vector<std::uint8_t>;

/// Receives a value, a BYTE_ARRAY without its length; of a page, all in turn. Returns false if it lacks what
/// the change needs.
using EditValue = std::function<bool(Bytes& value)>;

/// Returns true if a page has values in PLAIN of the type BYTE_ARRAY or INT64, perhaps of a dictionary, its
/// chunk has no Bloom filter, of which a changed value would have to be a member, and the file no sorting
/// columns.
[[nodiscard]] bool has_stored_values(File& file, const Site& site);

/// Changes the first value of a page, or the first entry that is used of a dictionary, for which `edit`
/// returns true, and which remains on the same side of all bounds of the chunk and its pages, so that these
/// stay true; sizes in the statistics follow. Returns false if there is none.
[[nodiscard]] bool edit_stored_value(File& file, const Site& site, const EditValue& edit);

/// The definition levels of a data page of a column that has them; nullopt if they cannot be read.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> definition_levels(File& file, const Site& site);

/// Those of a leaf in a row group, if its chunk has just one data page.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> definition_levels(File& file, std::uint32_t row_group,
                                                                          std::uint32_t leaf);

}  // namespace parqproof::fault
