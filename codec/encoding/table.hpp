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

/// Status of an encoding in the current specification.
enum class EncodingStatus : std::uint8_t {
  current,
  deprecated,  ///< still read, no longer written
  retired,     ///< defined only in an old edition
  preview,     ///< defined, but not yet written by default
};
[[nodiscard]] std::string_view to_string(EncodingStatus status) noexcept;

/// Storage that holds one decoder of the table at a time.
class AnyDecoder;

/// Decoder and encoder of the values of one physical type; all null if the encoding does not support the
/// type.
struct ValueCodec {
  Status (*open_decoder)(AnyDecoder& decoder, const Section& section) = nullptr;
  EncodeStatus (*open_encoder)(AnyEncoder& encoder, const NewSection& section) = nullptr;

  [[nodiscard]] constexpr bool exists() const noexcept { return open_decoder != nullptr; }
};

/// Decoder and encoder of levels; null if the encoding does not support levels.
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
  LevelCodec levels;  ///< codec of levels, if supported
  /// Rule of a type that the encoding does not support; unset if it supports all.
  std::optional<Rule> type_rule;
  std::array<ValueCodec, kTypeCount> types;  ///< indexed by Type

  /// Name in the specification.
  [[nodiscard]] std::string_view name() const noexcept {
    return kEncodingEnum.name_of(static_cast<int>(encoding));
  }
  /// Returns the codec of values of `type`; an undefined type has none.
  [[nodiscard]] ValueCodec codec(Type type) const noexcept {
    const auto index = static_cast<std::size_t>(type);
    return index < types.size() ? types[index] : ValueCodec{};
  }
};

/// Returns all encodings, ordered by number.
[[nodiscard]] std::span<const EncodingInfo> all_encodings() noexcept;

/// Returns the row of an encoding; null if the number is undefined.
[[nodiscard]] const EncodingInfo* find_encoding(Encoding encoding) noexcept;
/// Returns the row of the encoding with this name; null if there is none.
[[nodiscard]] const EncodingInfo* find_encoding(std::string_view name) noexcept;

}  // namespace parqproof
