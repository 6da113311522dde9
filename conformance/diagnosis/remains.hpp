#pragma once

#include <cstdint>
#include <optional>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Searches a file without a readable footer for runs of pages with intact headers, and for every complete
/// FileMetaData. Page bodies are skipped if another page follows; all other bytes are visited once. The
/// search is given up if false headers cost more than a few times the size of the file.
[[nodiscard]] Remains search_remains(FileCheck& check);

/// Returns the correct footer length: that of an intact FileMetaData that ends at `end`, the offset of the
/// footer length. Only the last bytes of the file are searched; nullopt if there is none.
[[nodiscard]] std::optional<std::uint64_t> true_footer_length(FileCheck& check, std::uint64_t end);

/// recovery/earlier-footer: judges the consecutive intact footers at the end of the bytes [from, to), which
/// are not referenced by the file.
void check_earlier_footers(FileCheck& check, std::uint64_t from, std::uint64_t to);

}  // namespace parqproof
