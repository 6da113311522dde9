#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/level_codec.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// What the specification says of an encoding today.
enum class EncodingStatus : std::uint8_t {
  current,
  deprecated,  ///< still read, no longer to be written
  retired,     ///< defined by an old edition alone
  preview,     ///< defined, but not yet to be written by default
};
[[nodiscard]] std::string_view to_string(EncodingStatus status) noexcept;

/// Storage that holds one decoder of the table at a time.
class AnyDecoder;

/// How values of one physical type are decoded and encoded; all null where the encoding does not know the
/// type.
struct ValueCodec {
  Status (*open_decoder)(AnyDecoder& decoder, const Section& section) = nullptr;
  EncodeStatus (*open_encoder)(AnyEncoder& encoder, const NewSection& section) = nullptr;

  [[nodiscard]] constexpr bool exists() const noexcept { return open_decoder != nullptr; }
};

/// How levels are decoded and encoded; null where the encoding is not for levels.
struct LevelCodec {
  Status (*open_decoder)(AnyLevelDecoder& decoder, const LevelBytes& levels) = nullptr;
  void (*open_encoder)(AnyLevelEncoder& encoder, const NewLevels& levels) = nullptr;

  [[nodiscard]] constexpr bool exists() const noexcept { return open_decoder != nullptr; }
};

inline constexpr std::size_t kTypeCount = 8;  ///< physical types

/// One row of the table of encodings (Encodings.md, and the edition of 2013 for the retired one).
struct EncodingInfo {
  Encoding encoding;
  EncodingStatus status;
  LevelCodec levels;                         ///< how it encodes levels, if it does
  std::optional<Rule> type_rule;             ///< that it is not for every type
  std::array<ValueCodec, kTypeCount> types;  ///< by Type

  /// The specification's name.
  [[nodiscard]] std::string_view name() const noexcept {
    return kEncodingEnum.name_of(static_cast<int>(encoding));
  }
  /// How values of `type` are coded; a type that the specification does not define has no codec.
  [[nodiscard]] ValueCodec codec(Type type) const noexcept {
    const auto index = static_cast<std::size_t>(type);
    return index < types.size() ? types[index] : ValueCodec{};
  }
};

/// All encodings, by number.
[[nodiscard]] std::span<const EncodingInfo> all_encodings() noexcept;

/// The row of an encoding; null for a number that the specification does not define.
[[nodiscard]] const EncodingInfo* find_encoding(Encoding encoding) noexcept;
/// The row of the encoding with this name.
[[nodiscard]] const EncodingInfo* find_encoding(std::string_view name) noexcept;

}  // namespace parqproof
