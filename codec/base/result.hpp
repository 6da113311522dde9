#pragma once

#include <cstdint>
#include <expected>

#include "codec/base/bytes.hpp"
#include "codec/base/rule_id.hpp"

namespace parqproof {

/// A fault found by a decoder: the rule, the first byte at fault, and two numbers for the message. It has no
/// text, so that failing is cheap.
struct Error {
  std::uint64_t offset = 0;   ///< first byte at fault, in `space`
  std::int64_t found = 0;     ///< number found there, if the message has one
  std::int64_t expected = 0;  ///< number expected there, if the message has one
  std::uint32_t length = 0;   ///< bytes at fault; 0 if something is missing
  Rule rule{};
  Space space = Space::file;
  /// Index of the value in the page, from 0, if the bytes at fault do not determine it.
  std::uint32_t ordinal = 0;

  /// Returns the Error of `rule` at these bytes. Numbers are clamped to the range of the message.
  [[nodiscard]] static Error at(Rule rule, const View& where, std::uint64_t found,
                                std::uint64_t expected) noexcept {
    constexpr std::uint64_t kMax = INT64_MAX;
    return {where.base,
            static_cast<std::int64_t>(found < kMax ? found : kMax),
            static_cast<std::int64_t>(expected < kMax ? expected : kMax),
            static_cast<std::uint32_t>(where.size() < UINT32_MAX ? where.size() : UINT32_MAX),
            rule,
            where.space};
  }
};
static_assert(sizeof(Error) <= 40);

template <typename T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

}  // namespace parqproof
