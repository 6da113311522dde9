#include "codec/encoding/values.hpp"

#include "codec/base/cursor.hpp"
#include "codec/encoding/any_decoder.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/table.hpp"

namespace parqproof {
namespace {

// Consumes delta headers that count no values; false where they are not there.
bool skip_empty_delta_headers(Cursor& cursor, int headers) noexcept {
  for (; headers != 0; --headers) {
    const auto block_size = cursor.uleb<std::uint64_t>();
    const auto miniblocks = block_size ? cursor.uleb<std::uint64_t>() : block_size;
    const auto count = miniblocks ? cursor.uleb<std::uint64_t>() : miniblocks;
    const auto first = count ? cursor.uleb<std::uint64_t>() : count;
    if (!first || count->value != 0) return false;
  }
  return true;
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
      return skip_empty_delta_headers(cursor, 1) && cursor.remaining() == 0;
    case Encoding::DELTA_BYTE_ARRAY:
      return skip_empty_delta_headers(cursor, 2) && cursor.remaining() == 0;
    case Encoding::ALP:
      return section.size() == kAlpHeaderBytes && load_le<std::uint32_t>(section.data() + 3) == 0;
    default:
      return false;
  }
}

}  // namespace

struct ValueDecoder::State {
  AnyDecoder any;
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

bool can_decode(Encoding encoding, Type type) noexcept {
  const EncodingInfo* const row = find_encoding(encoding);
  return row != nullptr && row->judged && row->codec(type).exists();
}

Status ValueDecoder::open(View section, const ValueSpec& spec, const Limits& limits, Budget& budget,
                          Notes& notes) {
  return find_encoding(spec.encoding)
      ->codec(spec.type)
      .open(state_->any, {section, spec, limits, budget, notes});
}

Result<ValueBatch> ValueDecoder::next() {
  return state_->any.visit(Result<ValueBatch>(ValueBatch{}), [](auto& decoder) { return decoder.next(); });
}

Status ValueDecoder::end() {
  return state_->any.visit(Status{}, [](const auto& decoder) { return decoder.end(); });
}

Status check_empty_section(View section, Encoding encoding, Type type) noexcept {
  if (section.empty() || is_empty_form(section, encoding, type)) return {};
  // page/zero-values-section
  return std::unexpected(Section::error_at(Rule::page_zero_values_section, section, section.size(), 0));
}

}  // namespace parqproof
