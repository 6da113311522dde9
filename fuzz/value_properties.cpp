// Properties of the value sections of a page: decoding of any bytes, and encoding of any values.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/encoding/dictionary_builder.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/table.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/page/value_bytes.hpp"
#include "codec/schema/order.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/kernels_in_use.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::uint32_t kMaxTypeLength = 40;
constexpr std::uint64_t kFreeBytes = std::uint64_t{1}
                                     << 20;  // memory that a decoder may take for any section
constexpr std::uint64_t kHeaders = 512;
constexpr std::uint8_t kLongArray = 255;
constexpr std::uint64_t kPerByte = 16;  // and for each byte of input and output

bool is_indices(Encoding encoding) noexcept {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

/// One encoding of one type, as the tail of an input selects it.
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
    if (type == Type::FIXED_LEN_BYTE_ARRAY) type_length = tail.width() % (kMaxTypeLength + 1);
    width = fixed_width(type, type_length);
  }

  [[nodiscard]] ValueBatch::Form form() const noexcept {
    if (is_indices(encoding)) return ValueBatch::Form::indices;
    if (type == Type::BOOLEAN) return ValueBatch::Form::booleans;
    return type == Type::BYTE_ARRAY ? ValueBatch::Form::byte_arrays : ValueBatch::Form::fixed;
  }
};

/// Decodes a section with one set of kernels in memory filled with one byte, with a decoder that may have
/// read another section before.
Collected decoded(ValueDecoder& decoder, const Subject& subject, std::span<const std::uint8_t> section,
                  std::uint64_t count, const Kernels& set, std::uint8_t fill) {
  const KernelsInUse in_use(set);
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
  return collected;
}

Collected decoded(const Subject& subject, std::span<const std::uint8_t> section, std::uint64_t count,
                  const Kernels& set, std::uint8_t fill) {
  ValueDecoder decoder;
  return decoded(decoder, subject, section, count, set, fill);
}

/// A batch of equal indices or booleans as a run; any other batch unchanged.
ValueBatch as_run(ValueBatch batch) {
  const auto equal = [&](const auto* values) {
    return std::all_of(values, values + batch.count, [&](auto value) { return value == values[0]; });
  };
  if (batch.form == ValueBatch::Form::indices && equal(batch.indices)) {
    batch.form = ValueBatch::Form::index_run;
    batch.run = batch.indices[0];
  } else if (batch.form == ValueBatch::Form::booleans && equal(batch.booleans)) {
    batch.form = ValueBatch::Form::boolean_run;
    batch.run = batch.booleans[0];
  }
  return batch;
}

/// Returns true if both batches have the same first value.
bool begin_alike(const ValueBatch& one, const ValueBatch& other, std::uint32_t width) {
  switch (one.form) {
    case ValueBatch::Form::fixed:
      return std::equal(one.fixed, one.fixed + width, other.fixed);
    case ValueBatch::Form::byte_arrays: {
      const ByteArray& a = *one.byte_arrays;
      const ByteArray& b = *other.byte_arrays;
      return std::equal(a.data, a.data + a.size, b.data, b.data + b.size);
    }
    case ValueBatch::Form::booleans:
      return *one.booleans == *other.booleans;
    default:
      return *one.indices == *other.indices;
  }
}

/// Adds the values of a batch: runs of `shortest` or more values as runs of at most `longest`, and the values
/// between them.
EncodeStatus add_runs(ValueEncoder& encoder, const ValueBatch& batch, std::uint32_t width,
                      std::uint64_t shortest, std::uint64_t longest) {
  EncodeStatus status;
  std::uint64_t added = 0;
  for (std::uint64_t at = 0; at < batch.count && status;) {
    const std::uint64_t most = std::min(batch.count - at, longest);
    const ValueBatch first = some_of(batch, at, 1, width);
    std::uint64_t run = 1;
    while (run < most && begin_alike(first, some_of(batch, at + run, 1, width), width)) ++run;
    if (run >= shortest) {
      status = encoder.add(some_of(batch, added, at - added, width));
      if (status) status = encoder.add_run(first, run);
      added = at + run;
    }
    at += run;
  }
  if (status) status = encoder.add(some_of(batch, added, batch.count - added, width));
  return status;
}

