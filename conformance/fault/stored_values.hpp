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

/// Returns true if a page has values in PLAIN of the type BYTE_ARRAY, INT32 or INT64, perhaps of a
/// dictionary, its chunk has no Bloom filter, of which a changed value would have to be a member, and the
/// file no sorting columns.
[[nodiscard]] bool has_stored_values(File& file, const Site& site);

/// Changes the first value of a page, or the first entry that is used of a dictionary, for which `edit`
/// returns true, and which remains on the same side of all bounds of the chunk and its pages, so that these
/// stay true; sizes in the statistics follow. Returns false if there is none.
[[nodiscard]] bool edit_stored_value(File& file, const Site& site, const EditValue& edit);

/// The same with the ordinal of the value in its page.
using EditNumbered = std::function<bool(Bytes& value, std::size_t ordinal)>;
[[nodiscard]] bool edit_numbered_value(File& file, const Site& site, const EditNumbered& edit);

/// The definition levels of a data page of a column that has them; nullopt if they cannot be read.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> definition_levels(File& file, const Site& site);

/// Those of all data pages of a leaf in a row group, also of a column without levels.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> definition_levels(File& file, std::uint32_t row_group,
                                                                          std::uint32_t leaf);

/// The encoding of the definition levels of a data page.
[[nodiscard]] Encoding level_encoding_of(File& file, const Site& page);

/// The number of values that a data page stores; nullopt if it cannot be read.
[[nodiscard]] std::optional<std::uint64_t> stored_count(File& file, const Site& page);

/// The data pages of a leaf in a row group.
[[nodiscard]] std::vector<Site> data_pages_of(File& file, std::uint32_t row_group, std::uint32_t leaf);

/// For each value of a data page in PLAIN, or of a dictionary page, the entries of the chunk that have it. Of
/// a column that is not repeated, these are rows. Empty if they are not known.
[[nodiscard]] std::vector<std::vector<std::size_t>> entries_with_values(File& file, const Site& site);

/// The value of each entry of a BYTE_ARRAY leaf in a row group, in PLAIN or with a dictionary; nullopt if
/// they cannot be read.
[[nodiscard]] std::optional<std::vector<std::optional<Bytes>>> values_by_entry(File& file,
                                                                               std::uint32_t row_group,
                                                                               std::uint32_t leaf);

/// Makes an entry of a data page of BYTE_ARRAY null at the level below the max; counts of nulls, levels and
/// bytes follow. Returns false if it has no value, if its value is a bound or the last one of the page, or if
/// the page cannot be read.
[[nodiscard]] bool make_null(File& file, const Site& page, std::size_t entry);

}  // namespace parqproof::fault
