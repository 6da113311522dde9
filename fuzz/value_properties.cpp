// Properties of the value sections of a page: of bytes that are decoded, and of values that are encoded.
#include <algorithm>
#include <array>

#include "codec/base/bits.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/table.hpp"
#include "codec/kernel/kernels.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::uint64_t kBase = 4;  // where sections begin, so that an offset that is not absolute shows
constexpr std::uint32_t kMostTypeLength = 40;
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20;  // that a decoder may have for nothing
constexpr std::uint64_t kHeaders = 512;
constexpr std::uint8_t kLongArray = 255;
constexpr std::uint64_t kPerByte = 16;  // and for each byte in and out

bool is_indices(Encoding encoding) noexcept {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

/// One encoding of one type, as the tail of an input says it.
struct Subject {
  Encoding encoding;
  Type type = Type::INT32;
  std::uint32_t type_length = 0;
  std::uint32_t width = 0;  // bytes of a value of fixed width
  bool selector_little_endian = false;

  Subject(const EncodingInfo& row, const Tail& tail)
      : encoding(row.encoding), selector_little_endian(tail.selector_little_endian()) {
    std::array<Type, kTypeCount> types{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < kTypeCount; ++i) {
      if (row.types[i].exists()) types[count++] = static_cast<Type>(i);
    }
    type = types[tail.type() % count];
    if (type == Type::FIXED_LEN_BYTE_ARRAY) type_length = tail.width() % (kMostTypeLength + 1);
    width = fixed_width(type, type_length);
  }

  [[nodiscard]] ValueBatch::Form form() const noexcept {
    if (is_indices(encoding)) return ValueBatch::Form::indices;
    if (type == Type::BOOLEAN) return ValueBatch::Form::booleans;
    return type == Type::BYTE_ARRAY ? ValueBatch::Form::byte_arrays : ValueBatch::Form::fixed;
  }
};

/// A section, decoded with one set of kernels in memory that was full of one byte.
Collected decoded(const Subject& subject, std::span<const std::uint8_t> section, std::uint64_t count,
                  const Kernels& set, std::uint8_t fill) {
  const Kernels& usual = kernels();
  use_kernels(set);
  Collected collected;
  {
    const FilledMemory filled(fill);
    ValueSpec spec;
    spec.encoding = subject.encoding;
    spec.type = subject.type;
    spec.type_length = subject.type_length;
    spec.count = count;
    spec.dictionary_size = is_indices(subject.encoding) ? UINT32_MAX : 0;
    spec.selector_little_endian = subject.selector_little_endian;
    const Limits limits;
    Budget budget;
    budget.earn(section.size());
    const View view{section, kBase, Space::page};
    if (count == 0) {
      const Status status = check_empty_section(view, subject.encoding, subject.type, collected.notes);
      if (!status) collected.error = status.error();
    } else {
      ValueDecoder decoder;
      Status status = decoder.open(view, spec, limits, budget, collected.notes);
      while (status) {
        const Result<ValueBatch> batch = decoder.next();
        if (!batch) {
          status = std::unexpected(batch.error());
        } else if (batch->count == 0) {
          status = decoder.end();
          break;
        } else {
          collected.append(*batch, subject.width);
        }
      }
      if (!status) collected.error = status.error();
    }
  }
  use_kernels(usual);
  return collected;
}

/// The section that the values make, given in batches; empty and a reason where they cannot be encoded.
struct Encoded {
  std::vector<std::uint8_t> section;
  std::string_view refused;
};

Encoded encoded(const Subject& subject, const Collected& values, const EncodeOptions& options,
                std::uint8_t cuts, const Kernels& set, std::uint8_t fill) {
  const Kernels& usual = kernels();
  use_kernels(set);
  Encoded out;
  {
    const FilledMemory filled(fill);
    ValueEncoder encoder;
    EncodeStatus status =
        encoder.open(subject.encoding, {subject.type, subject.type_length, options, out.section});
    values.batches(subject.form(), subject.width, cuts, [&](const ValueBatch& batch) {
      if (status) status = encoder.add(batch);
    });
    if (status) status = encoder.finish();
    if (!status) out.refused = status.error();
  }
  use_kernels(usual);
  return out;
}

/// Where an error lies outside of the section, or more values came out than were asked for.
std::string disorder(const Collected& collected, std::uint64_t count, std::size_t size) {
  if (collected.count > count) return "more values than the section stores";
  if (!collected.error) return collected.count == count ? "" : "fewer values than asked for, and no error";
  const Error& error = *collected.error;
  if (error.rule == Rule::limit_work) return {};
  if (error.offset < kBase || error.offset - kBase > size || error.length > size - (error.offset - kBase)) {
    return described(collected) + " lies outside of the section";
  }
  return {};
}

/// What of decode(encode(v)) = v does not hold, with the options of the tail; also: encoding is the same
/// whatever the batches, the kernels and the content of new memory.
std::string round_trip_fault(const Subject& subject, const Collected& values, const Tail& tail) {
  const EncodeOptions options = tail.options();
  const Encoded one = encoded(subject, values, options, 0, reference_kernels(), 0);
  const Encoded other = encoded(subject, values, options, tail.cuts(), tail.kernels(), 0xA5);
  if (one.section != other.section || one.refused != other.refused) {
    return "the section depends on batches, kernels or the content of new memory";
  }
  if (!one.refused.empty()) return "the encoder refuses: " + std::string(one.refused);
  const Collected again = decoded(subject, one.section, values.count, tail.kernels(), tail.fill());
  if (again.error) return "what was encoded cannot be decoded: " + described(again);
  if (!again.same_values(values)) return "other values come out than were encoded";
  EncodeOptions usual;
  usual.selector_little_endian = options.selector_little_endian;
  const Encoded smallest = encoded(subject, values, usual, tail.cuts(), tail.kernels(), tail.fill());
  if (!smallest.refused.empty()) return "the encoder refuses by default: " + std::string(smallest.refused);
  const Collected clean = decoded(subject, smallest.section, values.count, tail.kernels(), tail.fill());
  if (!clean.clean()) return "by default the encoder breaks a rule: " + described(clean);
  if (!clean.same_values(values)) return "other values come out than were encoded by default";
  // No encoding takes more than its headers with miniblocks that are not full, and twice what PLAIN takes.
  const std::uint64_t plain = values.bytes.size() + 4 * values.numbers.size();
  if (smallest.section.size() > kHeaders + 2 * plain + values.count)
    return "the section takes more than twice the bytes of PLAIN";
  return {};
}

/// Whether a change of the length of a sound section goes unnoticed.
std::string unnoticed(const Subject& subject, std::span<const std::uint8_t> section, std::uint64_t count,
                      const Tail& tail) {
  if (!section.empty()) {
    const auto shorter =
        decoded(subject, section.first(section.size() - 1), count, tail.kernels(), tail.fill());
    if (shorter.clean()) return "a section without its last byte is as sound as the whole";
  }
  std::vector<std::uint8_t> longer(section.begin(), section.end());
  longer.push_back(tail.cuts());
  if (decoded(subject, longer, count, tail.kernels(), tail.fill()).clean()) {
    return "a section with a byte too many is as sound as without";
  }
  return {};
}

std::string decode_fault(const EncodingInfo& row, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const Subject subject(row, tail);
  const std::span<const std::uint8_t> section = tail.payload();
  const std::uint64_t before = allocated_bytes();
  const Collected fast = decoded(subject, section, tail.count(), tail.kernels(), tail.fill());
  const std::uint64_t produced = fast.bytes.size() + 4 * fast.numbers.size();
  if (allocated_bytes() - before > kFreeBytes + kPerByte * (section.size() + produced)) {
    return "decoding takes more memory than the section and its values account for";
  }
  const Collected reference = decoded(subject, section, tail.count(), reference_kernels(), 0xA5);
  if (!fast.same_values(reference)) return "the values depend on kernels or on the content of new memory";
  if (!fast.same_findings(reference)) {
    return "the findings depend on kernels or on the content of new memory: " + described(fast) + "; " +
           described(reference);
  }
  if (std::string fault = disorder(fast, tail.count(), section.size()); !fault.empty()) return fault;
  if (fast.error) return {};
  if (fast.clean() && tail.count() != 0) {  // a section of no values may be empty, or a header
    if (std::string fault = unnoticed(subject, section, tail.count(), tail); !fault.empty()) return fault;
  }
  return round_trip_fault(subject, fast, tail);
}

/// Values whose bytes are the input: as in PLAIN, but booleans a byte each, indices two bytes behind one that
/// says how many bits of them count, and byte arrays behind one byte with their length, or behind 255 and two
/// bytes.
Collected values_of(const Subject& subject, std::span<const std::uint8_t> payload) {
  Collected values;
  const auto form = subject.form();
  if (form == ValueBatch::Form::indices) {
    // The first byte says how many bits of two bytes count.
    const unsigned bits = payload.empty() ? 0 : payload[0] % 17;
    for (std::size_t at = 1; at + 2 <= payload.size(); at += 2) {
      values.numbers.push_back(
          static_cast<std::uint32_t>(load_le<std::uint16_t>(payload.data() + at) & low_bits(bits)));
    }
    values.count = values.numbers.size();
  } else if (form == ValueBatch::Form::booleans) {
    for (const std::uint8_t byte : payload) values.bytes.push_back(byte & 1U);
    values.count = values.bytes.size();
  } else if (form == ValueBatch::Form::byte_arrays) {
    for (std::size_t at = 0; at < payload.size();) {
      std::size_t size = payload[at++];
      if (size == kLongArray && payload.size() - at >= 2) {
        size = load_le<std::uint16_t>(payload.data() + at);
        at += 2;
      }
      size = std::min(size, payload.size() - at);
      const auto value = payload.subspan(at, size);
      values.bytes.insert(values.bytes.end(), value.begin(), value.end());
      values.numbers.push_back(static_cast<std::uint32_t>(size));
      at += size;
    }
    values.count = values.numbers.size();
  } else if (subject.width != 0) {
    values.count = payload.size() / subject.width;
    values.bytes.assign(payload.begin(),
                        payload.begin() + static_cast<std::ptrdiff_t>(values.count * subject.width));
  } else {
    values.count = payload.size();
  }
  return values;
}

std::string encode_fault(const EncodingInfo& row, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const Subject subject(row, tail);
  return round_trip_fault(subject, values_of(subject, tail.payload()), tail);
}

}  // namespace

void add_value_properties(std::vector<Property>& properties) {
  for (const EncodingInfo& row : all_encodings()) {
    if (std::ranges::none_of(row.types, &ValueCodec::exists)) continue;
    properties.push_back(
        {property_name("decode_", row.name()), [&row](auto input) { return decode_fault(row, input); }});
    properties.push_back(
        {property_name("encode_", row.name()), [&row](auto input) { return encode_fault(row, input); }});
  }
}

}  // namespace parqproof::fuzz