/// Options of the tail, and those that only some types have: the bit width of indices, and the exponents of
/// ALP.
EncodeOptions options_of(const Subject& subject, const Collected& values, const Tail& tail) {
  EncodeOptions options = tail.options();
  if (tail.width() == 0) return options;
  if (is_indices(subject.encoding)) {
    const auto largest = std::ranges::max_element(values.numbers);
    const unsigned min_width = largest == values.numbers.end() ? 0 : bit_width_for(*largest);
    options.bit_width = std::min(32U, min_width + tail.width() % 4U);
  } else if (subject.encoding == Encoding::ALP) {
    const unsigned exponent = tail.width() % (subject.type == Type::FLOAT ? 11U : 19U);
    options.exponents = EncodeOptions::Exponents{exponent, tail.cuts() % (exponent + 1)};
  }
  return options;
}

/// The section of the values, given in batches; empty with a reason if they cannot be encoded.
struct Encoded {
  std::vector<std::uint8_t> section;
  std::string_view refused;
};

Encoded encoded(ValueEncoder& encoder, const Subject& subject, const Collected& values,
                const EncodeOptions& options, std::uint8_t cuts, const Kernels& set, std::uint8_t fill) {
  const KernelsInUse in_use(set);
  Encoded out;
  {
    const FilledMemory filled(fill);
    EncodeStatus status =
        encoder.open(subject.encoding, {subject.type, subject.type_length, options, out.section});
    const bool runs = cuts % 2 != 0;
    values.batches(subject.form(), subject.width, runs ? 0 : cuts, [&](const ValueBatch& batch) {
      if (!status) return;
      status = runs ? add_runs(encoder, batch, subject.width, 1 + cuts / 2 % 8, std::uint64_t{8} * cuts)
                    : encoder.add(batch);
    });
    if (status) status = encoder.finish();
    if (!status) out.refused = status.error();
  }
  return out;
}

Encoded encoded(const Subject& subject, const Collected& values, const EncodeOptions& options,
                std::uint8_t cuts, const Kernels& set, std::uint8_t fill) {
  ValueEncoder encoder;
  return encoded(encoder, subject, values, options, cuts, set, fill);
}

/// Text about an error outside the section, or about too many values.
std::string disorder(const Collected& collected, std::uint64_t count, std::size_t size) {
  if (collected.count > count) return "more values than requested";
  if (!collected.error) return collected.count == count ? "" : "fewer values than requested, and no error";
  const Error& error = *collected.error;
  if (error.rule == Rule::limit_work) return {};
  if (error.offset < kBase || error.offset - kBase > size || error.length > size - (error.offset - kBase)) {
    return described(collected) + " is outside the section";
  }
  return {};
}

/// Checks that decode(encode(v)) = v, where `one` is encode(v).
std::string recoding_fault(const Subject& subject, const Collected& values, const Encoded& one,
                           const Tail& tail) {
  if (!one.refused.empty()) return "the encoder refuses: " + std::string(one.refused);
  const Collected again = decoded(subject, one.section, values.count, tail.kernels(), tail.fill());
  if (again.error) return "the encoded values cannot be decoded: " + described(again);
  if (!again.same_values(values)) return "the decoded values differ from the encoded ones";
  return {};
}

