#pragma once

#include "conformance/file/doubts.hpp"

namespace parqproof {

/// Answers the questions of judging by looking for the one field that is wrong.
[[nodiscard]] const FileDoubts& diagnosis() noexcept;

}  // namespace parqproof
