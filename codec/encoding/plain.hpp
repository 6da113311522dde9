#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/base/room.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// Bytes of the length before a byte array.
inline constexpr std::uint32_t kLengthPrefixBytes = 4;

/// Nanoseconds of a day: upper bound of the first eight bytes of an INT96 timestamp.
inline constexpr std::int64_t kNanosPerDay = 86'400'000'000'000;

/// PLAIN values of fixed width (Encodings.md#PLAIN). Batches point into the section; nothing is copied.
class PlainFixedDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return Section::fully_used(rest_); }

 private:
  void check_int96(const std::uint8_t* values, std::uint64_t count, std::uint64_t offset) noexcept;

  View bytes_;
  View rest_;  // bytes after the last value
  Notes* notes_ = nullptr;
  std::uint64_t left_ = 0;
  std::size_t position_ = 0;
  std::uint32_t width_ = 0;
  bool int96_ = false;
};

/// PLAIN booleans: one bit each, least significant bit first.
class PlainBooleanDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return Section::fully_used(rest_); }

 private:
  View bytes_;
  View rest_;  // bytes after the last value
  std::uint64_t left_ = 0;
  std::size_t position_ = 0;
  std::array<std::uint32_t, kBatchValues> bits_;
  std::array<std::uint8_t, kBatchValues> values_;
};

/// PLAIN byte arrays: a four-byte length, then the bytes. Batches point into the section.
class PlainByteArrayDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  View bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t left_ = 0;
  std::size_t position_ = 0;
  bool dictionary_page_ = false;
  Room<ByteArray> values_;
};

/// Writes PLAIN values of fixed width.
class PlainFixedEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish() { return {}; }

 private:
  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint32_t width_ = 0;
};

/// Writes PLAIN booleans. Unused bits of the last byte are those of options.padding.
class PlainBooleanEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  void add(bool value);

  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint8_t padding_ = 0;
  unsigned byte_ = 0;  // last byte, incomplete
  unsigned bits_ = 0;  // bits used in byte_
};

/// Writes PLAIN byte arrays.
class PlainByteArrayEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish() { return {}; }

 private:
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
