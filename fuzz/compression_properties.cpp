// Properties of compressed pages.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "codec/compression/decompress.hpp"
#include "codec/compression/table.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::uint64_t kBase = 4;
constexpr std::size_t kMostClaimed = std::size_t{1} << 16;
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 22;  // the contexts of the libraries do not count

/// What came out of a page whose header claims `claimed` bytes.
Collected expanded(CompressionCodec codec, std::span<const std::uint8_t> stored, std::size_t claimed,
                   std::uint8_t fill) {
  const FilledMemory filled(fill);
  Collected collected;
  Decompressor decompressor;
  Buffer out;
  const Limits limits;
  const View view{stored, kBase};
  const auto size = decompressor.expand(codec, view, claimed, out, 0, limits, collected.notes);
  if (!size) {
    collected.error = size.error();
    return collected;
  }
  collected.count = *size;
  if (*size != 0) collected.bytes.assign(out.data(), out.data() + *size);
  return collected;
}

std::string decompress_fault(CompressionCodec codec, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const auto stored = tail.payload();
  const std::size_t claimed = (tail.count() << 3 | tail.type() % 8U) % kMostClaimed;
  const std::uint64_t before = allocated_bytes();
  const Collected one = expanded(codec, stored, claimed, 0);
  if (allocated_bytes() - before > kFreeBytes + 4 * claimed)
    return "more memory is taken than the claim accounts for";
  if (one.count > claimed) return "more bytes come out than the page header claims";
  const Collected other = expanded(codec, stored, claimed, 0xA5);
  if (!one.same_values(other) || !one.same_findings(other))
    return "the outcome depends on the content of new memory";
  if (one.error) {
    const bool inside = one.error->offset >= kBase && one.error->offset - kBase <= stored.size();
    return inside ? "" : described(one) + " lies outside of the stored bytes";
  }
  // A larger claim changes nothing but the claim.
  const Collected more = expanded(codec, stored, claimed + 1, 0);
  if (!more.error && one.clean() && more.clean() && !one.same_values(more)) {
    return "the bytes that come out depend on the claim";
  }
  return {};
}

}  // namespace

void add_compression_properties(std::vector<Property>& properties) {
  for (const CompressionInfo& row : all_compression_codecs()) {
    std::string name(row.name());
    std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
    const CompressionCodec codec = row.codec;
    properties.push_back({"decompress_" + name, [=](auto input) { return decompress_fault(codec, input); }});
  }
}

}  // namespace parqproof::fuzz
