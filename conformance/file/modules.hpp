#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Walks along the modules of encrypted column chunks by their lengths, which are not encrypted: frames,
/// pages that lie open, numbers of pages, and nonces that occur twice. Needs no key.
void check_modules(FileCheck& check);

}  // namespace parqproof
