#pragma once

#include <cstdint>
#include <optional>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Searches a file whose footer is lost, from the head magic to its last byte, for what is still there: runs
/// of whole page headers one behind the other, and every FileMetaData that can be read to its end. A body is
/// passed over where another page follows it, every other byte is looked at once; what looks like a header
/// and is none may cost a few times the size of the file, then the search is given up.
[[nodiscard]] Remains search_remains(FileCheck& check);

/// The length of a sound FileMetaData that ends at `end`, where the footer length stands: what that should
/// say. It is looked for in the last bytes of the file alone; nothing where there is none.
[[nodiscard]] std::optional<std::uint64_t> true_footer_length(FileCheck& check, std::uint64_t end);

/// recovery/earlier-footer: judges every whole footer that the bytes [from, to) end in, one behind the other.
/// Nothing in the file refers to these bytes.
void check_earlier_footers(FileCheck& check, std::uint64_t from, std::uint64_t to);

}  // namespace parqproof
