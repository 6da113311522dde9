#pragma once

#include "conformance/file/doubts.hpp"

namespace parqproof {

/// Returns the implementation of FileDoubts that searches for a single wrong field.
[[nodiscard]] const FileDoubts& diagnosis() noexcept;

}  // namespace parqproof
