#include "codec/encoding/table.hpp"

#include <algorithm>

#include "codec/encoding/any_decoder.hpp"

namespace parqproof {
namespace {

template <typename Decoder>
constexpr ValueCodec codec(Encode encode) noexcept {
  return {&AnyDecoder::open<Decoder>, encode};
}

constexpr ValueCodec kNone{};
constexpr ValueCodec kPlain = codec<PlainFixedDecoder>(encode_plain);
constexpr ValueCodec kIndices = codec<DictionaryIndexDecoder>(encode_dictionary_indices);
constexpr ValueCodec kDelta32 = codec<DeltaBinaryPackedDecoder<std::uint32_t>>(encode_delta_binary_packed);
constexpr ValueCodec kDelta64 = codec<DeltaBinaryPackedDecoder<std::uint64_t>>(encode_delta_binary_packed);
constexpr ValueCodec kDeltaBytes = codec<DeltaByteArrayDecoder>(encode_delta_byte_array);
constexpr ValueCodec kSplit = codec<ByteStreamSplitDecoder>(encode_byte_stream_split);

using enum EncodingStatus;

// The columns are BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY.
constexpr EncodingInfo kEncodings[] = {
    {Encoding::PLAIN,
     current,
     false,
     {},
     {codec<PlainBooleanDecoder>(encode_plain), kPlain, kPlain, kPlain, kPlain, kPlain,
      codec<PlainByteArrayDecoder>(encode_plain), kPlain}},
    {Encoding::GROUP_VAR_INT,
     retired,
     false,
     Rule::group_var_int_types,
     {kNone, codec<GroupVarIntDecoder<std::uint32_t>>(encode_group_var_int),
      codec<GroupVarIntDecoder<std::uint64_t>>(encode_group_var_int), kNone, kNone, kNone, kNone, kNone}},
    {Encoding::PLAIN_DICTIONARY,
     deprecated,
     false,
     {},
     {kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices}},
    {Encoding::RLE,
     current,
     true,
     Rule::rle_allowed_data,
     {codec<RleBooleanDecoder>(encode_rle_booleans), kNone, kNone, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::BIT_PACKED,
     deprecated,
     true,
     Rule::bit_packed_only_levels,
     {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::DELTA_BINARY_PACKED,
     current,
     false,
     Rule::delta_binary_packed_types,
     {kNone, kDelta32, kDelta64, kNone, kNone, kNone, kNone, kNone}},
    {Encoding::DELTA_LENGTH_BYTE_ARRAY,
     current,
     false,
     Rule::delta_length_byte_array_types,
     {kNone, kNone, kNone, kNone, kNone, kNone,
      codec<DeltaLengthByteArrayDecoder>(encode_delta_length_byte_array), kNone}},
    {Encoding::DELTA_BYTE_ARRAY,
     current,
     false,
     Rule::delta_byte_array_types,
     {kNone, kNone, kNone, kNone, kNone, kNone, kDeltaBytes, kDeltaBytes}},
    {Encoding::RLE_DICTIONARY,
     current,
     false,
     {},
     {kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices, kIndices}},
    {Encoding::BYTE_STREAM_SPLIT,
     current,
     false,
     Rule::byte_stream_split_types,
     {kNone, kSplit, kSplit, kNone, kSplit, kSplit, kNone, kSplit}},
    {Encoding::ALP,
     preview,
     false,
     Rule::alp_types,
     {kNone, kNone, kNone, kNone, codec<AlpDecoder<float>>(encode_alp), codec<AlpDecoder<double>>(encode_alp),
      kNone, kNone}},
};

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
