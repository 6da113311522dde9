#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reports file/footer-length if the footer cannot be read, but a FileMetaData of another length ends at the
/// footer length. Returns false if there is none.
bool explain_footer_length(FileCheck& check);

}  // namespace parqproof
