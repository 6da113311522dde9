#include "conformance/rewrite/scrub/scrub_section.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/encoding/alp/alp.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// A delta stream: what its header states, and its numbers.
template <std::unsigned_integral U>
struct Delta {
  std::uint64_t block_size = 0;
  std::uint64_t miniblocks = 0;
  std::vector<U> numbers;
  std::size_t size = 0;  ///< bytes of the stream
};

std::optional<std::uint64_t> uleb_at(std::span<const std::uint8_t> bytes, std::size_t& at) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; at < bytes.size() && shift < 64; shift += 7) {
    const std::uint8_t byte = bytes[at++];
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return number;
  }
  return std::nullopt;
}

template <std::unsigned_integral U>
std::optional<Delta<U>> read_delta(std::span<const std::uint8_t> bytes, const Limits& limits) {
  Delta<U> delta;
  std::size_t at = 0;
  const auto block_size = uleb_at(bytes, at);
  const auto miniblocks = uleb_at(bytes, at);
  const auto count = uleb_at(bytes, at);
  if (!block_size || !miniblocks || !count || *count > limits.memory_bytes / 64) return std::nullopt;
  delta.block_size = *block_size;
  delta.miniblocks = *miniblocks;
  Notes notes;
  const auto stream = std::make_unique<DeltaStream<U>>();
  if (!stream->open(View{bytes}, *count, Rule::delta_binary_packed_total_count, notes)) return std::nullopt;
  std::vector<U> batch(kBatchValues);
  while (const std::size_t more = stream->next(batch.data()))
    delta.numbers.insert(delta.numbers.end(), batch.begin(),
                         batch.begin() + static_cast<std::ptrdiff_t>(more));
  delta.size = bytes.size() - stream->rest().size();
  return delta;
}

/// Walks over byte arrays or values of fixed width that are stored one after another.
std::size_t visit_plain(std::span<std::uint8_t> section, std::size_t width, const VisitValue& visit) {
  std::size_t at = 0;
  if (width != 0) {
    for (; section.size() - at >= width; at += width) visit(section.subspan(at, width));
    return at;
  }
  while (section.size() - at >= 4) {
    const std::size_t size = number_at(section, at);
    if (size > section.size() - at - 4) break;
    visit(section.subspan(at + 4, size));
    at += 4 + size;
  }
  return at;
}

std::size_t visit_streams(std::span<std::uint8_t> section, std::size_t width, const VisitValue& visit) {
  if (width == 0 || section.size() % width != 0) return 0;
  const std::size_t count = section.size() / width;
  Bytes value(width);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) value[k] = section[k * count + i];
    visit(value);
    for (std::size_t k = 0; k < width; ++k) section[k * count + i] = value[k];
  }
  return section.size();
}

std::size_t visit_lengths(std::span<std::uint8_t> section, const Limits& limits, const VisitValue& visit) {
  const auto lengths = read_delta<std::uint32_t>(section, limits);
  if (!lengths) return 0;
  std::size_t at = lengths->size;
  for (const std::uint32_t size : lengths->numbers) {
    if (size > section.size() - at) break;
    visit(section.subspan(at, size));
    at += size;
  }
  return at;
}

/// Values whose replacements share the prefixes that the values share.
std::size_t visit_prefixes(std::span<std::uint8_t> section, const Limits& limits, const VisitValue& visit) {
  const auto prefixes = read_delta<std::uint32_t>(section, limits);
  if (!prefixes) return 0;
  const auto suffixes = read_delta<std::uint32_t>(section.subspan(prefixes->size), limits);
  if (!suffixes) return 0;
  std::size_t at = prefixes->size + suffixes->size;
  Bytes previous;
  for (std::size_t i = 0; i < std::min(prefixes->numbers.size(), suffixes->numbers.size()); ++i) {
    const std::size_t prefix = prefixes->numbers[i];
    const std::size_t suffix = suffixes->numbers[i];
    if (prefix > previous.size() || suffix > section.size() - at) break;
    previous.resize(prefix);
    previous.insert(previous.end(), section.begin() + static_cast<std::ptrdiff_t>(at),
                    section.begin() + static_cast<std::ptrdiff_t>(at + suffix));
    Bytes value = previous;
    visit(value);
    std::copy(value.begin() + static_cast<std::ptrdiff_t>(prefix), value.end(),
              section.begin() + static_cast<std::ptrdiff_t>(at));
    at += suffix;
  }
  return at;
}

