#pragma once

#include <cstdint>

namespace parqproof {

/// The id of a rule; its enumerators and texts are in codec/rules/, which base does not know.
enum class Rule : std::uint16_t;

}  // namespace parqproof
