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
  /// A decoder whose buffers are not filled with zeros when it is made: they are larger than most pages.
  template <typename Decoder>
  struct Held {
    Held() noexcept {}  // NOLINT(modernize-use-equals-default): the default is to fill first
    Decoder decoder;
  };
  std::variant<std::monostate, Held<PlainFixedDecoder>, Held<PlainBooleanDecoder>,
               Held<PlainByteArrayDecoder>, Held<DictionaryIndexDecoder>, Held<RleBooleanDecoder>,
               Held<DeltaBinaryPackedDecoder<std::uint32_t>>, Held<DeltaBinaryPackedDecoder<std::uint64_t>>,
               Held<DeltaLengthByteArrayDecoder>, Held<DeltaByteArrayDecoder>, Held<ByteStreamSplitDecoder>,
               Held<AlpDecoder<float>>, Held<AlpDecoder<double>>, Held<GroupVarIntDecoder<std::uint32_t>>,
               Held<GroupVarIntDecoder<std::uint64_t>>>
      held;

  /// Makes room for a Decoder, unless there is one already, and opens it.
  template <typename Decoder>
  static Status open(AnyDecoder& any, const Section& section) {
    if (!std::holds_alternative<Held<Decoder>>(any.held)) any.held.template emplace<Held<Decoder>>();
    return std::get<Held<Decoder>>(any.held).decoder.open(section);
  }

  /// What `call` gives for the decoder, or `none` where nothing has been opened.
  template <typename R, typename Call>
  R visit(R none, Call call) {
    return std::visit(
        [&](auto& one) -> R {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) {
            return none;
          } else {
            return call(one.decoder);
          }
        },
        held);
  }
};

}  // namespace parqproof
