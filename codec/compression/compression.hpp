#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/compression/compress.hpp"

namespace parqproof {

/// A call of Compressor::compress() as the codecs see it: the image, and an output that is appended to.
class Compression {
 public:
  Compression(std::span<const std::uint8_t> image, const CompressOptions& options, int level,
              std::vector<std::uint8_t>& out) noexcept
      : image_(image), options_(&options), level_(level), out_(&out) {}

  [[nodiscard]] std::span<const std::uint8_t> image() const noexcept { return image_; }
  [[nodiscard]] const CompressOptions& options() const noexcept { return *options_; }
  /// Always in the range of the codec's row.
  [[nodiscard]] int level() const noexcept { return level_; }

  void append(std::span<const std::uint8_t> bytes) { out_->insert(out_->end(), bytes.begin(), bytes.end()); }
  void append(std::uint8_t byte) { out_->push_back(byte); }
  void append_zeros(std::size_t count) { out_->resize(out_->size() + count); }
  void append_number(std::size_t number, unsigned bytes) { append_le(*out_, number, bytes); }
  /// Appends room for `most` bytes, calls write(room), and keeps as many bytes as it returns. Fails if it
  /// returns 0, the library's error.
  template <typename Write>
  [[nodiscard]] CompressStatus append_written(std::size_t most, Write write);
  /// Calls write(piece) for each piece of the image, as many as the options request.
  template <typename Write>
  [[nodiscard]] CompressStatus for_each_piece(Write write);
  /// Writes Hadoop's framing: a block for every `most_size` bytes of the image, or fewer by the options, with
  /// one or more parts that write(bytes) appends. An empty image has one block; its part, if any, is empty.
  template <typename Write>
  [[nodiscard]] CompressStatus append_blocks(std::size_t most_size, Write write);

 private:
  void store_be32(std::size_t position, std::size_t number) noexcept {
    for (std::size_t i = 0; i < 4; ++i)
      (*out_)[position + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  }

  std::span<const std::uint8_t> image_;
  const CompressOptions* options_;
  int level_;
  std::vector<std::uint8_t>* out_;
};

template <typename Write>
CompressStatus Compression::append_written(std::size_t most, Write write) {
  const std::size_t start = out_->size();
  out_->resize(start + most);
  const std::size_t written = write(std::span<std::uint8_t>(*out_).subspan(start));
  if (written == 0) return std::unexpected("the compression library rejects the image");
  out_->resize(start + written);
  return {};
}

template <typename Write>
CompressStatus Compression::for_each_piece(Write write) {
  if (options_->pieces == 0) return std::unexpected("an image has at least one piece");
  const std::size_t size = (image_.size() + options_->pieces - 1) / options_->pieces;
  std::span<const std::uint8_t> rest = image_;
  for (std::uint32_t i = 0; i < options_->pieces; ++i) {
    const auto piece = rest.first(std::min(size, rest.size()));
    if (const CompressStatus written = write(piece); !written) return written;
    rest = rest.subspan(piece.size());
  }
  return {};
}

template <typename Write>
CompressStatus Compression::append_blocks(std::size_t most_size, Write write) {
  constexpr std::size_t kSize = 4;  // bytes of a size
  if (options_->block_size == 0U) return std::unexpected("a block has at least one byte");
  if (options_->part_size == 0U) return std::unexpected("a part of a block has at least one byte");
  const std::size_t block_size = std::min<std::size_t>(options_->block_size.value_or(UINT32_MAX), most_size);
  const std::size_t part_size = options_->part_size.value_or(UINT32_MAX);
  std::span<const std::uint8_t> rest = image_;
  do {
    std::span<const std::uint8_t> block = rest.first(std::min(block_size, rest.size()));
    rest = rest.subspan(block.size());
    out_->resize(out_->size() + kSize);
    store_be32(out_->size() - kSize, block.size());
    if (block.empty() && !options_->empty_part) break;
    do {
      const auto part = block.first(std::min(part_size, block.size()));
      block = block.subspan(part.size());
      out_->resize(out_->size() + kSize);
      const std::size_t start = out_->size();
      if (const CompressStatus written = write(part); !written) return written;
      store_be32(start - kSize, out_->size() - start);
    } while (!block.empty());
  } while (!rest.empty());
  return {};
}

}  // namespace parqproof