/// Checks that decode(encode(v)) = v with the options of the tail, and that the encoding does not depend on
/// batches, kernels, the content of new memory, or earlier values.
std::string round_trip_fault(const Subject& subject, const Collected& values, const Tail& tail) {
  const EncodeOptions options = options_of(subject, values, tail);
  const Encoded one = encoded(subject, values, options, 0, reference_kernels(), 0);
  ValueEncoder encoder;
  const Encoded other = encoded(encoder, subject, values, options, tail.cuts(), tail.kernels(), 0xA5);
  if (one.section != other.section || one.refused != other.refused) {
    return "the section depends on batches, kernels or the content of new memory";
  }
  if (std::string fault = recoding_fault(subject, values, one, tail); !fault.empty()) return fault;
  EncodeOptions usual;
  usual.selector_little_endian = options.selector_little_endian;
  const Encoded by_default =
      encoded(encoder, subject, values, usual, tail.cuts(), tail.kernels(), tail.fill());
  if (!by_default.refused.empty())
    return "the encoder refuses by default: " + std::string(by_default.refused);
  const Collected clean = decoded(subject, by_default.section, values.count, tail.kernels(), tail.fill());
  if (!clean.clean()) return "by default the encoder breaks a rule: " + described(clean);
  if (!clean.same_values(values)) return "the decoded values differ from those encoded by default";
  // No encoding takes more than its headers with incomplete miniblocks, and three times the size of PLAIN,
  // like an exception of ALP; values without bytes have lengths all the same.
  const bool booleans = subject.form() == ValueBatch::Form::booleans;
  const std::uint64_t plain =
      booleans ? values.count / 8 : values.bytes.size() + 4 * values.numbers.size() + values.count / 2;
  if (by_default.section.size() > kHeaders + 3 * plain)
    return "the section takes more than three times the bytes of PLAIN";
  return {};
}