/// Encodes fixed-width values in place of the first `size` bytes of a section.
bool encode_again(Bytes& section, std::size_t size, Encoding encoding, const Node& leaf, const Bytes& values,
                  const EncodeOptions& options) {
  Bytes out;
  const NewSection fresh{leaf.type, 0, options, out};
  ValueBatch batch;
  batch.fixed = values.data();
  batch.count = values.size() / fixed_width(leaf.type, 0);
  if (!encode_values(encoding, fresh, batch)) return false;
  out.insert(out.end(), section.begin() + static_cast<std::ptrdiff_t>(size), section.end());
  section = std::move(out);
  return true;
}

/// Writes bits, least significant first.
void put_bits(Bytes& bytes, std::size_t at, std::uint64_t number, unsigned width) {
  for (unsigned i = 0; i < width; ++i, ++at) {
    const auto bit = static_cast<std::uint8_t>(1U << (at % 8));
    if (at / 8 >= bytes.size()) return;
    if ((i < 64 && (number >> i & 1) != 0)) {
      bytes[at / 8] |= bit;
    } else {
      bytes[at / 8] &= static_cast<std::uint8_t>(~bit);
    }
  }
}

std::uint64_t zigzag(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}
std::int64_t unzigzag(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
}

/// Writes other numbers into a delta stream with the blocks, miniblocks, bit widths, unused bits and forms
/// of varints that it has, as far as the numbers fit. nullopt if the stream is not as expected.
template <std::unsigned_integral U>
std::optional<Bytes> rewrite_delta(std::span<const std::uint8_t> stream, const Delta<U>& old,
                                   const std::vector<U>& numbers) {
  using S = std::make_signed_t<U>;
  if (numbers.empty() || old.miniblocks == 0) return std::nullopt;
  std::size_t at = 0;
  for (int i = 0; i < 3; ++i) (void)uleb_at(stream, at);
  Bytes out(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(at));
  if (!uleb_at(stream, at)) return std::nullopt;  // the first number
  append_uleb(out, zigzag(static_cast<S>(numbers.front())));
  const std::size_t per_miniblock = old.block_size / old.miniblocks;
  for (std::size_t next = 1; next < numbers.size();) {
    const auto stored = uleb_at(stream, at);
    if (!stored || stream.size() - at < old.miniblocks) return std::nullopt;
    const auto widths = stream.subspan(at, old.miniblocks);
    const std::size_t count = std::min<std::size_t>(old.block_size, numbers.size() - next);
    const std::size_t used_miniblocks = (count + per_miniblock - 1) / per_miniblock;
    // Some writers compute the differences of INT32 in 64 bits.
    bool is_wide = unzigzag(*stored) != static_cast<S>(unzigzag(*stored));
    for (std::size_t m = 0; m < used_miniblocks; ++m) is_wide |= widths[m] > sizeof(U) * 8;
    std::vector<std::int64_t> deltas(count);
    for (std::size_t i = 0; i < count; ++i) {
      const U wrapped = static_cast<U>(numbers[next + i] - numbers[next + i - 1]);
      deltas[i] = is_wide ? std::int64_t{static_cast<S>(numbers[next + i])} -
                                std::int64_t{static_cast<S>(numbers[next + i - 1])}
                          : std::int64_t{static_cast<S>(wrapped)};
    }
    const std::int64_t min = std::ranges::min(deltas);
    append_uleb(out, zigzag(min));
    const std::size_t widths_at = out.size();
    out.insert(out.end(), widths.begin(), widths.end());
    at += old.miniblocks;
    for (std::size_t m = 0; m < used_miniblocks; ++m) {
      const std::size_t first = m * per_miniblock;
      const std::size_t end = std::min(first + per_miniblock, count);
      std::uint64_t most = 0;
      for (std::size_t i = first; i < end; ++i)
        most = std::max(most, static_cast<std::uint64_t>(deltas[i]) - static_cast<std::uint64_t>(min));
      const unsigned width = std::max<unsigned>(widths[m], static_cast<unsigned>(std::bit_width(most)));
      const std::size_t stored_bytes =
          std::min<std::size_t>(per_miniblock * widths[m] / 8, stream.size() - at);
      Bytes packed(stream.begin() + static_cast<std::ptrdiff_t>(at),
                   stream.begin() + static_cast<std::ptrdiff_t>(at + stored_bytes));
      if (width != widths[m]) packed.assign(per_miniblock * width / 8, 0);
      for (std::size_t i = first; i < end; ++i)
        put_bits(packed, (i - first) * width,
                 static_cast<std::uint64_t>(deltas[i]) - static_cast<std::uint64_t>(min), width);
      out[widths_at + m] = static_cast<std::uint8_t>(width);
      out.insert(out.end(), packed.begin(), packed.end());
      at += stored_bytes;
    }
    next += count;
  }
  return out;
}

