#include "codec/compression/decompress.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "codec/compression/format.hpp"
#include "codec/compression/table.hpp"

namespace parqproof {

struct Decompressor::State : DecompressorState {};

bool Buffer::resize(std::size_t size, std::size_t keep) {
  if (size <= capacity_ && bytes_ != nullptr) return true;
  if (size > SIZE_MAX / 2) return false;
  size += size / 8;  // slightly larger pages need no reallocation
  std::unique_ptr<std::uint8_t[]> larger(new (std::nothrow) std::uint8_t[size + kSlack]);
  if (larger == nullptr) return false;
  if (const std::size_t kept = std::min(keep, capacity_); kept != 0) {
    std::memcpy(larger.get(), bytes_.get(), kept);
  }
  bytes_ = std::move(larger);
  capacity_ = size;
  return true;
}

Decompressor::Decompressor() : state_(std::make_unique<State>()) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

bool can_decompress(CompressionCodec codec) noexcept { return find_compression(codec) != nullptr; }

Result<std::size_t> Decompressor::expand(CompressionCodec codec, View stored, std::size_t claimed,
                                         Buffer& out, std::size_t out_offset, const Limits& limits,
                                         Notes& notes) {
  Expansion expansion(stored, claimed, out, out_offset, limits, notes);
  const CompressionInfo* const row = find_compression(codec);
  if (row == nullptr) return expansion.refused();
  const Status done = row->expand(*state_, expansion);
  if (done) return expansion.produced();
  Error error = done.error();
  if (error.rule == Rule::compression_stream) {
    // compression/format
    const StreamFormat format = identify(stored, claimed);
    if (format != StreamFormat::unknown && !belongs(format, codec)) {
      error.rule = Rule::compression_format;
      error.found = static_cast<int>(format);
      error.expected = static_cast<int>(codec);
    }
  }
  return std::unexpected(error);
}

Status expand_uncompressed(Expansion& expansion) {
  const View stored = expansion.stored();
  if (stored.size() > expansion.claimed()) return expansion.too_long(stored.size());
  if (const Status room = expansion.reserve(stored.size()); !room) return room;
  if (!stored.empty()) std::memcpy(expansion.next(), stored.data(), stored.size());
  expansion.advance(stored.size());
  return {};
}

}  // namespace parqproof
