#include "codec/encoding/values.hpp"

#include <variant>

#include "codec/base/cursor.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/rle_boolean.hpp"
#include "codec/encoding/rle_dictionary.hpp"
#include "codec/encoding/section.hpp"

namespace parqproof {
namespace {

using AnyDecoder = std::variant<std::monostate, PlainFixedDecoder, PlainBooleanDecoder, PlainByteArrayDecoder,
                                DictionaryIndexDecoder, RleBooleanDecoder>;
using Open = Status (*)(AnyDecoder&, const Section&);

template <typename Decoder>
Status open_as(AnyDecoder& any, const Section& section) {
  if (!std::holds_alternative<Decoder>(any)) any.emplace<Decoder>();
  return std::get<Decoder>(any).open(section);
}

// The decoder of values of `type` in `encoding`; null where there is none.
Open opener(Encoding encoding, Type type) noexcept {
  switch (encoding) {
    case Encoding::PLAIN:
      if (type == Type::BOOLEAN) return open_as<PlainBooleanDecoder>;
      if (type == Type::BYTE_ARRAY) return open_as<PlainByteArrayDecoder>;
      return open_as<PlainFixedDecoder>;
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE_DICTIONARY:
      return open_as<DictionaryIndexDecoder>;
    case Encoding::RLE:
      return type == Type::BOOLEAN ? open_as<RleBooleanDecoder> : nullptr;
    default:
      return nullptr;
  }
}

// Consumes one delta header that counts no values; false where there is none.
bool skip_empty_delta_header(Cursor& cursor) noexcept {
  const auto block_size = cursor.uleb<std::uint64_t>();
  const auto miniblocks = block_size ? cursor.uleb<std::uint64_t>() : block_size;
  const auto count = miniblocks ? cursor.uleb<std::uint64_t>() : miniblocks;
  const auto first = count ? cursor.uleb<std::uint64_t>() : count;
  return first && count->value == 0;
}

// The empty form of an encoding: a section with a header and no values.
bool is_empty_form(View section, Encoding encoding, Type type) noexcept {
  constexpr Rule kRule = Rule::page_zero_values_section;
  Cursor cursor(section, {kRule, kRule, kRule});
  switch (encoding) {
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE_DICTIONARY:
      return section.size() == 1 && section.bytes[0] <= kMaxIndexWidth;
    case Encoding::RLE:
      return type == Type::BOOLEAN && section.size() == 4 && load_le<std::uint32_t>(section.data()) == 0;
    case Encoding::DELTA_BINARY_PACKED:
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
      return skip_empty_delta_header(cursor) && cursor.remaining() == 0;
    case Encoding::DELTA_BYTE_ARRAY:
      return skip_empty_delta_header(cursor) && skip_empty_delta_header(cursor) && cursor.remaining() == 0;
    case Encoding::ALP:
      return section.size() == 7 && load_le<std::uint32_t>(section.data() + 3) == 0;
    default:
      return false;
  }
}

}  // namespace

struct ValueDecoder::State {
  AnyDecoder decoder;
};

ValueDecoder::ValueDecoder() : state_(std::make_unique<State>()) {}
ValueDecoder::~ValueDecoder() = default;
ValueDecoder::ValueDecoder(ValueDecoder&&) noexcept = default;
ValueDecoder& ValueDecoder::operator=(ValueDecoder&&) noexcept = default;

std::uint32_t fixed_width(Type type, std::uint32_t type_length) noexcept {
  switch (type) {
    case Type::INT32:
    case Type::FLOAT:
      return 4;
    case Type::INT64:
    case Type::DOUBLE:
      return 8;
    case Type::INT96:
      return 12;
    case Type::FIXED_LEN_BYTE_ARRAY:
      return type_length;
    default:
      return 0;
  }
}

bool can_decode(Encoding encoding, Type type) noexcept { return opener(encoding, type) != nullptr; }

Status ValueDecoder::open(View section, const ValueSpec& spec, const Limits& limits, Budget& budget,
                          Notes& notes) {
  return opener(spec.encoding, spec.type)(state_->decoder, {section, spec, limits, budget, notes});
}

Result<ValueBatch> ValueDecoder::next() {
  return std::visit(
      [](auto& decoder) -> Result<ValueBatch> {
        if constexpr (std::is_same_v<std::decay_t<decltype(decoder)>, std::monostate>) {
          return ValueBatch{};
        } else {
          return decoder.next();
        }
      },
      state_->decoder);
}

Status ValueDecoder::end() {
  return std::visit(
      [](auto& decoder) -> Status {
        if constexpr (std::is_same_v<std::decay_t<decltype(decoder)>, std::monostate>) {
          return {};
        } else {
          return decoder.end();
        }
      },
      state_->decoder);
}

Status check_empty_section(View section, Encoding encoding, Type type) noexcept {
  if (section.empty() || is_empty_form(section, encoding, type)) return {};
  // page/zero-values-section
  return std::unexpected(Section::error_at(Rule::page_zero_values_section, section, section.size(), 0));
}

}  // namespace parqproof