template <std::unsigned_integral U>
std::size_t visit_delta(Bytes& section, const Node& leaf, const Limits& limits, const VisitValue& visit) {
  const auto delta = read_delta<U>(section, limits);
  if (!delta) return 0;
  if (delta->numbers.empty()) return section.size();
  Bytes values(delta->numbers.size() * sizeof(U));
  std::memcpy(values.data(), delta->numbers.data(), values.size());
  const Bytes before = values;
  visit_plain(values, sizeof(U), visit);
  if (values == before) return section.size();
  std::vector<U> numbers(delta->numbers.size());
  std::memcpy(numbers.data(), values.data(), values.size());
  if (auto out = rewrite_delta<U>(std::span(section).first(delta->size), *delta, numbers)) {
    const auto again = read_delta<U>(*out, limits);
    if (again && again->numbers == numbers && again->size == out->size()) {
      out->insert(out->end(), section.begin() + static_cast<std::ptrdiff_t>(delta->size), section.end());
      section = std::move(*out);
      return section.size();
    }
  }
  EncodeOptions options;
  options.block_size = static_cast<std::uint32_t>(delta->block_size);
  options.miniblocks = static_cast<std::uint32_t>(delta->miniblocks);
  return encode_again(section, delta->size, Encoding::DELTA_BINARY_PACKED, leaf, values, options)
             ? section.size()
             : 0;
}

/// Values of an encoding that has a decoder and an encoder alone.
std::size_t visit_decoded(Bytes& section, Encoding encoding, const Node& leaf, std::uint64_t count,
                          const Limits& limits, const VisitValue& visit) {
  if (count == 0) return section.size();
  const ValueSpec spec{.encoding = encoding, .type = leaf.type, .count = count};
  ValueDecoder decoder;
  Budget budget;
  budget.earn(section.size());
  Notes notes;
  if (!decoder.open(View{section}, spec, limits, budget, notes)) return 0;
  const std::size_t width = fixed_width(leaf.type, 0);
  Bytes values;
  for (;;) {
    const auto batch = decoder.next();
    if (!batch || (batch->count != 0 && batch->form != ValueBatch::Form::fixed)) return 0;
    if (batch->count == 0) break;
    values.insert(values.end(), batch->fixed, batch->fixed + batch->count * width);
  }
  const Bytes before = values;
  visit_plain(values, width, visit);
  if (values == before) return section.size();
  EncodeOptions options;
  if (encoding == Encoding::ALP) options.log_vector_size = section[2];
  return encode_again(section, section.size(), encoding, leaf, values, options) ? section.size() : 0;
}

}  // namespace

std::size_t visit_values(Bytes& section, Encoding encoding, const Node& leaf,
                         std::optional<std::uint64_t> count, const Limits& limits, const VisitValue& visit) {
  if (leaf.type == Type::BOOLEAN || is_dictionary_encoding(encoding) || !can_decode(encoding, leaf.type))
    return section.size();
  const std::size_t width = fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
  if (width == 0 && leaf.type != Type::BYTE_ARRAY) return section.size();
  switch (encoding) {
    case Encoding::PLAIN:
      return visit_plain(section, width, visit);
    case Encoding::BYTE_STREAM_SPLIT:
      return visit_streams(section, width, visit);
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
      return visit_lengths(section, limits, visit);
    case Encoding::DELTA_BYTE_ARRAY:
      return visit_prefixes(section, limits, visit);
    case Encoding::DELTA_BINARY_PACKED:
      return leaf.type == Type::INT32 ? visit_delta<std::uint32_t>(section, leaf, limits, visit)
                                      : visit_delta<std::uint64_t>(section, leaf, limits, visit);
    case Encoding::ALP:
      if (section.size() < kAlpHeaderBytes) return 0;
      return visit_decoded(section, encoding, leaf, number_at(section, 3), limits, visit);
    case Encoding::GROUP_VAR_INT:
      return count ? visit_decoded(section, encoding, leaf, *count, limits, visit) : 0;
    default:
      return section.size();
  }
}

}  // namespace parqproof
