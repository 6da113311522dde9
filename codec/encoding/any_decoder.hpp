#pragma once

#include <type_traits>
#include <variant>

#include "codec/encoding/alp.hpp"
#include "codec/encoding/byte_stream_split.hpp"
#include "codec/encoding/delta_binary_packed.hpp"
#include "codec/encoding/delta_byte_array.hpp"
#include "codec/encoding/delta_length_byte_array.hpp"
#include "codec/encoding/group_var_int.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/rle_boolean.hpp"
#include "codec/encoding/rle_dictionary.hpp"

namespace parqproof {

struct AnyDecoder {
  std::variant<std::monostate, PlainFixedDecoder, PlainBooleanDecoder, PlainByteArrayDecoder,
               DictionaryIndexDecoder, RleBooleanDecoder, DeltaBinaryPackedDecoder<std::uint32_t>,
               DeltaBinaryPackedDecoder<std::uint64_t>, DeltaLengthByteArrayDecoder, DeltaByteArrayDecoder,
               ByteStreamSplitDecoder, AlpDecoder<float>, AlpDecoder<double>,
               GroupVarIntDecoder<std::uint32_t>, GroupVarIntDecoder<std::uint64_t>>
      decoder;

  /// Makes room for a Decoder, unless there is one already, and opens it.
  template <typename Decoder>
  static Status open(AnyDecoder& any, const Section& section) {
    if (!std::holds_alternative<Decoder>(any.decoder)) any.decoder.template emplace<Decoder>();
    return std::get<Decoder>(any.decoder).open(section);
  }

  /// What `call` gives for the decoder, or `none` where nothing has been opened.
  template <typename R, typename Call>
  R visit(R none, Call call) {
    return std::visit(
        [&](auto& held) -> R {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
            return none;
          } else {
            return call(held);
          }
        },
        decoder);
  }
};

}  // namespace parqproof
