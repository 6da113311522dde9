#pragma once

#include <cstdint>

namespace parqproof {

/// Id of a rule. Its enumerators and texts are in codec/rules/, on which base does not depend.
enum class Rule : std::uint16_t;

}  // namespace parqproof
