#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/compression/blocks.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

// LZO1X has instructions of four kinds, distinguished by the value of their first byte. Each match ends with
// up to three literals; their number, the state, determines the meaning of a first byte below 16.
constexpr unsigned kFirstLiterals = 17;  // a first byte of the stream above it: that many fewer literals
constexpr std::size_t kMaxFirstLiterals = 255 - kFirstLiterals;
constexpr std::size_t kUncounted = 3;                  // literals of a run beyond its length
constexpr std::size_t kMaxShortRun = kUncounted + 15;  // max literals whose number fits the instruction
constexpr std::uint8_t kEndMarker[] = {0x11, 0, 0};
constexpr std::size_t kMaxHadoopBlockBytes =
    std::size_t{1} << 31;  // max bytes of Hadoop's blocks, so that 32-bit lengths can express their parts
constexpr unsigned kLongRun = 4;  // state after a literal run
constexpr std::size_t kFarDistance = 16384;
constexpr std::size_t kRunDistance = 2049;  // min distance of a match right after a literal run

/// Walks over an LZO1X stream and expands it if there is an output.
class Lzo1x {
 public:
  Lzo1x(View bytes, std::uint8_t* out, std::size_t room) noexcept : bytes_(bytes), out_(out), room_(room) {}

  [[nodiscard]] std::optional<Extent> run() noexcept {
    if (bytes_.empty()) return std::nullopt;
    if (const unsigned first = bytes_.bytes[0]; first > kFirstLiterals) {
      ++at_;
      const unsigned literals = first - kFirstLiterals;
      if (!copy_literals(literals)) return std::nullopt;
      state_ = literals < kLongRun ? literals : kLongRun;
    }
    while (at_ < bytes_.size()) {
      bool end = false;
      if (!instruction(bytes_.bytes[at_++], end)) return std::nullopt;
      if (end) return Extent{produced_, at_};
    }
    return std::nullopt;
  }

 private:
  // Processes one instruction and its literals. Sets `end` at the end marker.
  bool instruction(unsigned first, bool& end) noexcept {
    std::size_t length = 0;
    std::size_t distance = 0;
    unsigned literals = first & 3U;
    std::uint8_t byte = 0;
    if (first >= 64) {
      if (!next(byte)) return false;
      length = (first >> 5) + 1;
      distance = std::size_t{byte} * 8 + (first >> 2 & 7U) + 1;
    } else if (first >= 16) {
      const bool far = first < 32;
      const unsigned mask = far ? 7 : 31;
      length = first & mask;
      if (length == 0 && !extended(mask, length)) return false;
      length += 2;
      if (bytes_.size() - at_ < 2) return false;
      const unsigned word = load_le<std::uint16_t>(bytes_.data() + at_);
      at_ += 2;
      literals = word & 3U;
      distance = word >> 2;
      if (far) {
        distance += std::size_t{first & 8U} << 11;
        end = distance == 0;  // for any length and literals
        if (end) return true;
        distance += kFarDistance;
      } else {
        ++distance;
      }
    } else if (state_ == 0) {
      length = first;
      if (length == 0 && !extended(15, length)) return false;
      state_ = kLongRun;
      return copy_literals(length + 3);
    } else {
      if (!next(byte)) return false;
      length = state_ == kLongRun ? 3 : 2;
      distance = std::size_t{byte} * 4 + (first >> 2) + (state_ == kLongRun ? kRunDistance : 1);
    }
    state_ = literals;
    return copy_match(distance, length) && copy_literals(literals);
  }

  bool next(std::uint8_t& byte) noexcept {
    if (at_ == bytes_.size()) return false;
    byte = bytes_.bytes[at_++];
    return true;
  }

  // Reads a length that does not fit its bits: 255 for each zero byte, then a last byte.
  bool extended(std::size_t base, std::size_t& length) noexcept {
    length = base;
    for (std::uint8_t byte = 0; byte == 0; length += byte == 0 ? 255U : byte) {
      if (!next(byte)) return false;
    }
    return true;
  }

