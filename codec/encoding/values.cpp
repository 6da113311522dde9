#include "codec/encoding/values.hpp"

#include <concepts>

#include "codec/encoding/any_decoder.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/table.hpp"

namespace parqproof {
namespace {

// Removes a delta stream without values from the front of `section`. Returns false if there is none.
template <std::unsigned_integral U>
bool take_empty_stream(View& section, Notes& notes) {
  DeltaStream<U> stream;
  if (!stream.open(section, 0, Rule::page_zero_values_section, notes)) return false;
  section = stream.rest();
  return true;
}

// Returns true if `section` has only runs without values, for which rle/run-length is noted.
bool is_runs_of_none(View section, unsigned bit_width, Notes& notes) noexcept {
  const std::size_t run = 1 + ceil_div(bit_width, 8);  // a header and the value of a repeated run
  Notes found;
  while (!section.empty()) {
    const std::size_t length = section.bytes[0] == 0 ? run : 1;
    if (section.bytes[0] > 1 || section.size() < length) return false;
    found.add(Rule::rle_run_length, section.part(0, 1), 0, INT32_MAX);
    section = section.from(length);
  }
  notes = found;
  return true;
}

// Returns true if the section is the empty form of the encoding: a header without values.
bool is_empty_form(View section, Encoding encoding, Type type, Notes& notes) noexcept {
  switch (encoding) {
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE_DICTIONARY:
      return section.bytes[0] <= kMaxIndexWidth && is_runs_of_none(section.from(1), section.bytes[0], notes);
    case Encoding::RLE:
      return type == Type::BOOLEAN && section.size() >= 4 &&
             load_le<std::uint32_t>(section.data()) == section.size() - 4 &&
             is_runs_of_none(section.from(4), 1, notes);
    case Encoding::DELTA_BINARY_PACKED:
      return (type == Type::INT32 ? take_empty_stream<std::uint32_t>(section, notes)
                                  : take_empty_stream<std::uint64_t>(section, notes)) &&
             section.empty();
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
      return take_empty_stream<std::uint32_t>(section, notes) && section.empty();
    case Encoding::DELTA_BYTE_ARRAY:
      for (int stream = 0; stream < 2; ++stream) {  // prefix lengths, then suffix lengths
        if (!take_empty_stream<std::uint32_t>(section, notes)) return false;
      }
      return section.empty();
    case Encoding::ALP:
      if (section.size() != kAlpHeaderBytes || load_le<std::uint32_t>(section.data() + 3) != 0) return false;
      if (section.bytes[0] != 0) {
        notes.add(Rule::alp_compression_mode, section.part(0, 1), section.bytes[0], 0);
        return true;
      }
      return section.bytes[1] == 0 && section.bytes[2] >= kMinLogVectorSize &&
             section.bytes[2] <= kMaxLogVectorSize;
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
  return row != nullptr && row->codec(type).exists();
}

Status ValueDecoder::open(View section, const ValueSpec& spec, const Limits& limits, Budget& budget,
                          Notes& notes) {
  return find_encoding(spec.encoding)
      ->codec(spec.type)
      .open_decoder(state_->any, {section, spec, limits, budget, notes});
}

Result<ValueBatch> ValueDecoder::next() {
  return state_->any.visit(Result<ValueBatch>(ValueBatch{}), [](auto& decoder) { return decoder.next(); });
}

Status ValueDecoder::end() {
  return state_->any.visit(Status{}, [](const auto& decoder) { return decoder.end(); });
}

Status check_empty_section(View section, Encoding encoding, Type type, Notes& notes) noexcept {
  Notes found;
  if (section.empty()) return {};
  if (is_empty_form(section, encoding, type, found)) {
    notes = found;
    return {};
  }
  // page/zero-values-section
  return std::unexpected(Error::at(Rule::page_zero_values_section, section, section.size(), 0));
}

}  // namespace parqproof
