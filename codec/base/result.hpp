#pragma once

#include <cstdint>
#include <expected>

#include "codec/base/bytes.hpp"
#include "codec/base/rule_id.hpp"

namespace parqproof {

/// What a decoder found wrong: the rule, the first byte at fault, and two numbers for the message. It holds
/// no text.
struct Error {
  std::uint64_t offset = 0;   ///< first byte at fault, in `space`
  std::int64_t found = 0;     ///< what stands there, where a number says it
  std::int64_t expected = 0;  ///< what should stand there, where a number says it
  std::uint32_t length = 0;   ///< bytes at fault; 0 where something is missing
  Rule rule{};
  Space space = Space::file;
};
static_assert(sizeof(Error) <= 32);

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

}  // namespace parqproof