  bool copy_literals(std::size_t count) noexcept {
    if (count > bytes_.size() - at_) return false;
    if (out_ != nullptr && count != 0) {
      if (count > room_ - produced_) return false;
      std::memcpy(out_ + produced_, bytes_.data() + at_, count);
    }
    at_ += count;
    produced_ += count;
    return true;
  }

  bool copy_match(std::size_t distance, std::size_t length) noexcept {
    if (distance > produced_) return false;
    if (out_ != nullptr) {
      if (length > room_ - produced_) return false;
      // Copied byte by byte, because the match may reach into its own output.
      for (std::size_t i = 0; i < length; ++i) out_[produced_ + i] = out_[produced_ + i - distance];
    }
    produced_ += length;
    return true;
  }

  View bytes_;
  std::uint8_t* out_;
  std::size_t room_;
  std::size_t at_ = 0;
  std::size_t produced_ = 0;
  unsigned state_ = 0;
};

std::optional<Extent> measure_stream(View bytes) noexcept { return Lzo1x(bytes, nullptr, 0).run(); }

bool expand_stream(View stream, std::uint8_t* out, std::size_t size) noexcept {
  const std::optional<Extent> extent = Lzo1x(stream, out, size).run();
  return extent && extent->produced == size;
}

constexpr BlockFormat kStream{&measure_stream, &expand_stream};

// Appends an LZO1X stream of one run of literals, because a second run cannot follow without a match. The
// first byte or an instruction has their number.
void append_literals(Compression& compression, std::span<const std::uint8_t> bytes) {
  const bool first_byte_counts = bytes.size() < kLongRun || (compression.options().first_byte_counts &&
                                                             bytes.size() <= kMaxFirstLiterals);
  if (bytes.size() > kMaxShortRun && !first_byte_counts) {
    compression.append(std::uint8_t{0});
    std::size_t length = bytes.size() - kMaxShortRun;
    for (; length > 255; length -= 255) compression.append(std::uint8_t{0});
    compression.append(static_cast<std::uint8_t>(length));
  } else if (!first_byte_counts) {
    compression.append(static_cast<std::uint8_t>(bytes.size() - kUncounted));
  } else if (!bytes.empty()) {
    compression.append(static_cast<std::uint8_t>(kFirstLiterals + bytes.size()));
  }
  compression.append(bytes);
  compression.append(kEndMarker);
}

}  // namespace

// Tries Hadoop's blocks first, the framing of most writers, then one bare stream. If the bytes are both, the
// one of the claimed size is accepted.
Status expand_lzo(Expansion& expansion) {
  const View stored = expansion.stored();
  constexpr BlockFormat kBlocks = Hadoop<kStream>::kFormat;
  const std::optional<Extent> blocks = kBlocks.measure(stored);
  if (blocks && blocks->produced == expansion.claimed()) return expand_measured(expansion, kBlocks, *blocks);
  const std::optional<Extent> bare = kStream.measure(stored);
  if (blocks && !(bare && bare->produced == expansion.claimed()))
    return expand_measured(expansion, kBlocks, *blocks);
  return bare ? expand_measured(expansion, kStream, *bare) : expansion.refused();
}

CompressStatus compress_lzo(Compression& compression) {
  const auto append = [&](std::span<const std::uint8_t> bytes) -> CompressStatus {
    append_literals(compression, bytes);
    return {};
  };
  switch (compression.options().layout) {
    case CompressOptions::Layout::hadoop:
      return compression.append_blocks(kMaxHadoopBlockBytes, append);
    case CompressOptions::Layout::bare:
      return append(compression.image());
    case CompressOptions::Layout::frame:
      break;
  }
  return std::unexpected("LZO has no frames");
}

}  // namespace parqproof
