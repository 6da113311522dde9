#pragma once

#include <expected>
#include <type_traits>
#include <variant>

#include "codec/encoding/alp/alp.hpp"
#include "codec/encoding/byte_stream_split.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/delta/delta_byte_array.hpp"
#include "codec/encoding/delta/delta_length_byte_array.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/group_var_int.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/rle/rle_boolean.hpp"
#include "codec/encoding/rle/rle_dictionary.hpp"

namespace parqproof {

struct AnyEncoder {
  std::variant<std::monostate, PlainFixedEncoder, PlainBooleanEncoder, PlainByteArrayEncoder,
               DictionaryIndexEncoder, RleBooleanEncoder, DeltaBinaryPackedEncoder<std::uint32_t>,
               DeltaBinaryPackedEncoder<std::uint64_t>, DeltaLengthByteArrayEncoder, DeltaByteArrayEncoder,
               ByteStreamSplitEncoder, AlpEncoder<float>, AlpEncoder<double>,
               GroupVarIntEncoder<std::uint32_t>, GroupVarIntEncoder<std::uint64_t>>
      encoder;

  /// Opens an Encoder, which is created unless the current one is of this kind.
  template <typename Encoder>
  static EncodeStatus open(AnyEncoder& any, const NewSection& section) {
    if (!std::holds_alternative<Encoder>(any.encoder)) any.encoder.template emplace<Encoder>();
    return std::get<Encoder>(any.encoder).open(section);
  }

  /// Returns call(encoder); fails if none is open.
  template <typename Call>
  EncodeStatus visit(Call call) {
    return std::visit(
        [&](auto& held) -> EncodeStatus {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
            return std::unexpected("no section is open");
          } else {
            return call(held);
          }
        },
        encoder);
  }
};

}  // namespace parqproof
