#include "codec/encoding/table.hpp"

#include <algorithm>

#include "codec/encoding/any_decoder.hpp"
#include "codec/encoding/any_encoder.hpp"

namespace parqproof {
namespace {

template <typename Decoder, typename Encoder>
consteval ValueCodec codec() noexcept {
  return {&AnyDecoder::open<Decoder>, &AnyEncoder::open<Encoder>};
}

template <typename Decoder, typename Encoder>
consteval LevelCodec level_codec() noexcept {
  return {&AnyLevelDecoder::open<Decoder>, &AnyLevelEncoder::open<Encoder>};
}

constexpr LevelCodec kNoLevels{};
constexpr ValueCodec kNone{};
constexpr ValueCodec kPlain = codec<PlainFixedDecoder, PlainFixedEncoder>();
constexpr ValueCodec kIndices = codec<DictionaryIndexDecoder, DictionaryIndexEncoder>();
constexpr ValueCodec kDelta32 =
    codec<DeltaBinaryPackedDecoder<std::uint32_t>, DeltaBinaryPackedEncoder<std::uint32_t>>();
constexpr ValueCodec kDelta64 =
    codec<DeltaBinaryPackedDecoder<std::uint64_t>, DeltaBinaryPackedEncoder<std::uint64_t>>();
constexpr ValueCodec kDeltaBytes = codec<DeltaByteArrayDecoder, DeltaByteArrayEncoder>();
constexpr ValueCodec kSplit = codec<ByteStreamSplitDecoder, ByteStreamSplitEncoder>();

using enum EncodingStatus;

// The columns are BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY.
constexpr EncodingInfo kEncodings[] = {
    {Encoding::PLAIN,
     current,
     kNoLevels,
     {},
     {codec<PlainBooleanDecoder, PlainBooleanEncoder>(), kPlain, kPlain, kPlain, kPlain, kPlain,
      codec<PlainByteArrayDecoder, PlainByteArrayEncoder>(), kPlain}},
    {Encoding::GROUP_VAR_INT,
     retired,
     kNoLevels,
     Rule::group_var_int_types,
     {kNone, codec<GroupVarIntDecoder<std::uint32_t>, GroupVarIntEncoder<std::uint32_t>>(),
      codec<GroupVarIntDecoder<std::uint64_t>, GroupVarIntEncoder<std::uint64_t>>(), kNone, kNone, kNone,
      kNone, kNone}},
    {Encoding::PLAIN_DICTIONARY,
     deprecated,
     kNoLevels,
     {},
     {kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices}},
    {Encoding::RLE,
     current,
     level_codec<HybridDecoder, HybridEncoder>(),
     Rule::rle_allowed_data,
     {codec<RleBooleanDecoder, RleBooleanEncoder>(), kNone, kNone, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::BIT_PACKED,
     deprecated,
     level_codec<BitPackedDecoder, BitPackedEncoder>(),
     Rule::bit_packed_only_levels,
     {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::DELTA_BINARY_PACKED,
     current,
     kNoLevels,
     Rule::delta_binary_packed_types,
     {kNone, kDelta32, kDelta64, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::DELTA_LENGTH_BYTE_ARRAY,
     current,
     kNoLevels,
     Rule::delta_length_byte_array_types,
     {kNone, kNone, kNone, kNone, kNone, kNone,
      codec<DeltaLengthByteArrayDecoder, DeltaLengthByteArrayEncoder>(), kNone}},
    {Encoding::DELTA_BYTE_ARRAY,
     current,
     kNoLevels,
     Rule::delta_byte_array_types,
     {kNone, kNone, kNone, kNone, kNone, kNone, kDeltaBytes, kDeltaBytes}},
    {Encoding::RLE_DICTIONARY,
     current,
     kNoLevels,
     {},
     {kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices}},
    {Encoding::BYTE_STREAM_SPLIT,
     current,
     kNoLevels,
     Rule::byte_stream_split_types,
     {kNone, kSplit, kSplit, kNone, kSplit, kSplit, kNone, kSplit}},
    {Encoding::ALP,
     preview,
     kNoLevels,
     Rule::alp_types,
     {kNone, kNone, kNone, kNone, codec<AlpDecoder<float>, AlpEncoder<float>>(),
      codec<AlpDecoder<double>, AlpEncoder<double>>(), kNone, kNone}},
};

// Encodings and types that can be decoded can also be encoded, and vice versa.
constexpr bool in_pairs(const auto& codec) noexcept {
  return (codec.open_decoder == nullptr) == (codec.open_encoder == nullptr);
}
static_assert(std::ranges::all_of(kEncodings, [](const EncodingInfo& row) {
  return in_pairs(row.levels) &&
         std::ranges::all_of(row.types, [](const ValueCodec& of) { return in_pairs(of); });
}));

}  // namespace

std::string_view to_string(EncodingStatus status) noexcept {
  switch (status) {
    case current:
      return "current";
    case deprecated:
      return "deprecated";
    case retired:
      return "retired";
    case preview:
      return "preview";
  }
  return {};
}

std::span<const EncodingInfo> all_encodings() noexcept { return kEncodings; }

const EncodingInfo* find_encoding(Encoding encoding) noexcept {
  const auto* const row = std::ranges::find(kEncodings, encoding, &EncodingInfo::encoding);
  return row == std::end(kEncodings) ? nullptr : row;
}

const EncodingInfo* find_encoding(std::string_view name) noexcept {
  const auto* const row = std::ranges::find(kEncodings, name, &EncodingInfo::name);
  return row == std::end(kEncodings) ? nullptr : row;
}

}  // namespace parqproof
