#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/rle/bit_packed.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// Arguments of LevelDecoder::open(). `bytes` has no length prefix; it may continue after the levels, see
/// rest().
struct LevelBytes {
  View bytes;
  unsigned bit_width;  ///< 1 to 32; RLE also allows 0
  std::uint64_t count;
  Notes& notes;
};

/// Arguments of LevelEncoder::open(). The caller keeps the references alive until the levels are complete.
struct NewLevels {
  unsigned bit_width;  ///< 1 to 32; RLE also allows 0
  const EncodeOptions& options;
  std::vector<std::uint8_t>& out;
};

/// Storage for one decoder of levels.
struct AnyLevelDecoder {
  std::variant<HybridDecoder, BitPackedDecoder> decoder;

  template <typename Decoder>
  static Status open(AnyLevelDecoder& any, const LevelBytes& levels) {
    if (!std::holds_alternative<Decoder>(any.decoder)) any.decoder.emplace<Decoder>();
    return std::get<Decoder>(any.decoder).open(levels.bytes, levels.bit_width, levels.count, levels.notes);
  }
};

/// Storage for one encoder of levels.
struct AnyLevelEncoder {
  std::variant<HybridEncoder, BitPackedEncoder> encoder;

  template <typename Encoder>
  static void open(AnyLevelEncoder& any, const NewLevels& levels) {
    if (!std::holds_alternative<Encoder>(any.encoder)) any.encoder.emplace<Encoder>();
    std::get<Encoder>(any.encoder).open(levels.bit_width, levels.options, levels.out);
  }
};

/// The pull decoder of levels, for every encoding of the table that encodes levels.
class LevelDecoder {
 public:
  /// Starts on the levels of a page. Precondition: find_encoding(encoding)->levels.exists().
  [[nodiscard]] Status open(Encoding encoding, const LevelBytes& levels);

  /// Returns the next levels; count 0 at the end.
  [[nodiscard]] Result<HybridDecoder::Batch> next() noexcept;

  /// HybridDecoder::next_short_runs(); 0 for encodings without runs.
  [[nodiscard]] std::size_t next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept;

  /// Returns the bytes after the levels.
  [[nodiscard]] View rest() const noexcept;

  /// Returns true if batches are runs or parts of runs. Otherwise run_offset of a batch is the offset of its
  /// first level.
  [[nodiscard]] bool in_runs() const noexcept { return std::holds_alternative<HybridDecoder>(any_.decoder); }

 private:
  AnyLevelDecoder any_;
};

/// The push encoder of levels, for every encoding of the table that encodes levels.
class LevelEncoder {
 public:
  /// Starts on the levels of a page, without length prefix. Precondition:
  /// find_encoding(encoding)->levels.exists().
  [[nodiscard]] EncodeStatus open(Encoding encoding, const NewLevels& levels);
  /// Adds `count` levels equal to `level`.
  void add(std::uint32_t level, std::uint64_t count);
  void add(std::span<const std::uint32_t> levels);
  void finish();

 private:
  AnyLevelEncoder any_;
};

}  // namespace parqproof