/// Checks that a section with a changed length is not sound: with one byte less, or one more.
std::string unnoticed(const Subject& subject, std::span<const std::uint8_t> section, std::uint64_t count,
                      const Tail& tail) {
  if (!section.empty() && tail.cuts() % 2 == 0) {
    const auto shorter =
        decoded(subject, section.first(section.size() - 1), count, tail.kernels(), tail.fill());
    return shorter.clean() ? "a section without its last byte is sound" : "";
  }
  std::vector<std::uint8_t> longer(section.begin(), section.end());
  longer.push_back(tail.cuts());
  if (decoded(subject, longer, count, tail.kernels(), tail.fill()).clean()) {
    return "a section with an extra byte is sound";
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
  ValueDecoder decoder;
  if ((tail.cuts() & 6U) == 6) {  // first decodes a part of the section, which is usually an error
    const std::span<const std::uint8_t> part = section.first(section.size() / 2);
    (void)decoded(decoder, subject, part, tail.count(), reference_kernels(), 0xA5);
  }
  const Collected reference = decoded(decoder, subject, section, tail.count(), reference_kernels(), 0xA5);
  const std::string_view why = " on kernels, on the content of new memory, or on what was decoded before";
  if (!fast.same_values(reference)) return "the values depend" + std::string(why);
  if (!fast.same_findings(reference)) {
    return "the findings depend" + std::string(why) + ": " + described(fast) + "; " + described(reference);
  }
  if (std::string fault = disorder(fast, tail.count(), section.size()); !fault.empty()) return fault;
  if (fast.error) return {};
  if (fast.clean() && tail.count() != 0) {  // a section without values may be empty, or a header
    if (std::string fault = unnoticed(subject, section, tail.count(), tail); !fault.empty()) return fault;
  }
  // The other checks are in the property of the encoder, which does not have to find legal bytes first.
  const EncodeOptions options = options_of(subject, fast, tail);
  return recoding_fault(subject, fast,
                        encoded(subject, fast, options, tail.cuts(), tail.kernels(), tail.fill()), tail);
}

/// Values whose bytes are the input: as in PLAIN, but one byte for each boolean; each index is two bytes,
/// after one with the number of their significant bits and their shift; each byte array follows one byte with
/// its length, or 255 and a length of two bytes, where 65535 means 64 KiB.
Collected values_of(const Subject& subject, std::span<const std::uint8_t> payload) {
  Collected values;
  const auto form = subject.form();
  if (form == ValueBatch::Form::indices) {
    const unsigned bits = payload.empty() ? 0 : payload[0] % 17;
    const unsigned steps = payload.empty() ? 0 : payload[0] / 17;
    const unsigned shift = steps < 14 ? steps : 16;  // up to 32 bits in total
    for (std::size_t at = 1; at + 2 <= payload.size(); at += 2) {
      const std::uint64_t index = load_le<std::uint16_t>(payload.data() + at) & low_bits(bits);
      values.numbers.push_back(static_cast<std::uint32_t>(index << shift));
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
        if (size == 0xFFFF) ++size;
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

/// Options with numbers that no tail gives, some of which no encoder accepts. Bit i of the last byte unsets
/// the option of byte i, so that options also occur alone.
constexpr std::size_t kOptionBytes = 9;
EncodeOptions any_options(std::span<const std::uint8_t> drawn) {
  std::array<std::uint8_t, kOptionBytes - 1> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (i == 0 || (drawn.back() >> i & 1U) == 0) bytes[i] = drawn[i];
  constexpr std::uint32_t kBlocks[] = {0, 1, 64, 128, 384, 1024, 1U << 20, 1U << 21};
  constexpr std::uint32_t kNumbers[] = {0, 1, 7, 8, 20, 1000, INT32_MAX, UINT32_MAX};
  constexpr std::uint32_t kMiniblocks[] = {0, 1, 2, 3, 4, 7, 32'768, 40'000};
  EncodeOptions options;
  options.varint_bytes = bytes[0] % 12U;
  if (bytes[1] != 0) options.bit_width = bytes[1] % 40U;
  if (bytes[2] != 0) options.block_size = kBlocks[bytes[2] % std::size(kBlocks)];
  if (bytes[3] != 0) options.miniblocks = kMiniblocks[bytes[3] % std::size(kMiniblocks)];
  if (bytes[4] != 0) options.log_vector_size = bytes[4] % 20U;
  if (bytes[5] != 0) options.exponents = EncodeOptions::Exponents{bytes[5] % 25U, bytes[5] / 25U};
  if (bytes[6] != 0) {
    options.longest_run = kNumbers[bytes[6] & 7U];
    options.longest_prefix = kNumbers[bytes[6] & 7U];
    options.needless_exceptions = kNumbers[bytes[6] >> 3 & 7U];
    options.placeholder = static_cast<EncodeOptions::Placeholder>((bytes[6] >> 6) % 3U);
  }
  if (bytes[7] != 0) {
    options.suffix_block_size = kBlocks[bytes[7] % std::size(kBlocks)];
    options.suffix_miniblocks = kMiniblocks[(bytes[7] >> 3) % std::size(kMiniblocks)];
  }
  return options;
}

/// Any options are either refused, whatever the batches, or the encoded values decode to the same.
std::string encode_options_fault(std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const auto payload = tail.payload();
  std::vector<const EncodingInfo*> rows;
  for (const EncodingInfo& row : all_encodings()) {
    if (!std::ranges::none_of(row.types, &ValueCodec::exists)) rows.push_back(&row);
  }
  if (payload.size() < kOptionBytes) return {};
  const Subject subject(*rows[tail.count() % rows.size()], tail);
  EncodeOptions options = any_options(payload.first(kOptionBytes));
  options.selector_little_endian = subject.selector_little_endian;
  const Collected values = values_of(subject, payload.subspan(kOptionBytes));
  const Encoded parts = encoded(subject, values, options, tail.cuts(), tail.kernels(), tail.fill());
  bool same_parts = true;
  values.batches(subject.form(), subject.width, 0, [&](const ValueBatch& batch) {
    Encoded at_once;
    const EncodeStatus status =
        encode_values(subject.encoding, {subject.type, subject.type_length, options, at_once.section}, batch);
    if (!status) at_once.refused = status.error();
    same_parts = at_once.refused == parts.refused && (!status || at_once.section == parts.section);
  });
  if (!same_parts) return "the section depends on the batches";
  if (!parts.refused.empty()) return {};
  const Collected again = decoded(subject, parts.section, values.count, tail.kernels(), tail.fill());
  if (again.error) return "the encoded values cannot be decoded: " + described(again);
  return again.same_values(values) ? "" : "the decoded values differ from the encoded ones";
}

using Value = std::vector<std::uint8_t>;

/// Each value on its own.
std::vector<Value> apart(const Subject& subject, const Collected& values) {
  std::vector<Value> all;
  values.batches(subject.form(), subject.width, 0, [&](const ValueBatch& batch) {
    for_each_value(batch, subject.width, {}, [&](std::span<const std::uint8_t> value, std::uint64_t) {
      all.emplace_back(value.begin(), value.end());
    });
  });
  return all;
}

/// The entries of a dictionary, as a reader of its page has them.
std::vector<Value> entries_of(const Subject& subject, const DictionaryBuilder& builder) {
  return apart(subject, decoded(subject, builder.plain(), builder.size(), reference_kernels(), 0));
}

/// Checks the entries of a dictionary for the first `count` values.
std::string entries_fault(const Subject& subject, const DictionaryBuilder& builder,
                          std::span<const Value> values) {
  const std::vector<Value> entries = entries_of(subject, builder);
  if (entries.size() != builder.size()) return "the dictionary page has a wrong number of entries";
  if (builder.indices().size() != values.size()) return "there are more or fewer indices than values";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t index = builder.indices()[i];
    if (index >= entries.size() || entries[index] != values[i])
      return "the entry of value " + std::to_string(i) + " has another value";
  }
  std::set<std::string> once;
  for (const Value& entry : entries) once.emplace(entry.begin(), entry.end());
  return once.size() == entries.size() ? "" : "a value has two entries";
}

Order order_of_entries(Type type) {
  if (type == Type::BOOLEAN) return Order::boolean;
  if (type == Type::INT32 || type == Type::INT64) return Order::signed_int;
  return type == Type::FLOAT || type == Type::DOUBLE ? Order::total : Order::unsigned_bytes;
}

/// A dictionary has each value once, in the order of first occurrence, or sorted. A small limit ends it
/// before the first value that does not fit; if the tail asks to fill memory, the limit is half the size.
std::string dictionary_fault(const EncodingInfo& plain, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const Subject subject(plain, tail);
  const Collected collected = values_of(subject, tail.payload());
  const std::vector<Value> values = apart(subject, collected);
  const std::uint64_t most = (tail.fill() != 0 ? collected.bytes.size() / 2 : INT32_MAX);
  DictionaryBuilder builder(subject.type, subject.type_length, most);
  std::uint64_t added = 0;
  bool full = false;
  collected.batches(subject.form(), subject.width, tail.cuts(), [&](const ValueBatch& batch) {
    if (full) return;
    const std::uint64_t taken = builder.add(as_run(batch));
    added += taken;
    full = taken != batch.count;
  });
  const std::span<const Value> held = std::span(values).first(static_cast<std::size_t>(added));
  if (std::string fault = entries_fault(subject, builder, held); !fault.empty()) return fault;
  std::uint32_t next = 0;
  for (const std::uint32_t index : builder.indices()) {
    if (index > next) return "the entries are not in the order of the values";
    next += index == next ? 1 : 0;
  }
  const std::vector<std::uint8_t> page = builder.plain();
  if (subject.type != Type::BOOLEAN && page.size() > most) return "the dictionary is larger than its limit";
  if (full) {
    const std::size_t head = subject.type == Type::BYTE_ARRAY ? sizeof(std::uint32_t) : 0;
    const Value& left = values[static_cast<std::size_t>(added)];
    if (std::ranges::find(held, left) != held.end() || page.size() + head + left.size() <= most)
      return "a value that fits is left out";
  }
  builder.sort();
  if (std::string fault = entries_fault(subject, builder, held); !fault.empty()) return "sorted: " + fault;
  const std::vector<Value> entries = entries_of(subject, builder);
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (compare(order_of_entries(subject.type), entries[i - 1], entries[i]) != Comparison::less)
      return "the entries of a sorted dictionary are not sorted";
  }
  // Adds all values again after sorting: each has an entry already.
  collected.batches(subject.form(), subject.width, 0, [&](ValueBatch batch) {
    batch.count = added;
    if (builder.add(batch) != added) full = true;
  });
  const auto indices = builder.indices();
  if (!held.empty() && !std::ranges::equal(indices.first(held.size()), indices.subspan(held.size())))
    return "a repeated value has another index";
  return {};
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
  const EncodingInfo* const plain = find_encoding(Encoding::PLAIN);
  properties.push_back({"encode_options", encode_options_fault});
  properties.push_back({"dictionary", [plain](auto input) { return dictionary_fault(*plain, input); }});
}

}  // namespace parqproof::fuzz
