#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <variant>

#include "codec/encoding/alp/alp.hpp"
#include "codec/encoding/byte_stream_split.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/delta/delta_byte_array.hpp"
#include "codec/encoding/delta/delta_length_byte_array.hpp"
#include "codec/encoding/group_var_int.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/rle/rle_boolean.hpp"
#include "codec/encoding/rle/rle_dictionary.hpp"

namespace parqproof {

/// Holds decoders of all kinds, one of them open. Each kind is created on first use and kept: its buffers are
/// larger than most pages, and the pages of a column chunk alternate between kinds.
class AnyDecoder {
 public:
  /// Opens the Decoder of this kind.
  template <typename Decoder>
  static Status open(AnyDecoder& any, const Section& section) {
    std::unique_ptr<Decoder>& kept = std::get<std::unique_ptr<Decoder>>(any.kept_);
    if (kept == nullptr) kept = std::make_unique_for_overwrite<Decoder>();  // buffers are not zeroed
    any.open_ = kept.get();
    return kept->open(section);
  }

  /// Returns call(decoder) for the open decoder; `none` if none is open.
  template <typename R, typename Call>
  R visit(R none, Call call) {
    return std::visit(
        [&](auto decoder) -> R {
          if constexpr (std::is_same_v<decltype(decoder), std::monostate>) {
            return none;
          } else {
            return call(*decoder);
          }
        },
        open_);
  }

 private:
  template <typename... Decoder>
  struct Kinds {
    using Kept = std::tuple<std::unique_ptr<Decoder>...>;
    using Open = std::variant<std::monostate, Decoder*...>;
  };
  using All = Kinds<PlainFixedDecoder, PlainBooleanDecoder, PlainByteArrayDecoder, DictionaryIndexDecoder,
                    RleBooleanDecoder, DeltaBinaryPackedDecoder<std::uint32_t>,
                    DeltaBinaryPackedDecoder<std::uint64_t>, DeltaLengthByteArrayDecoder,
                    DeltaByteArrayDecoder, ByteStreamSplitDecoder, AlpDecoder<float>, AlpDecoder<double>,
                    GroupVarIntDecoder<std::uint32_t>, GroupVarIntDecoder<std::uint64_t>>;
  All::Kept kept_;
  All::Open open_;
};

}  // namespace parqproof
