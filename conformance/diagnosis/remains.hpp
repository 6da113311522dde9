#pragma once

#include <cstdint>
#include <optional>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Searches a file without a readable footer for runs of pages with intact headers, and for every complete
/// FileMetaData. Page bodies are skipped if another page follows; all other bytes are visited once. The
/// search is given up if false headers cost more than a few times the size of the file.
[[nodiscard]] Remains search_remains(FileCheck& check);

/// Reports file/footer-length if the footer cannot be read, but a FileMetaData of another length ends at the
/// footer length. Returns false if there is none.
bool explain_footer_length(FileCheck& check);

/// Returns the complete FileMetaData whose length and magic end at `end`, which is after the head magic;
/// nullopt if there is none.
[[nodiscard]] std::optional<CompleteFooter> footer_ending_at(const FileCheck& check, std::uint64_t end);

/// recovery/earlier-footer: judges the consecutive intact footers at the end of the bytes [from, to), which
/// are not referenced by the file.
void check_earlier_footers(FileCheck& check, std::uint64_t from, std::uint64_t to);

}  // namespace parqproof
