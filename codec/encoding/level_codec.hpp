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

/// What a decoder of levels is opened on. They have no length word; what stands behind them, if anything, is
/// rest() of the decoder.
struct LevelBytes {
  View bytes;
  unsigned bit_width;  ///< 1 to 32, for RLE 0 too
  std::uint64_t count;
  Notes& notes;
};

/// What an encoder of levels is opened on; the references outlive the encoder's use of them.
struct NewLevels {
  unsigned bit_width;  ///< 1 to 32, for RLE 0 too
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
  /// Starts on the levels of a page. find_encoding(encoding)->levels.exists() holds.
  [[nodiscard]] Status open(Encoding encoding, const LevelBytes& levels);

  /// The next levels; count 0 at the end.
  [[nodiscard]] Result<HybridDecoder::Batch> next() noexcept;

  /// HybridDecoder::next_short_runs; none where there are no runs.
  [[nodiscard]] std::size_t next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept;

  /// Bytes that stand behind the levels.
  [[nodiscard]] View rest() const noexcept;

  /// Whether a batch is a run, or a part of one; otherwise it begins at the bits of its first level.
  [[nodiscard]] bool in_runs() const noexcept { return std::holds_alternative<HybridDecoder>(any_.decoder); }

 private:
  AnyLevelDecoder any_;
};

/// The push encoder of levels, for every encoding of the table that encodes levels.
class LevelEncoder {
 public:
  /// Starts on the levels of a page, without length word. find_encoding(encoding)->levels.exists() holds.
  [[nodiscard]] EncodeStatus open(Encoding encoding, const NewLevels& levels);
  /// The next `count` levels are all `level`.
  void add(std::uint32_t level, std::uint64_t count);
  void add(std::span<const std::uint32_t> levels);
  void finish();

 private:
  AnyLevelEncoder any_;
};

}  // namespace parqproof
