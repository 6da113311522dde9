#pragma once

#include <string_view>

#include "conformance/check/context.hpp"

/// Fields that others are blamed for: where one number is the lie, what was read by it is its echo. The lie
/// is the finding, and takes the place of the echoes.
namespace parqproof {

/// Whether the footer is lost, and the file with it.
[[nodiscard]] bool file_is_lost(const FileCheck& check);

/// file/footer-length of a file whose footer is lost, or looks so: a FileMetaData ends where the length
/// stands, and begins elsewhere than the length says. False: there is none. `wanted` are the rules that are
/// judged.
bool blame_footer_length(FileCheck& check, const RuleSet& wanted);

/// Whether the footer begins with the header of its first field, as nearly every footer does. In one with a
/// wrong length other bytes may be read as fields that nobody knows, so that nothing else is wrong.
[[nodiscard]] bool begins_with_version(const Frame& frame);

/// schema/type-length of a FIXED_LEN_BYTE_ARRAY(0) whose pages or bounds hold bytes.
void blame_zero_lengths(FileCheck& check, const RuleSet& wanted);

/// Whether the Thrift path `field` is `whole`, or leads to a part of it.
[[nodiscard]] bool is_part_of(std::string_view field, std::string_view whole) noexcept;

/// Takes away findings that say with other words what another finding about the same field or column chunk
/// says better: the table in the source names the pairs.
void drop_echoes(FileCheck& check, const RuleSet& wanted);

}  // namespace parqproof
