// Properties of levels: of bytes that are decoded, and of levels that are encoded.
#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/encoding/level_codec.hpp"
#include "codec/encoding/table.hpp"
#include "codec/kernel/kernels.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::uint64_t kBase = 4;
constexpr unsigned kMostBits = 32;

struct Levels {
  Collected collected;
  std::size_t rest = 0;  // bytes behind them
};

Levels decoded(Encoding encoding, std::span<const std::uint8_t> bytes, unsigned width, std::uint64_t count,
               const Kernels& set, std::uint8_t fill) {
  const Kernels& usual = kernels();
  use_kernels(set);
  Levels levels;
  {
    const FilledMemory filled(fill);
    const auto decoder = std::make_unique_for_overwrite<LevelDecoder>();
    Collected& collected = levels.collected;
    const View view{bytes, kBase, Space::page};
    const Status opened = decoder->open(encoding, {view, width, count, collected.notes});
    if (!opened) collected.error = opened.error();
    while (!collected.error) {
      const Result<HybridDecoder::Batch> next = decoder->next();
      if (!next) {
        collected.error = next.error();
        break;
      }
      if (next->count == 0) break;
      ValueBatch batch;
      batch.form = next->values == nullptr ? ValueBatch::Form::index_run : ValueBatch::Form::indices;
      batch.count = next->count;
      batch.indices = next->values;
      batch.run = next->repeated;
      collected.append(batch, 0);
    }
    if (!collected.error) levels.rest = decoder->rest().size();
  }
  use_kernels(usual);
  return levels;
}

std::vector<std::uint8_t> encoded(Encoding encoding, const Collected& levels, unsigned width,
                                  const Tail& tail, std::uint8_t cuts, const Kernels& set,
                                  std::uint8_t fill) {
  const Kernels& usual = kernels();
  use_kernels(set);
  std::vector<std::uint8_t> out;
  {
    const FilledMemory filled(fill);
    const EncodeOptions options = tail.options();
    LevelEncoder encoder;
    (void)encoder.open(encoding, {width, options, out});
    levels.batches(ValueBatch::Form::indices, 0, cuts, [&](const ValueBatch& batch) {
      const bool equal = std::ranges::all_of(std::span(batch.indices, batch.count),
                                             [&](std::uint32_t level) { return level == batch.indices[0]; });
      if (equal) {
        encoder.add(batch.indices[0], batch.count);
      } else {
        encoder.add(std::span(batch.indices, static_cast<std::size_t>(batch.count)));
      }
    });
    encoder.finish();
  }
  use_kernels(usual);
  return out;
}

std::string round_trip_fault(Encoding encoding, const Collected& levels, unsigned width, const Tail& tail) {
  const auto one = encoded(encoding, levels, width, tail, 0, reference_kernels(), 0);
  if (one != encoded(encoding, levels, width, tail, tail.cuts(), tail.kernels(), 0xA5)) {
    return "the bytes depend on batches, kernels or the content of new memory";
  }
  const Levels again = decoded(encoding, one, width, levels.count, tail.kernels(), tail.fill());
  if (again.collected.error) return "what was encoded cannot be decoded: " + described(again.collected);
  if (!again.collected.same_values(levels)) return "other levels come out than were encoded";
  if (again.rest != 0) return "the encoder writes more than its decoder reads";
  return {};
}

unsigned width_of(Encoding encoding, const Tail& tail) noexcept {
  const unsigned least = encoding == Encoding::BIT_PACKED ? 1 : 0;
  return least + tail.width() % (kMostBits + 1 - least);
}

std::string decode_fault(Encoding encoding, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const unsigned width = width_of(encoding, tail);
  const auto bytes = tail.payload();
  const Levels fast = decoded(encoding, bytes, width, tail.count(), tail.kernels(), tail.fill());
  const Levels reference = decoded(encoding, bytes, width, tail.count(), reference_kernels(), 0xA5);
  const Collected& levels = fast.collected;
  if (!levels.same_values(reference.collected))
    return "the levels depend on kernels or on the content of new memory";
  if (!levels.same_findings(reference.collected) || fast.rest != reference.rest) {
    return "the findings depend on kernels or on the content of new memory";
  }
  if (levels.count > tail.count()) return "more levels than asked for";
  if (levels.error) {
    const std::uint64_t end = levels.error->offset + levels.error->length;
    return levels.error->offset < kBase || end > kBase + bytes.size()
               ? described(levels) + " lies outside of the levels"
               : "";
  }
  if (levels.count != tail.count()) return "fewer levels than asked for, and no error";
  if (levels.clean() && fast.rest == 0 && !bytes.empty()) {
    const auto shorter = bytes.first(bytes.size() - 1);
    if (decoded(encoding, shorter, width, tail.count(), tail.kernels(), tail.fill()).collected.clean()) {
      return "levels without their last byte are as sound as the whole";
    }
  }
  return round_trip_fault(encoding, levels, width, tail);
}

std::string encode_fault(Encoding encoding, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const unsigned width = width_of(encoding, tail);
  Collected levels;
  for (const std::uint8_t byte : tail.payload()) {
    levels.numbers.push_back(static_cast<std::uint32_t>(byte * 0x01010101U & low_bits(width)));
  }
  levels.count = levels.numbers.size();
  return round_trip_fault(encoding, levels, width, tail);
}

}  // namespace

void add_level_properties(std::vector<Property>& properties) {
  for (const EncodingInfo& row : all_encodings()) {
    if (!row.levels.exists()) continue;
    const Encoding encoding = row.encoding;
    properties.push_back({property_name("decode_levels_", row.name()),
                          [=](auto input) { return decode_fault(encoding, input); }});
    properties.push_back({property_name("encode_levels_", row.name()),
                          [=](auto input) { return encode_fault(encoding, input); }});
  }
}

}  // namespace parqproof::fuzz
