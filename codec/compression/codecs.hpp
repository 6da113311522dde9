#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/compression/compression.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// Bytes as libraries of C want them.
[[nodiscard]] inline const char* chars(const std::uint8_t* bytes) noexcept {
  return reinterpret_cast<const char*>(bytes);
}

/// A call of Decompressor::expand() as the codecs see it: the stored bytes, and an output that grows as
/// needed.
class Expansion {
 public:
  Expansion(View stored, std::size_t claimed, Buffer& out, std::size_t out_offset, const Limits& limits,
            Notes& notes) noexcept
      : stored_(stored),
        claimed_(claimed),
        out_(&out),
        out_offset_(out_offset),
        limits_(&limits),
        notes_(&notes) {}

  [[nodiscard]] View stored() const noexcept { return stored_; }
  [[nodiscard]] std::size_t claimed() const noexcept { return claimed_; }
  [[nodiscard]] std::size_t produced() const noexcept { return produced_; }
  [[nodiscard]] std::size_t room() const noexcept { return room_; }
  [[nodiscard]] bool full() const noexcept { return room_ == claimed_; }
  /// Address of the next output byte; room() bytes may be written there.
  [[nodiscard]] std::uint8_t* next() noexcept { return out_->data() + out_offset_ + produced_; }
  void advance(std::size_t count) noexcept { produced_ += count, room_ -= count, claimed_ -= count; }

  /// Makes room for `more` bytes, but not beyond the claimed size. Fails with limit/memory.
  [[nodiscard]] Status reserve(std::size_t more) {
    room_ = std::max(room_, std::min(more, claimed_));
    const std::size_t end = out_offset_ + produced_;
    if (!out_->resize(end + room_, end)) return fail(Rule::limit_memory, end + room_, limits_->memory_bytes);
    return {};
  }
  /// Makes room for about as much as was produced, for streams of unknown size.
  [[nodiscard]] Status reserve_more() {
    constexpr std::size_t kMin = std::size_t{1} << 16;
    return reserve(std::max(kMin, produced_));
  }

  /// Returns page/uncompressed-size: the stream expands to at least `total` bytes.
  [[nodiscard]] std::unexpected<Error> too_long(std::size_t total) const noexcept {
    return fail(Rule::page_uncompressed_size, total, produced_ + claimed_);
  }
  /// Returns compression/stream.
  [[nodiscard]] std::unexpected<Error> refused() const noexcept {
    return fail(Rule::compression_stream, 0, 0);
  }

  /// Notes `rule` at `length` stored bytes.
  void note(NotedRule rule, std::size_t position, std::size_t length, std::uint64_t found,
            std::uint64_t expected) noexcept {
    notes_->add(rule, stored_.part(position, length), found, expected);
  }
  /// Notes compression/trailing-bytes: the stream ends before the stored byte `position`.
  void note_trailing(std::size_t position) noexcept {
    const std::size_t left = stored_.size() - position;
    note(Rule::compression_trailing_bytes, position, left, left, 0);
  }

 private:
  [[nodiscard]] static std::uint32_t length_of(View view) noexcept {
    return static_cast<std::uint32_t>(std::min<std::size_t>(view.size(), UINT32_MAX));
  }
  [[nodiscard]] std::unexpected<Error> fail(Rule rule, std::uint64_t found,
                                            std::uint64_t expected) const noexcept {
    return std::unexpected(Error{stored_.base, static_cast<std::int64_t>(found),
                                 static_cast<std::int64_t>(expected), length_of(stored_), rule,
                                 stored_.space});
  }

  View stored_;
  std::size_t claimed_;  // claimed bytes not produced yet
  Buffer* out_;
  std::size_t out_offset_;
  const Limits* limits_;
  Notes* notes_;
  std::size_t produced_ = 0;
  std::size_t room_ = 0;
};

/// Decompressor of GZIP, with state that is reused between pages.
class GzipDecompressor {
 public:
  GzipDecompressor();
  ~GzipDecompressor();
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;
  [[nodiscard]] Status expand(Expansion& expansion);

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
};

class ZstdDecompressor {
 public:
  ZstdDecompressor() = default;
  ~ZstdDecompressor();
  ZstdDecompressor(const ZstdDecompressor&) = delete;
  ZstdDecompressor& operator=(const ZstdDecompressor&) = delete;
  [[nodiscard]] Status expand(Expansion& expansion);

 private:
  void* context_ = nullptr;
};

[[nodiscard]] Status expand_uncompressed(Expansion& expansion);
[[nodiscard]] Status expand_snappy(Expansion& expansion);
[[nodiscard]] Status expand_brotli(Expansion& expansion);
[[nodiscard]] Status expand_lz4_raw(Expansion& expansion);

/// Tries Hadoop's blocks, a bare block and a frame, in this order; accepts the first one that expands to the
/// claimed size. Notes compression/lz4-layout if it is not Hadoop's.
[[nodiscard]] Status expand_lz4(Expansion& expansion);
/// Expands LZO1X in Hadoop's blocks or as one bare stream.
[[nodiscard]] Status expand_lzo(Expansion& expansion);

/// Compressor of GZIP, with state that is reused between pages.
class GzipCompressor {
 public:
  [[nodiscard]] CompressStatus compress(Compression& compression);

 private:
  struct Context;
  struct Free {
    void operator()(Context* context) const noexcept;
  };
  std::unique_ptr<Context, Free> context_;
  int level_ = 0;  // level of the context
};

class ZstdCompressor {
 public:
  ZstdCompressor() = default;
  ~ZstdCompressor();
  ZstdCompressor(const ZstdCompressor&) = delete;
  ZstdCompressor& operator=(const ZstdCompressor&) = delete;
  [[nodiscard]] CompressStatus compress(Compression& compression);

 private:
  void* context_ = nullptr;
};

class Lz4Compressor {
 public:
  /// Compresses in the layout of the options.
  [[nodiscard]] CompressStatus compress(Compression& compression);
  [[nodiscard]] CompressStatus compress_raw(Compression& compression);

 private:
  [[nodiscard]] CompressStatus append_block(Compression& compression, std::span<const std::uint8_t> bytes);

  std::vector<std::uint64_t> fast_;   // state of the library's fast compressor
  std::vector<std::uint64_t> small_;  // state of its high-compression levels
};

[[nodiscard]] CompressStatus compress_uncompressed(Compression& compression);
[[nodiscard]] CompressStatus compress_snappy(Compression& compression);
[[nodiscard]] CompressStatus compress_brotli(Compression& compression);
/// Writes literals only, in the layout of the options.
[[nodiscard]] CompressStatus compress_lzo(Compression& compression);

}  // namespace parqproof
